/* SPDX-License-Identifier: MIT */
/* Heat kernels: advance one padded tile by several time steps.
 *
 * A tile is stored as a padded box: its core and, on each side, a margin of copied neighbour cells. A margin is as
 * deep as the number of steps; if a fixed boundary is nearer, it ends with the boundary cells, which are then held.
 * Mirrored (insulated) and periodic boundaries need no special case: their margins hold the image cells, and since W+E
 * and N+S are commutative the image evolves bit for bit like the original.
 *
 *      +-----------------+
 *      |     margin      |   every kernel reads the whole box of `src` and writes the core of `dst`
 *      |   +---------+   |   (the margin of `dst`, and for some kernels that of `src`, become scratch)
 *      |   |  core   |   |
 *      |   +---------+   |
 *      +-----------------+
 *
 * The arithmetic has the same fixed form in every kernel (explicit Euler for the heat equation):
 *   1-D  r = fma(ax, W+E, c0*T)     2-D  r = fma(ay, N+S, r)     3-D  r = fma(az, U+D, r)     source  r = r + q
 * with c0 = ((1 - 2 ax) - 2 ay) - 2 az and all coefficients rounded to the working precision first. */
#ifndef HG_CODELETS_HEAT_HEAT_KERNELS_H
#define HG_CODELETS_HEAT_HEAT_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codelets/tile.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Coefficients of the update, dimensionless (diffusivity * dt / dx^2). The kernels round them to their precision. */
typedef struct hg_heat_coef {
  double a[3]; /**< ax, ay, az */
} hg_heat_coef;

/** Advances a tile: dst core = src advanced by `steps` >= 1 steps.
 * Every margin that does not end with a held layer must be at least `steps` deep.
 * @param[in]  src   padded box at the present time step
 * @param[out] dst   padded box; its core is written
 * @param[in]  q     padded box of the source term (temperature per step), or NULL
 * @param      work  scratch memory of at least the size that `workspace` of the kernel returns, 64-byte aligned */
typedef void hg_heat_advance_fn(const hg_tile_shape *shape, const hg_heat_coef *coef, int steps, const void *src,
                                void *dst, const void *q, void *work);
typedef size_t hg_heat_workspace_fn(const hg_tile_shape *shape, int steps, bool has_source);

/** A named CPU kernel in both precisions ([0] double, [1] float). */
typedef struct hg_heat_kernel {
  const char *name;                   /**< as `--kernel` takes it */
  bool (*usable)(void);               /**< whether this processor has the instructions */
  hg_heat_advance_fn *advance[2];     /**< of a tile */
  hg_heat_workspace_fn *workspace[2]; /**< bytes of scratch memory needed */
} hg_heat_kernel;

/** All CPU kernels, fastest first, ending with a NULL name; includes entries that are not usable here. */
const hg_heat_kernel *hg_heat_kernel_list(void);

/** The kernel of that name ("auto": the fastest usable one), or NULL if unknown or not usable here. */
const hg_heat_kernel *hg_heat_kernel_find(const char *name);

/** Serial reference on a whole grid with its boundaries, written independently of the tile kernels: one step per
 * sweep, neighbours found by index. `kind[axis][side]`: 0 held, 1 mirrored, 2 periodic.
 * @param[in,out] a  nx*ny*nz values, the state; on return the state after `steps` steps
 * @param         b  scratch of the same size
 * @param[in]     q  source term of the same size or NULL
 * @return largest |change| of the last step (0 if steps is 0) */
double hg_heat_reference_double(int dims, const int64_t n[3], const int kind[3][2], const hg_heat_coef *coef,
                                int64_t steps, double *a, double *b, const double *q);
double hg_heat_reference_float(int dims, const int64_t n[3], const int kind[3][2], const hg_heat_coef *coef,
                               int64_t steps, float *a, float *b, const float *q);

#ifdef __cplusplus
}
#endif
#endif
