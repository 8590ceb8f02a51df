/* SPDX-License-Identifier: MIT */
/* Shares that follow the measured speeds while a program runs. */
#ifndef HG_JOB_BALANCE_H
#define HG_JOB_BALANCE_H

#include "graph/graph.h"

/** What the workers of all ranks have done. Collective.
 * @param times  [session->workers] of this rank
 * @param[out] speed  [session->all_workers] cells/s; workers that had nothing to do get the mean of their kind, to be
 * tried again
 * @return how far busy times lie apart: largest / smallest - 1, of workers that did something; of ranks, where there
 * are several, since a policy may move tasks between the workers of a rank */
double hg_balance_measure(const hg_session *session, const hg_worker_times *times, double *speed);

/** Whether two divisions give the same regions and steps per block. */
bool hg_balance_same(const hg_tiling *a, const hg_tiling *b);
#endif
