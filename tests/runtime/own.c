/* SPDX-License-Identifier: MIT */
/* A library with one policy, as a user writes it for STARPU_SCHED_LIB: `own` is StarPU's eager by another name. */
#include <starpu.h>
#include <string.h>

static struct starpu_sched_policy own, *all[] = {&own, NULL};

struct starpu_sched_policy *starpu_get_sched_lib_policy(const char *name);
struct starpu_sched_policy **starpu_get_sched_lib_policies(void);

struct starpu_sched_policy **starpu_get_sched_lib_policies(void)
{
  for (struct starpu_sched_policy **p = starpu_sched_get_predefined_policies(); *p; p++)
    if (strcmp((*p)->policy_name, "eager") == 0) own = **p;
  own.policy_name = "own";
  own.policy_description = "eager by another name";
  return all;
}

struct starpu_sched_policy *starpu_get_sched_lib_policy(const char *name)
{
  return strcmp(name, "own") == 0 ? starpu_get_sched_lib_policies()[0] : NULL;
}
