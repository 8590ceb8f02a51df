/* SPDX-License-Identifier: MIT */
/* What a task costs under a policy, all told: submitted, decided on, run (it does nothing), finished.
 *   task_cost POLICY   prints the policy, microseconds per task without data, and per task that writes one of 64 tiles
 */
#include <starpu.h>
#include <stdio.h>

#include "schedulers/hetgrid_sched.h"

enum { TASKS = 100000, TILES = 64 };

static void nothing(void *buffer[], void *arg)
{
  (void)buffer;
  (void)arg;
}

static struct starpu_codelet codelet = {.cpu_funcs = {nothing}, .nbuffers = STARPU_VARIABLE_NBUFFERS};

static double cost(starpu_data_handle_t *tile)
{
  const double start = starpu_timing_now();
  for (int i = 0; i < TASKS; i++) {
    if (tile)
      starpu_task_insert(&codelet, STARPU_RW, tile[i % TILES], 0);
    else
      starpu_task_insert(&codelet, 0);
  }
  starpu_task_wait_for_all();
  return (starpu_timing_now() - start) / TASKS;
}

int main(int argc, char **argv)
{
  starpu_data_handle_t tile[TILES];
  double value[TILES];
  struct starpu_conf conf;
  starpu_conf_init(&conf);
  conf.sched_policy = argc > 1 ? hg_sched_find(argv[1]) : &hg_sched_hetgrid;
  if (!conf.sched_policy) conf.sched_policy_name = argv[1];
  if (starpu_init(&conf) != 0) return 77;
  const double alone = cost(NULL);
  for (int i = 0; i < TILES; i++) {
    starpu_variable_data_register(&tile[i], STARPU_MAIN_RAM, (uintptr_t)&value[i], sizeof value[i]);
    starpu_data_set_coordinates(tile[i], 2, i % 8, i / 8);
  }
  printf("%s %.2f %.2f\n", starpu_sched_get_sched_policy()->policy_name, alone, cost(tile));
  for (int i = 0; i < TILES; i++) starpu_data_unregister(tile[i]);
  starpu_shutdown();
  return 0;
}
