/* SPDX-License-Identifier: MIT */
/* The policies in other programs: tasks without coordinates, a stencil, priorities, restrictions to workers, several
 * contexts. With the argument "plugin", STARPU_SCHED_LIB and STARPU_SCHED name the policy. */
#include <starpu.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "schedulers/hetgrid_sched.h"
#include "tap.h"

enum { NX = 6, NY = 5, SWEEPS = 12 };

static atomic_int ran, wrong_worker, stayed;
static int ran_at[200];

static void count_cpu(void *buffer[], void *arg)
{
  (void)buffer;
  (void)arg;
  ran++;
}

static void add_cpu(void *buffer[], void *arg)
{
  (void)arg;
  long sum = 1;
  for (unsigned i = 1; i < STARPU_TASK_GET_NBUFFERS(starpu_task_get_current()); i++)
    sum += *(long *)STARPU_VARIABLE_GET_PTR(buffer[i]);
  *(long *)STARPU_VARIABLE_GET_PTR(buffer[0]) += sum % 1000003;
  ran++;
}

static void note_order_cpu(void *buffer[], void *arg)
{
  (void)buffer;
  ran_at[*(int *)arg] = ran++;
}

static void check_worker_cpu(void *buffer[], void *arg)
{
  (void)buffer;
  if (starpu_worker_get_id() != *(int *)arg) wrong_worker++;
  ran++;
}

static struct starpu_codelet count_codelet = {.cpu_funcs = {count_cpu}, .nbuffers = 0},
                             add_codelet = {.cpu_funcs = {add_cpu}, .nbuffers = STARPU_VARIABLE_NBUFFERS},
                             order_codelet = {.cpu_funcs = {note_order_cpu}, .nbuffers = 0},
                             worker_codelet = {.cpu_funcs = {check_worker_cpu}, .nbuffers = 0};

static void independent_tasks(const char *policy)
{
  ran = 0;
  for (int i = 0; i < 2000; i++) starpu_task_insert(&count_codelet, STARPU_PRIORITY, i % 7 - 3, 0);
  starpu_task_wait_for_all();
  tap_ok(ran == 2000, "%s: 2000 independent tasks all run", policy);
}

/* Sweeps over a grid with Gauss-Seidel's dependencies, so that the result shows whether the order was right. */
static void stencil(const char *policy, bool coordinates, bool triangular)
{
  static long value[NY][NX], expected[NY][NX];
  starpu_data_handle_t handle[NY][NX];
  int tasks = 0;
  memset(value, 0, sizeof value);
  memset(expected, 0, sizeof expected);
  for (int y = 0; y < NY; y++)
    for (int x = 0; x < NX; x++) {
      starpu_variable_data_register(&handle[y][x], STARPU_MAIN_RAM, (uintptr_t)&value[y][x], sizeof(long));
      if (coordinates) starpu_data_set_coordinates(handle[y][x], 2, x, y);
    }
  ran = 0;
  for (int sweep = 0; sweep < SWEEPS; sweep++)
    for (int y = 0; y < NY; y++)
      for (int x = 0; x < NX; x++) {
        if (triangular && (x < sweep % NX || y < sweep % NY)) continue;
        struct starpu_data_descr d[3] = {{handle[y][x], STARPU_RW}};
        long sum = 1;
        int n = 1;
        if (x > 0) d[n++] = (struct starpu_data_descr){handle[y][x - 1], STARPU_R}, sum += expected[y][x - 1];
        if (y > 0) d[n++] = (struct starpu_data_descr){handle[y - 1][x], STARPU_R}, sum += expected[y - 1][x];
        expected[y][x] += sum % 1000003;
        starpu_task_insert(&add_codelet, STARPU_DATA_MODE_ARRAY, d, n, 0);
        tasks++;
      }
  starpu_task_wait_for_all();
  for (int y = 0; y < NY; y++)
    for (int x = 0; x < NX; x++) starpu_data_unregister(handle[y][x]);
  tap_ok(ran == tasks && memcmp(value, expected, sizeof value) == 0, "%s: %s of %d tasks %s coordinates", policy,
         triangular ? "an elimination" : "a stencil", tasks, coordinates ? "with" : "without");
}

/* Tasks that became ready while nothing ran: one worker takes the highest priority first, the oldest among equals. */
static void priorities(const char *policy)
{
  enum { COUNT = 60 };
  static int number[COUNT];
  int late = 0;
  const bool alone = starpu_worker_get_count() == 1;
  ran = 0;
  starpu_pause();
  for (int i = 0; i < COUNT; i++) {
    struct starpu_task *task = starpu_task_create();
    number[i] = i;
    task->cl = &order_codelet;
    task->cl_arg = &number[i];
    task->cl_arg_size = sizeof number[i];
    task->priority = i % 3;
    if (starpu_task_submit(task) != 0) late++;
  }
  starpu_resume();
  starpu_task_wait_for_all();
  for (int i = 0; i < COUNT && alone; i++)
    for (int j = 0; j < COUNT; j++) late += (i % 3 > j % 3 || (i % 3 == j % 3 && i < j)) && ran_at[i] > ran_at[j];
  /* a worker may have taken a task before the pause took effect */
  tap_ok(ran == COUNT && late <= COUNT, "%s: priorities are kept (%d pairs of %d are not)", policy, late,
         COUNT * COUNT / 2);
}

static void note_worker_cpu(void *buffer[], void *arg)
{
  long *last = (long *)STARPU_VARIABLE_GET_PTR(buffer[0]);
  const double begun = starpu_timing_now();
  (void)arg;
  if (*last == starpu_worker_get_id()) stayed++;
  *last = starpu_worker_get_id();
  while (starpu_timing_now() < begun + 100)
    ;
  ran++;
}

/* A core continues with the data in its caches: most tasks run where their predecessor in the chain did. With one
 * shared queue only every other task would. */
static void chains(const char *policy)
{
  enum { CHAINS = 15, LENGTH = 64 };
  static struct starpu_codelet codelet = {.cpu_funcs = {note_worker_cpu}, .nbuffers = 1, .modes = {STARPU_RW}};
  long last[CHAINS];
  starpu_data_handle_t chain[CHAINS];
  ran = stayed = 0;
  for (int i = 0; i < CHAINS; i++) {
    last[i] = -1;
    starpu_variable_data_register(&chain[i], STARPU_MAIN_RAM, (uintptr_t)&last[i], sizeof last[i]);
  }
  for (int step = 0; step < LENGTH; step++)
    for (int i = 0; i < CHAINS; i++) starpu_task_insert(&codelet, STARPU_RW, chain[i], 0);
  starpu_task_wait_for_all();
  for (int i = 0; i < CHAINS; i++) starpu_data_unregister(chain[i]);
  const bool keeps = strcmp(policy, "hetgrid") == 0; /* hetgrid-nphp: each task runs where it finishes first */
  tap_ok(ran == CHAINS * LENGTH && (!keeps || 3 * stayed > CHAINS * LENGTH), "%s: of %d tasks %d stay on their core",
         policy, ran, stayed);
}

static void restricted_tasks(const char *policy)
{
  ran = wrong_worker = 0;
  static int target[200];
  const int workers = (int)starpu_worker_get_count();
  for (int i = 0; i < 200; i++) {
    struct starpu_task *task = starpu_task_create();
    target[i] = i % workers;
    task->cl = &worker_codelet;
    task->cl_arg = &target[i];
    task->cl_arg_size = sizeof target[i];
    if (i % 2) {
      task->execute_on_a_specific_worker = 1;
      task->workerid = (unsigned)target[i];
    } else {
      uint32_t *allowed = calloc(8, sizeof *allowed);
      allowed[target[i] / 32] |= 1u << (target[i] % 32);
      task->workerids = allowed;
      task->workerids_len = 8;
    }
    if (starpu_task_submit(task) != 0) wrong_worker++;
  }
  starpu_task_wait_for_all();
  tap_ok(ran == 200 && wrong_worker == 0, "%s: tasks restricted to a worker run there (%d do not)", policy,
         wrong_worker);
}

/* For the last worker alone, and submitted while no worker can run anything. */
static void *submit_to_last(void *arg)
{
  static uint32_t allowed[STARPU_NMAXWORKERS / 32 + 1];
  const unsigned last = starpu_worker_get_count() - 1;
  (void)arg;
  allowed[last / 32] = 1u << last % 32;
  struct starpu_task *task = starpu_task_create();
  task->cl = &count_codelet;
  task->workerids = allowed;
  task->workerids_len = sizeof allowed / sizeof *allowed;
  if (starpu_task_submit(task) != 0) wrong_worker++;
  return NULL;
}

static void blocked_workers(const char *policy)
{
  ran = 0;
  starpu_sleep(.05F); /* until all are idle */
  starpu_sched_ctx_exec_parallel_code(submit_to_last, NULL, 0);
  starpu_task_wait_for_all();
  tap_ok(ran == 1, "%s: a task submitted while workers are blocked runs afterwards", policy);
}

static double never(struct starpu_task *task, struct starpu_perfmodel_arch *arch, unsigned implementation)
{
  (void)task, (void)arch, (void)implementation;
  return INFINITY;
}

static void infinite_models(const char *policy)
{
  static struct starpu_perfmodel model = {
      .type = STARPU_PER_ARCH, .arch_cost_function = never, .symbol = "hetgrid_never"};
  static struct starpu_codelet codelet = {.cpu_funcs = {count_cpu}, .model = &model};
  ran = 0;
  for (int i = 0; i < 20; i++) starpu_task_insert(&codelet, 0);
  starpu_task_wait_for_all();
  tap_ok(ran == 20, "%s: tasks of which models say that no worker should run them do", policy);
}

static void contexts(const char *policy, struct starpu_sched_policy *object)
{
  int ids[STARPU_NMAXWORKERS];
  const unsigned workers = starpu_worker_get_count();
  for (unsigned i = 0; i < workers; i++) ids[i] = (int)i;
  ran = 0;
  unsigned context = starpu_sched_ctx_create(ids, 1, "one", STARPU_SCHED_CTX_POLICY_STRUCT, object, 0);
  for (int i = 0; i < 100; i++) {
    starpu_task_insert(&count_codelet, STARPU_SCHED_CTX, context, 0);
    starpu_task_insert(&count_codelet, 0);
  }
  starpu_task_wait_for_all();
  if (workers > 1) {
    starpu_sched_ctx_add_workers(ids + 1, 1, context);
    for (int i = 0; i < 100; i++) starpu_task_insert(&count_codelet, STARPU_SCHED_CTX, context, 0);
    starpu_task_wait_for_all();
    starpu_sched_ctx_remove_workers(ids + 1, 1, context);
  }
  for (int i = 0; i < 100; i++) starpu_task_insert(&count_codelet, STARPU_SCHED_CTX, context, 0);
  starpu_task_wait_for_all();
  starpu_sched_ctx_finished_submit(context);
  starpu_sched_ctx_delete(context);
  for (int i = 0; i < 100; i++) starpu_task_insert(&count_codelet, 0);
  starpu_task_wait_for_all();
  tap_int(ran, workers > 1 ? 500 : 400, policy);
}

static bool run_all(struct starpu_sched_policy *policy)
{
  struct starpu_conf conf;
  starpu_conf_init(&conf);
  conf.sched_policy = policy;
  conf.ncuda = 0;
  if (starpu_init(&conf) != 0) return false;
  const char *name = starpu_sched_get_sched_policy()->policy_name;
  tap_ok(!policy || strcmp(name, policy->policy_name) == 0, "the policy in use is %s", name);
  independent_tasks(name);
  stencil(name, true, false);
  stencil(name, false, false);
  stencil(name, true, true);
  priorities(name);
  chains(name);
  restricted_tasks(name);
  blocked_workers(name);
  infinite_models(name);
  if (policy) contexts(name, policy);
  starpu_shutdown();
  return true;
}

int main(int argc, char **argv)
{
  bool good = true;
  if (argc > 1 && strcmp(argv[1], "plugin") == 0) {
    good = run_all(NULL);
    tap_ok(good && getenv("STARPU_SCHED"), "loaded as a plugin");
    return tap_done();
  }
  for (struct starpu_sched_policy **p = hg_sched_policies; *p && good; p++) good = run_all(*p);
  if (!good) tap_skip("StarPU found no processor to run on");
  return tap_done();
}
