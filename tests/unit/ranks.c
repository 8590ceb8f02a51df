/* SPDX-License-Identifier: MIT */
/* Ranks of submitted tasks, links that transfer their data, workers that become slow, and numbers kept by address. */
#include <malloc.h>
#include <math.h>

#include "schedulers/availability.h"
#include "schedulers/memory.h"
#include "schedulers/ranks.h"
#include "schedulers/workers.h"
#include "tap.h"

enum { MANY = 4000 };

static char address[MANY]; /* whose addresses stand for tasks, data and keys */

static void a_chain_ranks_by_what_is_left(void)
{
  hg_task_graph g = {0};
  int wrong = 0, node[100];
  for (int i = 0; i < 100; i++)
    node[i] = hg_task_graph_add(&g, &address[i], 1e-3, &(hg_access){&address[MANY - 1], HG_WRITES}, 1);
  hg_task_graph_rank(&g);
  for (int i = 0; i < 100; i++) wrong += fabs((double)g.node[node[i]].rank - (100 - i) * 1e-3) > 1e-6;
  tap_int(wrong, 0, "of a chain of 100 tasks, ranks that are not the time from there to the end");
  hg_task_graph_free(&g);
}

/* a writer, three readers of different length, and a task that overwrites their data */
static void ranks_follow_the_longest_path(void)
{
  hg_task_graph g = {0};
  const char *data = &address[MANY - 1];
  const int first = hg_task_graph_add(&g, &address[0], 1, &(hg_access){data, HG_WRITES}, 1);
  for (int i = 1; i <= 3; i++) hg_task_graph_add(&g, &address[i], i, &(hg_access){data, HG_READS}, 1);
  hg_task_graph_add(&g, &address[4], 5, &(hg_access){data, HG_WRITES}, 1);
  hg_task_graph_rank(&g);
  tap_ok(fabs((double)g.node[first].rank - 9) < 1e-6, "the longest path is 1 + 3 + 5 s (%g)",
         (double)g.node[first].rank);
  const int third = first + 3;
  tap_ok(hg_task_graph_holds(&g, third, &address[3]), "a node is its task's");
  tap_ok(!hg_task_graph_holds(&g, third, &address[2]) && !hg_task_graph_holds(&g, -1, &address[3]) &&
             !hg_task_graph_holds(&g, 5, &address[3]),
         "... and no other's");
  hg_task_graph_remove(&g, third);
  tap_ok(!hg_task_graph_holds(&g, third, &address[3]) && g.live == 4, "a task that is done is forgotten");
  const int later = hg_task_graph_add(&g, &address[3], 2, &(hg_access){data, HG_READS}, 1);
  hg_task_graph_rank(&g);
  tap_ok(fabs((double)g.node[later].rank - 2) < 1e-6, "... and its place is reused without its history");
  hg_task_graph_free(&g);
}

enum { READERS = 40 };

/* A writer, many readers and a task that overwrites their data; a task that reads the data of many writers. */
static void all_that_a_task_waits_for_is_known(void)
{
  hg_task_graph g = {0};
  const char *data = &address[MANY - 1];
  int wrong = 0, reader[READERS];
  for (int i = 0; i < READERS; i++) reader[i] = hg_task_graph_add(&g, &address[i], 1, &(hg_access){data, HG_READS}, 1);
  hg_task_graph_add(&g, &address[READERS], 5, &(hg_access){data, HG_WRITES}, 1);
  hg_task_graph_add(&g, &address[READERS + 1], 7, &(hg_access){data, HG_WRITES}, 1);
  hg_task_graph_rank(&g);
  for (int i = 0; i < READERS; i++) wrong += fabs((double)g.node[reader[i]].rank - 13) > 1e-6;
  tap_int(wrong, 0, "of forty tasks whose data are then overwritten, those whose path does not reach the end");
  hg_task_graph_free(&g);
  g = (hg_task_graph){0};
  hg_access all[READERS];
  for (int i = 0; i < READERS; i++) {
    all[i] = (hg_access){&address[MANY - 1 - i], HG_READS};
    reader[i] = hg_task_graph_add(&g, &address[i], i, &(hg_access){all[i].data, HG_WRITES}, 1);
  }
  hg_task_graph_add(&g, &address[READERS], 100, all, READERS);
  wrong = 0;
  for (int i = 0; i < READERS; i++) wrong += fabs((double)g.node[reader[i]].rank - (100 + i)) > 1e-6;
  tap_int(wrong, 0, "of forty tasks for which another waits, those whose path does not lead through it");
  hg_task_graph_free(&g);
}

static size_t in_memory(void)
{
  const struct mallinfo2 now = mallinfo2();
  return now.uordblks + now.hblkhd;
}

/* Readers of the same data that run one after the other leave nothing in memory and are not waited for. */
static void readers_that_are_done_are_forgotten(void)
{
  hg_task_graph g = {0};
  const char *data = &address[MANY - 1];
  const size_t before = in_memory();
  for (int i = 0; i < 100000; i++)
    hg_task_graph_remove(&g, hg_task_graph_add(&g, &address[i % MANY], 1, &(hg_access){data, HG_READS}, 1));
  const size_t grown = in_memory() - before;
  tap_ok(grown < 65536, "100000 tasks that read the same one after the other need %zu bytes", grown);
  const int last = hg_task_graph_add(&g, &address[0], 1, &(hg_access){data, HG_WRITES}, 1);
  tap_int(g.node[last].waits, 0, "... and none of them is waited for");
  hg_task_graph_free(&g);
}

/* A task is chained if one that updates the same data waits only for it. */
static void chains_are_known(void)
{
  hg_task_graph g = {0};
  const char *tile = &address[MANY - 1], *other = &address[MANY - 2];
  const hg_access update = {tile, HG_WRITES}, both[] = {{tile, HG_WRITES}, {other, HG_READS}};
  const int first = hg_task_graph_add(&g, &address[0], 1, &update, 1);
  tap_ok(!g.node[first].chained, "a last update is not chained");
  const int second = hg_task_graph_add(&g, &address[1], 1, &update, 1);
  tap_ok(g.node[first].chained && !g.node[second].chained, "... it is if another follows that waits for nothing else");
  const int writer = hg_task_graph_add(&g, &address[2], 1, &(hg_access){other, HG_WRITES}, 1);
  const int third = hg_task_graph_add(&g, &address[3], 1, both, 2);
  tap_ok(!g.node[second].chained && !g.node[writer].chained, "... not if that one waits for another task, too");
  hg_task_graph_add(&g, &address[4], 1, &(hg_access){tile, HG_READS}, 1);
  hg_task_graph_add(&g, &address[5], 1, &update, 1);
  tap_ok(!g.node[third].chained, "... nor if the data are read in between");
  hg_task_graph_free(&g);
}

static void data_are_wanted_while_a_task_will_use_them(void)
{
  hg_task_graph g = {0};
  const char *data = &address[MANY - 1];
  tap_ok(!hg_task_graph_wants(&g, data, -1), "data that no task uses are not wanted");
  const int first = hg_task_graph_add(&g, &address[0], 1, &(hg_access){data, HG_WRITES}, 1);
  tap_ok(!hg_task_graph_wants(&g, data, first), "nor are those that only the given task uses");
  const int reader = hg_task_graph_add(&g, &address[1], 1, &(hg_access){data, HG_READS}, 1);
  tap_ok(hg_task_graph_wants(&g, data, first), "a task that reads them later wants them");
  tap_ok(hg_task_graph_wants(&g, data, reader), "... and so does the one that writes them before");
  hg_task_graph_remove(&g, first);
  tap_ok(!hg_task_graph_wants(&g, data, reader), "... until it is done");
  const int last = hg_task_graph_add(&g, &address[2], 1, &(hg_access){data, HG_WRITES}, 1);
  tap_ok(hg_task_graph_wants(&g, data, reader), "a later writer does, too");
  hg_task_graph_remove(&g, reader);
  hg_task_graph_remove(&g, last);
  tap_ok(!hg_task_graph_wants(&g, data, -1), "... nor once all tasks are done");
  hg_task_graph_free(&g);
}

static void memory_does_not_grow_with_tasks_that_are_done(void)
{
  hg_task_graph g = {0};
  for (int i = 0; i < 100000; i++) {
    const char *data = (const char *)NULL + 1 + i;
    const int n = hg_task_graph_add(&g, &address[i % MANY], 1e-3, &(hg_access){data, HG_WRITES}, 1);
    if (hg_task_graph_has_grown(&g)) hg_task_graph_rank(&g);
    hg_task_graph_remove(&g, n);
  }
  tap_ok(g.nodes <= 64 && g.data_room <= 64, "100000 tasks one after the other need room for %d, and for %d data",
         g.nodes, g.data_room);
  tap_ok(sizeof(hg_task_graph_node) + sizeof(hg_ready) <= 208, "a task that waits takes %zu bytes",
         sizeof(hg_task_graph_node) + sizeof(hg_ready));
  hg_task_graph_free(&g);
}

/* A chain of ten tasks of 1 s among others of 1 s, on two workers. */
static double rank_beside(int others)
{
  static hg_policy p;
  p = (hg_policy){.capacity = 2};
  int head = -1;
  for (int i = 0; i < 10; i++) {
    const int n = hg_task_graph_add(&p.graph, &address[i], 1, &(hg_access){&address[MANY - 1], HG_WRITES}, 1);
    if (i == 0) head = n;
  }
  for (int i = 0; i < others; i++) hg_task_graph_add(&p.graph, &address[10 + i], 1, NULL, 0);
  hg_task_graph_rank(&p.graph);
  const double rank = hg_sched_rank_among_alike(&p, head, false);
  for (int i = 0; i < others; i++) hg_task_graph_remove(&p.graph, 10 + i);
  tap_ok(fabs(p.graph.seconds - 10) < 1e-9, "the rest takes 10 s when %d others are done", others);
  hg_task_graph_free(&p.graph);
  return rank;
}

static void paths_are_urgent_where_they_take_much_of_the_time(void)
{
  tap_ok(rank_beside(89) > 9, "a path of 10 s is urgent if everything takes 49.5 s");
  tap_ok(rank_beside(91) < 2, "... and not if everything takes 50.5 s");
}

/* With nine tasks of 1 s and one of `seconds` in a core's own queue. */
static double rank_of_own(double seconds, bool own)
{
  static hg_policy p;
  p = (hg_policy){.capacity = 1};
  int n = 0;
  for (int i = 0; i < 10; i++) n = hg_task_graph_add(&p.graph, &address[i], i < 9 ? 1 : seconds, NULL, 0);
  p.graph.node[n].rank = .01F; /* nothing is urgent */
  const double rank = hg_sched_rank_among_alike(&p, n, own);
  hg_task_graph_free(&p.graph);
  return rank;
}

static void only_long_tasks_of_a_core_come_first(void)
{
  tap_near(rank_of_own(2, false), 2, 0, "in a shared queue the longer task comes first");
  tap_near(rank_of_own(2, true), 0, 0,
           "... in a core's own what came first, if it takes 1.8 times as long as all on average");
  tap_near(rank_of_own(2.4, true), 2.4, 1e-6, "... but not if it takes 2.1 times as long");
}

/* Times are seconds from now; the clock runs meanwhile. */
static void links_bring_one_after_the_other(void)
{
  static hg_policy p = {.worker[0].node = 1};
  const double A_LITTLE = 60;
  hg_sched_reserve_link(&p, 0, 1000);
  hg_sched_reserve_link(&p, 0, 500);
  const double left = hg_sched_available(&p, 0, hg_sched_now(), true);
  tap_ok(left > 1500 - A_LITTLE && left <= 1500, "data of 1000 and 500 s keep a worker idle for 1500 s (%.3f)", left);
}

static void a_worker_that_overruns_is_slow_at_once(void)
{
  const double time = hg_sched_now();
  hg_sched_worker w = {.slowdown = 1, .running_estimate = 1, .started = time - 10};
  tap_ok(hg_sched_scaled(&w, 5) <= 5, "a task that waits for its data does not affect tasks behind it");
  w.begun = time - 1.5;
  tap_ok(hg_sched_scaled(&w, 5) <= 5, "nor does one that runs for 1.5 times as long as expected");
  w.begun = time - 10;
  tap_ok(hg_sched_scaled(&w, 5) >= 50, "one that runs for 10 times as long makes the rest last 10 times as long (%.1f)",
         hg_sched_scaled(&w, 5));
  w.begun = 0;
  hg_sched_note_slowdown(&w, 1, 1.8);
  tap_ok(fabs(w.slowdown - 1.2) < 1e-9, "a task that took 1.8 times as long counts by a quarter (%.2f)", w.slowdown);
  hg_sched_note_slowdown(&w, 1, 10);
  tap_ok(fabs(w.slowdown - 10) < 1e-9, "... one that took 10 times as long in full (%.2f)", w.slowdown);
  hg_sched_note_slowdown(&w, 1, 1);
  const double before = w.slowdown;
  hg_sched_note_slowdown(&w, 1e-3, 16e-3);
  tap_ok(fabs(w.slowdown - before) < .01 * before, "... a short one that took 16 times as long hardly (%.2f, %.2f)",
         before, w.slowdown);
  w = (hg_sched_worker){
      .slowdown = 1, .mean_estimate = 1, .running_estimate = 1e-3, .started = time - 10, .begun = time - 10};
  tap_ok(hg_sched_scaled(&w, 5) <= 5, "... nor does one that runs make the long ones last longer");
  hg_sched_worker marked = {.slowdown = 1};
  for (int i = 0; i < 20; i++) hg_sched_note_slowdown(&marked, 1e-12, 7e-6);
  tap_near(marked.slowdown, 1, 0, "tasks without work do not count");
}

/* A block of a matrix, read in each step of an iteration; a factor of a product, read for one block after another. */
static void what_is_read_for_the_same_is_told(void)
{
  hg_task_graph g = {0};
  const char *matrix = &address[MANY - 1], *sum = &address[MANY - 2], *factor = &address[MANY - 3];
  hg_task_graph_add(&g, &address[0], 1, (hg_access[]){{matrix, HG_READS}, {sum, HG_ADDS}}, 2);
  tap_ok(!hg_task_graph_again(&g, matrix), "a block that is read once is not read again");
  hg_task_graph_add(&g, &address[1], 1, (hg_access[]){{matrix, HG_READS}, {sum, HG_ADDS}}, 2);
  tap_ok(hg_task_graph_again(&g, matrix), "... in the next step it is, for the same sum");
  for (int i = 2; i < 5; i++)
    hg_task_graph_add(&g, &address[i], 1, (hg_access[]){{factor, HG_READS}, {&address[i], HG_WRITES}}, 2);
  tap_ok(!hg_task_graph_again(&g, factor), "a factor is read for another block each time");
  for (int i = 5; i < 7; i++) hg_task_graph_add(&g, &address[i], 1, (hg_access[]){{&address[0], HG_READS}}, 1);
  tap_ok(!hg_task_graph_again(&g, &address[0]), "data read without a result are not read for the same one");
  hg_task_graph_add(&g, &address[7], 1, &(hg_access){matrix, HG_WRITES}, 1);
  tap_ok(!hg_task_graph_again(&g, matrix), "... nor are data written meanwhile");
  hg_task_graph_free(&g);
}

static void tables_forget_without_a_trace(void)
{
  hg_map t = {0};
  int wrong = 0;
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < MANY; i++) hg_map_set(&t, &address[i], i);
    for (int i = 0; i < MANY; i++)
      if ((i * 7 + round) % 3) hg_map_forget(&t, &address[i]);
    for (int i = 0; i < MANY; i++) wrong += hg_map_find(&t, &address[i]) != ((i * 7 + round) % 3 ? -1 : i);
  }
  tap_int(wrong, 0, "forgotten keys that are found, or known ones that are not");
  tap_ok(t.slots <= 2 * 8192, "... in %d slots", t.slots);
  hg_map_clear(&t);
}

/* The second worker's speed after a comparison of both, which take 1 s and `second` s; -1: it counts. */
static double compared(double second, bool member)
{
  static hg_policy p;
  const hg_costs c = {.model.seconds = {1, second}, .seconds = {1, second}};
  memset(&p, 0, sizeof p);
  p.workers = 2;
  p.worker[0].speed = p.worker[1].speed = 1;
  p.worker[0].member = true;
  p.worker[1].member = member;
  hg_sched_compare_workers(&p, &c);
  return p.heterogeneous || (!member && p.capacity > 1) ? -1 : p.worker[1].speed;
}

static void only_members_that_can_are_compared(void)
{
  tap_near(compared(INFINITY, true), 1, 0, "a worker that cannot run a task is not slower for that");
  tap_near(compared(2, false), 1, 0, "... one that has left the context does not count");
  tap_near(compared(2, true), -1, 0, "... but one that is slower does");
}

int main(void)
{
  only_members_that_can_are_compared();
  a_chain_ranks_by_what_is_left();
  ranks_follow_the_longest_path();
  all_that_a_task_waits_for_is_known();
  readers_that_are_done_are_forgotten();
  chains_are_known();
  data_are_wanted_while_a_task_will_use_them();
  what_is_read_for_the_same_is_told();
  memory_does_not_grow_with_tasks_that_are_done();
  paths_are_urgent_where_they_take_much_of_the_time();
  only_long_tasks_of_a_core_come_first();
  links_bring_one_after_the_other();
  a_worker_that_overruns_is_slow_at_once();
  tables_forget_without_a_trace();
  return tap_done();
}
