/* SPDX-License-Identifier: MIT */
/* What the workers of all ranks do while a job runs, and whether its grid should be divided anew. */
#ifndef HG_JOB_BALANCE_H
#define HG_JOB_BALANCE_H

#include "graph/graph.h"
#include "placement/watch.h"

typedef struct hg_balance_watch {
  const hg_session *session;
  hg_watch watch;
  bool owners;          /**< tiles stay with the worker whose region they are in, but for a few */
  int *kind;            /**< [all_workers] */
  double *cells, *busy; /**< [all_workers] at the last look that said enough */
  double *mark;         /**< [2 all_workers] cells and busy seconds that hg_balance_learn leaves out */
  double cost;          /**< s that a move is expected to take */
  int64_t every;        /**< least steps between two looks */
  int64_t pause, next;  /**< steps between looks at present; the step of the next look */
} hg_balance_watch;

/** Whether the session's policy leaves tiles with the workers whose regions they are in. */
bool hg_balance_keeps_owners(const hg_session *session);

/** @param owners  whether the policy leaves tiles with their owners @param grid  cells @param value_bytes  of a cell
 * @param every  least steps between two looks, > 0. HG_MEMORY. Free with hg_balance_close. */
hg_status hg_balance_open(const hg_session *session, bool owners, double grid, int64_t value_bytes, int64_t every,
                          hg_balance_watch *out);
void hg_balance_close(hg_balance_watch *balance);

/** The workers' times count from 0 again. */
void hg_balance_restart(hg_balance_watch *balance);

/** When steps up to this one are submitted: looks at what was done so far, while it goes on, if the last look was long
 * enough ago; whether to divide the grid anew. Collective; all ranks decide alike.
 * @param rule  its cost is filled in here if it is > 0 */
bool hg_balance_look(hg_balance_watch *balance, const hg_graph *graph, int64_t step, hg_watch_rule rule);

/** A move took so many seconds on this rank, or was found not to change anything. Collective. */
void hg_balance_moved(hg_balance_watch *balance, double seconds, bool changed);

/** What was done so far is not learnt from. Collective. */
void hg_balance_mark(hg_balance_watch *balance, const hg_graph *graph);

/** Learns each worker's speed at its present share from what it has done since the mark, or the start. Collective. */
void hg_balance_learn(hg_balance_watch *balance, const hg_graph *graph);

/** Whether two divisions give the same regions and steps per block. */
bool hg_balance_same(const hg_tiling *a, const hg_tiling *b);
#endif
