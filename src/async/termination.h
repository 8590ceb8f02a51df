/* SPDX-License-Identifier: MIT */
/* Decides when asynchronous iterations may stop: a state machine that receives events from a program or a simulation,
 * and neither sends nor waits itself. Each rank has one. They form a binary tree: reports go up, orders come down.
 *
 * A block has converged when its own criterion holds. That all blocks have proves nothing, since a message that would
 * change one may be on its way. It only shows when a check is worthwhile:
 *   exact       all blocks freeze a copy of their values at the end of their next sweep, send their neighbours the
 *               frozen faces, and measure the residual of the frozen global vector. If it is small enough that vector
 * is the result, otherwise everything continues unaffected. Right under any delay. persistent  a block converges after
 * three small updates in a row, each after news from all its neighbours. When all have, a wave asks again, and if no
 * block has relapsed in between, that is the end. Cheaper: one check. Right only if news older than three updates
 * cannot change much. bounded     where a bound on all delays is known: from the end of a sweep until each neighbour
 * has finished one with its values, and of a report by one rank. A block converges when its criterion has held for as
 * many bounds as the tree of ranks is deep, plus one. When rank 0 learns that all have converged, all criteria have
 * held at once for a whole bound: whatever was on its way has arrived and changed nothing. No wave, one check. A
 * block's own criterion uses half the tolerance, since the last changes by it and its neighbours, each within that, are
 * not in what it measured. Right if the bound holds. rest        where a sweep with a small residual changes nothing
 * and is not sent, so that a converged block stays unchanged until there is news: all have converged, and each was
 * measured with its neighbours' current values. Then nothing is on its way and no block will change again: the running
 * vector is the result, its residual is known, and nothing is frozen. Reports are of different times. But the first
 * block to change after its own report would need values that its neighbour had only after the neighbour's report.
 * Right under any delay. One number shows that versions agree: the sum over blocks of hashes of the versions sent minus
 * those of the versions used, which is 0 (by chance, with a probability of 2^-64). flags       the naive way, for
 * comparison: all have converged, at their last reports. Unless rest ends it, the result is a frozen vector whose
 * residual has been measured; unless exact ends it, that residual may be too large.
 *
 * Reports and orders are complete, so a newer one may replace an older one on its way.
 * Sources: Bahi, Contassot-Vivier, Couturier, "Parallel Iterative Algorithms" (2007), chapter 7 (persistence and
 * verification); Savari, Bertsekas, "Finite termination of asynchronous iterative algorithms" (1996), snapshots;
 * Bertsekas, Tsitsiklis, "Parallel and Distributed Computation" (1989), chapter 7 (bounded delays). */
#ifndef HG_ASYNC_TERMINATION_H
#define HG_ASYNC_TERMINATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

typedef enum hg_detect_kind {
  HG_DETECT_EXACT,
  HG_DETECT_PERSISTENT,
  HG_DETECT_BOUNDED,
  HG_DETECT_FLAGS,
  HG_DETECT_REST
} hg_detect_kind;

/** Names of the detections except the naive one and rest; ended by NULL. */
extern const char *const hg_detection_names[];

typedef struct hg_detection {
  hg_detect_kind kind;
  double bound; /**< on all delays, s, > 0; only for HG_DETECT_BOUNDED */
} hg_detection;

/** Report of a rank about itself and the ranks below it. */
typedef struct hg_detect_report {
  int64_t decided;   /**< rounds whose decision is known to all of them */
  int64_t wave;      /**< the last one that all of them have answered */
  int64_t relapses;  /**< times that converged blocks ceased to be converged, in all of them */
  int64_t measured;  /**< last round whose frozen residual all of them have measured */
  double residual;   /**< the largest of that round */
  int64_t converged; /**< all blocks have converged */
  int64_t given_up;  /**< some block has given up */
  uint64_t balance;  /**< hashes of versions sent minus those used, over all of them */
  double running;    /**< largest residual of the running values; for rest */
} hg_detect_report;

/** Rank 0's order to all ranks, plus what a rank's parent knows of all ranks that are not below that rank: with
 * detection of rest, a rank may find the end itself; with two ranks, half a round trip before it is told. */
typedef struct hg_detect_order {
  int64_t wave;    /**< to be answered */
  int64_t round;   /**< to be frozen and measured, from 1 */
  int64_t decided; /**< rounds decided so far */
  double residual; /**< of the last one, for the frozen global vector */
  int64_t stop;    /**< the result is the vector frozen in round `decided` or, with rest, the running one */
  int64_t settled;
  hg_detect_report others; /**< for rest */
} hg_detect_order;

typedef struct hg_detect hg_detect;

/** The bound that a block's own criterion uses for its residual, so that the result's is at most `tolerance`. */
double hg_detection_criterion(hg_detection how, double tolerance);

/** @param blocks  of this rank, >= 0 @param children  ranks below, 0..2. HG_MEMORY. hg_detect_begin follows. */
hg_status hg_detect_make(int blocks, int children, bool root, hg_detect **out);
void hg_detect_free(hg_detect *detect);

/** Begins or restarts. @param tolerance  on the residual @param ranks  their total number */
void hg_detect_begin(hg_detect *detect, hg_detection how, double tolerance, int ranks);

/** The tree: a rank's parent (-1 for rank 0) and its children; returns the number of children. */
int hg_detect_parent(int rank);
int hg_detect_children(int rank, int ranks, int child[2]);

/* --- events --- */

/** Hash of a version sent on a link: added to the balance of the sending block and subtracted from that of the block
 * that used it. @param link  the same at both ends, unique among links */
uint64_t hg_detect_version(uint64_t link, int64_t version);

/** To be called before hg_detect_sweep for the same sweep: what it measured, and its block's balance. Used only by
 * rest. */
void hg_detect_balance(hg_detect *detect, int block, double residual, uint64_t balance);

/** A sweep of a block has ended. @param small  its criterion holds @param news  all its neighbours have sent something
 * newer since the last sweep reported with news @param now  s, of any monotonic clock */
void hg_detect_sweep(hg_detect *detect, int block, bool small, bool news, double now);

/** A block will not sweep any more: its current values are to be frozen, measured, and returned. */
void hg_detect_give_up(hg_detect *detect, int block);

/** A block has measured its part of the frozen global vector. NaN counts as larger than anything. */
void hg_detect_measured(hg_detect *detect, int block, int64_t round, double residual);

/** A message has arrived. */
void hg_detect_receive_report(hg_detect *detect, int child, const hg_detect_report *report);
void hg_detect_receive_order(hg_detect *detect, const hg_detect_order *order);

/* --- results --- */

/** What the parent should receive now, what applies here, and what a child should receive. */
const hg_detect_report *hg_detect_report_now(const hg_detect *detect);
const hg_detect_order *hg_detect_order_now(const hg_detect *detect);
hg_detect_order hg_detect_order_for(const hg_detect *detect, int child);

/** Whether a block has converged, so that it may rest until there is news. After a decision to continue none has. */
bool hg_detect_is_converged(const hg_detect *detect, int block);
#endif
