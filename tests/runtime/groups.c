/* SPDX-License-Identifier: MIT */
/* What a policy knows of its workers: whose tasks a thief looks at, and what models say of whom. */
#include <math.h>

#include "runtime/policy_state.h"

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

static void what_models_say_is_kept(void)
{
  static hg_modelled m, again;
  begin();
  w1->member = false;
  hg_sched_ask_models(&policy, task(0, 1, 2), &m);
  tap_ok(m.seconds[0] == 1 && isinf(m.seconds[1]), "a worker that has left cannot run a task (%g, %g)", m.seconds[0],
         m.seconds[1]);
  const int node = hg_sched_submitted(&policy, &tasks[0], 1);
  hg_sched_remember(&policy, node, &m);
  tap_ok(hg_sched_recall(&policy, node, &again) && again.seconds[0] == 1, "what models say of a task is kept");
  tap_ok(!hg_sched_recall(&policy, node + 1, &again), "... not of another");
  policy.workers = 1;
  tap_ok(!hg_sched_recall(&policy, node, &again), "... nor where there are other workers");
  policy.workers = 2;
  hg_task_graph_free(&policy.graph);
}

int main(void)
{
  if (!begin_runtime()) return 77;
  groups_and_the_pool_are_looked_at();
  what_models_say_is_kept();
  starpu_shutdown();
  return tap_done();
}
