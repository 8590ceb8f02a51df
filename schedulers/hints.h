/* SPDX-License-Identifier: MIT */
/* What a program may tell the policies. */
#ifndef HG_SCHEDULERS_HINTS_H
#define HG_SCHEDULERS_HINTS_H

#include <starpu.h>

/** Memories that StarPU's write-through mask tells apart. */
enum { HG_SCHED_MASK = 32 };

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
