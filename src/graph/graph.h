/* SPDX-License-Identifier: MIT */
/* A divided grid as a graph of StarPU tasks over tiles, whatever the tasks compute and whom units depend on. Each kind
 * of graph (graph/stencil.h: neighbours by formula; graph/units.h: stored neighbours or zones) makes one and has a
 * table of operations; everything above works with any kind. */
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

/** Gets what the kernel measured on a tile. */
typedef void hg_quantity_sink(void *arg, const void *result);

/** Is lent the value of a unit, which it may change. */
typedef void hg_value_user(void *arg, void *value, size_t bytes);

/** Is told, from the submitting thread, how many steps have been submitted; whether to go on. */
typedef bool hg_steps_report(void *arg, int64_t done);

/** What a kind of graph does. All are collective but `measured`, `visit`, `changes` and `use`. */
typedef struct hg_graph_operations {
  /** Loads a state, as often as wanted. What `init` returns. @param first  number of the step that follows */
  hg_status (*load)(hg_graph *graph, int64_t first, hg_fill *init, void *arg);
  /** Takes the state over from another graph of the same kernel and session that is divided otherwise, instead of
   * `load`; the other is only to be freed then. What was exchanged so far is counted on. Cost: every cell is copied
   * once; what changes rank travels. HG_MEMORY: the other is as it was if that is known beforehand. */
  hg_status (*move)(hg_graph *from, hg_graph *to);
  /** Asks for the neighbours of all units of this rank as of `step`, and brings exchanges up to date; to be called
   * before the first step after `load` and `move`. HG_INVALID naming unit and step. NULL: neighbours are known. */
  hg_status (*connect)(hg_graph *graph, int64_t step);
  /** Submits `steps` >= 0 steps, or as many as `report` wants. @param measure  the last one, for `measured`
   * @param report  or NULL */
  hg_status (*advance)(hg_graph *graph, int64_t steps, bool measure, hg_steps_report *report, void *arg);
  /** Waits until they are done. HG_MEMORY if a task had none. */
  hg_status (*wait)(hg_graph *graph);
  /** What the kernel measured in the last step, tile by tile of this rank, in ascending order. */
  void (*measured)(hg_graph *graph, hg_quantity_sink *take, void *arg);
  /** The tiles of this rank. */
  hg_status (*visit)(hg_graph *graph, hg_tile_sink *take, void *arg);
  /** The tiles of this rank before and after the last step, which was measured; NULL: one of both is not kept. */
  hg_status (*changes)(hg_graph *graph, hg_change_sink *take, void *arg);
  /** Lends the value of a unit of this rank; `changed` follows on all ranks, unless it is NULL: nothing follows from
   * values before the next step. The steps must be done. */
  void (*use)(hg_graph *graph, int64_t id, hg_value_user *use, void *arg);
  hg_status (*changed)(hg_graph *graph);
  /** Bytes that the partition makes this rank send to another, since the load. NULL: not known beforehand. */
  double (*sent)(const hg_graph *graph, int peer);
  /** Of blocks that do not wait: how old what they read was, since the load. NULL: they wait.
   * @param[out] block  [tiling->tiles] 0 before; those of this rank are filled in */
  void (*ages)(const hg_graph *graph, struct hg_block_ages *block);
  void (*release)(hg_graph *graph);
} hg_graph_operations;

/** What all kinds begin with. */
struct hg_graph {
  const hg_graph_operations *ops;
  const hg_session *session;
  const hg_tiling *tiling;
  hg_phase_times *times;      /**< [session->workers] noted by tasks */
  double exchanged;           /**< bytes written to pieces between different workers' regions so far, on this rank */
  hg_connections connections; /**< of a graph whose neighbours may change */
  hg_overlap_tuner rounds;
  bool ended; /**< of a graph that ends by itself: it has, after the steps that it told its report */
};

/** Times of this rank's workers since the last reset; times[session->workers]. Also while tasks run. */
void hg_graph_times(const hg_graph *graph, hg_worker_times *times);

/** Of these, the busy time alone; seconds[session->workers]. */
void hg_graph_busy(const hg_graph *graph, double *seconds);
void hg_graph_reset_times(const hg_graph *graph);

/** Between a round of tasks and the messages about what it left: waits for the tasks if that pays (overlap_tuner.h). */
void hg_graph_before_exchange(hg_graph *graph);

/** StarPU's number of the worker whose region a tile of this rank is in. */
int hg_graph_worker(const hg_graph *graph, int tile);

/** Frees a graph, which may be NULL. */
void hg_graph_free(hg_graph *graph);
#endif
