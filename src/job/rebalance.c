/* SPDX-License-Identifier: MIT */
/* A running job is watched; where it pays it is divided anew by the speeds that were measured, and its values move. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "codelets/costs.h"
#include "job/balance.h"
#include "job/run.h"

/* Whether shares may follow the measured speeds: always where the job wants it, and of their own accord where nobody
 * has said what they should be. */
static bool may_move(const hg_run *r)
{
  const hg_job *j = r->job;
  const bool said = j->divide || hg_file_has_ending(j->partition, ".csv") || r->options->grid.division.speeds > 0;
  if (j->rebalance != 0 || hg_simulated || j->length || r->session.all_workers < 2) return j->rebalance > 0;
  return !said && (r->session.ranks > 1 || hg_balance_keeps_owners(&r->session));
}

hg_status hg_run_watch(hg_run *r)
{
  r->watched = may_move(r);
  if (!r->watched && !r->options->grid.models) return HG_OK;
  enum { STORED = 16 }; /* steps between looks at least, where a step is a round of messages */
  return hg_balance_open(&r->session, hg_balance_keeps_owners(&r->session), (double)hg_run_units(r), r->job->update->value_bytes,
                         hg_run_is_stencil(r) ? 1 : STORED, &r->balance);
}

bool hg_run_is_new(const hg_run *r)
{
  return r->watched && r->done == r->first && !r->balance.watch.looked;
}

int64_t hg_run_first_look(const hg_run *r)
{
  const int64_t depth = r->tiling->depth, every = r->balance.every;
  return hg_run_is_new(r) ? r->done + (depth > every ? depth : every) : INT64_MAX;
}

bool hg_run_wants_to_move(hg_run *r, int64_t step)
{
  const hg_job *j = r->job;
  const double TOLERANCE = .02, SLICES = .01, /* s: some time slices of other programs */
      LEAST = r->balance.watch.looked ? .05 : SLICES;
  const bool chosen = j->rebalance > 0;
  if (!r->watched || step >= j->steps) return false;
  return hg_balance_look(&r->balance, r->graph, step,
                         (hg_watch_rule){.tolerance = chosen ? j->rebalance : TOLERANCE,
                                         .cost = chosen ? 0 : 1,
                                         .steps_left = (double)(j->steps - step),
                                         .least = chosen ? 0 : LEAST});
}

static void drop(hg_graph *graph, hg_tiling *tiling)
{
  hg_graph_free(graph);
  hg_tiling_free(tiling);
  free(tiling);
}

static hg_status move_values(hg_run *r, hg_graph *from)
{
  HG_TRY(hg_run_graph(r));
  r->connected = false;
  return r->graph->does->move(from, r->graph);
}

/* If the new tiles cannot be made the old ones stay. */
static hg_status change_to(hg_run *r, hg_tiling *tiling)
{
  hg_graph *graph = r->graph;
  hg_tiling *former = r->tiling;
  r->tiling = tiling;
  r->graph = NULL;
  hg_status status = move_values(r, graph);
  if (status != HG_OK) {
    drop(r->graph, tiling);
    r->tiling = former;
    r->graph = graph;
    return status;
  }
  drop(graph, former);
  r->moves++;
  return HG_OK;
}

static hg_status divide_by_what_is_known(hg_run *r, hg_tiling **tiling)
{
  double speed[r->session.all_workers];
  hg_speed_model model[r->session.all_workers];
  hg_watch_models(&r->balance.watch, r->balance.kind, speed, model);
  return hg_run_tiling(r, model, tiling);
}

hg_status hg_run_divide(hg_run *r)
{
  HG_TRY(hg_run_read_models(r));
  return r->learnt ? divide_by_what_is_known(r, &r->tiling) : hg_run_tiling(r, NULL, &r->tiling);
}

static hg_status divide_anew(hg_run *r)
{
  hg_tiling *tiling;
  HG_TRY(divide_by_what_is_known(r, &tiling));
  if (!hg_balance_same(r->tiling, tiling)) return change_to(r, tiling);
  hg_tiling_free(tiling);
  free(tiling);
  return HG_OK;
}

/* A job that nobody asked to be rebalanced does not end because there is no memory for it. */
hg_status hg_run_rebalance(hg_run *r)
{
  const double start = hg_now();
  const int moves = r->moves;
  hg_status status = divide_anew(r);
  if (status == HG_MEMORY && r->job->rebalance == 0) {
    hg_log(HG_INFO, "not rebalanced: %s", hg_message());
    r->watched = false;
    status = HG_OK;
  }
  HG_TRY(status);
  if (r->watched) hg_balance_moved(&r->balance, hg_now() - start, r->moves > moves);
  if (r->options->grid.models && r->moves > moves) hg_balance_mark(&r->balance, r->graph);
  if (r->moves > moves)
    hg_log(HG_INFO, "rebalanced before step %lld: the values moved in %.4f s", (long long)r->done, hg_now() - start);
  return HG_OK;
}
