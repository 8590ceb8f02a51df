/* SPDX-License-Identifier: MIT */
/* The tasks that have been submitted and are not done, with what each waits for, as the handles they read and write
 * tell. From it come ranks: the time of the longest path that a task begins (bottom level; Topcuoglu, Hariri, Wu, HEFT,
 * IEEE TPDS 13, 2002), on the fastest worker for each task. The order of submission is a topological one, so a sweep
 * backwards over the tasks ranks them all; it is made when their number has grown by half, which costs a task O(1). */
#ifndef HG_SCHEDULERS_TASK_GRAPH_H
#define HG_SCHEDULERS_TASK_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"

/** One access of a task to a piece of data. */
typedef struct hg_access {
  const void *data;
  enum { HG_READS, HG_WRITES, HG_ADDS /* to a sum that others add to at the same time */ } how;
} hg_access;

typedef struct hg_task_graph_node {
  const void *task;    /* NULL: free */
  float seconds, rank; /* s */
  float model;         /* s, expected by the model alone when it was taken; 0: no model */
  float begun;         /* s after `origin` of the policy */
  float taken;         /* s, counted as its worker's load */
  int earlier, later;  /* nodes in the order of submission; `later` links free ones */
  int tile;
  int worker;                  /* that has taken it, or -1 */
  int owner;                   /* of the tile that it writes, named by the program, or -1 */
  uint64_t shape;              /* by which models know it */
  bool bound;                  /* to a worker by the program, and not begun */
  int *wait, waits, wait_room; /* nodes that it waits for; those born later have taken the place of one that is done */
  uint32_t born;
} hg_task_graph_node;

typedef struct hg_task_graph {
  hg_task_graph_node *node;
  int nodes, free, first, last, live;
  uint32_t births;
  double seconds; /* of all that is not done */
  hg_map of_data; /* record of data */
  struct hg_data_record *data;
  int datas, data_room;
  int unranked; /* tasks since the last sweep */
} hg_task_graph;

/** Enters a task that takes `seconds`; its node, or -1 if memory ran out. */
int hg_task_graph_add(hg_task_graph *graph, const void *task, double seconds, const hg_access *access, int accesses);
/** Whether a node is that of a task. */
bool hg_task_graph_holds(const hg_task_graph *graph, intptr_t node, const void *task);
/** Whether another task that is not done uses the data. */
bool hg_task_graph_wants(const hg_task_graph *graph, const void *data, int node);
/** Whether tasks read data, which none is known to write, more than once to write, or add to, the same. */
bool hg_task_graph_again(const hg_task_graph *graph, const void *data);
/** The task is done. */
void hg_task_graph_remove(hg_task_graph *graph, int node);
/** Whether it is time for hg_task_graph_rank. */
bool hg_task_graph_has_grown(const hg_task_graph *graph);
/** Ranks all tasks anew. */
void hg_task_graph_rank(hg_task_graph *graph);
void hg_task_graph_free(hg_task_graph *graph);

/** No task writes a tile that is known. */
void hg_task_graph_forget_tiles(hg_task_graph *graph);
#endif
