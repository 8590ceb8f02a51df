/* SPDX-License-Identifier: MIT */
/* Monitors the workers of all ranks during a job, and decides whether to divide its grid again. */
#ifndef HG_DIVISION_BALANCE_MONITOR_H
#define HG_DIVISION_BALANCE_MONITOR_H

#include "graph/graph.h"
#include "division/rebalance_rule.h"

typedef struct hg_balance_monitor {
  const hg_session *session;
  hg_monitor monitor;
  bool owners;          /**< tiles stay with the worker of their region, except for a few */
  int *kind;            /**< [all_workers] */
  double *cells, *busy; /**< [all_workers] at the last complete check */
  double *mark;         /**< [2 all_workers] cells and busy seconds that hg_balance_learn leaves out */
  double cost;          /**< expected time of a move, s */
  int64_t every;        /**< least steps between two checks */
  int64_t pause, next;  /**< present number of steps between checks; step of the next check */
} hg_balance_monitor;

/** Whether the session's policy leaves tiles with the workers of their regions. */
bool hg_balance_keeps_owners(const hg_session *session);

/** Collective. @param owners  whether the policy of this rank leaves tiles with their owners @param grid  cells
 * @param value_bytes  of a cell @param every  least steps between two checks, > 0. HG_MEMORY. Free with
 * hg_balance_close. */
hg_status hg_balance_open(const hg_session *session, bool owners, double grid, int64_t value_bytes, int64_t every,
                          hg_balance_monitor *out);
void hg_balance_close(hg_balance_monitor *balance);

/** The workers' times count from 0 again. */
void hg_balance_restart(hg_balance_monitor *balance);

/** To be called when the steps up to `step` are submitted. If the last check was long enough ago, checks the work done
 * so far while steps continue. Returns whether to divide the grid again. Collective; all ranks decide alike.
 * @param rule  its cost is filled in here if it is > 0 */
bool hg_balance_check(hg_balance_monitor *balance, const hg_graph *graph, int64_t step, hg_monitor_rule rule);

/** A running grid, and its owner's functions to divide it and build a new graph. */
typedef struct hg_balanced {
  hg_balance_monitor *balance;
  hg_tiling *tiling; /**< present graph and tiling; replaced by a move */
  hg_graph *graph;
  /** Divides the grid by measured speeds. Collective. */
  hg_status (*divide)(void *arg, const hg_speed_model *measured, hg_tiling **out);
  /** Builds the graph of such a division. Collective. */
  hg_status (*make)(void *arg, const hg_tiling *tiling, hg_graph **out);
  void *arg;
  const char *now; /**< time of the move, for the log, such as "before step" */
  int64_t step;
} hg_balanced;

/** Excludes the work done so far from learning. Collective. */
void hg_balance_mark(hg_balance_monitor *balance, const hg_graph *graph);

/** Learns each worker's speed at its present share from its work since the mark or the start. Collective. */
void hg_balance_learn(hg_balance_monitor *balance, const hg_graph *graph);

/** Only divides a grid by the measured speeds. Collective. Returns what `divide` does. */
hg_status hg_balance_tiling(const hg_balanced *grid, hg_tiling **out);

/** Divides a grid by the measured speeds. If regions change, builds the new graph, moves the values and frees the old
 * one; on failure all stays as it was. The steps must be done. Collective. Returns what `divide`, `make` and moving
 * do. @param moved  whether regions have changed */
hg_status hg_balance_divide(hg_balanced *grid, bool *moved);
#endif
