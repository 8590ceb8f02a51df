/* SPDX-License-Identifier: MIT */
/* Decisions of a policy in given states: which worker steals which task, which gets a tile, how long a worker will be
 * busy. No task runs, so nothing depends on the clock; in whole programs a worse decision would only take longer. */
#include <math.h>
#include <starpu.h>

#include "codelets/energy_codelet.h"
#include "runtime/policy_state.h"
#include "schedulers/availability.h"
#include "schedulers/costs.h"
#include "schedulers/model_cache.h"
#include "schedulers/nphp.h"
#include "schedulers/placement.h"
#include "schedulers/prefetch.h"
#include "schedulers/queues.h"
#include "schedulers/speeds.h"
#include "schedulers/stealing.h"
#include "schedulers/ranks.h"
#include "schedulers/transfers.h"
#include "schedulers/workers.h"
#include "schedulers/hetgrid_sched.h"

static char keys[64]; /* whose addresses stand for the tiles' data */

static struct starpu_codelet readers = {.cpu_funcs = {nothing}, .nbuffers = 1, .modes = {STARPU_R}, .model = &model};
static struct starpu_codelet updaters = {.cpu_funcs = {nothing}, .nbuffers = 1, .modes = {STARPU_RW}, .model = &model};

/* Three tasks of 10 s wait for worker 0. @return which one worker 1 takes if it needs `second` s for each; -1: none */
static int stolen(double second)
{
  begin();
  for (int i = 0; i < 3; i++) put(&w0->queue, i, 10, second, -1);
  const hg_ready *r = hg_sched_steal(&policy, 1);
  if (r && fabs(r->seconds - second) > 1e-9) return -2;
  return r ? number_of(r) : -1;
}

static void a_task_is_taken_if_that_is_earlier(void)
{
  tap_int(stolen(4), 2, "of three tasks of 10 s the last is stolen: it would have been done last");
  tap_int(stolen(29), 2, "... also if it then ends only slightly earlier");
  tap_int(stolen(30.5), -1, "... but not if it would end later");
  begin();
  policy.steals = false;
  put(&w0->queue, 0, 10, 1, -1);
  tap_ok(!hg_sched_steal(&policy, 1), "no worker takes others' tasks if the policy does not steal");
  begin();
  put(&w0->queue, 0, 10, 14, -1);
  w0->load = 5;
  tap_ok(hg_sched_steal(&policy, 1), "a worker's running task counts");
  begin();
  put(&w0->queue, 0, 10, 14, -1);
  w0->bound_load = 5;
  tap_ok(hg_sched_steal(&policy, 1), "... and tasks bound to it");
  begin();
  put(&w0->queue, 0, 10, 11, -1);
  put(&w0->queue, 1, 10, 11, -1);
  put(&w0->queue, 2, 10, 40, -1);
  tap_ok(number_of(hg_sched_steal(&policy, 1)) == 1, "a task that saves no time is skipped");
}

/* Whether the slower worker takes the only shared task, which takes the faster one 10 s and itself 20 s. */
static bool slower_takes(double faster_ahead)
{
  begin();
  policy.heterogeneous = true;
  policy.capacity = 1.5;
  w1->speed = .5;
  w0->load = faster_ahead;
  put(&policy.shared, 0, 10, 20, -1);
  const hg_ready *r = hg_sched_pop(&policy, 1);
  return r && r->seconds == 20;
}

/* The faster worker is busy for 9 s. Tasks of 10, 2 and 10 s wait and, if `more`, one that only the faster can do. The
 * slower needs twice as long for the second and four times as long for the others. @return which one it takes */
static int slower_chooses(int more)
{
  begin();
  policy.heterogeneous = true;
  policy.capacity = 1.25;
  w1->speed = .25;
  w0->load = 9;
  put(&policy.shared, 0, 10, 40, -1);
  put(&policy.shared, 1, 2, 4, -1);
  put(&policy.shared, 2, 10, 40, -1);
  if (more) put(&policy.shared, 3, 10, INFINITY, -1);
  return number_of(hg_sched_pop(&policy, 1));
}

static void own_tasks_come_in_order(void)
{
  begin();
  put(&w1->queue, 1, 10, 10, -1);
  put(&policy.shared, 0, 10, 10, -1);
  tap_ok(number_of(hg_sched_pop(&policy, 1)) == 0, "the older shared task goes first");
  put(&policy.shared, 2, 10, 10, -1);
  tap_ok(number_of(hg_sched_pop(&policy, 1)) == 1, "... then the worker's own");
  tap_ok(number_of(hg_sched_pop(&policy, 1)) == 2, "... then the younger one");
  tap_ok(!hg_sched_pop(&policy, 1) && w1->queue.count + policy.shared.count == 0, "... then none is left");
  tap_ok(slower_takes(11), "a slower worker takes a task that the faster one would end later");
  tap_ok(!slower_takes(9), "... and leaves it to the faster one otherwise");
  tap_int(slower_chooses(0), 1, "... and takes the first waiting task for which it is not too slow");
  tap_int(slower_chooses(1), 1, "... whatever the last may be");
}

/* s of a task of which each worker's model expects 2 s. */
static double expected_on(int w)
{
  return hg_sched_expected(&policy, &(hg_ready){.task = task(0, 2, 2)}, w);
}

static void times_are_estimated(void)
{
  begin();
  w0->load = 7;
  w0->running_estimate = 3;
  w0->started = 100;
  tap_near(hg_sched_remaining_started(w0, 101), 6, 1e-12,
           "a task of 3 s that began 1 s ago, and 4 s of tasks after it: 6 s left");
  tap_near(hg_sched_remaining_started(w0, 105), 6, 1e-12, "... one that is 2 s late may take 2 s more");
  const double pace[] = {.5, .9, 1.2, 2}, lasts[] = {5, 10, 10, 20};
  for (int i = 0; i < 4; i++) {
    w1->slowdown = pace[i];
    tap_near(hg_sched_scaled(w1, 10), lasts[i], 1e-12, "10 s at the pace of the last tasks");
  }
  hg_sched_note_slowdown(w0, 0, 5);
  tap_near(w0->slowdown, 1, 0, "a task without estimate does not change its worker's pace");
  hg_sched_note_slowdown(w0, 2, 3);
  tap_near(w0->slowdown, 1.125, 1e-12, "... one that took half as long again changes it by a quarter of that");
  hg_model_estimate m = {.workers = 4, .seconds = {1, 3, INFINITY, NAN}};
  tap_near(hg_sched_typical(&m), 1.5, 1e-12,
           "a typical worker: the harmonic mean over those that can run it and are known");
  hg_sched_measured(&policy, task(0, 2, 2), 0, 2, 90);
  hg_sched_measured(&policy, task(0, 2, 2), 0, 2, 4);
  tap_near(expected_on(0), 2.5, 1e-9, "4 s measured for 2 s: the estimate takes over a quarter");
  tap_near(expected_on(1), 2.5, 1e-9, "... also for workers of the same kind");
  for (int i = 0; i < 60; i++) hg_sched_measured(&policy, task(0, 2, 2), 0, 2, 100);
  tap_near(expected_on(0), 32, 1e-3, "... but not more than 16 times");
}

/* The worker that finishes a task first if worker 0 takes 1 s for it and is busy for 10 s; + 10 if shared. */
static int earliest(double second)
{
  hg_costs c = {.seconds = {1, second}};
  bool shared;
  hg_ready r = {.task = task(0, 1, second), .tile = -1, .node = -1, .owner = -1};
  begin();
  put(&w0->queue, 1, 6, 6, -1);
  w0->load = 4;
  return hg_sched_place(&policy, &r, &c, &shared) + (shared ? 10 : 0);
}

/* The same if worker 0 is busy for 100 s, and worker 1 has another memory, to which the transfer of the data takes
 * `alone` s, over a link that is busy for `link` s. */
static int beside_its_data(double second, double alone, double link)
{
  hg_costs c = {.seconds = {1, second}, .transfer[1].weighted = alone};
  bool shared;
  hg_ready r = {.task = task(0, 1, second), .tile = -1, .node = -1, .owner = -1};
  begin();
  policy.groups = 2;
  w1->group = 1;
  w1->node = 1;
  w0->load = 100;
  policy.memory[1].busy = hg_sched_now() + link;
  return hg_sched_place(&policy, &r, &c, &shared) + (shared ? 10 : 0);
}

static void tasks_go_where_they_are_done_first(void)
{
  tap_int(earliest(10.5), 11, "10.5 s beat 10 + 1 s, and the group shares a queue");
  tap_int(earliest(11.5), 10, "... 11.5 do not");
  tap_int(earliest(INFINITY), 0, "... nor does a worker that cannot run it, and then the group does not share");
  tap_int(beside_its_data(90, 10, 0), 1,
          "a worker that takes 90 s after 10 s of transfer beats one that is busy for 100 s");
  tap_int(beside_its_data(90, 12, 0), 0, "... not after 12 s of transfer; different groups do not share");
  tap_int(beside_its_data(90, 5, 30), 0, "... nor if the link is busy with other data for 30 s");
  tap_int(beside_its_data(90, 0, 30), 1, "... but a task whose data are there does not wait for the link");
  begin();
  hg_costs c = {.seconds = {1, 2}};
  tap_near(hg_sched_compare_workers(&policy, &c), 1, 0, "members of 1 and 2 s: the fastest takes 1 s");
  tap_ok(w1->speed == .9375 && policy.capacity == 1.9375, "... and an eighth of the difference is taken over (%g)",
         w1->speed);
  policy.gamma = 1;
  policy.idle_power = 10;
  hg_sched_set_powers(2, (double[]){5, 50});
  tap_near(hg_sched_energy_penalty(&policy, task(0, 2, 2), 1, 2, 3), 130, 1e-9, "2 s at 50 W, and 3 s longer at 10 W");
  tap_near(hg_sched_energy_penalty(&policy, task(0, 2, 2), 1, 2, -3), 100, 1e-9, "... a shorter time gives no refund");
  hg_sched_set_powers(0, NULL);
  hg_energy_model_fill(2, (double[]){5, 0});
  tap_near(hg_energy_model.worker_cost_function(task(0, 2, 4), 0, 0), 10, 1e-9, "the energy model: 2 s at 5 W");
  tap_near(hg_energy_model.worker_cost_function(task(0, 2, 4), 1, 0), 0, 0, "... 0 if powers are unknown");
  hg_energy_model_fill(0, NULL);
}

/* Until the next division, a new tile goes to the worker that is then least busy. */
static void new_tiles_are_dealt_out(void)
{
  const hg_costs c = {.seconds = {1, 1.9}};
  const int wanted[] = {0, 1, 0, 0};
  begin_regions("");
  for (int i = 0; i < 4; i++) hg_owners_tile(&policy.owners, &keys[i], 2, (int[]){i, 0});
  policy.owners.assigned = policy.owners.known;
  for (int i = 0; i < 4; i++) {
    bool shared;
    const hg_ready r = {.task = task(0, 1, 1.9), .tile = i, .node = -1};
    tap_ok(hg_nphp_rule.place(&policy, &r, &c, &shared) == wanted[i], "tile %d, of workers of 1 and 1.9 s: %d's", i,
           wanted[i]);
  }
  tap_ok(w0->owned == 3 && w1->owned == 1, "... 3 and 1 of them");
}

/* Divides by tables of two workers with these speeds; a tile of 100 cells takes 100 s at speed 1, without exchange. */
static double divide_by_tables(int tiles, double first, double second, double item, int w)
{
  double seconds[STARPU_NMAXWORKERS] = {7, 7};
  static hg_partial_speed speed[STARPU_NMAXWORKERS];
  static double items[STARPU_NMAXWORKERS];
  begin();
  memset(speed, 0, sizeof speed);
  items[0] = items[1] = item;
  hg_partial_learn(&speed[0], 100, 100 / first);
  hg_partial_learn(&speed[1], 100, 100 / second);
  for (int i = 0; i < tiles; i++) hg_owners_tile(&policy.owners, &keys[i], 2, (int[]){i % 4, i / 4});
  hg_tile_tables t = {.speed = speed, .item = items, .cells = 100, .unit = 1};
  hg_tile_tables_measure(&t, 0, 100 / first);
  hg_tile_tables_divide(&t, &policy.owners, policy.workers, "rows", seconds);
  return seconds[w];
}

static double unit_after(double seconds)
{
  hg_partial_speed speed[1] = {0};
  hg_tile_tables t = {.speed = speed, .cells = 100};
  hg_partial_learn(speed, 100, 100);
  hg_tile_tables_measure(&t, 0, 100);
  hg_tile_tables_measure(&t, 0, seconds);
  return t.unit;
}

static void tables_divide(void)
{
  tap_near(divide_by_tables(16, 3, 1, 0, 0), 100. / 3, 1, "speeds of 3 and 1: a tile takes the one");
  tap_near(divide_by_tables(16, 3, 1, 0, 1), 100, 3, "... and the other");
  tap_near(unit_after(200), 1.125, 1e-9, "measured twice the table's time: an eighth is taken over");
  /* 4 s per item, 10 items along a tile's side, 40 between two halves of 8 tiles */
  tap_near(divide_by_tables(16, 1, 1, 4, 0), 100 + 40 * 4 / 8., 1e-9, "exchange between rows counts");
  tap_near(divide_by_tables(15, 1, 1, 4, 1), 100 + 1 * 4 / 7.5, 1e-9,
           "... tiles that fill no box lie in a row, with one item between neighbours");
}

static void tiles_are_what_is_written(void)
{
  static char bytes[8];
  starpu_data_handle_t handle;
  begin_regions("");
  starpu_vector_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)bytes, sizeof bytes, 1);
  tap_int(hg_sched_tile(&policy, with_data(0, &updaters, handle)), -1, "data without coordinates are not a tile");
  starpu_data_set_coordinates(handle, 2, 3, 4);
  tap_int(hg_sched_tile(&policy, with_data(0, &readers, handle)), -1, "nor are those that a task only reads");
  const int tile = hg_sched_tile(&policy, with_data(0, &updaters, handle));
  tap_ok(tile >= 0 && policy.owners.known == 1, "data that it writes are a tile if they have coordinates");
  tap_int(hg_sched_tile(&policy, with_data(1, &updaters, handle)), tile, "... the same for another task");
  starpu_data_unregister(handle);
}

/* A task whose data have not arrived, and that begins a path of 1e4 s, waits together with one whose data are there,
 * less urgent by `less_urgent`, that begins a path of `path` s. @return the next one; -1 - it if it is not ready */
static int next_of(int less_urgent, double memory, float path)
{
  static char bytes[8];
  starpu_data_handle_t handle[2];
  bool ready;
  begin();
  starpu_vector_data_register(&handle[0], -1, 0, sizeof bytes, 1);
  starpu_vector_data_register(&handle[1], STARPU_MAIN_RAM, (uintptr_t)bytes, sizeof bytes, 1);
  for (int i = 0; i < 2; i++) {
    put(&w0->queue, i, 1000, 1000, -1);
    hg_ready *r = hg_sched_take(&policy, &w0->queue, w0->queue.count - 1, 1);
    with_data(i, &readers, handle[i]);
    r->prefetched = true;
    r->priority = i == 0 ? less_urgent : 0;
    r->rank = i == 0 ? 1e4F : path;
    hg_sched_put(&policy, &w0->queue, 0, r);
  }
  policy.memory[STARPU_MAIN_RAM].bytes = memory;
  const int found = number_of(hg_queue_at(&w0->queue, hg_sched_with_data(&policy, 0, &ready)));
  for (int i = 0; i < 2; i++) starpu_data_unregister(handle[i]);
  return ready ? found : -1 - found;
}

static void urgent_data_are_waited_for(void)
{
  tap_int(next_of(0, 0, 0), 1, "of equally urgent tasks the first whose data are there is next");
  tap_int(next_of(1, 0, 0), -1, "... not a less urgent one");
  tap_int(next_of(1, 0, 9e3F), 1, "... unless it begins nearly as long a path");
  tap_int(next_of(1, 0, 6e3F), -1, "... not one whose path is much shorter");
  tap_int(next_of(1, 1e18, 9e3F), -1, "... nor if there is room for the data of the first");
}

static void nothing_is_last_where_a_program_goes_on(void)
{
  begin();
  const int alone = hg_sched_submitted(&policy, task(0, 1, 1), &(hg_model_estimate){.workers = 1, .seconds = {1}});
  tap_ok(hg_sched_is_last(&policy, alone), "a task without waiting successors is the last");
  policy.waited_for = true;
  tap_ok(hg_sched_is_last(&policy, alone), "... also when the program waits for it");
  const int next = hg_sched_submitted(&policy, task(1, 1, 1), &(hg_model_estimate){.workers = 1, .seconds = {1}});
  tap_ok(!hg_sched_is_last(&policy, alone) && !hg_sched_is_last(&policy, next),
         "... but which one is last is unknown once the program continues");
  hg_task_graph_free(&policy.graph);
}

int main(void)
{
  if (!begin_runtime()) return 77;
  a_task_is_taken_if_that_is_earlier();
  own_tasks_come_in_order();
  times_are_estimated();
  tasks_go_where_they_are_done_first();
  new_tiles_are_dealt_out();
  tables_divide();
  tiles_are_what_is_written();
  urgent_data_are_waited_for();
  nothing_is_last_where_a_program_goes_on();
  starpu_shutdown();
  return tap_done();
}
