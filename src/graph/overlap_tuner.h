/* SPDX-License-Identifier: MIT */
/* Decides whether a rank waits for its tasks before it posts sends of their results and receives for the next ones.
 * Independent of the runtime.
 *
 * It matters where StarPU-MPI's progress thread shares a core with the tasks. A rank that waits posts a receive when
 * the message is due, so the progress thread has little to do, and the core computes. A rank that goes on posts it
 * early: a disturbance of one rank does not stop the other at once, but a thread that polls all the time takes 5 to
 * 10 % of the core. On an idle machine waiting is faster; beside other programs going on is, by up to 30 %. So both are
 * tried, and the times of rounds decide. Rounds shorter than ten delays of the progress thread (mpi_backoff.c) always
 * wait.
 *
 * After SETTLE rounds that do not count, TRIAL rounds wait; then as many go on. The faster way is kept until rounds
 * take a quarter more or less than before. Example: rounds of 40 ms that take 43 ms without waiting: 12 rounds, of
 * which 6 lose 3 ms; then all wait. */
#ifndef HG_GRAPH_OVERLAP_TUNER_H
#define HG_GRAPH_OVERLAP_TUNER_H

#include <stdbool.h>

typedef struct hg_overlap_tuner {
  bool goes_on;   /**< the rank does not wait */
  int seen;       /**< rounds since the last decision */
  double begin;   /**< beginning of the last round, s */
  double sum;     /**< s of the rounds that count */
  double waiting; /**< s per round with waiting; 0: not known yet */
  double usual;   /**< s per round since both were tried; 0: not known yet */
} hg_overlap_tuner;

/** A round begins at `now`, in s; after the waiting, unless the last call decided to go on. */
void hg_overlap_tuner_next(hg_overlap_tuner *rounds, double now);

/** The time before the next round is not to be counted as a round. */
void hg_overlap_tuner_pause(hg_overlap_tuner *rounds);
#endif
