/* SPDX-License-Identifier: MIT */
/* Whether a rank waits for its tasks before it sends what they left and asks for what the next ones need. No runtime in
 * here.
 *
 * It matters where StarPU-MPI's progress thread shares a core with the tasks. A rank that waits asks for a message when
 * it is due, so the progress thread has little to do, and the core computes. A rank that goes on asks early: whatever
 * disturbs one rank does not hold up the other at once, but a thread that looks for a message all the time takes 5 to
 * 10 % of the core. On an idle machine waiting is faster, beside other programs going on is, by up to 30 %: so both are
 * tried, and what rounds took decides. Rounds shorter than ten pauses of the progress thread (mpi_backoff.c) wait
 * always.
 *
 * TRIAL rounds with waiting, after SETTLE that say nothing; then as many without; the faster way stays until rounds
 * take a quarter more or less than they did. Example: rounds of 40 ms that take 43 ms without waiting: 12 rounds of
 * which 6 lose 3 ms, then all wait. */
#ifndef HG_GRAPH_OVERLAP_TUNER_H
#define HG_GRAPH_OVERLAP_TUNER_H

#include <stdbool.h>

typedef struct hg_overlap_tuner {
  bool goes_on;   /**< does not wait */
  int seen;       /**< rounds since the last decision */
  double begin;   /**< of the last one, s */
  double sum;     /**< s of those that count */
  double waiting; /**< s of a round with waiting; 0: not known yet */
  double usual;   /**< s of a round, as things are since both were tried; 0: not known yet */
} hg_overlap_tuner;

/** A round begins `now`, in s; after the waiting, if the last call did not say to go on. */
void hg_overlap_tuner_next(hg_overlap_tuner *rounds, double now);

/** What came before the next round was no round. */
void hg_overlap_tuner_pause(hg_overlap_tuner *rounds);
#endif
