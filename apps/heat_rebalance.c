/* SPDX-License-Identifier: MIT */
/* --rebalance: shares that follow the measured speeds while the program runs. */
#include <stdlib.h>

#include "heat.h"
#include "job/balance.h"

/* The state goes to tiles of the new division; what the old ones have counted is kept. */
static hg_status move(heat *h, hg_tiling *tiling)
{
  hg_heat_graph *next;
  const double start = hg_now();
  HG_TRY(hg_heat_make(&h->session, &h->problem, tiling, h->kernel, h->source, &next));
  hg_status status = hg_stencil_move(hg_heat_stencil(h->graph), hg_heat_stencil(next));
  if (status != HG_OK) {
    hg_heat_free(next);
    return status;
  }
  hg_heat_free(h->graph);
  hg_tiling_free(h->tiling);
  free(h->tiling);
  h->graph = next;
  h->tiling = tiling;
  h->moves++;
  hg_log(HG_INFO, "rebalanced: the state moved in %.4f s", hg_now() - start);
  return HG_OK;
}

hg_status heat_rebalance(heat *h)
{
  const hg_session *s = &h->session;
  hg_worker_times times[s->workers + 1];
  double speed[s->all_workers];
  hg_stencil_times(hg_heat_stencil(h->graph), times);
  hg_stencil_reset_times(hg_heat_stencil(h->graph));
  if (hg_balance_measure(s, times, speed) <= h->options.grid.rebalance) return HG_OK;
  hg_tiling *tiling = calloc(1, sizeof *tiling);
  if (!tiling) return hg_fail(HG_MEMORY, "no memory for tiles");
  hg_status status = hg_session_agree(s, heat_make_tiling(h, speed, tiling));
  if (status == HG_OK && !hg_balance_same(h->tiling, tiling)) return move(h, tiling);
  if (status == HG_OK) hg_tiling_free(tiling);
  free(tiling);
  return status;
}
