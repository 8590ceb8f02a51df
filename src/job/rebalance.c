/* SPDX-License-Identifier: MIT */
/* A running job is divided anew by the speeds that were measured, and its values move. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "job/balance.h"
#include "job/run.h"

/* The old division and what was built on it. */
typedef struct former {
  hg_tiling *tiling;
  hg_stencil *stencil;
  hg_unit_graph *graph;
} former;

static hg_status move_values(hg_run *r, const former *old)
{
  HG_TRY(hg_run_graph(r));
  r->connected = false;
  return r->stencil ? hg_stencil_move(old->stencil, r->stencil) : hg_units_move(old->graph, r->graph);
}

static void drop(former *f)
{
  hg_stencil_free(f->stencil);
  hg_units_free(f->graph);
  hg_tiling_free(f->tiling);
  free(f->tiling);
}

/* If the new tiles cannot be made the old ones stay. */
static hg_status change_to(hg_run *r, hg_tiling *tiling)
{
  former old = {r->tiling, r->stencil, r->graph};
  const double start = hg_now();
  r->tiling = tiling;
  r->stencil = NULL;
  r->graph = NULL;
  hg_status status = move_values(r, &old);
  if (status != HG_OK) {
    former new = {r->tiling, r->stencil, r->graph};
    r->tiling = old.tiling;
    r->stencil = old.stencil;
    r->graph = old.graph;
    drop(&new);
    return status;
  }
  drop(&old);
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
  hg_run_times(r, times);
  if (r->stencil)
    hg_stencil_reset_times(r->stencil);
  else
    hg_units_reset_times(r->graph);
  if (hg_balance_measure(s, times, speed) <= r->job->rebalance) return HG_OK;
  HG_TRY(hg_run_tiling(r, speed, &tiling));
  if (!hg_balance_same(r->tiling, tiling)) return change_to(r, tiling);
  hg_tiling_free(tiling);
  free(tiling);
  return HG_OK;
}
