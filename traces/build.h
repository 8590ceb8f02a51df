/* SPDX-License-Identifier: MIT */
/* How a trace grows while its files are read. Internal to traces/. */
#ifndef HG_TRACES_BUILD_H
#define HG_TRACES_BUILD_H

#include <stddef.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/shown.h"
#include "traces/trace.h"

/** Handles that have coordinates. */
typedef struct hg_trace_handle {
  int rank;
  uint64_t address;
  int64_t tile;
} hg_trace_handle;

/** A dependency that is still a job's name. */
typedef struct hg_trace_want {
  int rank; /**< that waits */
  int64_t job;
  int needs_rank; /**< that it waits for */
  int64_t needs_job;
} hg_trace_want;

typedef struct hg_trace_build {
  hg_trace *trace;
  const char *folder;
  hg_trace_handle *handle; /**< by rank and address once sorted */
  int64_t handles;
  hg_trace_want *want;
  int64_t wants;
} hg_trace_build;

/** Index of the worker with that number, made if new; -1 on HG_MEMORY. */
int hg_trace_worker_index(hg_trace *trace, int rank, int id);

/** The steps of hg_trace_read. Files that are not there leave nothing. */
hg_status hg_trace_read_data(hg_trace_build *build);
hg_status hg_trace_read_tasks(hg_trace_build *build);
hg_status hg_trace_read_workers(hg_trace_build *build);
hg_status hg_trace_read_messages(hg_trace_build *build);
hg_status hg_trace_read_states(hg_trace_build *build);
hg_status hg_trace_read_notes(hg_trace_build *build);

/** Flops of tasks that knew them only afterwards; once tasks are in order. */
hg_status hg_trace_read_flops(hg_trace_build *build);

/** Index of a task, -1 if there is none; once tasks are in order. */
int64_t hg_trace_find_job(const hg_trace *trace, int rank, int64_t job);

/** Order of tasks, for qsort. */
int hg_trace_by_rank_and_job(const void *a, const void *b);
#endif
