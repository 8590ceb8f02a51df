/* SPDX-License-Identifier: MIT */
/* Scheduling policies for StarPU. A task goes where it is expected to finish first, transfers included, and waits there
 * by priority and by the length of the path that it begins in the graph of submitted tasks. Where tiles have owners,
 * which the program names or a policy finds by speed, a task goes to the owner of the tile it writes: the first buffer
 * written that has coordinates (starpu_data_set_coordinates). */
#ifndef HG_SCHEDULERS_HETGRID_SCHED_H
#define HG_SCHEDULERS_HETGRID_SCHED_H

#include <starpu_scheduler.h>

/** hetgrid: list scheduling, owners that the program names, stealing where it pays.
 * hetgrid-dfpa: the same with regions by speed, which are made anew from measured times when workers are out of
 * balance. hetgrid-rows: rows of tiles by speed, hetgrid-even: equal regions; both without stealing (the thesis'
 * baselines). */
extern struct starpu_sched_policy hg_sched_hetgrid, hg_sched_dfpa, hg_sched_rows, hg_sched_even;

/** All of them, ended by NULL. */
extern struct starpu_sched_policy *hg_sched_policies[];

/** The policy of that name, or NULL. */
struct starpu_sched_policy *hg_sched_find(const char *name);

/** For tiles that are not worked on in rounds: their tasks go where they finish first. */
#define HG_SCHED_ANYWHERE -2

/** Makes a StarPU worker of this node the owner of the tile whose handle this is, or HG_SCHED_ANYWHERE; before any task
 * writes it. */
void hg_sched_set_owner(starpu_data_handle_t handle, int worker);

/** The tiles that the default context's policy knows are gone: the program has unregistered them, or will make others.
 * No task that writes one is left. */
void hg_sched_forget_tiles(void);

/** Makes a StarPU worker of this node the home of data that are not worked on in rounds: under policies that do not
 * steal (hetgrid-even, hetgrid-rows) tasks that update them run there; the others send each where it is done first. */
void hg_sched_set_home(starpu_data_handle_t handle, int worker);

/** Says what StarPU's workers draw while they compute, watts[workers]: where STARPU_SCHED_GAMMA makes joules count and
 * codelets have no model of energy. */
void hg_sched_set_powers(int workers, const double *watts);
#endif
