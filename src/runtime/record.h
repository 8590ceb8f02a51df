/* SPDX-License-Identifier: MIT */
/* Recording a run: switches StarPU's FxT recorder on and off, and turns what it wrote into files that people and
 * hetgrid-trace read. Where StarPU has no FxT (or HETGRID_TRACE=profiling asks for it), StarPU's task profiling is
 * recorded instead: tasks and dependencies, but no states, copies and messages. */
#ifndef HG_RUNTIME_RECORD_H
#define HG_RUNTIME_RECORD_H

#include "base/status.h"

/** Before StarPU starts: makes the folder, removes an older trace from it, and asks for recording. To be called on
 * every rank; those above 0 only ask. HG_IO, HG_INVALID. */
hg_status hg_record_prepare(const char *folder, int rank);

/** Recording of this process begins and ends: around the timed part, after a barrier. */
void hg_record_start(void);
void hg_record_stop(void);

/** After the last task, before StarPU stops: what was recorded by task profiling goes to the folder. HG_IO, HG_MEMORY.
 */
hg_status hg_record_save(int rank);

/** For starpu_task_insert: STARPU_CALLBACK, hg_record_task(), STARPU_CALLBACK_ARG_NFREE,
 * hg_record_number(). Notes a task's times under its place in the order of submission; NULL unless task profiling is
 * recorded. */
typedef void hg_record_callback(void *number);
hg_record_callback *hg_record_task(void);
void *hg_record_number(void);

/** In place of hg_record_task, of tasks that set their flops while they run; NULL unless something is recorded. */
hg_record_callback *hg_record_counting_task(void);

/** After StarPU has stopped on all ranks, on one of them: converts what the ranks wrote and writes summary.txt,
 * summary.csv, gantt.svg and map.svg beside it. HG_IO, HG_MEMORY, HG_INVALID if nothing ran. */
hg_status hg_record_finish(const char *folder, int ranks);
#endif
