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
  bool unequal;
} hg_group;

/** How long tasks of a kind take on a worker. */
typedef struct hg_measured {
  const void *kind;
  double ratio;                             /* measured over the model's time */
  double seconds, flops, squares, products; /* running means, of s, flops, flops^2 and flops s */
} hg_measured;

/** What speed tables say of tasks of a kind that write tiles. */
typedef struct hg_tabled {
  const void *kind;        /* NULL: none yet */
  hg_partial_speed *speed; /* [STARPU_NMAXWORKERS] cells/s, refined by measured times; NULL: there are no tables */
  double *item;            /* [STARPU_NMAXWORKERS] s per item exchanged */
  double cells;            /* of a tile */
  double unit;             /* s measured for what should take 1 s; 0: nothing measured yet */
} hg_tabled;

/* Kinds of tasks a worker remembers; tasks of a queue whose data may be asked for, and that stay where slower workers
 * may be late with the others; times as long as expected, beyond which a device has become slow. */
enum { HG_KINDS = 8, HG_AHEAD = 24, HG_KEPT = 2, HG_SLOW = 2 };

/** A worker of the context. */
typedef struct hg_member {
  int id, group, like; /* StarPU's; the first worker with the same models */
  hg_queue queue;
  double speed;       /* of the fastest of its group */
  int taken;          /* tasks not finished */
  double ahead;       /* s, expected for them */
  double pinned;      /* s, expected for tasks that the program bound to it and that have not begun */
  double pace;        /* measured over expected time of the last tasks */
  double usual;       /* s, expected for the last tasks, on average */
  double current;     /* s, expected for the task that runs */
  double started;     /* s, when it began */
  double latest;      /* s, when a task's data were there last; 0: never */
  double begun;       /* s, when its data were there and it ran; 0: none runs */
  double ended;       /* s, when the last one did */
  double mean;        /* s, measured for a task that writes a tile; 0: none yet */
  int timed;          /* tasks of which it is the mean */
  double busy;        /* s, since regions were last looked at */
  int64_t done;       /* tasks finished of the tiles it owns */
  int64_t helped;     /* how many were done when it last looked whether to help */
  int asked;          /* tasks that wait for it and whose data were asked for */
  int owned;          /* tiles */
  atomic_bool member; /* of the context; StarPU does not tell when a worker leaves */
  unsigned seen;      /* events when it last found nothing */
  double looked;      /* s, when that was */
  bool makes_room;    /* has ended a task while others waited for room */
  bool slow;          /* what waits for it was dealt anew since it has become slow */
  bool holds;         /* its driver sends nothing while what it began last runs */
  const void *begins; /* the task that began when the worker took it, until StarPU says so */
  hg_measured measured[HG_KINDS];
} hg_member;

/** A memory that is limited. */
typedef struct hg_memory {
  double bytes;   /* 0: no limit */
  double claimed; /* by tasks that wait and whose data were asked for */
  double kept;    /* of data that stay */
  double busy;    /* s of StarPU's clock, until which its link brings what was asked for */
} hg_memory;

/** What it takes to bring a task's data to a memory. */
typedef struct hg_way {
  double transfer; /* s */
  double alone;    /* s, if nothing else travels */
  double updated;  /* s of that, for data that the task updates */
} hg_way;

/** What the models say of a task. */
typedef struct hg_modelled {
  int workers;                        /* asked about */
  int epoch;                          /* of the policy's members then */
  bool particular;                    /* workers that StarPU describes alike may differ */
  double seconds[STARPU_NMAXWORKERS]; /* infinite where it cannot run, NaN: not calibrated */
  uint8_t implementation[STARPU_NMAXWORKERS];
} hg_modelled;

enum { HG_FARES = 16 };

/** What the way of a task's data counts, in times of the way alone. */
typedef struct hg_fares {
  double updated;                /* what tasks write and others want */
  unsigned told;                 /* first buffers that have one of their own */
  bool written[HG_FARES];        /* by tasks */
  float buffer[HG_FARES], other; /* `other`: of the rest, where they are only read */
} hg_fares;

/** What a task costs. */
typedef struct hg_costs {
  hg_modelled model;                  /* by the models alone */
  double seconds[STARPU_NMAXWORKERS]; /* by worker, infinite where it cannot run */
  hg_way way[STARPU_MAXNODES];        /* of its data to a memory; where a worker can run it */
  hg_fares fares;
} hg_costs;

enum { HG_TOLD = 64 };

/** What the models said of tasks of a shape. */
typedef struct hg_told {
  uint64_t shape;
  int tasks; /* that have been submitted since */
  hg_modelled model;
} hg_told;

/** A policy in a context. What each task changes stands together, before the arrays. */
typedef struct hg_policy {
  starpu_pthread_mutex_t lock;
  unsigned context;
  atomic_int workers;
  int groups;
  atomic_int waiting; /* tasks in queues */
  atomic_uint events; /* grows with whatever may make a worker find something */
  atomic_int idlers;  /* workers that found nothing to do */
  int64_t pushed, finished;
  bool steals, refines;
  bool regions;        /* tiles go to their owners */
  bool programmed;     /* the program said who owns them */
  bool proven;         /* they pay */
  bool refuted;        /* they did not */
  bool waited_for;     /* the program has submitted all, for now */
  bool resumed;        /* ... and went on then: what will use what a task writes is not known */
  bool complete;       /* a tile has been submitted twice: so all are known, where there are rounds over them */
  bool memories_known; /* not before the drivers have begun */
  bool tables;         /* HETGRID_TABLES names a folder, and nothing was wrong with it */
  int drawing;         /* members that take from the pool */
  hg_task_graph graph;
  hg_owners owners;
  hg_queue pool;      /* tasks for devices whose memories have no room for their data now */
  atomic_int epoch;   /* grows when members change */
  uint64_t singular;  /* shapes of one task each */
  int64_t loose;      /* tasks submitted that write no tile */
  int out_of_balance; /* looks in a row */
  double epsilon, origin;
  double gamma, idle_power; /* s that a joule is worth; W */
  double largest;           /* bytes that a task needs */
  double starved;           /* s that devices with several tasks in their queues waited for data, of the last ones */
  double passed;            /* s between the last ones */
  hg_table kept;            /* memory where data stay; main memory: they pass through a device's */
  const void *tile_kind;    /* of the last task that wrote a tile */
  hg_member worker[STARPU_NMAXWORKERS];
  hg_group group[STARPU_NMAXWORKERS];
  hg_memory memory[STARPU_MAXNODES];
  hg_tabled tabled[HG_KINDS];
  hg_told told[HG_TOLD];                /* by shape */
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

/* members.c: the workers of a context. */

void hg_sched_add_member(hg_policy *p, int id); /* with the lock held */
void hg_sched_count_members(hg_policy *p);      /* with the lock held */
bool hg_sched_members_changed(const hg_policy *p);
void hg_sched_find_members(hg_policy *p); /* with the lock held */
/** Whether all are cores, none of which is slower. */
bool hg_sched_are_alike(const hg_policy *p);
/** Notes how fast the members of a group are for a task; with the lock held. s on the fastest. */
double hg_sched_compare_members(hg_policy *p, int group, const hg_costs *c);

/* models.c: what StarPU's models say of a task. */

/** Best implementation on a worker and the time in s that its model expected of it when the task was queued, or expects
 * now: 0 if there is none, NaN if it is not calibrated, infinite if the worker cannot. */
double hg_sched_model(const hg_policy *p, const hg_ready *ready, int w, unsigned *implementation);
/** By the models alone, on all workers. */
void hg_sched_ask_models(const hg_policy *p, struct starpu_task *task, hg_modelled *model);
/** s on a worker of average speed for the task, by the models: the harmonic mean over those that can. */
double hg_sched_typical(const hg_modelled *model);
/** Whether a core does the task about as fast as any device. */
bool hg_sched_suits_cores(const hg_policy *p, const hg_modelled *model);
/** A number for the codelet and who can run the task, for which StarPU may ask the program; 0 if its models go by
 * something else than its data. */
uint64_t hg_sched_who(const hg_policy *p, struct starpu_task *task);
/** Of tasks with the same shape models say the same: it is made of `who` and of their data. What goes by something else
 * has another shape each time. With the lock held. */
uint64_t hg_sched_shape(hg_policy *p, struct starpu_task *task, uint64_t who);
/** What the models said of a shape is kept unless it may change soon, until another takes its place; models learn, so
 * that `fresh`, for a task that is submitted, is false for one in 32. With the lock held. */
void hg_sched_remember(hg_policy *p, const struct starpu_task *task, uint64_t shape, const hg_modelled *model);
bool hg_sched_recall(hg_policy *p, uint64_t shape, bool fresh, hg_modelled *model);

/* estimate.c: for how long who can run a task, and when it would be done. */

/** s expected on a worker, by its model and what was measured; with the lock held. */
double hg_sched_expected(const hg_policy *p, const hg_ready *ready, int w);
/** Of the task's data, by how tasks use them; with the lock held. */
void hg_sched_find_fares(const hg_policy *p, struct starpu_task *task, hg_fares *fares);
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
double hg_sched_by_flops(const hg_measured *m, double flops);

/** s of a task of which nothing is known, on a core or a GPU. @param gpus  of this machine */
double hg_sched_guess(double flops, bool on_gpu, unsigned gpus);
/** The way of a task's data to a memory; without the lock, too. `last`: no other task waits for what it writes. */
hg_way hg_sched_transfer(const hg_policy *p, struct starpu_task *task, bool last, unsigned node, const hg_fares *fares);
/** s to bring there the data of a task that waits. */
double hg_sched_move(const hg_policy *p, const hg_ready *ready, int w);
/** Whether no other task is known to wait for this one. */
bool hg_sched_is_last(const hg_policy *p, int node);
/** s until a worker has done the task that runs. */
double hg_sched_runs(const hg_member *w, double time);
/** s until it has done all that it has begun. */
double hg_sched_left(const hg_member *w, double time);
/** s until a worker has done tasks that take `seconds`, at the pace of the last ones or of one that overruns. */
double hg_sched_lasts(const hg_member *w, double seconds);
/** A task of which `expected` s, > 0, were expected has taken `seconds`. */
void hg_sched_keep_pace(hg_member *w, double expected, double seconds);
/** s until a worker has done what it has begun and all that waits for it. */
double hg_sched_end(const hg_policy *p, int w, double time);
int hg_sched_earliest(const hg_policy *p, struct starpu_task *task, const hg_costs *c);

/** What tells kinds of tasks apart, and the place of a kind among HG_KINDS. */
const void *hg_sched_kind(const struct starpu_task *task);
size_t hg_sched_kind_place(const void *kind);

/* link.c: until when a memory's link brings data. */

/** The link has this to bring for a task in the worker's queue, in s. */
void hg_sched_bring(hg_policy *p, int w, hg_ready *ready, double seconds);
/** The task goes elsewhere before its data were asked for. */
void hg_sched_spare(hg_policy *p, int w, const hg_ready *ready);
/** A task begins on the worker now. */
void hg_sched_note_wait(hg_policy *p, int w, double time);
/** GPUs, each of which may have several workers, with a stream each. */
unsigned hg_sched_gpus(void);
/** By so much StarPU's estimate of a transfer is more than its time alone: 2 n where there are n GPUs, as if all of
 * them used the bus at all times both ways. */
double hg_sched_in_use(void);
/** By so much what travels delays other data: from 1 to 4 where devices wait for data all the time. */
double hg_sched_price(const hg_policy *p);
/** What the way of data that tasks write counts, in times of the way alone. */
double hg_sched_fare(const hg_policy *p);
/** s until a task can have its data in a memory, as far as that is for drivers of devices to say. */
double hg_sched_held(const hg_policy *p, struct starpu_task *task, unsigned node, double time);
/** s until all is brought; may be negative. */
double hg_sched_brought(const hg_policy *p, int w, double time);

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
/** Whether workers that StarPU describes alike differ by their tables. */
bool hg_sched_tables_differ(const hg_policy *p);
/** s that tiles took over what was promised, by all workers together; 1 without tables, which promise in s. */
double hg_sched_promised_unit(const hg_policy *p);
/** Refines what tables say by what a round over the tiles has taken. */
void hg_sched_learn(hg_policy *p);
/** Sets `seconds` to what a tile takes each worker where all are divided by tables, if there are any. */
void hg_sched_divide(hg_policy *p);
void hg_sched_free_tables(hg_policy *p);

/* energy.c: what joules are worth. */

/** s that those of a task of `seconds` on a worker are worth, and of a machine that runs `longer` s; 0 unless energy
 * counts. */
double hg_sched_worth(const hg_policy *p, struct starpu_task *task, int w, double seconds, double longer);

/* place.c: queues, owners of tiles, and where a task goes. */

void hg_sched_put(hg_policy *p, hg_queue *queue, int id, hg_ready *ready);
hg_ready hg_sched_take(hg_policy *p, hg_queue *queue, int number);
int hg_sched_tile(hg_policy *p, struct starpu_task *task);
void hg_sched_assign(hg_policy *p);
bool hg_sched_regions_of_use(hg_policy *p);
/** Whether regions are expected to pay, so that list scheduling gives way to them; `tile` has just been submitted. */
bool hg_sched_regions_pay(hg_policy *p, int tile);
/** Looks whether regions still hold what they promised: after a round, and for a worker that has done a tile. */
void hg_sched_check_regions(hg_policy *p);
void hg_sched_check_worker(hg_policy *p, int w);
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
int hg_sched_without_room(const hg_policy *p, int *ids);
/** Tasks of a queue, counted to the task, whose data are asked for at a time. */
int hg_sched_ahead(struct starpu_task *task);
/** Whether a task's data may be asked for now; if so, they count. */
bool hg_sched_claim(hg_policy *p, int w, hg_ready *ready);
/** Whether every device that takes from the pool can run a task, and it updates nothing: what does stays with its data.
 */
bool hg_sched_for_pool(const hg_policy *p, struct starpu_task *task, const hg_costs *c);
/** Moves tasks from the pool to a worker whose memory has room for their data, and asks for these. */
void hg_sched_draw(hg_policy *p, int w);
void hg_sched_release(hg_policy *p, int w, const hg_ready *ready);
/** Whether it is time to ask for the data of task `number` of a worker's queue, before which others take `before` s. */
bool hg_sched_is_time(const hg_policy *p, int w, const hg_ready *ready, int number, double before);
/** Whether idle workers of another kind, which do as much together, may take a task at once that is put into a worker's
 * queue, late as they will be with it. */
bool hg_sched_may_go_elsewhere(const hg_policy *p, int w, const hg_ready *ready, const hg_costs *c);
/** Whether the data of a task that is put into a worker's queue may be asked for at once; if so, they count. */
bool hg_sched_may_ask_ahead(hg_policy *p, int w, hg_ready *ready, const hg_costs *c);
/** Asks for a task's data. */
void hg_sched_prefetch(hg_policy *p, int w, struct starpu_task *task);
/** Asks for the data of the first tasks that wait for a worker. */
void hg_sched_prefetch_next(hg_policy *p, int w);
/** Number of the entry of the worker's own queue that it should take; *ready: all its data are there. */
int hg_sched_readiest(const hg_policy *p, int w, bool *ready);
/** ... where there are several memories. */
int hg_sched_with_data(const hg_policy *p, int w, bool *ready);

/* keep.c: which data stay in a memory that cannot hold all. */

/** A worker takes a task, whose node in the graph this is. */
void hg_sched_keep(hg_policy *p, int w, struct starpu_task *task, int node);
/** Whether data stay in a memory. */
bool hg_sched_keeps(const hg_policy *p, unsigned memory, starpu_data_handle_t handle);
/** The worker waits for room. If it has waited for long and nothing runs that could make some, as much of what stays in
 * its memory as a task needs may be evicted from now on. */
void hg_sched_make_room(hg_policy *p, int w);

/* submit.c: what a policy learns when a task is submitted. */

/** A task of which models say this; its node in the graph, or -1. */
int hg_sched_submitted(hg_policy *p, struct starpu_task *task, const hg_modelled *model);
/** Its node until it is done, or -1. */
int hg_sched_task_node(const hg_policy *p, const struct starpu_task *task);
/** Whether another task waits for this one and for many more: that it is late delays all that comes then. */
bool hg_sched_is_joined(const hg_policy *p, int node);
/** Of workers of one kind alone: whether the longest path that a task begins is long for them. */
bool hg_sched_is_urgent(const hg_policy *p, int node);
/** ... and its rank, in s: as long as it is not urgent, what the task takes by itself, so that long ones come first; in
 * a core's `own` queue, where few are far longer than others, the order in which they became ready is better: they find
 * in the caches what the last ones left. */
double hg_sched_rank_among_alike(const hg_policy *p, int node, bool own);
/** Ranks all tasks anew, and the queues after them. */
void hg_sched_rank(hg_policy *p);

/* take.c: what a free worker does next. */

/** Queue i: of a worker, of a group, the pool; there are workers + groups + 1. */
hg_queue *hg_sched_queue(hg_policy *p, int i);

bool hg_sched_take_own(hg_policy *p, int w, hg_ready *out);
/** A task of the worker that is furthest behind, for one that is well ahead. */
bool hg_sched_lend_a_hand(hg_policy *p, int w, hg_ready *out);
/** A task that waits for others: for a worker that has left, or one that it pays to take. */
bool hg_sched_take_other(hg_policy *p, int w, hg_ready *out);
/** Whether a group's workers, each of which takes `here` s for a task, do as much together as all others, of which one
 * takes `there` s. */
bool hg_sched_do_as_much(const hg_policy *p, int group, double here, double there);
/** What waits for a device that has become slow was placed by a speed that it no longer has, the longest tasks perhaps,
 * which would begin last elsewhere: each goes where it is done first now. Once, until the device is faster again.
 * @return whether any has gone */
bool hg_sched_deal_anew(hg_policy *p);
/** A worker hands a task back to StarPU, because its memory has no room. */
void hg_sched_give_back(hg_policy *p, hg_task_graph_node *node);
#endif
