/* SPDX-License-Identifier: MIT */
/* Tasks that a policy gives to idle workers, its cached data of waiting tasks, and times that it distrusts. */
#include <math.h>

#include "runtime/policy_state.h"
#include "schedulers/availability.h"
#include "schedulers/costs.h"
#include "schedulers/hints.h"
#include "schedulers/stealing.h"
#include "schedulers/workers.h"

/* s of a task of which each worker's model expects 2 s. */
static double expected_on(int w)
{
  return hg_sched_expected(&policy, &(hg_ready){.task = task(0, 2, 2)}, w);
}

/* Three tasks of 10 s wait for worker 0; worker 1, idle or not, needs `second` s for each. @return how many tasks
 * worker 1 is given */
static int given(double second, bool idle)
{
  begin();
  policy.idle[1] = idle;
  policy.idlers = idle;
  for (int i = 0; i < 3; i++) put(&w0->queue, i, 10, second, -1);
  hg_sched_offer(&policy, 0);
  return w1->queue.count;
}

static void idle_workers_are_given_tasks(void)
{
  tap_int(given(29, true), 1, "an idle worker is given a task that it ends before the task's own queue would");
  tap_ok(!policy.idle[1] && policy.idlers == 0 && policy.wakes == 1 && policy.woken[0] == w1->id,
         "... and will be woken, once");
  hg_sched_offer(&policy, 0);
  tap_int(w1->queue.count, 1, "... it is given no more until it is idle again");
  tap_int(given(31, true), 0, "... no task that it would end later");
  tap_ok(policy.idle[1] && policy.wakes == 0, "... and sleeps on");
  tap_int(given(1, false), 0, "... and nothing while it is busy: it then takes tasks itself");
}

/* Both sleep, and the slower one looks for work: the faster one left it the only shared task when their speeds were the
 * other way round. */
static void what_is_left_to_a_faster_worker_wakes_it(void)
{
  begin();
  policy.heterogeneous = true;
  policy.capacity = 1.5;
  w1->speed = .5;
  policy.idle[0] = policy.idle[1] = true;
  put(&policy.shared, 0, 10, 20, -1);
  policy.idle[0] = policy.idle[1] = true;
  policy.idlers = 2;
  policy.wakes = 0;
  tap_ok(!hg_sched_pop(&policy, 1) && policy.wakes == 1 && policy.woken[0] == w0->id,
         "a task that a worker leaves to a faster one wakes that one");
  tap_ok(hg_sched_pop(&policy, 0) && policy.wakes == 1, "... which takes it, and wakes no other");
}

/* Whether worker 1 takes the last of three tasks of 10 s, on tiles of worker 0, if it needs 8 s and the transfer of the
 * data takes `moving` s. */
static bool taken_from_owner(double moving, bool idle)
{
  static struct starpu_codelet writers = {.cpu_funcs = {nothing}, .nbuffers = 1, .modes = {STARPU_W}, .model = &model};
  static double value;
  hg_costs c = {.model.workers = 2, .seconds = {10, 8}, .transfer[STARPU_MAIN_RAM].weighted = moving};
  starpu_data_handle_t tile;
  starpu_variable_data_register(&tile, STARPU_MAIN_RAM, (uintptr_t)&value, sizeof value);
  hg_sched_set_owner(tile, w0->id);
  begin();
  c.model.epoch = policy.epoch;
  policy.idle[1] = idle;
  policy.idlers = idle;
  for (int i = 0; i < 3; i++) {
    task(i, 10, 8)->handles[0] = tile;
    tasks[i].cl = &writers;
    hg_ready *r = hg_sched_new_ready(&policy, &tasks[i], hg_sched_owner(&policy, &tasks[i], false));
    r->seconds = 10;
    r->order = (uint64_t)i;
    hg_sched_keep(r, &c);
    hg_sched_put(&policy, &w0->queue, 0, r);
  }
  if (idle) hg_sched_offer(&policy, 0);
  const bool taken = idle ? w1->queue.count > 0 : hg_sched_steal(&policy, 1) != NULL;
  starpu_data_unregister(tile);
  return taken;
}

static void a_tile_goes_there_and_back(void)
{
  tap_ok(taken_from_owner(5.9, false),
         "a task of a tile with an owner is taken if 8 s and 5.9 s in each direction end before it would begin");
  tap_ok(!taken_from_owner(6.1, false), "... not if they do not: its data would come back");
  tap_ok(!taken_from_owner(1, true), "... and is not offered to sleeping workers, since it waits for its neighbours");
}

static void what_nobody_can_run_waits(void)
{
  static uint32_t nobody = 0, second = 2;
  begin();
  for (int i = 0; i < 2; i++) {
    put(&policy.stranded, i, 3, 3, -1);
    tasks[i].workerids = i ? &second : &nobody;
    tasks[i].workerids_len = 1;
  }
  tap_ok(!hg_sched_steal(&policy, 0) && policy.stranded.count == 2, "a task that no worker can run is kept");
  tap_int(number_of(hg_sched_steal(&policy, 1)), 1, "... and does not keep from a worker what it can");
  nobody = 2;
  tap_int(number_of(hg_sched_steal(&policy, 1)), 0, "... but waits for the first that can");
}

/* Estimates made when a task became ready stay valid while the context's workers are the same. */
static void estimates_are_kept(void)
{
  hg_costs c = {.model.workers = 2, .seconds = {2, 3}, .transfer[STARPU_MAIN_RAM].weighted = 5};
  begin();
  c.model.epoch = policy.epoch;
  hg_ready *r = hg_sched_new_ready(&policy, task(0, 7, 8), -1);
  hg_sched_keep(r, &c);
  tap_ok(hg_sched_expected(&policy, r, 1) == 3 && hg_sched_transfer_time(&policy, r, 1) == 5,
         "no model is asked of a task that waits");
  hg_sched_count_workers(&policy);
  tap_ok(hg_sched_expected(&policy, r, 1) == 8 && hg_sched_transfer_time(&policy, r, 1) == 0,
         "... until workers change");
  free(r);
}

static void stalls_are_no_speed(void)
{
  begin();
  w0->running_estimate = 2;
  w0->started = 100;
  tap_near(hg_sched_remaining(w0, 131), 29, 1e-12, "a task of 2 s that has run for 31 s may take 29 s more");
  tap_near(hg_sched_remaining(w0, 133), 0, 0, "... one that has run for 33 s, more than 16 times as long, has stalled");
  w0->cold = true;
  tap_near(hg_sched_remaining(w0, 103), 0, 0, "... as has the first of its kind that runs longer than expected");
  tap_ok(hg_sched_is_cold(w0, task(0, 2, 2)), "a task is cold while none of its kind has been measured there");
  hg_sched_measured(&policy, &tasks[0], 0, 2, 30);
  tap_ok(!hg_sched_is_cold(w0, &tasks[0]) && hg_sched_is_cold(w1, &tasks[0]), "... on each worker");
  tap_near(expected_on(0), 2, 1e-9, "a first time does not correct a model");
  hg_sched_measured(&policy, &tasks[0], 0, 2, 4);
  tap_near(expected_on(0), 2.5, 1e-9, "... a second one does");
}

int main(void)
{
  if (!begin_runtime()) return 77;
  idle_workers_are_given_tasks();
  what_is_left_to_a_faster_worker_wakes_it();
  a_tile_goes_there_and_back();
  what_nobody_can_run_waits();
  estimates_are_kept();
  stalls_are_no_speed();
  starpu_shutdown();
  return tap_done();
}
