/* SPDX-License-Identifier: MIT */
#include "program/program.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "runtime/record.h"
#include "runtime/worker_usage.h"
#include "program/exit.h"
#include "program/energy.h"
#include "program/observers.h"
#include "options/compare.h"
#include "result/report.h"

hg_status hg_context_phases(const hg_run_context *l, const hg_worker_times *times, double dynamic)
{
  const int workers = l->session->workers;
  hg_worker_times counted[workers + 1];
  if (!l->options->phases) return HG_OK;
  for (int w = 0; w < workers; w++)
    counted[w] = (hg_worker_times){
        .unpack = l->use[w].transfers, .compute = l->use[w].busy, .busy = l->use[w].busy + l->use[w].transfers};
  const hg_own_phases own = {.initialise = l->ready - l->begin, .dynamic = dynamic, .finalise = hg_now() - l->finished};
  return hg_report_phases(l->session, times ? times : counted, l->seconds, &own, hg_energy_of_workers(),
                          l->options->phases_file);
}

hg_status hg_context_phases_of_graph(const hg_run_context *l, const hg_graph *graph, double dynamic)
{
  hg_worker_times times[l->session->workers + 1];
  hg_graph_times(graph, times);
  return hg_context_phases(l, times, dynamic);
}

/* Reading StarPU's counters resets them. */
static void count_use(const hg_run_context *l)
{
  if (!l->program->busy) hg_use_times(l->session, l->use);
}

static hg_status timed_run(hg_run_context *l)
{
  HG_TRY(l->program->load(l));
  hg_progress_begin(&l->bar, hg_context_prints(l) ? l->options->progress : HG_PROGRESS_OFF, l->label, l->total);
  hg_session_barrier(l->session);
  count_use(l); /* what was counted before does not belong to the run */
  for (int i = 0; hg_observers[i]; i++) hg_observers[i]->begin(l);
  const double start = hg_now();
  const hg_status status = l->program->run(l);
  hg_session_barrier(l->session);
  l->seconds = hg_now() - start;
  count_use(l);
  for (int i = 0; hg_observers[i]; i++) hg_observers[i]->end(l);
  hg_progress_end(&l->bar);
  return status;
}

static void print_row(const hg_run_context *l)
{
  hg_columns *row = calloc(1, sizeof *row);
  if (!row) return;
  l->program->columns(l, row);
  for (int i = 0; hg_observers[i]; i++)
    if (hg_observers[i]->columns) hg_observers[i]->columns(l, row);
  hg_columns_print(row, l->number == 0);
  free(row);
}

static void print_text(const hg_run_context *l)
{
  l->program->text(l);
  for (int i = 0; hg_observers[i]; i++)
    if (hg_observers[i]->text) hg_observers[i]->text(l);
  fflush(stdout);
}

/* An invalid result is reported as such and not written. */
static hg_status validated_run(hg_run_context *l)
{
  HG_TRY(timed_run(l));
  if (l->number < 0) return HG_OK;
  const hg_status status = l->program->validate(l);
  if (hg_context_prints(l)) {
    if (l->options->csv)
      print_row(l);
    else
      print_text(l);
  }
  return status;
}

/* Compares ranks before the work: ranks with different settings would hang, or mix their results. */
static hg_status compare(hg_run_context *l)
{
  hg_consistency *list = hg_consistency_begin();
  hg_consistency_text(list, "program", hg_program_name());
  if (l->command) hg_command_consistency(l->command, list);
  hg_consistency_of_problem(list, false);
  if (l->options->trace) hg_consistency_flag(list, "HETGRID_TRACE=profiling", hg_record_wants_profiling());
  hg_consistency_of_problem(list, true);
  if (l->program->consistency) l->program->consistency(l, list);
  const hg_status status = hg_consistency_problem(list, NULL, &l->problem);
  HG_TRY(hg_consistency_end(&l->all, list));
  return hg_session_agree(&l->all, status);
}

static hg_status watch(hg_run_context *l)
{
  const size_t bytes = ((size_t)l->session->workers + 1) * sizeof *l->use;
  if (l->options->phases && !l->program->busy) hg_use_watch();
  return hg_session_agree(l->session, hg_allocate("the workers' times", bytes, (void **)&l->use));
}

static hg_status live(hg_run_context *l)
{
  HG_TRY(hg_session_agree(&l->all, l->program->open(l)));
  HG_TRY(compare(l));
  HG_TRY(l->program->start(l));
  if (l->done) return HG_OK;
  HG_TRY(watch(l));
  for (int i = 0; hg_observers[i]; i++)
    if (hg_observers[i]->open) HG_TRY(hg_observers[i]->open(l));
  l->ready = hg_now();
  for (l->number = -l->options->warmup; l->number < l->options->repeat; l->number++) HG_TRY(validated_run(l));
  l->number--;
  l->finished = hg_now();
  for (int i = 0; hg_observers[i]; i++)
    if (hg_observers[i]->finish) HG_TRY(hg_observers[i]->finish(l));
  return l->program->finish(l);
}

/* Closes observers when nothing runs any more; the first failure counts. */
static hg_status close_observers(hg_run_context *l, int ranks)
{
  for (int i = 0; hg_observers[i] && ranks > 0 && l->all.rank == 0; i++)
    if (hg_observers[i]->close && !l->done) HG_TRY(hg_observers[i]->close(l, ranks));
  return HG_OK;
}

/* Releases the program's resources; an earlier failure remains the program's message. */
static hg_status release(hg_run_context *l, hg_status status)
{
  char message[1024];
  const int ranks = l->session ? l->session->ranks : 0;
  snprintf(message, sizeof message, "%s", hg_message());
  l->program->release(l);
  free(l->use);
  free(l->problem);
  const hg_status late = close_observers(l, ranks);
  return status == HG_OK ? late : hg_fail(status, "%s", message);
}

/* A launcher ends all ranks when the first one has failed. So rank 0 prints its messages before any rank leaves. */
int hg_program_run(hg_run_context *l)
{
  hg_log_set_rank(hg_session_launch_rank());
  hg_program_enable_output();
  if (l->command && hg_option_given(l->command, "checkpoint")) hg_watch_notices();
  hg_status status = hg_session_join(l->communicator, &l->all);
  if (l->all.ranks > 1) hg_tell_end(l->all.rank, &l->bar);
  if (status == HG_OK) status = hg_session_agree_or_abort(&l->all, live(l));
  status = release(l, status);
  const int result = l->all.rank == 0 ? hg_program_end(status) : hg_program_status(status);
  fflush(NULL);
  hg_session_close(&l->all);
  return result;
}
