/* SPDX-License-Identifier: MIT */
/* What a program may tell the policies. */
#ifndef HG_SCHEDULERS_HINTS_H
#define HG_SCHEDULERS_HINTS_H

#include <starpu.h>

/** Number of memories in StarPU's write-through mask. */
enum { HG_SCHED_MASK = 32 };

/** For tiles that are not updated in rounds: their tasks go where they finish first. */
#define HG_SCHED_ANYWHERE -2

/** Makes a StarPU worker of this node the owner of the tile with this handle, or HG_SCHED_ANYWHERE. To be called
 * before any task writes it. */
void hg_sched_set_owner(starpu_data_handle_t handle, int worker);

/** The tiles that the default context's policy knows are gone: the program has unregistered them, or will create
 * others. No unfinished task may write one. */
void hg_sched_forget_tiles(void);

/** Makes a StarPU worker of this node the home of data that are not updated in rounds. Policies that do not steal
 * (hetgrid-even, hetgrid-rows) run tasks that update them there; the others run each task where it finishes first. */
void hg_sched_set_home(starpu_data_handle_t handle, int worker);

/** Sets the power that StarPU's workers draw while they compute, watts[workers]. Used where STARPU_SCHED_GAMMA makes
 * joules count and codelets have no energy model. */
void hg_sched_set_powers(int workers, const double *watts);
#endif
