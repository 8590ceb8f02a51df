/* SPDX-License-Identifier: MIT */
/* Checkpoints of values of any type: bytes in the order of units' identifiers, in dataset `values`. All ranks write
 * the file, and each reads what it needs. */
#ifndef HG_RESULT_CHECKPOINT_H
#define HG_RESULT_CHECKPOINT_H

#include "result/metadata.h"
#include "result/shared_file.h"

/** State of the condition that may end a run. */
typedef struct hg_looked {
  double reduction;           /**< reduction of the quantity at this step; NaN: not measured */
  double half;                /**< half of the last reduction that was below `half`; infinite before the first */
  int64_t half_since;         /**< steps done at that time */
  int64_t converged, stalled; /**< whether the condition or rounding ended the run */
} hg_looked;

/** State of an interrupted run. */
typedef struct hg_checkpoint {
  int64_t step;                /**< steps done */
  uint64_t identity;           /**< of the problem */
  const char *problem;         /**< the problem (runtime/consistency.h), for messages that name what differs, or NULL */
  int64_t bytes;               /**< of all values */
  const hg_metadata *metadata; /**< metadata of the values, or NULL */
  void *parameters;            /**< [parameter_bytes] that have changed since the start */
  size_t parameter_bytes;
  hg_looked looked;
} hg_checkpoint;

/** Makes one for a problem from hg_consistency_problem. */
hg_checkpoint hg_checkpoint_of(const char *problem);

/** Checks before the run that a checkpoint can be written: `path` has HDF5's ending, and it and the file of its
 * previous generation do not exist or are complete checkpoints of the same problem. HG_INVALID naming the file and what
 * differs, HG_IO. */
hg_status hg_checkpoint_check(const char *path, const hg_checkpoint *checkpoint);

/** Begins a checkpoint, to which the ranks write the values (hg_shared_put). Collective. */
hg_status hg_checkpoint_begin(const hg_session *session, const char *path, const hg_checkpoint *checkpoint,
                              hg_shared_file *out);

/** Ends it; an existing one becomes FILE.previous.ENDING. HG_INVALID if the existing file is not a checkpoint of this
 * problem, HG_IO. Collective over file->session; fails on all ranks alike. */
hg_status hg_checkpoint_end(hg_shared_file *file, const hg_checkpoint *checkpoint, hg_status mine);

/** An open checkpoint. */
typedef struct hg_stored {
  FILE *file;    /**< NULL: none */
  int64_t first; /**< offset of the values in the file */
} hg_stored;

/** Opens a checkpoint. HG_FORMAT if it is damaged or no checkpoint, HG_INVALID if it is of another job. Collective;
 * fails on all ranks alike. @param checkpoint  identity, bytes and parameter_bytes; gets step, parameters and
 * looked */
hg_status hg_checkpoint_open(const hg_session *session, const char *path, hg_checkpoint *checkpoint, hg_stored *out);

/** Write or read a whole checkpoint on one rank; reading verifies the file's checksum. @param[out] values  malloc'ed,
 * checkpoint->bytes bytes; the caller frees them. Status as above; HG_MEMORY. */
hg_status hg_checkpoint_write(const char *path, const void *values, const hg_checkpoint *checkpoint);
hg_status hg_checkpoint_read(const char *path, hg_checkpoint *checkpoint, unsigned char **values);

/** Reads `size` bytes from byte `at` of the values. HG_IO. */
hg_status hg_stored_read(const hg_stored *stored, int64_t at, size_t size, void *out);
void hg_stored_close(hg_stored *stored);
#endif
