/* SPDX-License-Identifier: MIT */
/* The parts of a policy; internal to schedulers/. What follows "with the lock held" is called so; the rest needs none.
 */
#ifndef HG_SCHEDULERS_POLICY_H
#define HG_SCHEDULERS_POLICY_H

#include <starpu.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "speed/partial.h"
#include "schedulers/task_graph.h"
#include "schedulers/owners.h"
#include "schedulers/queue.h"

/** Workers of one kind that share their memory: what none of them owns waits in a queue for all. */
typedef struct hg_group {
  unsigned node;
  enum starpu_worker_archtype type;
  int members; /* of the context */
  hg_queue queue;
  double capacity; /* their speeds together, in the speed of the fastest */
  bool heterogeneous;
} hg_group;

/** How long tasks of a kind take on a worker. */
typedef struct hg_measured_estimate {
  const void *kind;
  double ratio;                             /* measured over the model's time */
  double seconds, flops, squares, products; /* running means, of s, flops, flops^2 and flops s */
  bool warm;                                /* not the first task of the kind alone */
} hg_measured_estimate;

/** What speed tables say of tasks of a kind that write tiles. */
typedef struct hg_table_estimate {
  const void *kind;        /* NULL: none yet */
  hg_partial_speed *speed; /* [STARPU_NMAXWORKERS] cells/s, refined by measured times; NULL: there are no tables */
  double *item;            /* [STARPU_NMAXWORKERS] s per item exchanged */
  double cells;            /* of a tile */
  double unit;             /* s measured for what should take 1 s; 0: nothing measured yet */
} hg_table_estimate;

/* Kinds of tasks a worker remembers; tasks of a queue whose data may be asked for, and that stay where slower workers
 * may be late with the others; times as long as expected, beyond which a device has become slow. */
enum { HG_KINDS = 8, HG_AHEAD = 24 };

/** A worker of the context. */
typedef struct hg_sched_worker {
  int id, group, perf_class; /* StarPU's; the first worker with the same models */
  hg_queue queue;
  double speed;            /* of the fastest of its group */
  int taken;               /* tasks not finished */
  double load;             /* s, expected for them */
  double bound_load;       /* s, expected for tasks that the program bound to it and that have not begun */
  double slowdown;         /* measured over expected time of the last tasks */
  double mean_estimate;    /* s, expected for the last tasks, on average */
  double running_estimate; /* s, expected for the task that runs */
  double started;          /* s, when it began */
  double begun;            /* s, when its data were there and it ran; 0: none runs */
  double ended;            /* s, when the last one did */
  double mean;             /* s, measured for a task that writes a tile; 0: none yet */
  double busy;             /* s, since regions were last looked at */
  int64_t done;            /* tasks finished of the tiles it owns */
  int64_t helped;          /* how many were done when it last looked whether to help */
  int requested;           /* tasks that wait for it and whose data were asked for */
  int owned;               /* tiles */
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
  double busy;     /* s of StarPU's clock, until which its link brings what was asked for */
} hg_memory;

/** What it takes to bring a task's data to a memory. */
typedef struct hg_transfer_cost {
  double transfer;    /* s */
  double uncontended; /* s, if nothing else travels */
  double updated;     /* s of that, for data that the task updates */
} hg_transfer_cost;

/** What the models say of a task. */
typedef struct hg_model_estimate {
  int workers;                        /* asked about */
  int epoch;                          /* of the policy's members then */
  bool particular;                    /* workers that StarPU describes alike may differ */
  double seconds[STARPU_NMAXWORKERS]; /* infinite where it cannot run, NaN: not calibrated */
  uint8_t implementation[STARPU_NMAXWORKERS];
} hg_model_estimate;

/** What was known of a task when it became ready: estimates under the lock ask StarPU nothing. */
typedef struct hg_estimates {
  int epoch;       /* of the policy's members then */
  float *moving;   /* [STARPU_MAXNODES] s, what it costs to bring its data to a memory; behind `seconds` */
  float seconds[]; /* by worker, infinite where it cannot run */
} hg_estimates;

enum { HG_WEIGHED = 16 };

/** What the way of a task's data counts, in times of the way alone. */
typedef struct hg_transfer_weights {
  double updated;                  /* what tasks write and others want */
  unsigned told;                   /* first buffers that have one of their own */
  bool written[HG_WEIGHED];        /* by tasks */
  float buffer[HG_WEIGHED], other; /* `other`: of the rest, where they are only read */
} hg_transfer_weights;

/** What a task costs. */
typedef struct hg_costs {
  hg_model_estimate model;               /* by the models alone */
  double seconds[STARPU_NMAXWORKERS];    /* by worker, infinite where it cannot run */
  hg_transfer_cost way[STARPU_MAXNODES]; /* of its data to a memory; where a worker can run it */
  hg_transfer_weights weights;
} hg_costs;

enum { HG_CACHED = 64 };

/** What the models said of tasks of a shape. */
typedef struct hg_cached_model {
  uint64_t shape;
  int tasks; /* that have been submitted since */
  hg_model_estimate model;
} hg_cached_model;

/** A policy in a context. What each task changes stands together, before the arrays. */
typedef struct hg_policy {
  starpu_pthread_mutex_t lock;
  unsigned context;
  atomic_int workers;
  int groups;
  atomic_int waiting; /* tasks in queues */
  atomic_int idlers;  /* workers that found nothing to do */
  int64_t pushed, finished;
  int wakes, woken[STARPU_NMAXWORKERS]; /* idle workers that have been given something: woken when the lock is let go */
  bool steals, refines;
  bool regions;        /* tiles go to their owners */
  bool user_owned;     /* the program said who owns them */
  bool waited_for;     /* the program has submitted all, for now */
  bool resumed;        /* ... and went on then: what will use what a task writes is not known */
  bool complete;       /* a tile has been submitted twice: so all are known, where there are rounds over them */
  bool memories_known; /* not before the drivers have begun */
  bool tables;         /* HETGRID_TABLES names a folder, and nothing was wrong with it */
  int limited;         /* members whose memory is */
  hg_task_graph graph;
  hg_owners owners;
  hg_queue stranded;  /* tasks that no worker of the context can run as it is now */
  atomic_int members; /* workers that it has */
  atomic_int epoch;   /* grows when members change */
  uint64_t singular;  /* shapes of one task each */
  int out_of_balance; /* looks in a row */
  double epsilon, origin;
  double gamma, idle_power; /* s that a joule is worth; W */
  double largest;           /* bytes that a task needs */
  hg_table resident;        /* memory where data stay; main memory: they pass through a device's */
  const void *tile_kind;    /* of the last task that wrote a tile */
  hg_sched_worker worker[STARPU_NMAXWORKERS];
  hg_group group[STARPU_NMAXWORKERS];
  hg_memory memory[STARPU_MAXNODES];
  hg_table_estimate tabled[HG_KINDS];
  hg_cached_model told[HG_CACHED];      /* by shape */
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

static inline unsigned hg_sched_node(const hg_policy *p, int w)
{
  return p->group[p->worker[w].group].node;
}

/* workers.c: the workers of a context. */

void hg_sched_add_worker(hg_policy *p, int id); /* with the lock held */
void hg_sched_count_workers(hg_policy *p);      /* with the lock held */
bool hg_sched_workers_changed(const hg_policy *p);
void hg_sched_find_workers(hg_policy *p); /* with the lock held */
/** Whether all are cores, none of which is slower. */
bool hg_sched_are_equal(const hg_policy *p);
/** Notes how fast the members of a group are for a task; with the lock held. s on the fastest. */
double hg_sched_compare_workers(hg_policy *p, int group, const hg_costs *c);

/* model_cache.c: what StarPU's models say of a task. */

/** Best implementation on a worker and the time in s that its model expected of it when the task was queued, or expects
 * now: 0 if there is none, NaN if it is not calibrated, infinite if the worker cannot. */
double hg_sched_model(const hg_policy *p, const hg_ready *ready, int w, unsigned *implementation);
/** By the models alone, on all workers. */
void hg_sched_ask_models(const hg_policy *p, struct starpu_task *task, hg_model_estimate *model);
/** s on a worker of average speed for the task, by the models: the harmonic mean over those that can. */
double hg_sched_typical(const hg_model_estimate *model);
/** A number for the codelet and who can run the task, for which StarPU may ask the program; 0 if its models go by
 * something else than its data. */
uint64_t hg_sched_who(const hg_policy *p, struct starpu_task *task);
/** Of tasks with the same shape models say the same: it is made of `who` and of their data. What goes by something else
 * has another shape each time. With the lock held. */
uint64_t hg_sched_footprint(hg_policy *p, struct starpu_task *task, uint64_t who);
/** What the models said of a shape is kept unless it may change soon, until another takes its place; models learn, so
 * that `fresh`, for a task that is submitted, is false for one in 32. With the lock held. */
void hg_sched_store_model(hg_policy *p, const struct starpu_task *task, uint64_t shape, const hg_model_estimate *model);
bool hg_sched_lookup_model(hg_policy *p, uint64_t shape, bool fresh, hg_model_estimate *model);

/* costs.c: for how long who can run a task, and when it would be done. */

/** What the costs say, for as long as the task waits; NULL if memory ran out. */
hg_estimates *hg_sched_estimates(const hg_policy *p, const hg_costs *c);
/** s expected on a worker, by its model and what was measured; with the lock held. */
double hg_sched_expected(const hg_policy *p, const hg_ready *ready, int w);
/** Of the task's data, by how tasks use them; with the lock held. */
void hg_sched_find_weights(const hg_policy *p, struct starpu_task *task, hg_transfer_weights *fares);
/** Notes that a task which reads data waits for nothing any more; with the lock held, like the next. */
void hg_sched_readers_ready(hg_policy *p, struct starpu_task *task);
/** ... that a task which reads and writes data is done. */
void hg_sched_data_done(hg_policy *p, struct starpu_task *task);
/** To all memories whose workers can run the task, by its fares. */
void hg_sched_transfers(const hg_policy *p, struct starpu_task *task, bool last, hg_costs *c);
/** As measured; with the lock held, like all that follow. */
void hg_sched_correct(const hg_policy *p, struct starpu_task *task, hg_costs *c);
/** A task of which the model expected `model` s took `seconds`. */
void hg_sched_measured(hg_policy *p, struct starpu_task *task, int w, double model, double seconds);

/** s that a task of so many flops (0: not known) would take by what was measured of its kind: a part that all take, and
 * one that grows with the flops. */
double hg_sched_by_flops(const hg_measured_estimate *m, double flops);

/** s of a task of which nothing is known, on a core or a GPU. @param gpus  of this machine */
double hg_sched_guess(double flops, bool on_gpu, unsigned gpus);
/** The way of a task's data to a memory; without the lock, too. `last`: no other task waits for what it writes. */
hg_transfer_cost hg_sched_transfer(const hg_policy *p, struct starpu_task *task, bool last, unsigned node,
                                   const hg_transfer_weights *fares);
/** s to bring there the data of a task that waits. */
double hg_sched_transfer_time(const hg_policy *p, const hg_ready *ready, int w);
/** Whether no other task is known to wait for this one. */
bool hg_sched_is_last(const hg_policy *p, int node);
/** s until a worker has done the task that runs. */
double hg_sched_remaining(const hg_sched_worker *w, double time);
/** s until it has done all that it has begun. */
double hg_sched_remaining_started(const hg_sched_worker *w, double time);
/** s until a worker has done tasks that take `seconds`, at the pace of the last ones or of one that overruns. */
double hg_sched_scaled(const hg_sched_worker *w, double seconds);
/** Whether a worker has measured no task of the kind yet. */
bool hg_sched_is_cold(const hg_sched_worker *w, const struct starpu_task *task);
/** Whether a task of which `expected` s were expected lasts too long to say how fast its worker is. */
bool hg_sched_has_stalled(const hg_sched_worker *w, double expected, double seconds);
/** A task of which `expected` s, > 0, were expected has taken `seconds`. */
void hg_sched_note_slowdown(hg_sched_worker *w, double expected, double seconds);
/** s until a worker has done what it has begun and all that waits for it. */
double hg_sched_available(const hg_policy *p, int w, double time);
int hg_sched_earliest(const hg_policy *p, struct starpu_task *task, const hg_costs *c);

/** What tells kinds of tasks apart, and the place of a kind among HG_KINDS. */
const void *hg_sched_kind(const struct starpu_task *task);
size_t hg_sched_kind_place(const void *kind);

/* links.c: until when a memory's link brings data. */

/** The link has this to bring for a task in the worker's queue, in s. */
void hg_sched_reserve_link(hg_policy *p, int w, hg_ready *ready, double seconds);
/** The task goes elsewhere before its data were asked for. */
void hg_sched_release_link(hg_policy *p, int w, const hg_ready *ready);
/** GPUs, each of which may have several workers, with a stream each. */
unsigned hg_sched_gpus(void);
/** By so much StarPU's estimate of a transfer is more than its time alone: 2 n where there are n GPUs, as if all of
 * them used the bus at all times both ways. */
double hg_sched_contention(void);
/** s until all is brought; may be negative. */
double hg_sched_link_free(const hg_policy *p, int w, double time);

/* speeds.c: what speed tables say; with the lock held. */

/** The GPU's model as in names of tables, from StarPU's name of its worker: "CUDA 0.0 (NVIDIA H200 139.7 GiB 07:00.0)".
 * false if there is none. */
bool hg_sched_gpu_key(const char *name, char *key, size_t size);

/** A task that writes a tile has come, for which models tell no time on every worker: looks for tables, once a kind. */
void hg_sched_find_tables(hg_policy *p, const hg_ready *ready, const hg_costs *c);
/** s of a task of this kind by the worker's table, in the unit of what was measured; 0 if there are no tables. */
double hg_sched_by_table(const hg_policy *p, const void *kind, int w);
/** A task that took `seconds` says what a second of the tables is. */
void hg_sched_measure_unit(hg_policy *p, const void *kind, int w, double seconds);
/** Refines what tables say by what a round over the tiles has taken. */
void hg_sched_learn(hg_policy *p);
/** Sets `seconds` to what a tile takes each worker where all are divided by tables, if there are any. */
void hg_sched_divide(hg_policy *p);
void hg_sched_free_tables(hg_policy *p);

/* energy.c: what joules are worth. */

/** s that those of a task of `seconds` on a worker are worth, and of a machine that runs `longer` s; 0 unless energy
 * counts. */
double hg_sched_energy_penalty(const hg_policy *p, struct starpu_task *task, int w, double seconds, double longer);

/* placement.c: queues, owners of tiles, and where a task goes. */

/** The worker is given something, or may find something. */
void hg_sched_alert(hg_policy *p, int w);
void hg_sched_put(hg_policy *p, hg_queue *queue, int w, hg_ready *ready);
hg_ready hg_sched_take(hg_policy *p, hg_queue *queue, int number);
int hg_sched_tile(hg_policy *p, struct starpu_task *task);
void hg_sched_assign(hg_policy *p);
bool hg_sched_regions_of_use(hg_policy *p);
/** A worker has done a task that writes a tile, in so many s. */
void hg_sched_tile_done(hg_policy *p, int tile, int w, double seconds);
/** Tiles that come now are others. */
void hg_sched_forget_owners(hg_policy *p);
double hg_sched_urgency(const hg_policy *p, int tile);
int hg_sched_place(hg_policy *p, const hg_ready *ready, const hg_costs *c, bool *shared);

/* memory.c: what fits into a memory, and in which order its tasks reuse it. */

void hg_sched_find_memories(hg_policy *p);
/** Whether a worker's memory is limited. */
bool hg_sched_limited(const hg_policy *p, int w);
/** Whether a limited memory is nearly full. */
bool hg_sched_is_full(const hg_policy *p, unsigned memory);
/** StarPU's workers that wait for data which found no room; how many. With the lock held. */
int hg_sched_blocked_on_memory(const hg_policy *p, int *ids);
/** Tasks of a queue, counted to the task, whose data are asked for at a time. */
int hg_sched_ahead(struct starpu_task *task);
/** Whether a task's data may be asked for now; if so, they count. */
bool hg_sched_reserve(hg_policy *p, int w, hg_ready *ready);
void hg_sched_release(hg_policy *p, int w, const hg_ready *ready);
/** Whether the data of a task that is put into a worker's queue may be asked for at once; if so, they count. */
bool hg_sched_may_ask_ahead(hg_policy *p, int w, hg_ready *ready);
/** Asks for a task's data. */
void hg_sched_prefetch(hg_policy *p, int w, struct starpu_task *task);
/** Asks for the data of the first tasks that wait for a worker. */
void hg_sched_prefetch_next(hg_policy *p, int w);
/** Number of the entry of the worker's own queue that it should take; *ready: all its data are there. */
int hg_sched_readiest(const hg_policy *p, int w, bool *ready);
/** ... where there are several memories. */
int hg_sched_with_data(const hg_policy *p, int w, bool *ready);

/* residency.c: which data stay in a memory that cannot hold all. */

/** A worker takes a task, whose node in the graph this is. */
void hg_sched_make_resident(hg_policy *p, int w, struct starpu_task *task, int node);
/** Whether data stay in a memory. */
bool hg_sched_is_resident(const hg_policy *p, unsigned memory, starpu_data_handle_t handle);
/** The worker waits for room. If it has waited for long and nothing runs that could make some, as much of what stays in
 * its memory as a task needs may be evicted from now on. */
void hg_sched_evict(hg_policy *p, int w);

/* submit.c: what a policy learns when a task is submitted. */

/** A task of which models say this; its node in the graph, or -1. */
int hg_sched_submitted(hg_policy *p, struct starpu_task *task, const hg_model_estimate *model);
/** Its node until it is done, or -1. */
int hg_sched_task_node(const hg_policy *p, const struct starpu_task *task);
/** Of workers of one kind alone: whether the longest path that a task begins is long for them. */
bool hg_sched_is_urgent(const hg_policy *p, int node);
/** ... and its rank, in s: as long as it is not urgent, what the task takes by itself, so that long ones come first; in
 * a core's `own` queue, where few are far longer than others, the order in which they became ready is better: they find
 * in the caches what the last ones left. */
double hg_sched_rank_among_alike(const hg_policy *p, int node, bool own);
/** Ranks all tasks anew, and the queues after them. */
void hg_sched_rank(hg_policy *p);

/* stealing.c: what a free worker does next. */

/** Queue i: of a worker, of a group, what is stranded; how many there are. */
hg_queue *hg_sched_queue(hg_policy *p, int i);
int hg_sched_queues(const hg_policy *p);

bool hg_sched_pop(hg_policy *p, int w, hg_ready *out);
/** A task of the worker that is furthest behind, for one that is well ahead. */
bool hg_sched_help_slowest(hg_policy *p, int w, hg_ready *out);
/** A task that waits for others: for a worker that has left, or one that it pays to take. */
bool hg_sched_steal(hg_policy *p, int w, hg_ready *out);
/** Idle workers are given what it pays them to take from a worker's queue. */
void hg_sched_offer(hg_policy *p, int w);
/** A worker hands a task back to StarPU, because its memory has no room. */
void hg_sched_return(hg_policy *p, hg_task_graph_node *node);
#endif
