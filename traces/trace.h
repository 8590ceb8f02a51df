/* SPDX-License-Identifier: MIT */
/* A recorded run in memory: who did which task when, what it waited for, and what travelled. Read from the files that
 * StarPU's trace conversion writes (tasks.rec, data.rec, comms.rec, paje.trace) and from those of hetgrid (run.csv,
 * tiles.csv, ages.csv, flops.rec, workers.rec). All but tasks.rec may be missing. */
#ifndef HG_TRACES_TRACE_H
#define HG_TRACES_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "traces/ages.h"

/** One processor. */
typedef struct hg_trace_worker {
  int rank, id;    /**< MPI rank, StarPU's number on it */
  char *name;      /**< "CPU0" */
  bool has_states; /**< the file tells what it did between tasks */
} hg_trace_worker;

/** Something a worker was busy with that is not a task. */
typedef enum hg_trace_state { HG_TRACE_TRANSFER, HG_TRACE_OVERHEAD } hg_trace_state;
typedef struct hg_trace_interval {
  int worker;
  hg_trace_state state;
  double start, end; /**< s */
} hg_trace_interval;

/** A kind of task. */
typedef struct hg_trace_kind {
  char *name;
  unsigned colour; /**< 0xRRGGBB */
} hg_trace_kind;

/** A task, or a step of StarPU's own (kind -1) that only carries dependencies. */
typedef struct hg_trace_task {
  int kind; /**< index in hg_trace.kind, or -1 */
  int rank;
  int worker; /**< index in hg_trace.worker, or -1 if it ran on none */
  int64_t job;
  double submit, start, end; /**< s since the run's first event; NAN if unknown */
  double flops;
  int64_t iteration;         /**< -1: none */
  int64_t first_need, needs; /**< tasks it depends on: hg_trace.need[first_need ..] */
  int64_t first_tile, tiles; /**< tiles it writes: hg_trace.written[first_tile ..] */
} hg_trace_task;

/** A place of the grid. */
typedef struct hg_trace_tile {
  int64_t at[3], extent[3]; /**< first cell and cells along each axis; extent 1 where unknown */
} hg_trace_tile;

/** A message or a copy. */
typedef struct hg_trace_copy {
  int from, to; /**< ranks if `network`, else memory nodes */
  int rank;     /**< where, of copies within a rank */
  bool network;
  double start, end; /**< s */
  double bytes;
} hg_trace_copy;

/** What was meant to travel between two ranks. */
typedef struct hg_trace_plan {
  int from, to;
  double bytes;
} hg_trace_plan;

typedef struct hg_trace {
  char *title; /**< of run.csv, or the folder's name */
  int ranks;
  double start, end; /**< s: first submission, end of the last task */
  double origin;     /**< ms: where paje.trace begins in the times of tasks.rec */
  int64_t tasks, needs, written_count, tiles, intervals, copies;
  int workers, kinds, plans, blocks;
  hg_trace_task *task; /**< those of kind >= 0 ran on a worker */
  int64_t *need, *written;
  hg_trace_tile *tile;
  hg_trace_worker *worker; /**< by rank, then id */
  hg_trace_kind *kind;     /**< in order of first appearance */
  hg_trace_interval *interval;
  hg_trace_copy *copy;
  hg_trace_plan *plan;
  hg_block_ages *ages; /**< [blocks] of a run that did not wait */
} hg_trace;

/** Reads a folder. HG_IO, HG_FORMAT naming file and line, HG_INVALID if no task ran, HG_MEMORY. Free with
 * hg_trace_free. Cost: n log n in the number of tasks. */
hg_status hg_trace_read(const char *folder, hg_trace *out);
void hg_trace_free(hg_trace *trace);
#endif
