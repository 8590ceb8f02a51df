/* SPDX-License-Identifier: MIT */
/* A copy of a rank's values in the order in which they lie in a file, which is written while steps change the values
 * themselves. Internal to job/. */
#ifndef HG_JOB_SNAPSHOT_COPY_H
#define HG_JOB_SNAPSHOT_COPY_H

#include "job/run.h"

/** Values that lie one after the other in the file. */
typedef struct hg_stretch {
  int64_t at, bytes; /**< in the file */
  size_t from;       /**< byte of the copy */
} hg_stretch;

typedef struct hg_copy {
  const hg_run *run;
  const int64_t *offset; /**< [units + 1] bytes before each value, or NULL: all have the same size */
  char *values;          /**< aligned to a page */
  size_t room;           /**< bytes of them */
  hg_stretch *stretch;   /**< [count] ascending; large ones lie in their pages as they do in those of the file */
  int64_t count;
} hg_copy;

/** Bytes of the file before value `id`. */
static inline int64_t hg_copy_at(const hg_copy *copy, int64_t id)
{
  return copy->offset ? copy->offset[id] : id * copy->run->job->update->value_bytes;
}

/** Lists the stretches of this rank as its grid is divided now, and takes memory for them, which stays for the next
 * copy. Whether there is as much. */
bool hg_copy_make_room(hg_copy *copy);

/** Copies the values, by all cores. The steps are done. Cost: a copy in memory. */
hg_status hg_copy_take(hg_copy *copy, hg_run *run);

void hg_copy_drop(hg_copy *copy);
#endif
