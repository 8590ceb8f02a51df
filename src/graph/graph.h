/* SPDX-License-Identifier: MIT */
/* A divided grid as a graph of StarPU tasks over tiles, whatever the tasks compute and units depend on. Each kind of
 * graph (graph/stencil.h: neighbours by formula; graph/units.h: stored neighbours or zones) makes one and has a table
 * of operations; all higher layers work with any kind. */
#ifndef HG_GRAPH_GRAPH_H
#define HG_GRAPH_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/box.h"
#include "base/status.h"
#include "codelets/phases.h"
#include "graph/tile_view.h"
#include "graph/overlap_tuner.h"
#include "runtime/session.h"
#include "placement/tiling.h"

typedef struct hg_graph hg_graph;
struct hg_block_ages; /* traces/ages.h */

/** Gets the kernel's measurement of a tile. */
typedef void hg_quantity_sink(void *arg, const void *result);

/** Gets the value of a unit in place, and may change it. */
typedef void hg_value_user(void *arg, void *value, size_t bytes);

/** Called by the submitting thread with the number of steps submitted; returns whether to continue. */
typedef bool hg_steps_report(void *arg, int64_t done);

/** Operations of a kind of graph. All are collective except `measured`, `visit`, `changes` and `use`. */
typedef struct hg_graph_operations {
  /** Loads a state; may be called repeatedly. Returns what `init` does. @param first  number of the next step */
  hg_status (*load)(hg_graph *graph, int64_t first, hg_fill *init, void *arg);
  /** In place of `load`, takes over the state of another graph of the same kernel and session with another division;
   * that one may then only be freed. Counts of exchanges continue. Cost: every cell is copied once, and sent if it
   * changes rank. HG_MEMORY: if that is known beforehand, the other graph stays as it was. */
  hg_status (*move)(hg_graph *from, hg_graph *to);
  /** Asks the application for the neighbours of all units of this rank as of `step`, and updates exchanges. To be
   * called before the first step after `load` and `move`. HG_INVALID naming unit and step. NULL: neighbours are
   * fixed. */
  hg_status (*connect)(hg_graph *graph, int64_t step);
  /** Submits `steps` >= 0 steps, or fewer if `report` ends them. @param measure  measure the last one, for `measured`
   * @param report  or NULL */
  hg_status (*advance)(hg_graph *graph, int64_t steps, bool measure, hg_steps_report *report, void *arg);
  /** Waits for the submitted steps. HG_MEMORY if a task ran out of memory. */
  hg_status (*wait)(hg_graph *graph);
  /** Passes on the kernel's measurements of the last step, for this rank's tiles in ascending order. */
  void (*measured)(hg_graph *graph, hg_quantity_sink *take, void *arg);
  /** The tiles of this rank. */
  hg_status (*visit)(hg_graph *graph, hg_tile_sink *take, void *arg);
  /** This rank's tiles before and after the last step, which was measured; NULL: one of the two states is not kept. */
  hg_status (*changes)(hg_graph *graph, hg_change_sink *take, void *arg);
  /** Lends the value of a unit of this rank. `changed` must follow on all ranks; if it is NULL, nothing depends on
   * values before the next step. The steps must be done. */
  void (*use)(hg_graph *graph, int64_t id, hg_value_user *use, void *arg);
  hg_status (*changed)(hg_graph *graph);
  /** Bytes that this rank sends to another under the partition, since the load. NULL: not known beforehand. */
  double (*sent)(const hg_graph *graph, int peer);
  /** Ages of the values that asynchronous blocks read, since the load. NULL: blocks wait for each other.
   * @param[out] block  [tiling->tiles] must be 0; those of this rank are filled in */
  void (*ages)(const hg_graph *graph, struct hg_block_ages *block);
  void (*release)(hg_graph *graph);
} hg_graph_operations;

/** Common beginning of all kinds. */
struct hg_graph {
  const hg_graph_operations *ops;
  const hg_session *session;
  const hg_tiling *tiling;
  hg_phase_times *times;      /**< [session->workers] noted by tasks */
  double exchanged;           /**< bytes written so far to pieces between regions of different workers, on this rank */
  hg_connections connections; /**< of a graph whose neighbours may change */
  hg_overlap_tuner rounds;
  bool ended; /**< a graph that ends by itself has ended, after the steps that it reported */
};

/** Times of this rank's workers since the last reset; times[session->workers]. Also while tasks run. */
void hg_graph_times(const hg_graph *graph, hg_worker_times *times);

/** Only the busy times; seconds[session->workers]. */
void hg_graph_busy(const hg_graph *graph, double *seconds);
void hg_graph_reset_times(const hg_graph *graph);

/** To be called between a round of tasks and the messages about its results: waits for the tasks if that pays
 * (overlap_tuner.h). */
void hg_graph_before_exchange(hg_graph *graph);

/** StarPU's number of the worker whose region a tile of this rank is in. */
int hg_graph_worker(const hg_graph *graph, int tile);

/** Frees a graph, or NULL. */
void hg_graph_free(hg_graph *graph);
#endif
