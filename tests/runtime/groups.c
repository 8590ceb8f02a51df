/* SPDX-License-Identifier: MIT */
/* What a policy knows of its workers: whose tasks a thief looks at, and what of it reaches the tasks that wait. */
#include <math.h>
#include <time.h>

#include "runtime/policy_state.h"
#include "schedulers/hetgrid_sched.h"

static char keys[4]; /* whose addresses stand for tasks */

/* Whether worker 1, of another group, takes the second of two tasks of 10 s from the first group or from the pool. */
static bool taken_from(hg_queue *q, bool limited, double second)
{
  hg_ready out;
  begin();
  policy.groups = 2;
  policy.group[1].members = 1;
  w1->group = 1;
  policy.group[0].capacity = 2;
  policy.memory[STARPU_MAIN_RAM].bytes = limited ? 1e9 : 0;
  policy.drawing = 1;
  for (int i = 0; i < 2; i++) put(q, i, 10, second, -1);
  return hg_sched_take_other(&policy, 1, &out) && number_of(&out) == 1;
}

static void groups_and_the_pool_are_looked_at(void)
{
  tap_ok(taken_from(&policy.group[0].queue, false, 14),
         "two workers of a group are done with two tasks in 15 s: 14 win");
  tap_ok(!taken_from(&policy.group[0].queue, false, 16), "... and 16 do not");
  tap_ok(taken_from(&policy.pool, true, 19),
         "a worker that draws from the pool alone is done with two in 20 s: 19 win");
  tap_ok(!taken_from(&policy.pool, false, 19), "... one that does not draw from it would not have done them");
}

static void workers_are_counted(void)
{
  begin();
  tap_ok(policy.groups == 1 && policy.group[0].members == 2, "two cores are one group");
  tap_near(policy.group[0].capacity, 2, 1e-12, "... that does twice as much as one");
}

static void members_are_those_of_the_context(void)
{
  int id = 0;
  begin();
  policy.workers = 1;
  hg_sched_count_members(&policy);
  tap_int(policy.group[0].members, 1, "a worker that the policy does not know yet is not counted");
  begin();
  policy.context = starpu_sched_ctx_create(&id, 1, "one", STARPU_SCHED_CTX_POLICY_NAME, "eager", 0);
  tap_ok(hg_sched_members_changed(&policy), "a context of one worker has others than two");
  hg_sched_find_members(&policy);
  tap_ok(w0->member && !w1->member && policy.group[0].members == 1, "the one that is not of it is left out");
  tap_ok(!hg_sched_members_changed(&policy), "... which is all that changed");
  starpu_sched_ctx_delete(policy.context);
}

/* A context of our policy, from its beginning. */
static void members_are_counted_when_they_come(void)
{
  int ids[] = {0, 1};
  const unsigned context =
      starpu_sched_ctx_create(ids, 2, "ours", STARPU_SCHED_CTX_POLICY_STRUCT, hg_sched_find("hetgrid"), 0);
  const hg_policy *p = starpu_sched_ctx_get_policy_data(context);
  tap_ok(p->groups == 1 && p->group[0].members == 2 && p->group[0].capacity == 2,
         "two workers that come are a group that does as much as two (%d, %g)", p->group[0].members,
         p->group[0].capacity);
  starpu_sched_ctx_delete(context);
}

static void take_a_while(void *buffer[], void *arg)
{
  const double begun = starpu_timing_now();
  (void)buffer, (void)arg;
  while (starpu_timing_now() < begun + 2000)
    ;
}

/* ... from when it was taken, where there is one memory, not from when the one before it ended. */
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
  tap_ok(seconds > .001 && seconds < .3, "a task of 2 ms, .4 s after its worker came, is measured (%g s)", seconds);
  starpu_sched_ctx_delete(context);
}

static void regions_want_tiles(void)
{
  begin();
  policy.proven = true;
  tap_ok(!hg_sched_regions_of_use(&policy), "there are no regions while no tile is known");
  hg_owners_tile(&policy.owners, &tasks[0], 2, (int[]){0, 0});
  tap_ok(hg_sched_regions_of_use(&policy), "... and then there are, where they are proven to pay");
}

/* `waiting` tasks of 10 s wait for worker 0, the last of which is waited for itself unless it is `last`. @return
 * whether worker 1, one of `like` in its group, takes that, which takes it `second` s, where `rest` s are left to do
 * and it is waited for with `gates` tasks */
static bool taken_with(int gates, int waiting, int like, double second, double rest, bool last)
{
  hg_ready out;
  begin();
  policy.groups = 2;
  policy.workers = 1 + like;
  policy.group[1].members = like;
  w1->group = 1;
  for (int i = 0; i < waiting; i++) put(&w0->queue, i, 10, second, -1);
  const hg_access a = {tasks, HG_WRITES};
  const int n = hg_task_graph_add(&policy.graph, &tasks[waiting - 1], 10, &a, 1);
  if (!last) hg_task_graph_add(&policy.graph, &tasks[3], 10, &a, 1);
  policy.graph.seconds = rest;
  policy.graph.node[n].gates = gates;
  hg_queue_at(&w0->queue, hg_queue_last(&w0->queue))->node = n;
  const bool taken = hg_sched_take_other(&policy, 1, &out) && number_of(&out) == waiting - 1;
  hg_task_graph_free(&policy.graph);
  policy.workers = 2;
  return taken;
}

static bool taken_late(int waiting, int like, double second, double rest, bool last)
{
  return taken_with(1, waiting, like, second, rest, last);
}

static void what_many_are_waited_for_with_is_not_late(void)
{
  tap_ok(taken_with(9, 3, 4, 35, 1000, false),
         "a task is late that is waited for with eight others, beside five workers");
  tap_ok(!taken_with(10, 3, 4, 35, 1000, false), "... not one that is with nine, twice as many as workers");
  tap_ok(taken_with(10, 3, 4, 29, 1000, false), "... but if it is done before the last of its owner");
}

/* s until worker 0 or 1, which run for 10 s and `elsewhere` - 2 s more, have sent data to a memory that wants them. */
static double held_for(bool holds, double elsewhere, unsigned wanted)
{
  static struct starpu_codelet reads = {.cpu_funcs = {nothing}, .nbuffers = 1, .modes = {STARPU_R}, .model = &model};
  static char bytes[8];
  starpu_data_handle_t handle;
  begin();
  policy.memory[STARPU_MAIN_RAM].bytes = 1e9;
  w0->current = 12;
  w1->current = elsewhere;
  w0->started = w1->started = 100;
  w0->holds = w1->holds = holds;
  starpu_vector_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)bytes, sizeof bytes, 1);
  task(0, 1, 1)->cl = &reads;
  tasks[0].handles[0] = handle;
  if (elsewhere <= 0) put(&w1->queue, 1, 3, 3, -1), put(&w1->queue, 2, 5, 5, -1);
  if (elsewhere > 30) put(&w0->queue, 1, 1, 1, -1);
  const double held = hg_sched_held(&policy, &tasks[0], wanted, 102);
  starpu_data_unregister(handle);
  return held;
}

static void drivers_that_wait_hold_data(void)
{
  const unsigned another = STARPU_MAIN_RAM + 1;
  tap_near(held_for(true, 30, another), 10, 1e-12, "data can leave devices that run for 10 and 28 s more after 10 s");
  tap_near(held_for(true, 32, another), 11, 1e-12, "... after the next task, of 1 s, if one waits");
  tap_near(held_for(true, 0, another), 4, 1e-12, "... after a task of one that begins now, 4 s on average");
  tap_near(held_for(false, 32, another), 0, 0, "... at once if their drivers do not wait for them");
  tap_near(held_for(true, 32, STARPU_MAIN_RAM), 0, 0, "... and what is there need not leave any");
}

/* Whether a device takes the second of two tasks, for which one waits that suits cores, while so many tasks wait for
 * the one core and the first one's path takes `path` of 100 s. */
static bool fed(int waiting, double path, int priority)
{
  bool ready;
  begin();
  policy.groups = 2;
  policy.group[1] = policy.group[0];
  policy.group[1].queue = (hg_queue){.count = 0};
  policy.group[0].type = STARPU_CUDA_WORKER;
  w1->group = 1;
  for (int i = 0; i < waiting; i++) put(&w1->queue, 2 + i, 1, 1, -1);
  for (int i = 0; i < 2; i++) {
    hg_ready r = {.task = task(i, 1, 1), .seconds = 1, .rank = i == 0 ? path : path / 2, .tile = -1};
    r.priority = i == 0 ? priority : 0;
    r.node = hg_task_graph_add(&policy.graph, &tasks[i], 1, NULL, 0);
    policy.graph.node[r.node].feeds = i == 1;
    hg_sched_put(&policy, &w0->queue, 0, &r);
  }
  policy.graph.seconds = 100;
  const int number = number_of(hg_queue_at(&w0->queue, hg_sched_with_data(&policy, 0, &ready)));
  hg_task_graph_free(&policy.graph);
  return number == 1 && ready;
}

static void cores_that_starve_are_fed(void)
{
  tap_ok(fed(0, 24, 0), "a device does first what a task for a core waits for that has none");
  tap_ok(!fed(1, 24, 0), "... not where one waits there");
  tap_ok(!fed(0, 26, 0), "... nor where a path takes half of the time that is left for all");
  tap_ok(!fed(0, 24, 1), "... nor before what has a higher priority");
}

/* Whether a task suits cores that takes a core so many s and a device 1 s. */
static bool suits(double core)
{
  begin();
  policy.group[1].type = STARPU_CUDA_WORKER;
  w1->group = 1;
  return hg_sched_suits_cores(&policy, &(hg_modelled){.workers = 2, .seconds = {core, 1}});
}

static void some_tasks_suit_cores(void)
{
  tap_ok(suits(1.4) && !suits(1.6), "a task that takes a core 1.4 times as long suits cores, 1.6 times does not");
  tap_ok(!suits(INFINITY) && !suits(NAN), "... nor does one that they cannot run, or of which nothing is known");
}

static void idle_workers_may_be_late(void)
{
  tap_ok(taken_late(3, 4, 35, 1000, false),
         "four idle workers that take 35 s for a task of 10 s take what is done in 30");
  tap_ok(!taken_late(3, 3, 35, 1000, false), "... three do not: together they are slower than the other");
  tap_ok(taken_late(3, 9, 74, 1e4, false) && !taken_late(3, 9, 76, 1e4, false), "... nor 2.5 times as late");
  tap_ok(!taken_late(3, 4, 35, 349, false) && taken_late(3, 4, 35, 351, false),
         "... nor what lasts half of all that is left");
  tap_ok(!taken_late(3, 4, 35, 1000, true), "... nor what no other task waits for");
  tap_ok(!taken_late(2, 4, 35, 1000, false), "... nor of the last two");
}

/* Of tasks that begin paths of 100, 50 and `path` s, 1 s each on worker 0, worker 1 of another kind takes.. -1: none */
static int taken_in_time(double second, double path, int kept, double all)
{
  static hg_task_graph_node node[TASKS];
  const double rank[] = {100, 50, path};
  hg_ready out;
  begin();
  policy.graph.node = node;
  policy.graph.seconds = all;
  policy.group[1] = policy.group[0];
  policy.group[1].queue = (hg_queue){.count = 0};
  w1->group = policy.groups++;
  for (int i = 0; i < kept; i++) {
    node[i] = (hg_task_graph_node){.rank = (float)rank[i], .seconds = (float)rank[i]};
    hg_ready r = {.task = task(i, 1, second), .seconds = 1, .rank = rank[i], .tile = -1, .node = i};
    hg_sched_put(&policy, &w0->queue, 0, &r);
  }
  const int number = hg_sched_take_other(&policy, 1, &out) ? number_of(&out) : -1;
  policy.graph.node = NULL;
  return number;
}

static void what_has_time_may_be_late(void)
{
  tap_int(taken_in_time(15, 9, 3, 1e3), 2,
          "a slow worker takes what begins a path a quarter as long as the most urgent");
  tap_int(taken_in_time(15, 11, 3, 1e3), -1, "... and nothing that is longer with it");
  tap_int(taken_in_time(15, 9, 2, 1e3), -1, "... nor one of the owner's last two");
  tap_int(taken_in_time(15, 9, 3, 50), -1, "... nor where too little is left to do meanwhile");
}

/* Worker 1, of another group, is idle; a task that takes it `second` s is put behind `waiting` others of 10 s. */
static bool may_go(int waiting, double second, bool idle, int group)
{
  hg_costs c = {.seconds = {10, second}};
  begin();
  policy.groups = 2;
  policy.group[1].members = 1;
  w1->group = group;
  policy.idle[1] = idle;
  policy.idlers = idle;
  for (int i = 0; i < waiting; i++) put(&w0->queue, i, 10, second, -1);
  return hg_sched_may_go_elsewhere(&policy, 0, &(hg_ready){.seconds = 10}, &c);
}

static void data_wait_for_those_who_may_take_the_task(void)
{
  tap_ok(may_go(2, 10, true, 1), "a third task may go to an idle worker of another kind that does as much");
  tap_ok(!may_go(1, 10, true, 1), "... a second one stays");
  tap_ok(!may_go(2, 11, true, 1), "... as with workers that do less together");
  tap_ok(!may_go(2, 10, false, 1), "... that are busy");
  tap_ok(!may_go(2, 10, true, 0), "... or of the same kind");
}

/* Three tasks of 10 s wait for worker 0, a device where `memory` is limited, of which worker 1 would do one in `second`
 * s. @return which have gone there, as bits, in the order in which they were put */
static int dealt_anew(double memory, double second)
{
  int gone = 0, number[3];
  begin();
  policy.groups = 2;
  policy.group[1].members = 1;
  w1->group = 1;
  policy.memory[STARPU_MAIN_RAM].bytes = memory;
  policy.drawing = 2;
  for (int i = 0; i < 3; i++) put(&w0->queue, i, 10, second, -1);
  w0->pace = 1.5;
  if (hg_sched_deal_anew(&policy)) return -1;
  w0->pace = 5;
  const bool dealt = hg_sched_deal_anew(&policy);
  const int count = hg_queue_head(&w1->queue, 3, number);
  for (int i = 0; i < count; i++) {
    const hg_ready *r = hg_queue_at(&w1->queue, number[i]);
    if (r->seconds != second || r->counted != w1->id) return -2;
    gone |= 1 << number_of(r);
  }
  return dealt == (count > 0) ? gone : -3;
}

static void what_waits_for_a_slow_device_is_dealt_anew(void)
{
  tap_int(dealt_anew(1e9, 12), 7, "of a device that takes five times as long all three tasks go elsewhere");
  tap_ok(!hg_sched_deal_anew(&policy), "... once");
  put(&w0->queue, 3, 10, 12, -1);
  tap_ok(!hg_sched_deal_anew(&policy), "... as long as it is slow");
  w0->pace = 1;
  hg_sched_deal_anew(&policy);
  w0->pace = 5;
  tap_ok(hg_sched_deal_anew(&policy) && w0->queue.count == 0, "... and again where it was faster meanwhile");
  tap_int(dealt_anew(1e9, 40), 3, "the most urgent go; the last stays where the other worker has enough by then");
  tap_int(dealt_anew(1e9, 200), 0, "... all, where nobody is faster");
  tap_int(dealt_anew(0, 12), 0, "... and what waits for a core, whose tasks others take");
}

/* Whether the policy looks for tables of tasks that models give these times, 0: not known. */
static bool looks_for_tables(double first, double second)
{
  static double values[100];
  starpu_data_handle_t tile;
  hg_costs c = {.model.seconds = {first, second}};
  begin();
  policy.tables = true;
  starpu_vector_data_register(&tile, STARPU_MAIN_RAM, (uintptr_t)values, 100, sizeof *values);
  hg_owners_tile(&policy.owners, tile, 2, (int[]){0, 0});
  const hg_ready r = {.task = task(0, first, second), .tile = 0, .node = -1};
  hg_sched_find_tables(&policy, &r, &c);
  starpu_data_unregister(tile);
  return policy.tabled[hg_sched_kind_place(hg_sched_kind(&tasks[0]))].kind != NULL;
}

static void tables_stand_in_for_models(void)
{
  setenv("HETGRID_TABLES", "/dev/null/none", 1);
  tap_ok(!looks_for_tables(1, 2), "where models know all times, no tables are looked for");
  tap_ok(looks_for_tables(1, 0) && looks_for_tables(0, 1), "... but where they do not know one of two workers");
  unsetenv("HETGRID_TABLES");
}

/* They wait for any worker of a group until tiles are divided, from the first tile on. */
static void tasks_follow_their_tiles(void)
{
  begin();
  policy.seconds[0] = policy.seconds[1] = 1;
  for (int i = 0; i < 4; i++) hg_owners_tile(&policy.owners, &tasks[i], 2, (int[]){i, 0});
  for (int i = 0; i < 4; i++) put(&policy.group[0].queue, i, 1, 1, i);
  hg_sched_assign(&policy);
  tap_ok(policy.group[0].queue.count == 0 && w0->queue.count == 2 && w1->queue.count == 2,
         "tasks of four tiles that are divided follow them (%d and %d, %d stay)", w0->queue.count, w1->queue.count,
         policy.group[0].queue.count);
}

/* Whoever waits, and wherever: by the longest path that begins with it. */
static void ranks_reach_all_queues(void)
{
  hg_queue *const queue[] = {&w1->queue, &policy.group[0].queue, &policy.pool};
  static const char *const name[] = {"ranks are new in a queue of a worker", "... of a group",
                                     "... and where memory is waited for"};
  for (int i = 0; i < 3; i++) {
    begin();
    const int n = hg_sched_submitted(&policy, task(0, 3, 3), &(hg_modelled){.workers = 1, .seconds = {3}});
    put(queue[i], 0, 3, 3, -1);
    hg_ready *r = hg_queue_at(queue[i], hg_queue_last(queue[i]));
    r->node = n;
    r->rank = 0;
    hg_sched_rank(&policy);
    tap_near(hg_queue_at(queue[i], hg_queue_last(queue[i]))->rank, 3, 1e-12, name[i]);
    hg_task_graph_free(&policy.graph);
  }
}

/* Whether a task of 1 s for which both workers will do waits for the one that is free first, where four others of 1 s
 * are known, and it begins a path of `path` s. */
static bool waits_for_one(double path)
{
  hg_ready r = {.task = task(0, 1, 1), .tile = -1};
  const hg_costs c = {.seconds = {1, 1}};
  bool shared;
  w0->ahead = 1;
  for (int i = 0; i < 4; i++) hg_task_graph_add(&policy.graph, &keys[i], 1, NULL, 0);
  r.node = hg_task_graph_add(&policy.graph, r.task, 1, NULL, 0);
  policy.graph.node[r.node].rank = (float)path;
  const int w = hg_sched_place(&policy, &r, &c, &shared);
  hg_task_graph_free(&policy.graph);
  return !shared && w == 1;
}

/* Whether cores differ whose models say 1 and `modelled` s, where they take 1 and `measured` s. */
static bool differ(double modelled, double measured)
{
  const hg_costs c = {.model.seconds = {1, modelled}, .seconds = {1, measured}};
  begin();
  hg_sched_compare_members(&policy, 0, &c);
  return policy.group[0].unequal && !hg_sched_are_alike(&policy);
}

static void cores_that_differ_by_chance_are_alike(void)
{
  tap_ok(differ(1.06, 1) && !differ(1.05, 1), "cores differ by 6 %% where models say so, not by 5");
  tap_ok(!differ(INFINITY, 1), "... one that cannot run a task is no slower");
  tap_ok(!differ(1, 1.3), "cores that are alike by the models, and take 1.3 times as long once, are");
  begin();
  const hg_costs slower = {.model.seconds = {1, 1}, .seconds = {1, 2}};
  int tasks_seen = 0;
  while (hg_sched_are_alike(&policy) && tasks_seen < 100) hg_sched_compare_members(&policy, 0, &slower), tasks_seen++;
  tap_int(tasks_seen, 4, "of one that takes twice as long always four tasks tell");
  begin();
  policy.groups = 2;
  tap_ok(!hg_sched_are_alike(&policy), "workers of two kinds are not alike");
}

static void cores_go_on_with_what_they_made_ready(void)
{
  begin();
  tap_ok(waits_for_one(.4), "of 5 s a path of .4 is not urgent: the task waits for one core");
  tap_ok(!waits_for_one(.6), "... of .6 it is, for two cores: whoever is free first takes it");
  begin();
  policy.steals = false;
  tap_ok(!waits_for_one(.4), "... so, too, where none takes another's");
  begin();
  policy.idlers = 1;
  tap_ok(!waits_for_one(.4), "... where a core is idle");
  begin();
  policy.group[0].unequal = true;
  tap_ok(!waits_for_one(.4), "... and where cores differ");
}

int main(void)
{
  if (!begin_runtime()) return 77;
  workers_are_counted();
  members_are_those_of_the_context();
  members_are_counted_when_they_come();
  a_task_is_measured_from_its_beginning();
  regions_want_tiles();
  groups_and_the_pool_are_looked_at();
  idle_workers_may_be_late();
  what_many_are_waited_for_with_is_not_late();
  drivers_that_wait_hold_data();
  cores_that_starve_are_fed();
  some_tasks_suit_cores();
  what_has_time_may_be_late();
  data_wait_for_those_who_may_take_the_task();
  what_waits_for_a_slow_device_is_dealt_anew();
  tables_stand_in_for_models();
  tasks_follow_their_tiles();
  ranks_reach_all_queues();
  cores_that_differ_by_chance_are_alike();
  cores_go_on_with_what_they_made_ready();
  starpu_shutdown();
  return tap_done();
}
