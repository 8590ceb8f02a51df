/* SPDX-License-Identifier: MIT */
/* What speed tables say of tasks that write tiles; with the lock held. */
#ifndef HG_SCHEDULERS_SPEEDS_H
#define HG_SCHEDULERS_SPEEDS_H

#include "speed/partial.h"
#include "schedulers/policy.h"

/** Tables of the first kind of tasks that write tiles and whose times StarPU's models do not know on all workers. */
typedef struct hg_tile_tables {
  const void *kind;        /**< NULL: none yet */
  hg_partial_speed *speed; /**< [STARPU_NMAXWORKERS] cells/s, refined by measured times; NULL: there are no tables */
  double *item;            /**< [STARPU_NMAXWORKERS] s per item exchanged */
  double cells;            /**< of a tile */
  double unit;             /**< s measured for what should take 1 s; 0: nothing measured yet */
} hg_tile_tables;

/** The GPU's model as in names of tables, from StarPU's name of its worker: "CUDA 0.0 (NVIDIA H200 139.7 GiB 07:00.0)".
 * false if there is none. */
bool hg_sched_gpu_key(const char *name, char *key, size_t size);
/** Reads the tables in HETGRID_TABLES for a task that writes a tile, once, if models do not know it everywhere. */
void hg_sched_find_tables(const hg_policy *p, const hg_ready *ready, const hg_costs *c, hg_tile_tables *tables);
/** A task that took `seconds` says what a second of the tables is. */
void hg_sched_measure_unit(hg_tile_tables *tables, int w, double seconds);
/** Refines the tables by what a round over the tiles has taken. @param mean  [workers] s a task; 0: not measured */
void hg_sched_learn(const hg_policy *p, hg_tile_tables *tables, const double *mean);
/** Sets `seconds` to what a tile takes each worker where all are divided by tables, if there are any. */
void hg_sched_divide(const hg_policy *p, const hg_tile_tables *tables, const char *partitioner, double *seconds);
void hg_sched_free_tables(hg_tile_tables *tables);
#endif
