/* SPDX-License-Identifier: MIT */
/* The parts of a policy; internal to schedulers/. All functions but hg_sched_expected, hg_sched_find_members and
 * hg_sched_estimate are called with the policy's lock held. */
#ifndef HG_SCHEDULERS_POLICY_H
#define HG_SCHEDULERS_POLICY_H

#include <starpu.h>
#include <stdbool.h>

#include "schedulers/owners.h"
#include "schedulers/queue.h"

/** Workers that are alike and share their memory: what none of them owns waits in a queue for all. */
typedef struct hg_group {
  unsigned node;
  enum starpu_worker_archtype type;
  int members; /* of the context */
  hg_queue queue;
  double queued; /* s */
} hg_group;

/** A worker of the context. */
typedef struct hg_member {
  int id, group; /* StarPU's */
  hg_queue queue;
  double queued;  /* s, expected for the tasks in the queue */
  double ahead;   /* s, expected for those taken but not finished */
  double started; /* s, when the last task began */
  double mean;    /* s, measured for a task that writes a tile; 0: none yet */
  double busy;    /* s, since regions were last looked at */
  int64_t done;   /* tasks finished of the tiles it owns */
  int64_t helped; /* how many were done when it last looked whether to help */
  int owned;      /* tiles */
  bool member;    /* of the context; StarPU does not tell when a worker leaves */
  bool idle;      /* found nothing to do */
} hg_member;

/** A policy in a context. */
typedef struct hg_policy {
  starpu_pthread_mutex_t lock;
  unsigned context;
  hg_owners owners;
  bool steals, refines, uniform;
  bool complete; /* a tile has been submitted twice: so all are known, where there are rounds over them */
  double epsilon;
  int workers, looked_at; /* looked_at: tiles when `uniform` was found */
  int64_t pushed, finished;
  int out_of_balance; /* looks in a row */
  hg_member worker[STARPU_NMAXWORKERS];
  hg_group group[STARPU_NMAXWORKERS];
  int groups;
  int index[STARPU_NMAXWORKERS];      /* of StarPU's worker ids, or -1 */
  double seconds[STARPU_NMAXWORKERS]; /* of a task that writes a tile, by worker */
} hg_policy;

/** What a task costs on each worker. */
typedef struct hg_costs {
  double seconds[STARPU_NMAXWORKERS]; /* infinite where it cannot run */
} hg_costs;

/** Seconds of StarPU's clock, virtual ones under SimGrid. */
static inline double hg_sched_now(void)
{
  return starpu_timing_now() * 1e-6;
}

/** Number of a StarPU worker in the policy, or -1; a plugin may have been built for fewer workers than there are. */
static inline int hg_sched_index(const hg_policy *p, int id)
{
  return id >= 0 && id < STARPU_NMAXWORKERS ? p->index[id] : -1;
}

/* estimate.c: who can run a task, for how long, and when it would be done. */

/** Best implementation on a StarPU worker and its expected time in s: 0 if there is no model, NaN if the model is not
 * calibrated, infinite if the worker cannot. */
double hg_sched_expected(const hg_policy *p, struct starpu_task *task, int id, unsigned *implementation);
void hg_sched_count_members(hg_policy *p);
void hg_sched_find_members(hg_policy *p);
void hg_sched_estimate(const hg_policy *p, struct starpu_task *task, hg_costs *c);
/** s to bring a task's data to a StarPU worker, >= 0. */
double hg_sched_transfer(struct starpu_task *task, int id);
double hg_sched_finish_time(const hg_policy *p, const hg_member *w, double time);
int hg_sched_earliest(const hg_policy *p, struct starpu_task *task, const hg_costs *c);

/* place.c: queues, owners of tiles, and where a task goes. */

void hg_sched_put(hg_policy *p, hg_queue *queue, double *queued, int id, hg_ready *ready);
hg_ready hg_sched_take(hg_policy *p, hg_queue *queue, double *queued, int i);
void hg_sched_enqueue(hg_policy *p, int w, hg_ready *ready);
hg_ready hg_sched_dequeue(hg_policy *p, int w, int i);
int hg_sched_tile(hg_policy *p, struct starpu_task *task);
void hg_sched_assign(hg_policy *p);
bool hg_sched_regions_of_use(hg_policy *p);
double hg_sched_urgency(const hg_policy *p, int tile);
int hg_sched_place(hg_policy *p, struct starpu_task *task, int tile, const hg_costs *c, bool *shared);

/* take.c: what a free worker does next. */

bool hg_sched_take_own(hg_policy *p, int w, hg_ready *out);
/** A task of the worker that is furthest behind, for one that is well ahead. */
bool hg_sched_lend_a_hand(hg_policy *p, int w, hg_ready *out);
/** A task that waits for others: for a worker that has left, or one that it pays to take. */
bool hg_sched_take_other(hg_policy *p, int w, hg_ready *out);
#endif
