/* SPDX-License-Identifier: MIT */
/* What speed tables say; with the lock held. */
#ifndef HG_SCHEDULERS_SPEEDS_H
#define HG_SCHEDULERS_SPEEDS_H

#include "schedulers/policy.h"

/** The GPU's model as in names of tables, from StarPU's name of its worker: "CUDA 0.0 (NVIDIA H200 139.7 GiB 07:00.0)".
 * false if there is none. */
bool hg_sched_gpu_key(const char *name, char *key, size_t size);
/** A task that writes a tile has come, for which models tell no time on every worker: looks for tables, once a kind. */
void hg_sched_find_tables(hg_policy *p, const hg_ready *ready, const hg_costs *c);
/** s of a task of this kind by the worker's table, in the unit of what was measured; 0 if there are no tables. */
double hg_sched_by_table(const hg_policy *p, const void *kind, int w);
/** A task that took `seconds` says what a second of the tables is. */
void hg_sched_measure_unit(hg_policy *p, const void *kind, int w, double seconds);
/** Refines what tables say by what a round over the tiles has taken. */
void hg_sched_learn(hg_policy *p);
/** Sets `seconds` to what a tile takes each worker where all are divided by tables, if there are any. */
void hg_sched_divide(hg_policy *p);
void hg_sched_free_tables(hg_policy *p);
#endif
