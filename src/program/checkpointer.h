/* SPDX-License-Identifier: MIT */
/* When a program that keeps checkpoints writes one, what a failure to do so costs, and how it ends when it is
 * interrupted. What a checkpoint is, is the program's to know; it gets step numbers from here. */
#ifndef HG_PROGRAM_CHECKPOINTER_H
#define HG_PROGRAM_CHECKPOINTER_H

#include "runtime/session.h"
#include "options/grid_options.h"

typedef struct hg_checkpointer {
  const hg_grid_options *options; /**< --checkpoint and its relatives */
  double saved;                   /**< when the last one was written, or the run began, s */
  int signal;                     /**< that any rank got, or 0: the run is to end */
  hg_status unsaved;              /**< what kept the last one of the run from being written */
} hg_checkpointer;

/** A run begins. */
hg_checkpointer hg_checkpointer_begin(const hg_grid_options *options);

/** Whether to write one after `done` steps: where there are to be any, and it is due, late, the end, or any rank got a
 * signal. Collective; all ranks agree. */
bool hg_checkpointer_is_time(hg_checkpointer *checkpointer, const hg_session *session, int64_t done, bool last);

/** What becomes of the run when writing one returned `status`: one that cannot be written costs nothing but itself as
 * long as the run goes on; that of the end is missed when the results are written, that of a signal at once.
 * @param last  no other follows, because of the end or a signal */
hg_status hg_checkpointer_tolerate(hg_checkpointer *checkpointer, hg_status status, int64_t done, bool last);

/** HG_RUNTIME saying how to go on, if a signal ended the run. */
hg_status hg_checkpointer_end(const hg_checkpointer *checkpointer, int64_t done);

/** After the results have been written: tells that the last one could not be. */
hg_status hg_checkpointer_finish(const hg_checkpointer *checkpointer);
#endif
