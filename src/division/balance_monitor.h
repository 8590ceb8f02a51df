/* SPDX-License-Identifier: MIT */
/* What the workers of all ranks do while a job runs, and whether its grid should be divided anew. */
#ifndef HG_DIVISION_BALANCE_MONITOR_H
#define HG_DIVISION_BALANCE_MONITOR_H

#include "graph/graph.h"
#include "division/rebalance_rule.h"

typedef struct hg_balance_monitor {
  const hg_session *session;
  hg_monitor monitor;
  bool owners;          /**< tiles stay with the worker whose region they are in, but for a few */
  int *kind;            /**< [all_workers] */
  double *cells, *busy; /**< [all_workers] at the last check that said enough */
  double *mark;         /**< [2 all_workers] cells and busy seconds that hg_balance_learn leaves out */
  double cost;          /**< s that a move is expected to take */
  int64_t every;        /**< least steps between two checks */
  int64_t pause, next;  /**< steps between checks at present; the step of the next check */
} hg_balance_monitor;

/** Whether the session's policy leaves tiles with the workers whose regions they are in. */
bool hg_balance_keeps_owners(const hg_session *session);

/** @param owners  whether the policy leaves tiles with their owners @param grid  cells @param value_bytes  of a cell
 * @param every  least steps between two checks, > 0. HG_MEMORY. Free with hg_balance_close. */
hg_status hg_balance_open(const hg_session *session, bool owners, double grid, int64_t value_bytes, int64_t every,
                          hg_balance_monitor *out);
void hg_balance_close(hg_balance_monitor *balance);

/** The workers' times count from 0 again. */
void hg_balance_restart(hg_balance_monitor *balance);

/** When steps up to this one are submitted: checks what was done so far, while it goes on, if the last check was
 * long enough ago; whether to divide the grid anew. Collective; all ranks decide alike.
 * @param rule  its cost is filled in here if it is > 0 */
bool hg_balance_check(hg_balance_monitor *balance, const hg_graph *graph, int64_t step, hg_monitor_rule rule);

/** A running grid, and how its owner divides it and makes others like it. */
typedef struct hg_balanced {
  hg_balance_monitor *balance;
  hg_tiling *tiling; /**< both as they are; replaced by a move */
  hg_graph *graph;
  /** Divides the grid by the speeds measured. Collective. */
  hg_status (*divide)(void *arg, const hg_speed_model *measured, hg_tiling **out);
  /** Makes the graph of such a division. Collective. */
  hg_status (*make)(void *arg, const hg_tiling *tiling, hg_graph **out);
  void *arg;
  const char *now; /**< which step it is, for the log, such as "before step" */
  int64_t step;
} hg_balanced;

/** What was done so far is not learnt from. Collective. */
void hg_balance_mark(hg_balance_monitor *balance, const hg_graph *graph);

/** Learns each worker's speed at its present share from what it has done since the mark, or the start. Collective. */
void hg_balance_learn(hg_balance_monitor *balance, const hg_graph *graph);

/** Divides a grid by the measured speeds, without more. Collective. What `divide` returns. */
hg_status hg_balance_tiling(const hg_balanced *grid, hg_tiling **out);

/** Divides a grid by the measured speeds; where that gives other regions, makes its tiles, moves the values and frees
 * those before. If that fails all stays as it was. The steps are done. Collective. What `divide`, `make` and moving
 * return. @param moved  whether regions have changed */
hg_status hg_balance_divide(hg_balanced *grid, bool *moved);
#endif
