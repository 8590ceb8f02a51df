/* SPDX-License-Identifier: MIT */
/* Wraps starpu_init in StarPU's own examples (ld's --wrap), so that they run under a policy of ours, named by
 * HETGRID_POLICY; a static program cannot load the plugin. */
#include <starpu.h>
#include <stdlib.h>

#include "schedulers/hetgrid_sched.h"

int __real_starpu_init(struct starpu_conf *conf);
int __wrap_starpu_init(struct starpu_conf *given);

int __wrap_starpu_init(struct starpu_conf *given)
{
  const char *policy = getenv("HETGRID_POLICY");
  struct starpu_conf conf;
  starpu_conf_init(&conf);
  if (given) conf = *given;
  if (policy) conf.sched_policy = hg_sched_find(policy);
  if (policy && !conf.sched_policy) conf.sched_policy_name = policy;
  return __real_starpu_init(&conf);
}
