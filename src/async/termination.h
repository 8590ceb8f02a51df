/* SPDX-License-Identifier: MIT */
/* When asynchronous iterations may stop: a machine of states that is fed events, by a program or by a simulation, and
 * neither sends nor waits itself. Each rank has one; they form a binary tree, reports go up, orders come down.
 *
 * A block has converged when its own criterion holds. That all have proves nothing: what would change one may be on its
 * way. It only says when a check is worth it:
 *   exact       all blocks freeze a copy of their values when their next sweep ends, tell their neighbours the frozen
 *               faces, and measure the residual of the frozen global vector. If that is small enough it is the result,
 *               else everything goes on as if nothing had happened. Right under any delay.
 *   persistent  a block converges after three small updates running, each after news from all its neighbours; when all
 *               have, a wave asks again, and if no block has relapsed in between, that is the end. Cheaper: one check.
 *               Right only while news older than three updates cannot change much.
 *   bounded     where a bound of all delays is known: from the end of a sweep until each neighbour has ended one that
 *               knew its values, and of a report by one rank. A block converges when its criterion has held for as many
 *               bounds as the tree of ranks is deep, and one more. When rank 0 hears that all have, all criteria
 *               have held at once for a whole bound: whatever was on its way then has arrived and changed nothing. No
 *               wave, one check. A block's own criterion asks for half the tolerance, since what it and its neighbours
 *               changed last, each within that, is not in what it measured. Right while the bound is one.
 *   rest        where a sweep whose residual is small changes nothing and is told to nobody, so that a converged block
 *               stays as it is until there is news: all have converged, and each was measured with the values that its
 *               neighbours have. Then nothing is on its way and nobody will move again: the running vector is the
 *               result, its residual is known, and nothing is frozen. Reports are of different times, but the first
 *               block that had moved after its own would have done so on values that its neighbour had after its own.
 *               Right under any delay. That versions agree is told by one number, the sum over blocks of hashes of what
 *               each has told less those of what each has used, which is 0 (else with a probability of 2^-64).
 *   flags       the naive way, for comparison: all have converged, once.
 * Whatever ended it, the result is a frozen vector whose residual has been measured, which for all but the first may be
 * too large.
 *
 * Reports and orders say all there is to say, so that a newer one may replace an older one on its way.
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

/** Of all but the naive one and of rest; ended by NULL. */
extern const char *const hg_detection_names[];

typedef struct hg_detection {
  hg_detect_kind kind;
  double bound; /**< of all delays, s, > 0; of HG_DETECT_BOUNDED alone */
} hg_detection;

/** What a rank says of itself and those below. */
typedef struct hg_detect_report {
  int64_t decided;   /**< rounds whose decision all of them know */
  int64_t wave;      /**< that all of them have answered */
  int64_t relapses;  /**< times that blocks that had converged no longer had, all of them */
  int64_t measured;  /**< round whose frozen residual all of them have measured */
  double residual;   /**< the largest of that round */
  int64_t converged; /**< all have */
  int64_t given_up;  /**< some block has */
  uint64_t balance;  /**< hashes of versions told less those used, of all of them */
  double running;    /**< largest residual of what runs; of rest */
} hg_detect_report;

/** What rank 0 wants of all, and what a rank's parent knows of all that are not below that rank: by rest it may find
 * the end itself, on two ranks half a way before it is told. */
typedef struct hg_detect_order {
  int64_t wave;    /**< to be answered */
  int64_t round;   /**< to be frozen and measured, from 1 */
  int64_t decided; /**< rounds decided so far */
  double residual; /**< of the last one, of the frozen global vector */
  int64_t stop; /**< the vector frozen in round `decided` is the result, or, where they have settled, the running one */
  int64_t settled;
  hg_detect_report others; /**< of rest */
} hg_detect_order;

typedef struct hg_detect hg_detect;

/** What a block's own criterion asks of its residual where that of the result is to be at most `tolerance`. */
double hg_detection_criterion(hg_detection how, double tolerance);

/** @param blocks  of this rank, >= 0 @param children  ranks below, 0..2. HG_MEMORY. hg_detect_begin follows. */
hg_status hg_detect_make(int blocks, int children, bool root, hg_detect **out);
void hg_detect_free(hg_detect *detect);

/** Begins, also anew. @param tolerance  of the residual @param ranks  all there are */
void hg_detect_begin(hg_detect *detect, hg_detection how, double tolerance, int ranks);

/** The tree: a rank's parent (-1 of rank 0), its children. Returns how many there are. */
int hg_detect_parent(int rank);
int hg_detect_children(int rank, int ranks, int child[2]);

/* --- events --- */

/** A version of what a link tells, to be added to the balance of the block that told it and taken from that of the one
 * that used it. @param link  the same at both ends, and no other's */
uint64_t hg_detect_version(uint64_t link, int64_t version);

/** Before hg_detect_sweep of the same sweep: what it measured, and the balance of its block. Counts by rest alone. */
void hg_detect_balance(hg_detect *detect, int block, double residual, uint64_t balance);

/** A sweep of a block has ended. @param small  its criterion holds @param news  something newer has come from all its
 * neighbours since the last sweep that this was said of @param now  s, by any clock that does not go back */
void hg_detect_sweep(hg_detect *detect, int block, bool small, bool news, double now);

/** A block will sweep no more: what there is is to be frozen, measured, and returned. */
void hg_detect_give_up(hg_detect *detect, int block);

/** A block has measured its part of the frozen global vector. NaN counts as larger than anything. */
void hg_detect_measured(hg_detect *detect, int block, int64_t round, double residual);

/** Messages. */
void hg_detect_receive_report(hg_detect *detect, int child, const hg_detect_report *report);
void hg_detect_receive_order(hg_detect *detect, const hg_detect_order *order);

/* --- what follows from them --- */

/** What the parent should receive by now, what holds here, and what a child should receive. */
const hg_detect_report *hg_detect_report_now(const hg_detect *detect);
const hg_detect_order *hg_detect_order_now(const hg_detect *detect);
hg_detect_order hg_detect_order_for(const hg_detect *detect, int child);

/** Whether a block has converged, so that it may rest until there is news. After a decision that says "go on" none has.
 */
bool hg_detect_is_converged(const hg_detect *detect, int block);
#endif
