/* SPDX-License-Identifier: MIT */
/* Updates compiled twice, for the CPU and for emulated CUDA. HG_DIMS 1 to 3: a stencil; 0: stored neighbours. */
#if HG_DIMS == 1
#define HG_RADIUS 3
#elif HG_DIMS == 2
#define HG_RADIUS 2
#elif HG_DIMS == 3
#define HG_RADIUS 1
#endif
#define HG_VALUE double
#include "job/app.h"

#if HG_DIMS == 0
HG_UPDATE_ARRAY(tested)
{
  const double *f = (const double *)hg_parameters(u);
  for (int64_t i = 0; i < hg_length(u); i++) {
    out[i] = f[0] * hg_values(u)[i] + (double)(hg_step(u) + hg_x(u));
    for (int64_t j = 0; j < hg_neighbours(u); j++)
      if (i < hg_neighbour_length(u, j)) out[i] += hg_neighbour_values(u, j)[i] / (double)(2 + hg_neighbour_id(u, j));
  }
}
#else
/* Neighbours in every direction with different weights, the position, the step and parameters. */
HG_UPDATE(tested)
{
  const double *f = (const double *)hg_parameters(u);
  double v = f[0] * hg_value(u) + f[1] * (double)(hg_x(u) + 3 * hg_y(u) + 5 * hg_z(u)) + (double)hg_step(u);
  for (int i = 1; i <= HG_RADIUS; i++) {
#if HG_DIMS == 1
    v += (hg_at(u, -i) - .5 * hg_at(u, i)) / i;
#elif HG_DIMS == 2
    v += (hg_at(u, -i, 0) - .5 * hg_at(u, i, i) + .25 * hg_at(u, 0, i) - .1 * hg_at(u, i, -i)) / i;
#else
    v += hg_at(u, -i, i, 0) - .5 * hg_at(u, i, 0, -i) + .25 * hg_at(u, 0, -i, i) - .1 * hg_at(u, 0, 0, -i);
#endif
  }
  return v / 4;
}
#endif
