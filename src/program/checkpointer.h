/* SPDX-License-Identifier: MIT */
/* When a program with checkpoints writes one, what a failure to do so means, and how the program ends when it is
 * interrupted. The program knows what a checkpoint contains; this file only deals with step numbers. */
#ifndef HG_PROGRAM_CHECKPOINTER_H
#define HG_PROGRAM_CHECKPOINTER_H

#include "runtime/session.h"
#include "options/grid_options.h"

typedef struct hg_checkpointer {
  const hg_grid_options *options; /**< --checkpoint and its relatives */
  double saved;                   /**< when the last one was written, or the run began, s */
  int signal;                     /**< signal that any rank got: the run is to end; 0: none */
  hg_status unsaved;              /**< why the last checkpoint of the run could not be written */
} hg_checkpointer;

/** A run begins. */
hg_checkpointer hg_checkpointer_begin(const hg_grid_options *options);

/** Whether to write a checkpoint after `done` steps: if there are to be any, and one is due by steps or time, the run
 * ends, or any rank got a signal. Collective; all ranks agree. */
bool hg_checkpointer_is_time(hg_checkpointer *checkpointer, const hg_session *session, int64_t done, bool last);

/** What the status of writing a checkpoint means for the run. While the run continues, a failure is only warned of. A
 * failure of the last one is reported after the results are written, or at once after a signal. @param last  no other
 * follows, because of the end or a signal */
hg_status hg_checkpointer_tolerate(hg_checkpointer *checkpointer, hg_status status, int64_t done, bool last);

/** HG_RUNTIME saying how to continue, if a signal ended the run. */
hg_status hg_checkpointer_end(const hg_checkpointer *checkpointer, int64_t done);

/** After the results have been written: reports that the last checkpoint could not be. */
hg_status hg_checkpointer_finish(const hg_checkpointer *checkpointer);
#endif
