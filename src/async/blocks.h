/* SPDX-License-Identifier: MIT */
/* Asynchronous iterations: blocks that sweep with whatever their neighbours have told them, each a chain of StarPU
 * tasks of its own, until a detection (termination.h) says that it is enough.
 *
 *   arrive -> tasks of a sweep -> leave      the newest messages go into the handles of a block's ports, its tasks read
 *                                            and write ports, and what they wrote is published (mailbox.h)
 *   freeze -> leave -> ... -> arrive -> measure   for the residual of the frozen global vector
 *
 * Handles link only the tasks of one block, so no block waits for another; StarPU brings ports to and from devices. The
 * submitting thread moves messages, runs the detection and keeps two sweeps of each block submitted. A block that has
 * converged rests until there is news from a neighbour. */
#ifndef HG_ASYNC_BLOCKS_H
#define HG_ASYNC_BLOCKS_H

#include <starpu.h>

#include "async/termination.h"
#include "async/mailbox.h"
#include "traces/ages.h"

/** What runs with the newest values, and what belongs to a frozen vector. */
enum { HG_RUNNING, HG_FROZEN, HG_VECTORS };

typedef struct hg_async hg_async;
typedef struct hg_async_block hg_async_block;

/** Where a block's values leave, or its neighbours' arrive. */
typedef struct hg_async_port {
  hg_link *link;
  size_t bytes;
  int other;                               /**< block at the other end */
  uint64_t name;                           /**< of the link, among those of all ranks */
  starpu_data_handle_t handle[HG_VECTORS]; /**< vectors of as many bytes, temporary */
} hg_async_port;

/** How a block fared. */
typedef struct hg_async_stats {
  int64_t sweeps;    /**< tasks of sweeps that were done */
  int64_t staleness; /**< sweeps in a row without news from a neighbour, at most */
} hg_async_stats;

struct hg_async_block {
  hg_async *async;
  int number, worker; /**< StarPU's number of the worker that the block is meant for */
  int in_count, out_count;
  hg_async_port *in, *out;
  starpu_data_handle_t result[HG_VECTORS]; /**< of what `residual` reads; given by the work */
  hg_async_stats stats;                    /**< of the last run */
  hg_block_ages ages;                      /**< of all since hg_async_forget */
  /* internal */
  starpu_data_handle_t order; /* puts arrivals behind departures */
  int64_t *taken, *counted, *age;
  bool all_updated, updated;
  int64_t version, sent; /* of its values: of tasks, and of the submitting thread */
  int sweeping;
  int64_t submitted, freezing, frozen, measuring;
  bool has_given_up;
};

/** Who is at both ends of a way, by numbers that are the same on all ranks. */
typedef struct hg_async_ends {
  int from, to;
} hg_async_ends;

/** What the blocks do. Functions that submit tasks return the status of that. */
typedef struct hg_async_work {
  /** Submits the tasks of a sweep. *measured: one of them writes result[HG_RUNNING]. */
  hg_status (*sweep)(void *self, int block, bool *measured);
  /** ... of those that copy the values and write the frozen handles of ports out. */
  hg_status (*freeze)(void *self, int block);
  /** ... of those that read the frozen handles of ports in and write result[HG_FROZEN]. */
  hg_status (*measure)(void *self, int block);
  /** What a result says. */
  double (*residual)(const void *result);
  /** A sweep whose residual is small enough changes nothing. Then, by HG_DETECT_EXACT, blocks tell their neighbours
   * what they changed, or that they have used what they were told; a block sweeps when it has news or such an answer
   * from all, and has converged until there is news; the detection is that of rest. */
  bool still;
  /** Is told now and then how many sweeps the blocks of this rank have done; or NULL. */
  void (*report)(void *self, int64_t sweeps);
} hg_async_work;

typedef struct hg_async_options {
  hg_detection detection;
  double tolerance; /**< of the residual */
  double hopeless;  /**< a block whose residual is larger, or no number, gives up; 0: none does */
  int64_t sweeps;   /**< of a block at most, then it gives up */
  bool eager;       /**< blocks do not rest */
} hg_async_options;

/** How it ended. */
typedef struct hg_async_end {
  double residual; /**< of the result */
  bool settled;    /**< that is what the blocks have now, and not the frozen global vector */
  int64_t rounds;  /**< frozen vectors that were measured */
} hg_async_end;

/** Blocks without ports. Collective. @param work,self  kept by reference HG_MEMORY, HG_INVALID */
hg_status hg_async_make(const hg_session *session, int blocks, const hg_async_work *work, void *self, hg_async **out);

/** The block of that number, whose ports, worker and results are to be set. */
hg_async_block *hg_async_block_at(hg_async *async, int number);

/** Adds a way from a block of this rank (or -1) to one of this rank (or -1); at least one is.
 * @param ends  the same on both ranks @param peer  rank at the other end @param name  the same there HG_MEMORY */
hg_status hg_async_connect(hg_async *async, int from, int to, hg_async_ends ends, int peer, int64_t name, size_t bytes);

/** All are connected. Collective. */
hg_status hg_async_open(hg_async *async);

/** Counts ages anew. */
void hg_async_forget(hg_async *async);

/** Before each run: presets of ports in (hg_link_preset) may be filled in afterwards. Collective. */
void hg_async_begin(hg_async *async);

/** Runs until the detection ends it. Collective; all tasks are done. What goes wrong on one rank ends all of them. */
void hg_async_run(hg_async *async, const hg_async_options *options, hg_async_end *end);

hg_mailbox_counts hg_async_count(hg_async *async);

/** Collective; may be NULL. */
void hg_async_free(hg_async *async);
#endif
