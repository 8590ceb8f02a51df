/* SPDX-License-Identifier: MIT */
/* Scheduling policies by name: hetgrid's, those of the library that STARPU_SCHED_LIB names, and StarPU's. */
#include <dlfcn.h>
#include <starpu.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/session.h"
#include "schedulers/hetgrid_sched.h"

typedef struct starpu_sched_policy policy;

/* A library of policies, which stays loaded, with the functions that StarPU's handbook prescribes. */
typedef struct library {
  policy *(*find)(const char *name);
  policy **(*list)(void); /* NULL: the library does not have it */
} library;

static hg_status open_library(library *l)
{
  const char *path = getenv("STARPU_SCHED_LIB");
  *l = (library){.find = NULL};
  if (!path || !*path) return HG_OK;
  void *handle = dlopen(path, RTLD_NOW);
  if (!handle) return hg_fail(HG_INVALID, "STARPU_SCHED_LIB: cannot be loaded: %s", dlerror());
  *(void **)&l->find = dlsym(handle, "starpu_get_sched_lib_policy");
  *(void **)&l->list = dlsym(handle, "starpu_get_sched_lib_policies");
  return l->find
             ? HG_OK
             : hg_fail(HG_INVALID,
                       "STARPU_SCHED_LIB: %s does not define starpu_get_sched_lib_policy, so it has no policies", path);
}

/* Such a policy asks for the time of tasks on several cores and aborts, since hetgrid's models are per worker. */
static bool is_for_parallel_tasks(const char *name)
{
  return strcmp(name, "pheft") == 0;
}

static policy *find(const library *l, const char *name)
{
  policy *found = hg_sched_find(name);
  if (!found && l->find) found = l->find(name);
  for (policy **p = starpu_sched_get_predefined_policies(); !found && *p; p++)
    if (strcmp((*p)->policy_name, name) == 0) found = *p;
  return found;
}

/* Visits each policy once: a library may also contain hetgrid's. */
static void each(const library *l, void (*visit)(void *arg, const policy *p), void *arg)
{
  policy **const lists[] = {hg_sched_policies, l->list ? l->list() : NULL, starpu_sched_get_predefined_policies()};
  for (int i = 0; i < 3; i++)
    for (policy **p = lists[i]; p && *p; p++)
      if (!is_for_parallel_tasks((*p)->policy_name) && (i != 1 || !hg_sched_find((*p)->policy_name))) visit(arg, *p);
}

static void append(void *arg, const policy *p)
{
  char *list = arg;
  const size_t room = 1024 - strlen(list);
  if (strlen(p->policy_name) + 2 < room) strcat(strcat(list, " "), p->policy_name);
}

hg_status hg_policy_choose(const char *option, struct starpu_conf *conf)
{
  const char *environment = getenv("STARPU_SCHED"), *wanted = option ? option : environment ? environment : "hetgrid";
  const char *who = option || !environment ? "--sched" : "STARPU_SCHED";
  char known[1024] = "";
  library l;
  HG_TRY(open_library(&l));
  if (is_for_parallel_tasks(wanted))
    return hg_fail(HG_INVALID, "%s: '%s' is for parallel tasks, but each task of hetgrid runs on one core", who,
                   wanted);
  conf->sched_policy = find(&l, wanted);
  conf->sched_policy_name = NULL; /* would be the environment's, which takes precedence */
  if (conf->sched_policy) return HG_OK;
  each(&l, append, known);
  return hg_fail(HG_INVALID, "%s: '%s' is unknown; known:%s", who, wanted, known);
}

static void put_line(void *arg, const policy *p)
{
  fprintf(arg, "%-28s %s\n", p->policy_name, p->policy_description ? p->policy_description : "");
}

hg_status hg_policy_list(FILE *out)
{
  library l;
  HG_TRY(open_library(&l));
  each(&l, put_line, out);
  return HG_OK;
}
