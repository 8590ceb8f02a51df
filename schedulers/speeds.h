/* SPDX-License-Identifier: MIT */
/* Speed tables for tasks that write tiles; with the lock held. */
#ifndef HG_SCHEDULERS_SPEEDS_H
#define HG_SCHEDULERS_SPEEDS_H

#include "schedulers/tile_tables.h"
#include "schedulers/policy.h"

/** The GPU's model as in the names of tables, from StarPU's name of the worker: "CUDA 0.0 (NVIDIA H200 139.7 GiB
 * 07:00.0)". Returns false if the name has none. */
bool hg_sched_gpu_key(const char *name, char *key, size_t size);
/** Reads the tables in HETGRID_TABLES for a task that writes a tile, once, unless models know the task on all
 * workers. */
void hg_sched_find_tables(const hg_policy *p, const hg_ready *ready, const hg_costs *c, hg_tile_tables *tables);
#endif
