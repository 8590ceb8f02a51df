/* SPDX-License-Identifier: MIT */
/* Who gets which part of hetgrid-adr's grid: at the beginning, and with --rebalance between time steps, by the speeds
 * that were measured (job/balance.h decides). */
#include <stdlib.h>

#include "adr.h"
#include "base/clock.h"
#include "base/log.h"

static hg_division division_of(const adr *a)
{
  hg_division d = a->options.grid.division;
  d.powers = a->options.run.energy.modelled;
  d.item_bytes = 2 * sizeof(double);
  d.cpus_only = !hg_adr_runs_on_cuda();
  d.app = "adr";
  d.kernel = a->kernel->name;
  d.precision = a->options.settings.in_double ? "double" : "float";
  return d;
}

hg_status adr_divide(adr *a, const hg_speed_model *measured, hg_tiling **out)
{
  const hg_division division = division_of(a);
  hg_tiling *tiling = calloc(1, sizeof *tiling);
  const hg_status room = tiling ? HG_OK : hg_fail(HG_MEMORY, "no memory");
  HG_TRY(hg_session_agree(&a->session, room));
  const hg_status status =
      hg_adr_divide(&a->session, &a->problem, &division, measured, a->options.settings.overlap, tiling);
  if (status != HG_OK)
    free(tiling);
  else
    *out = tiling;
  return status;
}

static void drop(hg_adr_graph *graph, hg_tiling *tiling)
{
  if (graph) hg_graph_free(hg_adr_graph_base(graph));
  hg_tiling_free(tiling);
  free(tiling);
}

static hg_status change_to(adr *a, hg_tiling *tiling)
{
  hg_adr_graph *graph = NULL;
  hg_status status = hg_adr_graph_make(&a->session, tiling, &a->problem, &a->options.settings, a->kernel, &graph);
  hg_graph *from = hg_adr_graph_base(a->graph);
  if (status == HG_OK) status = from->does->move(from, hg_adr_graph_base(graph));
  if (status != HG_OK) {
    drop(graph, tiling);
    return status;
  }
  drop(a->graph, a->tiling);
  a->graph = graph;
  a->tiling = tiling;
  a->moves++;
  return HG_OK;
}

static hg_status divide_anew(adr *a)
{
  double speed[a->session.all_workers];
  hg_speed_model model[a->session.all_workers];
  hg_tiling *tiling;
  hg_watch_models(&a->balance.watch, a->balance.kind, speed, model);
  HG_TRY(adr_divide(a, model, &tiling));
  if (!hg_balance_same(a->tiling, tiling)) return change_to(a, tiling);
  drop(NULL, tiling);
  return HG_OK;
}

hg_status adr_rebalance(adr *a)
{
  const int64_t left = a->options.settings.steps - a->done;
  const hg_watch_rule rule = {.tolerance = a->options.grid.rebalance, .steps_left = (double)left};
  const int moves = a->moves;
  if (left == 0 || !hg_balance_look(&a->balance, hg_adr_graph_base(a->graph), a->done, rule)) return HG_OK;
  hg_adr_graph_wait(a->graph);
  const double start = hg_now();
  HG_TRY(divide_anew(a));
  hg_balance_moved(&a->balance, hg_now() - start, a->moves > moves);
  if (a->moves > moves)
    hg_log(HG_INFO, "rebalanced after step %lld: the values moved in %.4f s", (long long)a->done, hg_now() - start);
  return HG_OK;
}
