/* SPDX-License-Identifier: MIT */
/* What a trace says: where each worker's time went, by kind of task, over which links, and why the run took so long. */
#ifndef HG_TRACES_SUMMARY_H
#define HG_TRACES_SUMMARY_H

#include <stdio.h>

#include "traces/trace.h"

enum { HG_TRACE_WAITS = 10 };

/** Time of one worker in s; the four add up to the run's time. */
typedef struct hg_trace_share {
  int64_t tasks;
  double busy, transfer, overhead, idle;
} hg_trace_share;

typedef struct hg_trace_kind_time {
  int64_t tasks;
  double seconds, flops;
} hg_trace_kind_time;

/** Traffic from one rank (or memory node) to another. */
typedef struct hg_trace_link_sum {
  int from, to, rank; /**< rank: of copies within a rank */
  bool network;
  int64_t messages;
  double bytes;
  double planned; /**< bytes; NAN if nothing was planned */
} hg_trace_link_sum;

typedef enum hg_trace_reason {
  HG_TRACE_ON_START,   /**< nothing: the run had not begun */
  HG_TRACE_ON_TASK,    /**< a task elsewhere that it needed */
  HG_TRACE_ON_MESSAGE, /**< the same on another rank */
  HG_TRACE_ON_DATA,    /**< data on their way to this worker */
  HG_TRACE_ON_RUNTIME, /**< submission or scheduling: the next task could have started */
  HG_TRACE_ON_END,     /**< no more tasks before the end of the run */
  HG_TRACE_REASONS
} hg_trace_reason;

/** A worker without a task. */
typedef struct hg_trace_wait {
  int worker;
  double start, end;
  int64_t next; /**< task that ended it, -1: the end of the run */
  hg_trace_reason reason;
  int64_t cause; /**< task it waited for, or -1 */
} hg_trace_wait;

typedef struct hg_trace_summary {
  double seconds;           /**< of the run */
  double imbalance;         /**< largest / mean busy time of the workers */
  int64_t tasks;            /**< that ran */
  hg_trace_share *worker;   /**< [trace->workers] */
  hg_trace_kind_time *kind; /**< [trace->kinds] */
  hg_trace_link_sum *link;
  int links;
  double longest_chain; /**< s: dependent tasks one after another, without any wait. No machine could be faster */
  int64_t chain_tasks;  /**< in that chain */
  double path_tasks, path_waits;      /**< s: the chain of what delayed the last task: in tasks, and between them */
  double *path_kind;                  /**< [trace->kinds] s of path_tasks */
  int64_t path_length;                /**< tasks on it */
  hg_trace_wait wait[HG_TRACE_WAITS]; /**< the longest, longest first */
  int waits;
  double lost[HG_TRACE_REASONS]; /**< s of all workers without a task, by what they waited for */
  double *waited_kind;           /**< [trace->kinds] s of them for tasks of a kind, here or on other ranks */
} hg_trace_summary;

/** Computes it. HG_MEMORY. Free with hg_trace_summary_free. Cost: n log n. */
hg_status hg_trace_summarise(const hg_trace *trace, hg_trace_summary *out);
void hg_trace_summary_free(hg_trace_summary *summary);

/** Prints it for people. */
void hg_trace_summary_print(FILE *out, const hg_trace *trace, const hg_trace_summary *summary);

/** Prints the one or two causes that cost most, and what to try (advice.c). */
void hg_trace_advise(FILE *out, const hg_trace *trace, const hg_trace_summary *summary);

/** As CSV: section,item,quantity,value (SI units). */
void hg_trace_summary_csv(FILE *out, const hg_trace *trace, const hg_trace_summary *summary);

/** Prints two runs side by side. */
void hg_trace_compare(FILE *out, const hg_trace *a, const hg_trace_summary *sa, const hg_trace *b,
                      const hg_trace_summary *sb);

/** The part of a summary that says why (see causes.c). */
hg_status hg_trace_find_causes(const hg_trace *trace, hg_trace_summary *summary);

/** Seconds each worker spent on tasks that write a tile: out[tiles][workers], a task's time shared by its tiles.
 * HG_MEMORY; free it. */
hg_status hg_trace_tile_times(const hg_trace *trace, double **out);

/** Tasks of each worker in order of start: order[first[w]] .. order[first[w+1]]. HG_MEMORY; free both,
 * also then. */
hg_status hg_trace_by_worker(const hg_trace *trace, int64_t **order, int64_t **first);
#endif
