/* SPDX-License-Identifier: MIT */
/* The time steps of hetgrid-adr, with checkpoints and the history. */
#include <inttypes.h>

#include "adr.h"
#include "base/log.h"
#include "codelets/simulated_costs.h"

/* A failure here is only a warning: the run and its checkpoint are valid without a history. */
static void keep_history(const adr *a)
{
  if (adr_history_write(a) != HG_OK)
    hg_log(HG_WARN, "no history after step %" PRId64 ": %s; the run continues", a->done, hg_message());
}

int64_t adr_last_step(const adr *a)
{
  const adr_options *o = &a->options;
  return o->stop_after > 0 && o->stop_after < o->settings.steps ? o->stop_after : o->settings.steps;
}

static hg_status save(adr *a, bool last)
{
  const adr_options *o = &a->options;
  keep_history(a);
  hg_adr_describe(&a->session, &a->problem, &o->settings, a->done, &a->metadata);
  const hg_status status = hg_adr_checkpoint(&a->session, a->tiling, a->graph, o->grid.checkpoint, a->done,
                                             a->context.problem, &a->metadata);
  return hg_checkpointer_tolerate(&a->checkpointer, status, a->done, last);
}

/* Whether it is time to save before the end; the same on all ranks. */
static bool is_time(adr *a)
{
  return !hg_simulated && a->done < adr_last_step(a) &&
         hg_checkpointer_is_time(&a->checkpointer, &a->session, a->done, false);
}

hg_status adr_save_end(adr *a)
{
  return hg_simulated || !a->options.grid.checkpoint ? HG_OK : save(a, true);
}

static hg_status step(adr *a)
{
  const int64_t before = a->options.history ? hg_adr_graph_stats(a->graph).sweeps : 0;
  HG_TRY(hg_adr_graph_step(a->graph));
  a->done++;
  hg_progress_update(&a->context.bar, a->done);
  if (a->options.history) adr_history_note(a, before);
  return HG_OK;
}

hg_status adr_run(hg_run_context *context)
{
  adr *a = context->self;
  a->checkpointer = hg_checkpointer_begin(&a->options.grid);
  while (a->done < adr_last_step(a) && !a->checkpointer.signal) {
    HG_TRY(step(a));
    if (is_time(a)) HG_TRY(save(a, a->checkpointer.signal));
    if (a->balance.session) HG_TRY(adr_rebalance(a));
  }
  hg_adr_graph_wait(a->graph);
  return hg_checkpointer_end(&a->checkpointer, a->done);
}
