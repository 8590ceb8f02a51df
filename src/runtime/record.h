/* SPDX-License-Identifier: MIT */
/* Records a run: switches StarPU's FxT recorder on and off, and converts its output for people and hetgrid-trace. If
 * StarPU has no FxT, or with HETGRID_TRACE=profiling, StarPU's task profiling is recorded instead: tasks and
 * dependencies, but no states, copies or messages. */
#ifndef HG_RUNTIME_RECORD_H
#define HG_RUNTIME_RECORD_H

#include <stdbool.h>

#include "base/file.h"
#include "base/status.h"

/** Whether recording uses task profiling: if there is no FxT, or the environment requests it. Ranks must not differ,
 * since those with FxT meet to set their clocks. */
bool hg_record_wants_profiling(void);

/** On rank 0: creates the folder, removes an older trace from it, and makes a file there by which other ranks know it;
 * the caller removes that file. HG_IO, HG_INVALID. */
hg_status hg_record_make_folder(const char *folder, char marker[HG_PATH_MAX]);

/** On other ranks: finds rank 0's folder by that file, whatever folder they are in. HG_IO. */
hg_status hg_record_find_folder(const char *marker);

/** Then, before StarPU starts, on every rank: requests recording. HG_INVALID. */
hg_status hg_record_prepare(int rank);

/** Begin and end the recording of this process around the timed part, after a barrier. */
void hg_record_start(void);
void hg_record_stop(void);

/** Writes what task profiling recorded to the folder; after the last task, before StarPU stops. HG_IO, HG_MEMORY. */
hg_status hg_record_save(int rank);

/** For starpu_task_insert: STARPU_CALLBACK, hg_record_task(), STARPU_CALLBACK_ARG_NFREE, hg_record_number(). Records a
 * task's times under its index in the order of submission; NULL unless task profiling is recorded. */
typedef void hg_record_callback(void *number);
hg_record_callback *hg_record_task(void);
void *hg_record_number(void);

/** Replaces hg_record_task for tasks that set their flops while they run; NULL unless something is recorded. */
hg_record_callback *hg_record_counting_task(void);

/** After StarPU has stopped on all ranks, on one of them: converts what the ranks wrote and writes summary.txt,
 * summary.csv, gantt.svg and map.svg beside it. HG_IO, HG_MEMORY, HG_INVALID if nothing ran. */
hg_status hg_record_finish(const char *folder, int ranks);
#endif
