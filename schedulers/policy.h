/* SPDX-License-Identifier: MIT */
/* What a policy knows, in layers: workers and their availability, costs and transfers, queues, placement, stealing,
 * memory. Each has a header of its own. */
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
  double ratio;          /* measured over the model's time */
  double seconds, flops; /* running means */
  bool warm;             /* not the first task of the kind alone */
} hg_measured_estimate;

enum { HG_KINDS = 8 }; /* of tasks that a worker remembers */

/** A worker of the context. */
typedef struct hg_sched_worker {
  int id; /* StarPU's */
  unsigned node;
  enum starpu_worker_archtype type;
  int group;      /* the first worker of the same kind and memory */
  int perf_class; /* ... with the same models */
  hg_queue queue;
  double speed;            /* of the fastest, where all are of one kind */
  int taken;               /* tasks not finished */
  double load;             /* s, expected for them */
  double bound_load;       /* s, expected for tasks that the program bound to it and that have not begun */
  double slowdown;         /* measured over expected time of the last tasks */
  double mean_estimate;    /* s, expected for the last tasks, on average */
  double running_estimate; /* s, expected for the task that runs */
  double started;          /* s, when it began */
  double begun;            /* s, when its data were there and it ran; 0: none runs */
  double ended;            /* s, when the last one did */
  int requested;           /* tasks that wait for it and whose data were asked for */
  int owned;               /* tiles, of hetgrid-nphp */
  int64_t done;            /* tasks that write data which the program gave it and that have ended */
  atomic_bool member;      /* of the context; StarPU does not tell when a worker leaves */
  bool frees_memory;       /* has ended a task while others waited for room */
  int stalls;              /* tasks in a row that said nothing of its speed */
  bool cold;          /* what runs is its first task of a kind, which loads code and libraries: no measure of speed */
  const void *begins; /* the task that began when the worker took it, until StarPU says so */
  hg_measured_estimate measured[HG_KINDS];
} hg_sched_worker;

/** A memory that is limited. */
typedef struct hg_memory {
  double bytes;    /* 0: no limit */
  double reserved; /* by tasks that wait and whose data were asked for */
  double resident; /* of data that stay */
  double busy;     /* s of StarPU's clock, until which its link brings what waiting tasks want */
} hg_memory;

/** What the models say of a task. */
typedef struct hg_model_estimate {
  int workers;                        /* asked about */
  int epoch;                          /* of the policy's members then */
  double seconds[STARPU_NMAXWORKERS]; /* infinite where it cannot run, NaN: not calibrated */
  uint8_t implementation[STARPU_NMAXWORKERS];
} hg_model_estimate;

/** What it takes to bring a task's data to a memory. */
typedef struct hg_transfer_cost {
  double weighted; /* s, by how the data are used */
  double alone;    /* s, if nothing else travels */
  double updated;  /* s of that, for data that the task updates */
} hg_transfer_cost;

/** What a task costs. */
typedef struct hg_costs {
  hg_model_estimate model;                    /* by the models alone */
  double seconds[STARPU_NMAXWORKERS];         /* by worker, infinite where it cannot run */
  hg_transfer_cost transfer[STARPU_MAXNODES]; /* of its data to a memory; where a worker can run it */
  uint64_t again;                             /* which of its first buffers tasks read again to write the same */
} hg_costs;

enum { HG_CACHED = 64 };

/** What the models said of tasks of a shape. */
typedef struct hg_cached_model {
  uint64_t shape;
  int tasks; /* that have been submitted since */
  hg_model_estimate model;
} hg_cached_model;

struct hg_policy;

/** In what the policies differ; each is called with the lock held. */
typedef struct hg_rule {
  /** The worker for a task, or -1; *shared: any worker will do. */
  int (*place)(struct hg_policy *p, const hg_ready *ready, const hg_costs *c, bool *shared);
  /** Rounds over the tiles are seen, so that all tiles are known; or NULL. */
  void (*known)(struct hg_policy *p);
  /** A worker has done a task that writes a tile, in so many s; or NULL. */
  void (*done)(struct hg_policy *p, int w, double seconds);
  bool steals; /* idle workers take what waits for others */
} hg_rule;

/** A policy in a context. What each task changes stands together, before the arrays. */
typedef struct hg_policy {
  const hg_rule *rule;
  struct hg_nphp *nphp; /* of hetgrid-nphp, or NULL */
  starpu_pthread_mutex_t lock;
  unsigned context;
  atomic_int workers;
  int groups;         /* of workers of one kind that share their memory */
  double capacity;    /* the members' speeds together, in the speed of the fastest */
  bool heterogeneous; /* some are slower than others of their kind */
  atomic_int idlers;  /* workers that found nothing to do */
  int64_t pushed;
  int wakes, woken[STARPU_NMAXWORKERS]; /* idle workers that have been given something: woken when the lock is let go */
  bool steals;
  bool regions;        /* of hetgrid-nphp: tiles go to their owners */
  bool user_owned;     /* the program said who owns them */
  bool waited_for;     /* the program has submitted all, for now */
  bool resumed;        /* ... and went on then: what will use what a task writes is not known */
  bool complete;       /* a tile has been submitted twice: so all are known, where there are rounds over them */
  bool memories_known; /* not before the drivers have begun */
  int limited;         /* members whose memory is */
  hg_task_graph graph;
  hg_owners owners;
  hg_queue shared;          /* where all are of one kind: tasks that any of them may take */
  hg_queue stranded;        /* tasks that no worker of the context can run as it is now */
  hg_ready *spare;          /* to be used again: one thread would free what another has allocated */
  atomic_int members;       /* workers that it has */
  atomic_int epoch;         /* grows when members change */
  uint64_t singular;        /* shapes of one task each, that have no other */
  double origin;            /* s of StarPU's clock, when the policy began */
  double gamma, idle_power; /* s that a joule is worth; W */
  double largest;           /* bytes that a task needs */
  hg_map resident;          /* memory where data stay; main memory: they pass through a device's */
  hg_sched_worker worker[STARPU_NMAXWORKERS];
  hg_memory memory[STARPU_MAXNODES];
  hg_cached_model cached[HG_CACHED];    /* by shape */
  atomic_int index[STARPU_NMAXWORKERS]; /* of StarPU's worker ids, or -1 */
  atomic_bool idle[STARPU_NMAXWORKERS]; /* found nothing to do */
  double seconds[STARPU_NMAXWORKERS];   /* of a task that writes a tile, by worker */
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
