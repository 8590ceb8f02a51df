/* SPDX-License-Identifier: MIT */
/* The tasks that are submitted and not finished, with the dependencies implied by the handles they read and write.
 * They give the ranks: the length of the longest path that a task begins (bottom level; Topcuoglu, Hariri, Wu, HEFT,
 * IEEE TPDS 13, 2002), with the fastest worker for each task. The order of submission is a topological order, so one
 * backward sweep over the tasks ranks them all. A sweep is made when their number has grown by half, which costs O(1)
 * per task. */
#ifndef HG_SCHEDULERS_TASK_GRAPH_H
#define HG_SCHEDULERS_TASK_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"

/** One access of a task to a piece of data. */
typedef struct hg_access {
  const void *data;
  enum { HG_READS, HG_WRITES, HG_ADDS /* to a sum that other tasks add to at the same time */ } how;
} hg_access;

typedef struct hg_task_graph_node {
  const void *task;    /* NULL: free */
  float seconds, rank; /* s */
  float model;         /* s, expected by the model alone when a worker took it; 0: no model */
  float begun;         /* s after `origin` of the policy */
  float taken;         /* s, counted in its worker's load */
  int earlier, later;  /* nodes in the order of submission; `later` links free ones */
  int tile;
  int worker;                  /* that has taken it, or -1 */
  int owner;                   /* named by the program for the tile that it writes, or -1 */
  uint64_t shape;              /* for lookups of model times */
  bool bound;                  /* to a worker by the program, and not begun */
  bool chained;                /* a task that waits only for this one updates the data that this one writes */
  int *wait, waits, wait_room; /* nodes that it waits for; a node with a later birth belongs to a newer task */
  uint32_t born;
} hg_task_graph_node;

typedef struct hg_task_graph {
  hg_task_graph_node *node;
  int nodes, free, first, last, live;
  uint32_t births;
  double seconds; /* sum over unfinished tasks */
  hg_map of_data; /* index in `data` by handle */
  struct hg_data_record *data;
  int datas, data_room;
  int unranked; /* tasks added since the last sweep */
} hg_task_graph;

/** Enters a task that takes `seconds`; its node, or -1 if memory ran out. */
int hg_task_graph_add(hg_task_graph *graph, const void *task, double seconds, const hg_access *access, int accesses);
/** Whether a node belongs to the task. */
bool hg_task_graph_holds(const hg_task_graph *graph, intptr_t node, const void *task);
/** Whether another unfinished task uses the data. */
bool hg_task_graph_wants(const hg_task_graph *graph, const void *data, int node);
/** Whether tasks read these data, which no known task writes, more than once to write, or add to, the same data. */
bool hg_task_graph_again(const hg_task_graph *graph, const void *data);
/** The task is finished. */
void hg_task_graph_remove(hg_task_graph *graph, int node);
/** Whether it is time for hg_task_graph_rank. */
bool hg_task_graph_has_grown(const hg_task_graph *graph);
/** Ranks all tasks again. */
void hg_task_graph_rank(hg_task_graph *graph);
void hg_task_graph_free(hg_task_graph *graph);

/** No known task writes a tile any more. */
void hg_task_graph_forget_tiles(hg_task_graph *graph);
#endif
