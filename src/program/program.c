/* SPDX-License-Identifier: MIT */
#include "program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "program/end.h"
#include "program/observers.h"

static hg_status timed_run(hg_life *l)
{
  HG_TRY(l->program->load(l));
  hg_progress_begin(&l->bar, hg_life_speaks(l) ? l->options->progress : "off", l->label, l->total);
  hg_session_barrier(l->session);
  for (int i = 0; hg_observers[i]; i++) hg_observers[i]->begin(l);
  const double start = hg_now();
  const hg_status status = l->program->run(l);
  hg_session_barrier(l->session);
  l->seconds = hg_now() - start;
  for (int i = 0; hg_observers[i]; i++) hg_observers[i]->end(l);
  hg_progress_end(&l->bar);
  return status;
}

static void print_row(const hg_life *l)
{
  hg_columns *row = calloc(1, sizeof *row);
  if (!row) return;
  l->program->columns(l, row);
  for (int i = 0; hg_observers[i]; i++)
    if (hg_observers[i]->columns) hg_observers[i]->columns(l, row);
  hg_columns_print(row, l->number == 0);
  free(row);
}

static void print_text(const hg_life *l)
{
  l->program->text(l);
  for (int i = 0; hg_observers[i]; i++)
    if (hg_observers[i]->text) hg_observers[i]->text(l);
  fflush(stdout);
}

/* A result that is not to be trusted is reported as such, and is not written. */
static hg_status judged_run(hg_life *l)
{
  HG_TRY(timed_run(l));
  if (l->number < 0) return HG_OK;
  const hg_status verdict = l->program->judge(l);
  if (hg_life_speaks(l)) {
    if (l->options->csv)
      print_row(l);
    else
      print_text(l);
  }
  return verdict;
}

static hg_status live(hg_life *l)
{
  HG_TRY(l->program->open(l));
  HG_TRY(l->program->start(l));
  if (l->done) return HG_OK;
  l->ready = hg_now();
  for (l->number = -l->options->warmup; l->number < l->options->repeat; l->number++) HG_TRY(judged_run(l));
  l->number--;
  l->finished = hg_now();
  for (int i = 0; hg_observers[i]; i++)
    if (hg_observers[i]->finish) HG_TRY(hg_observers[i]->finish(l));
  return l->program->finish(l);
}

/* What observers do when nothing runs any more; the first failure counts. */
static hg_status close_observers(hg_life *l, int ranks, hg_status status)
{
  char message[1024];
  snprintf(message, sizeof message, "%s", hg_message());
  for (int i = 0; hg_observers[i] && ranks > 0 && hg_session_launch_rank() == 0; i++) {
    const hg_status late = hg_observers[i]->close && !l->done ? hg_observers[i]->close(l, ranks) : HG_OK;
    if (late != HG_OK && status == HG_OK) return late;
  }
  return status == HG_OK ? HG_OK : hg_fail(status, "%s", message);
}

int hg_live(hg_life *l)
{
  hg_log_set_rank(hg_session_launch_rank());
  const hg_status status = live(l);
  const int ranks = l->session ? l->session->ranks : 0;
  char message[1024];
  snprintf(message, sizeof message, "%s", hg_message());
  l->program->release(l);
  if (status != HG_OK) hg_fail(status, "%s", message);
  return hg_program_end(close_observers(l, ranks, status));
}
