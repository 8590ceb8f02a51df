/* SPDX-License-Identifier: MIT */
/* Who gets which part of the grid, and in which tiles. */
#include <inttypes.h>

#include "heat.h"

/* The choice depends on the machine; ranks on different ones must cut the same tiles. */
static int agreed_depth(const hg_session *session, int mine)
{
  double least = -mine;
  hg_session_max(session, &least);
  return (int)-least;
}

hg_status heat_make_tiling(const heat *h, const double *speed, hg_tiling *tiling)
{
  const hg_session *s = &h->session;
  const heat_options *o = &h->options;
  const hg_heat_problem *p = &h->problem;
  const hg_domain domain = hg_heat_domain(p);
  const int n = s->all_workers;
  hg_box box[n];
  int64_t tile[n][3];
  hg_division division = o->grid.division;
  division.app = "heat";
  division.kernel = h->kernel->name;
  division.precision = p->precision == HG_FLOAT ? "float" : "double";
  HG_TRY(hg_divide(s, p->dims, p->n, &division, speed, box));
  int64_t most = hg_tiling_max_depth(&domain);
  int depth = o->grid.block ? o->grid.block : agreed_depth(s, hg_choose_depth(p, s->cuda_workers > 0, n, box));
  if (depth > most) {
    hg_log(HG_WARN, "--block: %d steps, but this grid allows %" PRId64, depth, most);
    depth = (int)most;
  }
  for (int i = 0; i < n; i++) {
    hg_choose_tile(p, &box[i], s->kind[i] == HG_CUDA_WORKER, depth, tile[i]);
    for (int axis = 0; axis < 3; axis++)
      if (o->grid.tile[axis]) tile[i][axis] = o->grid.tile[axis];
  }
  return hg_tiling_make(&domain, n, box, s->worker_rank, depth, (const int64_t(*)[3])tile, tiling);
}
