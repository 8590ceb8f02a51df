/* SPDX-License-Identifier: MIT */
/* Monitors a running job. Where it pays, the grid is divided again by the measured speeds, and values move. */
#include "base/log.h"
#include "codelets/simulated_costs.h"
#include "division/balance_monitor.h"
#include "job/run.h"

/* Whether shares may follow the measured speeds: if the job asks for it, or if nobody specified shares. */
static bool may_move(const hg_run *r)
{
  const hg_job *j = r->job;
  if (j->rebalance != 0 || hg_simulated || j->length || r->session.all_workers < 2) return j->rebalance > 0;
  return !hg_run_has_shares(r) && (r->session.ranks > 1 || hg_balance_keeps_owners(&r->session));
}

hg_status hg_run_watch(hg_run *r)
{
  r->watched = may_move(r);
  if (!r->watched && !r->options->grid.models) return HG_OK;
  enum { STORED = 16 }; /* least steps between checks where each step exchanges messages */
  return hg_balance_open(&r->session, hg_balance_keeps_owners(&r->session), (double)hg_run_units(r),
                         r->job->update->value_bytes, hg_run_is_stencil(r) ? 1 : STORED, &r->balance);
}

bool hg_run_is_new(const hg_run *r)
{
  return r->watched && r->done == r->first && !r->balance.monitor.checked;
}

int64_t hg_run_first_look(const hg_run *r)
{
  const int64_t depth = r->tiling->depth, every = r->balance.every;
  return hg_run_is_new(r) ? r->done + (depth > every ? depth : every) : INT64_MAX;
}

bool hg_run_wants_to_move(hg_run *r, int64_t step)
{
  const hg_job *j = r->job;
  const double TOLERANCE = .05, SLICES = .01, /* s: a few time slices of other programs */
      LEAST = r->balance.monitor.checked ? .05 : SLICES;
  const bool chosen = j->rebalance > 0;
  if (!r->watched || step >= j->steps) return false;
  return hg_balance_check(&r->balance, r->graph, step,
                          (hg_monitor_rule){.tolerance = chosen ? j->rebalance : TOLERANCE,
                                            .cost = chosen ? 0 : 1,
                                            .steps_left = (double)(j->steps - step),
                                            .least = chosen ? 0 : LEAST});
}

static hg_status divide(void *run, const hg_speed_model *measured, hg_tiling **out)
{
  return hg_run_tiling(run, measured, out);
}

static hg_status make(void *run, const hg_tiling *tiling, hg_graph **out)
{
  hg_run *r = run;
  HG_TRY(hg_run_graph(r, tiling, out));
  r->connected = false;
  return HG_OK;
}

static hg_balanced balanced(hg_run *r)
{
  return (hg_balanced){&r->balance, r->tiling, r->graph, divide, make, r, "before step", r->done};
}

hg_status hg_run_divide(hg_run *r)
{
  const hg_balanced grid = balanced(r);
  HG_TRY(hg_run_read_models(r));
  return r->learnt ? hg_balance_tiling(&grid, &r->tiling) : hg_run_tiling(r, NULL, &r->tiling);
}

/* Lack of memory for a rebalancing that nobody asked for does not end the job. */
hg_status hg_run_rebalance(hg_run *r)
{
  hg_balanced grid = balanced(r);
  bool moved = false;
  hg_status status = hg_balance_divide(&grid, &moved);
  if (status == HG_MEMORY && r->job->rebalance == 0) {
    hg_log(HG_INFO, "not rebalanced: %s", hg_message());
    r->watched = false;
    return HG_OK;
  }
  HG_TRY(status);
  r->tiling = grid.tiling;
  r->graph = grid.graph;
  r->moves += moved;
  if (r->options->grid.models && moved) hg_balance_mark(&r->balance, r->graph);
  return HG_OK;
}
