/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "schedulers/policy.h"

/* Best implementation and its expected time in s: 0 if there is no model, NaN if the model is not calibrated, infinite
 * if the worker cannot. */
double hg_sched_expected(const hg_policy *p, struct starpu_task *task, int id, unsigned *implementation)
{
  unsigned mask = 0;
  double best = INFINITY;
  if (!starpu_worker_can_execute_task_impl((unsigned)id, task, &mask)) return INFINITY;
  for (unsigned i = 0; mask >> i; i++) {
    if (!(mask >> i & 1)) continue;
    double seconds = starpu_task_worker_expected_length(task, (unsigned)id, p->context, i) * 1e-6;
    if (seconds < best || isnan(seconds) || best == INFINITY) {
      best = seconds;
      *implementation = i;
    }
    if (isnan(seconds)) break;
  }
  return best;
}

void hg_sched_count_members(hg_policy *p)
{
  for (int g = 0; g < p->groups; g++) p->group[g].members = 0;
  for (int w = 0; w < p->workers; w++) p->group[p->worker[w].group].members += p->worker[w].member;
}

/* Learns which workers are in the context, if their number says that it has changed. */
void hg_sched_find_members(hg_policy *p)
{
  int members = 0;
  for (int w = 0; w < p->workers; w++) members += p->worker[w].member;
  if ((int)starpu_sched_ctx_get_nworkers(p->context) == members) return;
  int *ids = NULL;
  const unsigned count = starpu_sched_ctx_get_workers_list(p->context, &ids);
  for (int w = 0; w < p->workers; w++) p->worker[w].member = false;
  for (unsigned i = 0; i < count; i++)
    if (hg_sched_index(p, ids[i]) >= 0) p->worker[hg_sched_index(p, ids[i])].member = true;
  free(ids);
  hg_sched_count_members(p);
}

/* Expected time on worker w; what another worker of its group takes serves it too. */
static double expected_like(const hg_policy *p, struct starpu_task *task, int w, const hg_costs *c)
{
  unsigned implementation;
  for (int i = 0; i < w; i++)
    if (p->worker[i].group == p->worker[w].group && !isinf(c->seconds[i]))
      return starpu_worker_can_execute_task_first_impl((unsigned)p->worker[w].id, task, NULL) ? c->seconds[i]
                                                                                              : INFINITY;
  return hg_sched_expected(p, task, p->worker[w].id, &implementation);
}

/* Where there is no calibrated model, measured times serve, else all workers count as equal. */
void hg_sched_estimate(const hg_policy *p, struct starpu_task *task, hg_costs *c)
{
  bool known = true;
  for (int w = 0; w < p->workers; w++) {
    double seconds = p->worker[w].member ? expected_like(p, task, w, c) : INFINITY;
    if (isnan(seconds) || seconds <= 0) {
      known = false;
      seconds = 0;
    }
    c->seconds[w] = seconds;
  }
  for (int w = 0; w < p->workers && !known; w++)
    if (isfinite(c->seconds[w])) c->seconds[w] = p->worker[w].mean > 0 ? p->worker[w].mean : 1e-3;
}

double hg_sched_transfer(struct starpu_task *task, int id)
{
  const double seconds = starpu_task_expected_data_transfer_time_for(task, (unsigned)id) * 1e-6;
  return seconds > 0 ? seconds : 0;
}

double hg_sched_finish_time(const hg_policy *p, const hg_member *w, double time)
{
  const hg_group *g = &p->group[w->group];
  double passed = w->ahead > 0 ? time - w->started : 0;
  double left = w->ahead - passed > 0 ? w->ahead - passed : 0;
  return left + w->queued + (g->members > 0 ? g->queued / g->members : 0);
}

/* The worker that has a task's data, or the fastest of those that are equally near. */
static int nearest(const hg_policy *p, const hg_costs *c, const double *transfer)
{
  int home = -1;
  for (int w = 0; w < p->workers; w++) {
    if (!isfinite(c->seconds[w])) continue;
    if (home < 0 || transfer[w] < transfer[home] || (transfer[w] <= transfer[home] && c->seconds[w] < c->seconds[home]))
      home = w;
  }
  return home;
}

/* Whether a task is better left where its data are: it takes less time there than its data on the way, and a worker so
 * much slower would give them back soon. What is saved now would be spent on transfers twice. */
static bool stays(const hg_costs *c, const double *transfer, int home, int w)
{
  enum { MUCH_SLOWER = 4 };
  return c->seconds[w] > MUCH_SLOWER * c->seconds[home] && transfer[w] - transfer[home] > c->seconds[home];
}

/* The worker that is expected to finish the task first; -1 if none can run it. */
int hg_sched_earliest(const hg_policy *p, struct starpu_task *task, const hg_costs *c)
{
  const double time = hg_sched_now();
  double best = INFINITY, transfer[STARPU_NMAXWORKERS];
  int found = -1;
  for (int w = 0; w < p->workers; w++)
    if (isfinite(c->seconds[w])) transfer[w] = hg_sched_transfer(task, p->worker[w].id);
  const int home = nearest(p, c, transfer);
  for (int w = 0; w < p->workers; w++) {
    if (!isfinite(c->seconds[w]) || stays(c, transfer, home, w)) continue;
    double finish = hg_sched_finish_time(p, &p->worker[w], time) + c->seconds[w] + transfer[w];
    if (found < 0 || finish < best) {
      best = finish;
      found = w;
    }
  }
  return found;
}
