/* SPDX-License-Identifier: MIT */
/* Total cost of a task under a policy: it is submitted while the workers pause, so that all tasks wait together, then
 * scheduled, run (it does nothing) and finished.
 *   task_cost POLICY [TASKS [TILES]]   prints the policy, microseconds per task without data, and per task that writes
 *                                      one of the tiles (64)
 */
#include <starpu.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "schedulers/hetgrid_sched.h"

static void nothing(void *buffer[], void *arg)
{
  (void)buffer;
  (void)arg;
}

static double always_the_same(struct starpu_task *task, struct starpu_perfmodel_arch *worker, unsigned implementation)
{
  (void)task;
  (void)worker;
  (void)implementation;
  return 100;
}

static struct starpu_perfmodel model = {
    .type = STARPU_PER_ARCH, .arch_cost_function = always_the_same, .symbol = "task_cost"};
static struct starpu_codelet codelet = {
    .cpu_funcs = {nothing}, .nbuffers = STARPU_VARIABLE_NBUFFERS, .model = &model, .name = "nothing"};

static double cost(int tasks, int tiles, starpu_data_handle_t *tile)
{
  starpu_pause();
  const double start = starpu_timing_now();
  for (int i = 0; i < tasks; i++) {
    if (tile)
      starpu_task_insert(&codelet, STARPU_RW, tile[i % tiles], 0);
    else
      starpu_task_insert(&codelet, 0);
  }
  starpu_resume();
  starpu_task_wait_for_all();
  return (starpu_timing_now() - start) / tasks;
}

static bool start(const char *policy)
{
  struct starpu_conf conf;
  starpu_conf_init(&conf);
  conf.sched_policy = hg_sched_find(policy);
  if (!conf.sched_policy) conf.sched_policy_name = policy;
  return starpu_init(&conf) == 0;
}

int main(int argc, char **argv)
{
  enum { SIDE = 316 };
  const int tasks = argc > 2 ? atoi(argv[2]) : 100000, tiles = argc > 3 ? atoi(argv[3]) : 64;
  starpu_data_handle_t *tile = calloc((size_t)tiles, sizeof *tile);
  double *value = calloc((size_t)tiles, sizeof *value);
  if (!tile || !value || tasks < 1 || tiles < 1) return 2;
  if (!start(argc > 1 ? argv[1] : "hetgrid")) return 77;
  const double alone = cost(tasks, tiles, NULL);
  for (int i = 0; i < tiles; i++) {
    starpu_variable_data_register(&tile[i], STARPU_MAIN_RAM, (uintptr_t)&value[i], sizeof value[i]);
    starpu_data_set_coordinates(tile[i], 2, i % SIDE, i / SIDE);
  }
  printf("%s %.2f %.2f\n", starpu_sched_get_sched_policy()->policy_name, alone, cost(tasks, tiles, tile));
  for (int i = 0; i < tiles; i++) starpu_data_unregister(tile[i]);
  starpu_shutdown();
  free(value);
  free(tile);
  return 0;
}
