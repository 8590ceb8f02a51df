/* SPDX-License-Identifier: MIT */
/* Block depth and tile sizes where the user names none. */
#ifndef HG_PLACEMENT_CHOOSE_H
#define HG_PLACEMENT_CHOOSE_H

#include <stdbool.h>

#include "base/box.h"
#include "input/problem.h"

/** Steps per block for regions box[regions] (empty ones are ignored): as deep as pays on large grids, and at most a
 * quarter of the smallest extent of a region along a cut axis, so that redundant work stays below a quarter.
 * @param cuda  some of the workers are GPUs, whose kernels then decide */
int hg_choose_depth(const hg_heat_problem *problem, bool cuda, int regions, const hg_box *box);

/** Largest extents of the tiles of a region.
 * @param cuda  the region belongs to a GPU
 * @param[out] tile  extents in cells */
void hg_choose_tile(const hg_heat_problem *problem, const hg_box *region, bool cuda, int depth, int64_t tile[3]);

/** The same for updates of applications, with values of `value_bytes`: as many steps as the layers in between fit into
 * half of the L2 cache. @param steps  of the run */
int hg_choose_units_depth(const hg_domain *domain, int64_t value_bytes, int64_t steps, int regions, const hg_box *box);
void hg_choose_units_tile(const hg_domain *domain, int64_t value_bytes, const hg_box *region, bool cuda, int depth,
                          int64_t tile[3]);

/** Rows and columns of a tile for elimination of an n x n matrix. @param cuda  some of the workers are GPUs */
int hg_choose_nb(int64_t n, bool cuda);
#endif
