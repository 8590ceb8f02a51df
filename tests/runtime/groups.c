/* SPDX-License-Identifier: MIT */
/* What a policy knows of its workers: from which queues a thief takes tasks, and how this affects waiting tasks. */
#include <math.h>
#include <time.h>

#include "runtime/policy_state.h"
#include "schedulers/model_cache.h"
#include "schedulers/placement.h"
#include "schedulers/ranks.h"
#include "schedulers/speeds.h"
#include "schedulers/stealing.h"
#include "schedulers/workers.h"
#include "schedulers/hetgrid_sched.h"

static char keys[4]; /* whose addresses stand for tasks */

static void workers_are_counted(void)
{
  begin();
  tap_ok(policy.groups == 1 && policy.members == 2, "two cores are one group");
  tap_near(policy.capacity, 2, 1e-12, "... with twice the speed of one");
}

static void members_are_those_of_the_context(void)
{
  int id = 0;
  begin();
  policy.workers = 1;
  hg_sched_count_workers(&policy);
  tap_int(policy.members, 1, "a worker that the policy does not know yet is not counted");
  begin();
  policy.context = starpu_sched_ctx_create(&id, 1, "one", STARPU_SCHED_CTX_POLICY_NAME, "eager", 0);
  tap_ok(hg_sched_workers_changed(&policy), "a context of one worker has other members than one of two");
  hg_sched_find_workers(&policy);
  tap_ok(w0->member && !w1->member && policy.members == 1, "the worker that is not a member is left out");
  tap_ok(!hg_sched_workers_changed(&policy), "... which is all that changed");
  starpu_sched_ctx_delete(policy.context);
}

/* A new context with our policy. */
static void members_are_counted_when_they_come(void)
{
  int ids[] = {0, 1};
  const unsigned context =
      starpu_sched_ctx_create(ids, 2, "ours", STARPU_SCHED_CTX_POLICY_STRUCT, hg_sched_find("hetgrid"), 0);
  const hg_policy *p = starpu_sched_ctx_get_policy_data(context);
  tap_ok(p->groups == 1 && p->members == 2 && p->capacity == 2,
         "two workers that come are a group that does as much as two (%d, %g)", p->members, p->capacity);
  starpu_sched_ctx_delete(context);
}

static void take_a_while(void *buffer[], void *arg)
{
  const double begun = starpu_timing_now();
  (void)buffer, (void)arg;
  while (starpu_timing_now() < begun + 2000)
    ;
}

/* With one memory a task's time counts from when it was taken, not from the end of the previous task. */
static void a_task_is_measured_from_its_beginning(void)
{
  static struct starpu_codelet codelet_of_2ms = {.cpu_funcs = {take_a_while}};
  int ids[] = {0, 1};
  const unsigned context =
      starpu_sched_ctx_create(ids, 2, "timed", STARPU_SCHED_CTX_POLICY_STRUCT, hg_sched_find("hetgrid"), 0);
  const hg_policy *p = starpu_sched_ctx_get_policy_data(context);
  nanosleep(&(struct timespec){.tv_nsec = 400000000}, NULL);
  starpu_task_insert(&codelet_of_2ms, STARPU_SCHED_CTX, context, 0);
  starpu_task_wait_for_all();
  double seconds = 0;
  for (int w = 0; w < 2; w++) seconds += p->worker[w].measured[hg_sched_kind_place(&codelet_of_2ms)].seconds;
  tap_ok(seconds > .001 && seconds < .3, "a task of 2 ms, 0.4 s after its worker joined, is measured (%g s)", seconds);
  starpu_sched_ctx_delete(context);
}

/* Four tasks update the same data, and the last is new: s of the path that begins with the first, before and after the
 * program waits for them. */
static void a_program_that_waits_has_its_tasks_ranked(void)
{
  static struct starpu_codelet updaters = {
      .cpu_funcs = {nothing}, .nbuffers = 1, .modes = {STARPU_RW}, .model = &model};
  static double value;
  int ids[] = {0, 1};
  struct starpu_sched_policy *hetgrid = hg_sched_find("hetgrid");
  const unsigned context = starpu_sched_ctx_create(ids, 2, "ranked", STARPU_SCHED_CTX_POLICY_STRUCT, hetgrid, 0);
  hg_policy *p = starpu_sched_ctx_get_policy_data(context);
  starpu_data_handle_t handle;
  starpu_variable_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)&value, sizeof value);
  for (int i = 0; i < TASKS; i++) {
    task(i, 1, 1)->cl = &updaters;
    tasks[i].handles[0] = handle;
    tasks[i].sched_ctx = context;
    hetgrid->submit_hook(&tasks[i]);
  }
  p->graph.unranked = 1;
  const hg_task_graph_node *first = &p->graph.node[hg_sched_task_node(p, &tasks[0])];
  tap_near((double)first->rank, 2, 1e-6, "while a program submits tasks, ranks reach one step back");
  hetgrid->do_schedule(context);
  tap_near((double)first->rank, 4, 1e-6, "... and all steps when it first waits");
  for (int i = 0; i < TASKS; i++) hg_task_graph_remove(&p->graph, hg_sched_task_node(p, &tasks[i]));
  starpu_sched_ctx_delete(context);
  starpu_data_unregister(handle);
}

static void regions_want_tiles(void)
{
  begin_regions("");
  tap_ok(!hg_sched_regions_of_use(&policy), "there are no regions while no tile is known");
  hg_owners_tile(&policy.owners, &tasks[0], 2, (int[]){0, 0});
  tap_ok(hg_sched_regions_of_use(&policy), "... and then there are");
}

/* Whether the policy looks for tables if models give these times of a task; 0: not known. */
static bool looks_for_tables(double first, double second)
{
  static double values[100];
  starpu_data_handle_t tile;
  hg_costs c = {.model.seconds = {first, second}};
  hg_tile_tables t = {.sought = false};
  begin();
  starpu_vector_data_register(&tile, STARPU_MAIN_RAM, (uintptr_t)values, 100, sizeof *values);
  hg_owners_tile(&policy.owners, tile, 2, (int[]){0, 0});
  const hg_ready r = {.task = task(0, first, second), .tile = 0, .node = -1};
  hg_sched_find_tables(&policy, &r, &c, &t);
  starpu_data_unregister(tile);
  return t.sought;
}

static void tables_stand_in_for_models(void)
{
  setenv("HETGRID_TABLES", "/dev/null/none", 1);
  tap_ok(!looks_for_tables(1, 2), "if models know all times, tables are not searched");
  tap_ok(looks_for_tables(1, 0) && looks_for_tables(0, 1),
         "... but they are if a model of one of two workers is missing");
  unsetenv("HETGRID_TABLES");
}

/* From the first tile on, tasks wait for any worker until tiles are divided. */
static void tasks_follow_their_tiles(void)
{
  begin_regions("");
  policy.seconds[0] = policy.seconds[1] = 1;
  for (int i = 0; i < 4; i++) hg_owners_tile(&policy.owners, &tasks[i], 2, (int[]){i, 0});
  for (int i = 0; i < 4; i++) put(&policy.shared, i, 1, 1, i);
  policy.owners.assigned = 1;
  hg_nphp_rule.known(&policy);
  tap_ok(policy.shared.count == 0 && w0->queue.count == 2 && w1->queue.count == 2,
         "tasks of four tiles that are divided follow them (%d and %d, %d stay)", w0->queue.count, w1->queue.count,
         policy.shared.count);
}

/* Number of 16 tiles that the first of two workers owns, if they take 1 and 3 s per tile; *row: in the first row. */
static int owned_with(const char *options, int *row)
{
  static char tile[16];
  int owned = 0;
  begin_regions(options);
  policy.seconds[0] = 1;
  policy.seconds[1] = 3;
  for (int i = 0; i < 16; i++) hg_owners_tile(&policy.owners, &tile[i], 2, (int[]){i % 4, i / 4});
  policy.owners.assigned = 1;
  hg_nphp_rule.known(&policy);
  *row = 0;
  for (int i = 0; i < 16; i++) {
    owned += policy.owners.tile[i].worker == 0;
    *row += i < 4 && policy.owners.tile[i].worker == 0;
  }
  return owned;
}

static void regions_have_options(void)
{
  int row;
  tap_int(owned_with("", &row), 12, "a worker three times as fast owns 12 of 16 tiles");
  tap_int(owned_with("even", &row), 8, "... with HETGRID_NPHP=even half of them");
  tap_int(owned_with("rows", &row), 12, "... with HETGRID_NPHP=rows 12 again");
  tap_ok(row == 4 || row == 0, "... whole rows: %d of the first four", row);
  tap_int(owned_with("rows,even", &row), 8, "... with both half of them");
  tap_int(owned_with("dfpa,odd", &row), 12, "an unknown option changes nothing");
}

/* Waiting tasks in all queues are ranked by the longest path that begins with each. */
static void ranks_reach_all_queues(void)
{
  hg_queue *const queue[] = {&w1->queue, &policy.shared, &policy.stranded};
  static const char *const name[] = {"ranks are updated in a worker's queue", "... in the shared one",
                                     "... and in the queue of tasks that no worker can run"};
  for (int i = 0; i < 3; i++) {
    begin();
    const int n = hg_sched_submitted(&policy, task(0, 3, 3), &(hg_model_estimate){.workers = 1, .seconds = {3}});
    put(queue[i], 0, 3, 3, -1);
    hg_ready *r = hg_queue_at(queue[i], 0);
    r->node = n;
    r->rank = 0;
    hg_sched_rank(&policy);
    tap_near(r->rank, 3, 1e-12, name[i]);
    hg_task_graph_free(&policy.graph);
  }
}

/* Whether a task of 1 s that both workers can run waits for the one that is free first, if four others of 1 s are known
 * and the task begins a path of `path` s. */
static bool waits_for_one(double path)
{
  hg_ready r = {.task = task(0, 1, 1), .tile = -1, .owner = -1};
  const hg_costs c = {.seconds = {1, 1}};
  bool shared;
  w0->load = 1;
  for (int i = 0; i < 4; i++) hg_task_graph_add(&policy.graph, &keys[i], 1, NULL, 0);
  r.node = hg_task_graph_add(&policy.graph, r.task, 1, NULL, 0);
  policy.graph.node[r.node].rank = (float)path;
  const int w = hg_sched_place(&policy, &r, &c, &shared);
  hg_task_graph_free(&policy.graph);
  return !shared && w == 1;
}

/* Whether cores count as different if their models say 1 and `modelled` s, and they take 1 and `measured` s. */
static bool differ(double modelled, double measured)
{
  const hg_costs c = {.model.seconds = {1, modelled}, .seconds = {1, measured}};
  begin();
  hg_sched_compare_workers(&policy, &c);
  return policy.heterogeneous && !hg_sched_are_equal(&policy);
}

static void cores_that_differ_by_chance_are_alike(void)
{
  tap_ok(differ(1.06, 1) && !differ(1.05, 1), "cores count as different by 6 %% in their models, not by 5 %%");
  tap_ok(!differ(INFINITY, 1), "... one that cannot run a task is no slower");
  tap_ok(!differ(1, 1.3), "cores equal by their models stay equal if one takes 1.3 times as long once");
  begin();
  const hg_costs slower = {.model.seconds = {1, 1}, .seconds = {1, 2}};
  int tasks_seen = 0;
  while (hg_sched_are_equal(&policy) && tasks_seen < 100) hg_sched_compare_workers(&policy, &slower), tasks_seen++;
  tap_int(tasks_seen, 4, "if one always takes twice as long, four tasks show it");
  begin();
  policy.groups = 2;
  tap_ok(!hg_sched_are_equal(&policy), "workers of two kinds are not equal");
}

static void cores_go_on_with_what_they_made_ready(void)
{
  begin();
  tap_ok(waits_for_one(.4), "of 5 s a path of 0.4 is not urgent: the task waits for one core");
  tap_ok(!waits_for_one(.6), "... one of 0.6 is, for two cores: the first free core takes it");
  begin();
  policy.steals = false;
  tap_ok(!waits_for_one(.4), "... also if workers do not steal");
  begin();
  policy.idlers = 1;
  tap_ok(!waits_for_one(.4), "... if a core is idle");
  begin();
  policy.heterogeneous = true;
  tap_ok(!waits_for_one(.4), "... and if cores differ");
}

int main(void)
{
  if (!begin_runtime()) return 77;
  workers_are_counted();
  members_are_those_of_the_context();
  members_are_counted_when_they_come();
  a_task_is_measured_from_its_beginning();
  a_program_that_waits_has_its_tasks_ranked();
  regions_want_tiles();
  tables_stand_in_for_models();
  regions_have_options();
  tasks_follow_their_tiles();
  ranks_reach_all_queues();
  cores_that_differ_by_chance_are_alike();
  cores_go_on_with_what_they_made_ready();
  starpu_shutdown();
  return tap_done();
}
