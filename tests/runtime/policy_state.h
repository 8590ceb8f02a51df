/* SPDX-License-Identifier: MIT */
/* A policy of two workers whose state a test sets: no task runs, so nothing depends on the clock. */
#ifndef HG_TESTS_POLICY_STATE_H
#define HG_TESTS_POLICY_STATE_H

#include <starpu.h>
#include <stdlib.h>

#include "schedulers/costs.h"
#include "schedulers/nphp.h"
#include "schedulers/placement.h"
#include "schedulers/queues.h"
#include "schedulers/workers.h"
#include "tap.h"

enum { TASKS = 4 };

static hg_policy policy;
static hg_sched_worker *const w0 = &policy.worker[0], *const w1 = &policy.worker[1];
static struct starpu_task tasks[TASKS];
static double cost[TASKS][2]; /* s, on each of the two workers */

static double cost_us(struct starpu_task *task, unsigned worker, unsigned implementation)
{
  (void)implementation;
  return cost[task - tasks][worker ? 1 : 0] * 1e6;
}

static void nothing(void *buffer[], void *arg)
{
  (void)buffer;
  (void)arg;
}

static struct starpu_perfmodel model = {
    .type = STARPU_PER_WORKER, .worker_cost_function = cost_us, .symbol = "hetgrid_decisions_test"};
static struct starpu_codelet codelet = {.cpu_funcs = {nothing}, .model = &model};

static const hg_rule list_scheduling = {.place = hg_sched_place, .steals = true};

/* A policy of two workers that has seen no task. */
static void begin(void)
{
  for (int i = 0; policy.workers > 0 && i < hg_sched_queues(&policy); i++) hg_queue_free(hg_sched_queue(&policy, i));
  hg_owners_free(&policy.owners);
  hg_nphp_close(&policy);
  hg_sched_free_spare(&policy);
  memset(&policy, 0, sizeof policy);
  for (int id = 0; id < STARPU_NMAXWORKERS; id++) policy.index[id] = -1;
  for (int id = 0; id < 2; id++) hg_sched_add_worker(&policy, id);
  hg_sched_count_workers(&policy);
  policy.rule = &list_scheduling;
  policy.steals = true;
}

/* ... hetgrid-nphp */
static inline void begin_regions(const char *options)
{
  begin();
  policy.rule = &hg_nphp_rule;
  policy.steals = false;
  hg_nphp_open(&policy, options, 0.05);
}

static struct starpu_task *task(int i, double first, double second)
{
  starpu_task_init(&tasks[i]);
  tasks[i].cl = &codelet;
  cost[i][0] = first;
  cost[i][1] = second;
  return &tasks[i];
}

static inline struct starpu_task *with_data(int i, struct starpu_codelet *cl, starpu_data_handle_t handle)
{
  task(i, 1, 1)->cl = cl;
  tasks[i].handles[0] = handle;
  return &tasks[i];
}

/* Two workers, and no task of their own. */
static bool begin_runtime(void)
{
  struct starpu_conf conf;
  starpu_conf_init(&conf);
  conf.sched_policy_name = "eager";
  conf.ncuda = conf.nopencl = 0;
  conf.ncpus = 2;
  setenv("STARPU_NCPU", "2", 1);
  return starpu_init(&conf) == 0;
}

/* Puts task i into a queue; it takes `there` s there, and `second` s on the second worker. */
static void put(hg_queue *q, int i, double there, double second, int tile)
{
  hg_ready *r = hg_sched_new_ready(&policy, task(i, there, second), -1);
  r->seconds = there;
  r->order = (uint64_t)i;
  r->tile = tile;
  hg_sched_put(&policy, q, 0, r);
}

/* -1: there is none */
static int number_of(const hg_ready *r)
{
  return r ? (int)(r->task - tasks) : -1;
}
#endif
