/* SPDX-License-Identifier: MIT */
/* Steps per task and tile sizes where the user names none. */
#ifndef HG_PLACEMENT_CHOOSE_H
#define HG_PLACEMENT_CHOOSE_H

#include <stdbool.h>

#include "base/box.h"
#include "input/domain.h"
#include "network/network.h"

/** What is to be computed on the regions of a grid. */
typedef struct hg_choice {
  const hg_domain *domain;
  int64_t value_bytes;
  int64_t steps;    /**< of the run */
  bool independent; /**< cells need no neighbours, and are work by themselves */
  int depth[2];     /**< steps of a task that suit the kernel on CPUs and on GPUs; 0: it keeps the layers in between in
                         the L2 cache, which then decides */
  double memory;    /**< bytes for data on the smallest GPU; 0: has room for all of its region */
} hg_choice;

/** Steps per task for regions box[regions] (empty ones are ignored): as deep as pays on large grids, and at most a
 * quarter of the smallest extent of a region along a cut axis, so that redundant work stays below a quarter; deeper on
 * grids so small that tasks would cost more than the work in them.
 * @param cuda  some of the workers are GPUs, whose kernels then decide */
int hg_choose_depth(const hg_choice *choice, bool cuda, int regions, const hg_box *box);

/** Steps per task on GPUs whose memory is smaller than their regions, so that every tile comes and goes once a task: as
 * many as an H100 does on a cell while its bus moves it, with margins below a tenth of a tile, and as many in each
 * task of the run. Within the same bounds as hg_choose_depth. */
int hg_choose_depth_by_bus(const hg_choice *choice, int regions, const hg_box *box);

/** Whether one worker alone advances a whole grid sooner than equal ones would that wait for each other: where even the
 * best number of steps per task leaves less to each of them than what tasks and margins cost. Never of kernels that do
 * not say how deep they like to be: nothing is known of what a cell costs them. */
bool hg_choose_alone(const hg_choice *choice, int workers);

/** Steps per task that waste least time on messages between regions: with k steps an exchange's messages take T(k b)
 * each, b the bytes of a layer of the longest border, once in k steps, and (k - 1) / 2 layers are computed twice per
 * step. A unit is taken to cost what moving it through memory costs, as the largest messages of `node` tell; kernels
 * that compute more want fewer steps than this. Within the same bounds as hg_choose_depth.
 * @param wire  between the regions' ranks @param node  within a node */
int hg_choose_depth_by_network(const hg_choice *choice, const hg_network_level *wire, const hg_network_level *node,
                               int regions, const hg_box *box);

/** Height of the bands that a CPU's region of that height is cut into: two, so that one may be a block ahead while the
 * other waits, or one if they would be lower than sixteen times the margin. */
static inline int64_t hg_choose_band(int64_t height, int64_t margin)
{
  const int64_t band = (height + 1) / 2;
  return band >= 16 * margin ? band : height;
}

/** Largest extents of the tiles of a region; of a GPU with little memory so small that four have room there: one is
 * computed while others come and go.
 * @param cuda  the region belongs to a GPU
 * @param depth  steps per task
 * @param[out] tile  extents in cells */
void hg_choose_tile(const hg_choice *choice, const hg_box *region, bool cuda, int depth, int64_t tile[3]);

/** Widens the tiles of a region of a CPU that are many and so small that tasks of `depth` steps cost much of what they
 * compute: the narrowest extent is doubled until they are neither.
 * @param[in,out] tile  extents in cells
 * @return whether they are wider now */
bool hg_choose_wider(const hg_box *region, int depth, int64_t tile[3]);

/** Rows and columns of a tile for elimination of an n x n matrix. @param cuda  some of the workers are GPUs */
int hg_choose_nb(int64_t n, bool cuda);
#endif
