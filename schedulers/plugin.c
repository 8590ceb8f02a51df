/* SPDX-License-Identifier: MIT */
/* The policies as a library that any StarPU program loads: STARPU_SCHED_LIB=PATH STARPU_SCHED=hetgrid. */
#include "schedulers/hetgrid_sched.h"

struct starpu_sched_policy *starpu_get_sched_lib_policy(const char *name)
{
  return hg_sched_find(name);
}

struct starpu_sched_policy **starpu_get_sched_lib_policies(void)
{
  return hg_sched_policies;
}
