/* SPDX-License-Identifier: MIT */
/* A copy of a rank's values in the order of a file; it is written while steps change the values themselves. Internal
 * to job/. */
#ifndef HG_JOB_SNAPSHOT_COPY_H
#define HG_JOB_SNAPSHOT_COPY_H

#include "job/run.h"

/** Values that are contiguous in the file. */
typedef struct hg_stretch {
  int64_t at, bytes; /**< in the file */
  size_t from;       /**< byte of the copy */
} hg_stretch;

typedef struct hg_copy {
  const hg_run *run;
  const int64_t *offset; /**< [units + 1] bytes before each value, or NULL: all have the same size */
  char *values;          /**< aligned to a page */
  size_t room;           /**< bytes of them */
  hg_stretch *stretch;   /**< [count] ascending; large ones have the same offset in a page as in the file */
  int64_t count;
} hg_copy;

/** Bytes of the file before value `id`. */
static inline int64_t hg_copy_at(const hg_copy *copy, int64_t id)
{
  return copy->offset ? copy->offset[id] : id * copy->run->job->update->value_bytes;
}

/** Lists the stretches of this rank under the present division, and allocates memory for them, which is kept for the
 * next copy. Returns whether there was enough. */
bool hg_copy_make_room(hg_copy *copy);

/** Copies the values with all cores. The steps must be done. Cost: a copy in memory. */
hg_status hg_copy_take(hg_copy *copy, hg_run *run);

void hg_copy_drop(hg_copy *copy);
#endif
