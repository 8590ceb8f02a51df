/* SPDX-License-Identifier: MIT */
/* Divides hetgrid-adr's grid: at the beginning, and with --rebalance between time steps, by measured speeds
 * (division/balance_monitor.h decides). */
#include <stdlib.h>

#include "adr.h"

static hg_division division_of(const adr *a)
{
  hg_division d = a->options.grid.division;
  d.powers = a->options.run.energy.modelled;
  d.item_bytes = 2 * sizeof(double);
  for (int i = 0; i < 3; i++) d.periodic[i] = a->problem.boundary[i] == HG_ADR_PERIODIC;
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

static hg_status divide(void *self, const hg_speed_model *measured, hg_tiling **out)
{
  return adr_divide(self, measured, out);
}

static hg_status make(void *self, const hg_tiling *tiling, hg_graph **out)
{
  const adr *a = self;
  hg_adr_graph *graph;
  HG_TRY(hg_adr_graph_make(&a->session, tiling, &a->problem, &a->options.settings, a->kernel, &graph));
  *out = hg_adr_graph_base(graph);
  return HG_OK;
}

hg_status adr_rebalance(adr *a)
{
  const int64_t left = adr_last_step(a) - a->done;
  const hg_monitor_rule rule = {.tolerance = a->options.grid.rebalance, .steps_left = (double)left};
  hg_graph *graph = hg_adr_graph_base(a->graph);
  hg_balanced grid = {&a->balance, a->tiling, graph, divide, make, a, "after step", a->done};
  bool moved = false;
  if (left == 0 || !hg_balance_check(&a->balance, graph, a->done, rule)) return HG_OK;
  hg_adr_graph_wait(a->graph);
  HG_TRY(hg_balance_divide(&grid, &moved));
  a->tiling = grid.tiling;
  a->graph = hg_adr_graph_of(grid.graph);
  a->moves += moved;
  return HG_OK;
}
