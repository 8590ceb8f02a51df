/* SPDX-License-Identifier: MIT */
/* The state of a policy, in layers: workers and their availability, costs and transfers, queues, placement, stealing,
 * memory. Each has its own header. */
#ifndef HG_SCHEDULERS_POLICY_H
#define HG_SCHEDULERS_POLICY_H

#include <starpu.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "schedulers/task_graph.h"
#include "schedulers/owners.h"
#include "schedulers/queue.h"

/** How long tasks of a kind take on a worker. */
typedef struct hg_measured_estimate {
  const void *kind;
  double ratio;          /* measured time over the model's */
  double seconds, flops; /* running means */
  bool warm;             /* more than the first task of the kind was measured */
} hg_measured_estimate;

enum { HG_KINDS = 8 }; /* of tasks that a worker remembers */

/** A worker of the context. */
typedef struct hg_sched_worker {
  int id; /* StarPU's */
  unsigned node;
  enum starpu_worker_archtype type;
  int group;      /* the first worker of the same kind with the same memory */
  int perf_class; /* ... and with the same models */
  hg_queue queue;
  double speed;            /* relative to the fastest, where all are of one kind */
  int taken;               /* tasks not finished */
  double load;             /* s, expected for them */
  double bound_load;       /* s, expected for tasks that the program bound to it and that have not begun */
  double slowdown;         /* measured over expected time of the last tasks */
  double mean_estimate;    /* s, mean of what was expected for the last tasks */
  double running_estimate; /* s, expected for the running task */
  double started;          /* s, when that began */
  double begun;            /* s, when its data were there and it ran; 0: nothing runs */
  double ended;            /* s, when the last task ended */
  int requested;           /* tasks that wait for it and whose data were requested */
  int owned;               /* tiles, for hetgrid-nphp */
  int64_t done;            /* finished tasks that write data which the program gave it */
  atomic_bool member;      /* of the context; StarPU does not report when a worker leaves */
  bool frees_memory;       /* has ended a task while others waited for room */
  int stalls;              /* tasks in a row that said nothing about its speed */
  bool cold;          /* the running task is its first of a kind and loads code and libraries: no measure of speed */
  const void *begins; /* the task that began when the worker took it, until StarPU reports it */
  hg_measured_estimate measured[HG_KINDS];
} hg_sched_worker;

/** A memory of limited size. */
typedef struct hg_memory {
  double bytes;    /* 0: no limit */
  double reserved; /* by waiting tasks whose data were requested */
  double resident; /* of resident data */
  double busy;     /* s of StarPU's clock: until then its link is busy with what waiting tasks need */
} hg_memory;

/** The models' answers for a task. */
typedef struct hg_model_estimate {
  int workers;                        /* number of workers asked about */
  int epoch;                          /* the policy's epoch then */
  double seconds[STARPU_NMAXWORKERS]; /* infinite where it cannot run, NaN: not calibrated */
  uint8_t implementation[STARPU_NMAXWORKERS];
} hg_model_estimate;

/** What it takes to bring a task's data to a memory. */
typedef struct hg_transfer_cost {
  double weighted; /* s, weighted by how the data are used */
  double alone;    /* s, if nothing else travels */
  double updated;  /* s, the part of `alone` for data that the task updates */
} hg_transfer_cost;

/** What a task costs. */
typedef struct hg_costs {
  hg_model_estimate model;                    /* by the models alone */
  double seconds[STARPU_NMAXWORKERS];         /* by worker, infinite where it cannot run */
  hg_transfer_cost transfer[STARPU_MAXNODES]; /* of its data to a memory, set where a worker can run it */
  uint64_t again;                             /* which of its first buffers tasks read again to write the same data */
} hg_costs;

enum { HG_CACHED = 64 };

/** The models' answers for tasks of one shape. */
typedef struct hg_cached_model {
  uint64_t shape;
  int tasks; /* submitted since then */
  hg_model_estimate model;
} hg_cached_model;

struct hg_policy;

/** How the policies differ; each function is called with the lock held. */
typedef struct hg_rule {
  /** The worker for a task, or -1; *shared: any worker will do. */
  int (*place)(struct hg_policy *p, const hg_ready *ready, const hg_costs *c, bool *shared);
  /** All tiles are known, since a second round over them has begun; or NULL. */
  void (*known)(struct hg_policy *p);
  /** A worker has finished a task that writes a tile, in this many s; or NULL. */
  void (*done)(struct hg_policy *p, int w, double seconds);
  bool steals; /* idle workers take what waits for others */
} hg_rule;

/** A policy in a context. The members that every task changes are together, before the arrays. */
typedef struct hg_policy {
  const hg_rule *rule;
  struct hg_nphp *nphp; /* of hetgrid-nphp, or NULL */
  starpu_pthread_mutex_t lock;
  unsigned context;
  atomic_int workers;
  int groups;         /* of workers of one kind that share their memory */
  double capacity;    /* sum of the members' speeds, relative to the fastest */
  bool heterogeneous; /* some are slower than others of their kind */
  atomic_int idlers;  /* workers that found nothing to do */
  int64_t pushed;
  int wakes, woken[STARPU_NMAXWORKERS]; /* idle workers given something: woken when the lock is released */
  bool steals;
  bool regions;        /* hetgrid-nphp: tiles go to their owners */
  bool user_owned;     /* the program has named owners */
  bool waited_for;     /* everything is submitted for now */
  bool resumed;        /* ... and more came later: the future users of what a task writes are unknown */
  bool complete;       /* a tile was submitted twice: if there are rounds, all tiles are known */
  bool memories_known; /* only after the drivers have started */
  int limited;         /* members with a limited memory */
  hg_task_graph graph;
  hg_owners owners;
  hg_queue shared;          /* where all are of one kind: tasks that any of them may take */
  hg_queue stranded;        /* tasks that no worker currently in the context can run */
  hg_ready *spare;          /* for reuse, since otherwise one thread would free what another has allocated */
  atomic_int members;       /* number of workers in the context */
  atomic_int epoch;         /* grows when workers join or leave */
  uint64_t singular;        /* gives single tasks a unique shape */
  double origin;            /* s of StarPU's clock, when the policy began */
  double gamma, idle_power; /* s that a joule is worth; W */
  double largest;           /* bytes of the largest task's data */
  hg_map resident;          /* memory where data stay; main memory: they pass through a device's memory */
  hg_sched_worker worker[STARPU_NMAXWORKERS];
  hg_memory memory[STARPU_MAXNODES];
  hg_cached_model cached[HG_CACHED];    /* by shape */
  atomic_int index[STARPU_NMAXWORKERS]; /* of StarPU's worker ids, or -1 */
  atomic_bool idle[STARPU_NMAXWORKERS]; /* found nothing to do */
  double seconds[STARPU_NMAXWORKERS];   /* for a task that writes a tile, by worker */
} hg_policy;

/** Seconds of StarPU's clock, virtual ones under SimGrid. */
static inline double hg_sched_now(void)
{
  return starpu_timing_now() * 1e-6;
}

/** Number of a StarPU worker in the policy, or -1; a plugin may have been built for fewer workers than there are. */
static inline int hg_sched_index(const hg_policy *p, int id)
{
  return id >= 0 && id < STARPU_NMAXWORKERS ? atomic_load(&p->index[id]) : -1;
}

#endif
