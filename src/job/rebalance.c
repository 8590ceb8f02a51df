/* SPDX-License-Identifier: MIT */
/* A running job is divided anew by the speeds that were measured, and its values move. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "job/balance.h"
#include "job/run.h"

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
  const double start = hg_now();
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
  hg_log(HG_INFO, "rebalanced: the values moved in %.4f s", hg_now() - start);
  return HG_OK;
}

hg_status hg_run_rebalance(hg_run *r)
{
  const hg_session *s = &r->session;
  hg_worker_times times[s->workers + 1];
  double speed[s->all_workers];
  hg_tiling *tiling;
  hg_graph_times(r->graph, times);
  hg_graph_reset_times(r->graph);
  if (hg_balance_measure(s, times, speed) <= r->job->rebalance) return HG_OK;
  HG_TRY(hg_run_tiling(r, speed, &tiling));
  if (!hg_balance_same(r->tiling, tiling)) return change_to(r, tiling);
  hg_tiling_free(tiling);
  free(tiling);
  return HG_OK;
}
