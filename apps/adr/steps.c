/* SPDX-License-Identifier: MIT */
/* The time steps of hetgrid-adr, with checkpoints, and a history. */
#include <inttypes.h>
#include <string.h>

#include "adr.h"
#include "base/clock.h"
#include "base/log.h"
#include "codelets/costs.h"
#include "program/end.h"

/* A checkpoint that cannot be written costs nothing but itself, as long as the run goes on. */
static hg_status save(adr *a, int signal)
{
  const adr_options *o = &a->options;
  const hg_status status = hg_adr_checkpoint(&a->session, a->tiling, a->graph, o->grid.checkpoint,
                                             a->done, hg_adr_identity(&a->problem, &o->settings));
  a->unsaved = HG_OK;
  if (status != HG_IO || signal) return status;
  hg_log(HG_WARN, "no checkpoint after step %" PRId64 ": %s; the run goes on", a->done,
         hg_message());
  if (a->done == o->settings.steps) a->unsaved = status;
  return HG_OK;
}

/* Whether it is time to save; all ranks agree. */
static bool is_time(const adr *a, double *saved, int *signal)
{
  const hg_grid_options *g = &a->options.grid;
  double seen[2] = {hg_now() - *saved, hg_noted_signal()};
  for (int i = 0; i < 2; i++) hg_session_max(&a->session, &seen[i]);
  *signal = (int)seen[1];
  const bool late = g->checkpoint_seconds > 0 && seen[0] >= g->checkpoint_seconds;
  const bool due = g->checkpoint_every > 0 && a->done % g->checkpoint_every == 0;
  const bool now = a->done == a->options.settings.steps || late || due || *signal;
  if (now) *saved = hg_now();
  return now;
}

static void note(const adr *a, int64_t sweeps_before)
{
  const hg_adr_settings *s = &a->options.settings;
  const hg_adr_tally t = hg_adr_graph_tally(a->graph);
  if (a->history)
    fprintf(a->history, "%" PRId64 ",%.17g,%" PRId64 ",%.6g\n", a->done,
            s->time * (double)a->done / (double)s->steps, t.sweeps - sweeps_before, t.residual);
}

static hg_status step(adr *a)
{
  const int64_t before = a->options.history ? hg_adr_graph_tally(a->graph).sweeps : 0;
  HG_TRY(hg_adr_graph_step(a->graph));
  a->done++;
  hg_progress_update(&a->life.bar, a->done);
  if (a->options.history) note(a, before);
  return HG_OK;
}

hg_status adr_run(hg_life *life)
{
  adr *a = life->self;
  const char *checkpoint = hg_simulated ? NULL : a->options.grid.checkpoint;
  double saved = hg_now();
  int signal = 0;
  while (a->done < a->options.settings.steps && !signal) {
    HG_TRY(step(a));
    if (checkpoint && is_time(a, &saved, &signal)) HG_TRY(save(a, signal));
    if (a->balance.session) HG_TRY(adr_rebalance(a));
  }
  hg_adr_graph_wait(a->graph);
  if (!signal) return HG_OK;
  hg_note_signal(signal);
  return hg_fail(HG_RUNTIME,
                 "ended by signal %d (%s) after step %" PRId64
                 "; the same command with --restart %s goes on",
                 signal, strsignal(signal), a->done, checkpoint);
}
