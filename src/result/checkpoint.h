/* SPDX-License-Identifier: MIT */
/* Values of any type in a checkpoint: bytes in the order of units' identifiers, dataset `values`. All ranks write it,
 * and read what they need of it. */
#ifndef HG_RESULT_CHECKPOINT_H
#define HG_RESULT_CHECKPOINT_H

#include "result/metadata.h"
#include "result/shared_file.h"

/** What a run knew of the condition that may end it. */
typedef struct hg_looked {
  double reduction;           /**< of the quantity at this step; NaN: it was not measured */
  double half;                /**< of the last reduction that was below `half`; infinite before the first */
  int64_t half_since;         /**< steps done then */
  int64_t converged, stalled; /**< whether the condition, or rounding, ended the run */
} hg_looked;

/** State of an interrupted run. */
typedef struct hg_checkpoint {
  int64_t step;                /**< steps done */
  uint64_t identity;           /**< of the problem */
  const char *problem;         /**< itself (runtime/consistency.h), so that a message can name what differs, or NULL */
  int64_t bytes;               /**< of all values */
  const hg_metadata *metadata; /**< where they come from, or NULL */
  void *parameters;            /**< [parameter_bytes] that have changed since the start */
  size_t parameter_bytes;
  hg_looked looked;
} hg_checkpoint;

/** One of a problem as hg_consistency_problem gives it. */
hg_checkpoint hg_checkpoint_of(const char *problem);

/** Checks before the run that one can be written there: there is nothing, or a whole checkpoint of the same problem,
 * and nothing else where it will be kept as the one before. HG_INVALID naming the file and what differs, HG_IO. */
hg_status hg_checkpoint_check(const char *path, const hg_checkpoint *checkpoint);

/** Begins a checkpoint, into which the ranks put the values (hg_shared_put). Collective. */
hg_status hg_checkpoint_begin(const hg_session *session, const char *path, const hg_checkpoint *checkpoint,
                              hg_shared_file *out);

/** Ends it; the one that was there becomes FILE.previous.ENDING. HG_INVALID if what is there is no checkpoint of this
 * problem, HG_IO. Collective, by file->session; fails on all ranks alike. */
hg_status hg_checkpoint_end(hg_shared_file *file, const hg_checkpoint *checkpoint, hg_status mine);

/** An open checkpoint. */
typedef struct hg_stored {
  FILE *file;    /**< NULL: none */
  int64_t first; /**< byte of the file where the values begin */
} hg_stored;

/** Opens one. HG_FORMAT if it is damaged or not of that kind, HG_INVALID if it is of another job. Collective; fails on
 * all ranks alike. @param checkpoint  identity, bytes and parameter_bytes; gets step, parameters and looked */
hg_status hg_checkpoint_open(const hg_session *session, const char *path, hg_checkpoint *checkpoint, hg_stored *out);

/** A whole checkpoint by one rank, and one that this rank reads for itself; the file's checksum is looked at.
 * @param[out] values  malloc'ed, checkpoint->bytes of them; the caller frees them. As the functions above; HG_MEMORY.
 */
hg_status hg_checkpoint_write(const char *path, const void *values, const hg_checkpoint *checkpoint);
hg_status hg_checkpoint_read(const char *path, hg_checkpoint *checkpoint, unsigned char **values);

/** Reads `size` bytes from byte `at` of the values. HG_IO. */
hg_status hg_stored_read(const hg_stored *stored, int64_t at, size_t size, void *out);
void hg_stored_close(hg_stored *stored);
#endif
