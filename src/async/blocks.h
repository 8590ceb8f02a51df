/* SPDX-License-Identifier: MIT */
/* Asynchronous iterations: blocks that sweep with the newest values received from their neighbours, each with its own
 * chain of StarPU tasks, until a detection (termination.h) ends them.
 *
 *   arrive -> tasks of a sweep -> leave      the newest messages go into the handles of a block's ports, its tasks read
 *                                            and write ports, and what they wrote is published (mailbox.h)
 *   freeze -> leave -> ... -> arrive -> measure   for the residual of the frozen global vector
 *
 * Handles connect only the tasks of one block, so no block waits for another; StarPU transfers ports to and from
 * devices. The submitting thread moves messages, runs the detection and keeps two sweeps of each block submitted. A
 * block that has converged rests until there is news from a neighbour. */
#ifndef HG_ASYNC_BLOCKS_H
#define HG_ASYNC_BLOCKS_H

#include <starpu.h>

#include "async/termination.h"
#include "async/mailbox.h"
#include "traces/ages.h"

/** The newest values, and those of a frozen vector. */
enum { HG_RUNNING, HG_FROZEN, HG_VECTORS };

typedef struct hg_async hg_async;
typedef struct hg_async_block hg_async_block;

/** A port, through which a block's values leave or a neighbour's arrive. */
typedef struct hg_async_port {
  hg_link *link;
  size_t bytes;
  int other;                               /**< block at the other end */
  uint64_t name;                           /**< of the link, unique over all ranks */
  starpu_data_handle_t handle[HG_VECTORS]; /**< temporary vectors of the same number of bytes */
} hg_async_port;

/** Statistics of a block. */
typedef struct hg_async_stats {
  int64_t sweeps;    /**< finished tasks of sweeps */
  int64_t staleness; /**< most sweeps in a row without news from a neighbour */
} hg_async_stats;

struct hg_async_block {
  hg_async *async;
  int number, worker; /**< StarPU's number of the worker intended for the block */
  int in_count, out_count;
  hg_async_port *in, *out;
  starpu_data_handle_t result[HG_VECTORS]; /**< read by `residual`; set by the work */
  hg_async_stats stats;                    /**< of the last run */
  hg_block_ages ages;                      /**< sum since hg_async_forget */
  /* internal */
  starpu_data_handle_t order; /* orders arrivals after departures */
  int64_t *taken, *counted, *age;
  bool all_updated, updated;
  int64_t version, sent; /* version of its values: in tasks, and in the submitting thread */
  int sweeping;
  int64_t submitted, freezing, frozen, measuring;
  bool has_given_up;
};

/** The two ends of a connection, by numbers that are the same on all ranks. */
typedef struct hg_async_ends {
  int from, to;
} hg_async_ends;

/** The work of blocks. Functions that submit tasks return the status of the submission. */
typedef struct hg_async_work {
  /** Submits the tasks of a sweep. *measured: one of them writes result[HG_RUNNING]. */
  hg_status (*sweep)(void *self, int block, bool *measured);
  /** Submits the tasks that copy the values and write the frozen handles of outgoing ports. */
  hg_status (*freeze)(void *self, int block);
  /** Submits the tasks that read the frozen handles of incoming ports and write result[HG_FROZEN]. */
  hg_status (*measure)(void *self, int block);
  /** The residual in a result. */
  double (*residual)(const void *result);
  /** A sweep whose residual is small enough changes nothing. Then, with HG_DETECT_EXACT, blocks tell their neighbours
   * what they changed, or that they have used what they received. A block sweeps when it has news or such an answer
   * from all neighbours, and once converged only when there is news; the detection is that of rest. */
  bool still;
  /** Called now and then with the number of sweeps that the blocks of this rank have done; or NULL. */
  void (*report)(void *self, int64_t sweeps);
} hg_async_work;

typedef struct hg_async_options {
  hg_detection detection;
  double tolerance; /**< of the residual */
  double hopeless;  /**< a block whose residual is larger, or NaN, gives up; 0: none does */
  int64_t sweeps;   /**< most sweeps of a block, after which it gives up */
  bool eager;       /**< blocks do not rest */
} hg_async_options;

/** The outcome of a run. */
typedef struct hg_async_end {
  double residual; /**< of the result */
  bool settled;    /**< the result is the blocks' current values, not the frozen global vector */
  int64_t rounds;  /**< frozen vectors measured */
} hg_async_end;

/** Creates blocks without ports. Collective. @param work,self  kept by reference HG_MEMORY, HG_INVALID */
hg_status hg_async_make(const hg_session *session, int blocks, const hg_async_work *work, void *self, hg_async **out);

/** The block with this number, whose ports, worker and results are to be set. */
hg_async_block *hg_async_block_at(hg_async *async, int number);

/** Adds a connection from a block of this rank (or -1) to a block of this rank (or -1); at least one must be.
 * @param ends  the same on both ranks @param peer  rank at the other end @param name  the same there HG_MEMORY */
hg_status hg_async_connect(hg_async *async, int from, int to, hg_async_ends ends, int peer, int64_t name, size_t bytes);

/** Call after all connections are added. Collective. */
hg_status hg_async_open(hg_async *async);

/** Resets the counts of ages. */
void hg_async_forget(hg_async *async);

/** To be called before each run, after which presets of incoming ports (hg_link_preset) may be filled in.
 * Collective. */
void hg_async_begin(hg_async *async);

/** Runs until the detection ends it. Collective; on return all tasks are done. An error on one rank ends all of
 * them. */
void hg_async_run(hg_async *async, const hg_async_options *options, hg_async_end *end);

hg_mailbox_counts hg_async_count(hg_async *async);

/** Collective; may be NULL. */
void hg_async_free(hg_async *async);
#endif
