/* SPDX-License-Identifier: MIT */
/* Chooses steps per task and tile sizes if the user does not. */
#ifndef HG_PLACEMENT_CHOOSE_H
#define HG_PLACEMENT_CHOOSE_H

#include <stdbool.h>

#include "base/box.h"
#include "input/domain.h"
#include "network/network.h"

/** The computation on the regions of a grid. */
typedef struct hg_choice {
  const hg_domain *domain;
  int64_t value_bytes;
  int64_t steps;    /**< of the run */
  bool independent; /**< cells have no neighbours, and each is substantial work */
  int depth[2];  /**< steps per task that suit the kernel on CPUs and on GPUs; 0: it keeps intermediate layers in the L2
                    cache, whose size then decides */
  double memory; /**< bytes for data on the smallest GPU; 0: there is room for its whole region */
} hg_choice;

/** Steps per task for regions box[regions] (empty ones are ignored): as many as pay on large grids, with margins of at
 * most a quarter of the smallest extent of a region along a cut axis, so that redundant work stays below a quarter;
 * more on grids so small that tasks would cost more than their work. @param cuda  some workers are GPUs, whose kernels
 * then decide */
int hg_choose_depth(const hg_choice *choice, bool cuda, int regions, const hg_box *box);

/** Steps per task on GPUs whose memory is smaller than their regions, so that every tile is transferred in and out for
 * each task: as many as an H100 does on a cell while its bus moves the cell, with margins below a tenth of a tile, and
 * equally many in every task of the run. Within the same bounds as hg_choose_depth. */
int hg_choose_depth_by_bus(const hg_choice *choice, int regions, const hg_box *box);

/** Whether one worker advances the whole grid faster than `workers` equal ones that wait for each other: even with the
 * best number of steps per task, each would have less work than tasks and margins cost. Never for kernels without a
 * preferred depth, since the cost of their cells is unknown. */
bool hg_choose_alone(const hg_choice *choice, int workers);

/** Steps per task that waste least time on messages between regions: with k steps, each message takes T(k b) once in k
 * steps, where b is the bytes of a layer of the longest border, and (k - 1) / 2 layers are computed twice per step. A
 * unit is assumed to cost as much as moving it through memory, according to the largest messages of `node`; kernels
 * that compute more need fewer steps than this. Within the same bounds as hg_choose_depth.
 * @param wire  between the regions' ranks @param node  within a node */
int hg_choose_depth_by_network(const hg_choice *choice, const hg_network_level *wire, const hg_network_level *node,
                               int regions, const hg_box *box);

/** Height of the bands that a CPU's region of that height is cut into: two bands, so that one can be a block ahead
 * while the other waits, or one if they would be lower than sixteen times the margin. */
static inline int64_t hg_choose_band(int64_t height, int64_t margin)
{
  const int64_t band = (height + 1) / 2;
  return band >= 16 * margin ? band : height;
}

/** Largest extents of the tiles of a region. For a GPU with little memory, four tiles fit there: one is computed while
 * others are transferred.
 * @param cuda  the region belongs to a GPU
 * @param depth  steps per task
 * @param[out] tile  extents in cells */
void hg_choose_tile(const hg_choice *choice, const hg_box *region, bool cuda, int depth, int64_t tile[3]);

/** Widens the tiles of a CPU's region if they are many and so small that the overhead of tasks of `depth` steps is a
 * large part of their work: doubles the narrowest extent until they are neither.
 * @param[in,out] tile  extents in cells
 * @return whether they are wider now */
bool hg_choose_wider(const hg_box *region, int depth, int64_t tile[3]);

/** Rows and columns of a tile for elimination of an n x n matrix. @param cuda  some of the workers are GPUs */
int hg_choose_nb(int64_t n, bool cuda);
#endif
