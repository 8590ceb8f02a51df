/* SPDX-License-Identifier: MIT */
/* Values of any type in a checkpoint: bytes in the order of units' identifiers, dataset `values`. */
#ifndef HG_RESULT_VALUES_HDF5_H
#define HG_RESULT_VALUES_HDF5_H

#include "result/write.h"

/** Checks before the run that hg_values_write can write there. HG_INVALID, HG_IO. */
hg_status hg_checkpoint_check(const char *path, uint64_t identity);

/** Writes a checkpoint; the one that was there becomes FILE.previous.ENDING. HG_INVALID if what is there is no
 * checkpoint of this problem, HG_IO. */
hg_status hg_values_write(const char *path, const void *values, int64_t bytes, const hg_checkpoint *checkpoint);

/** Reads it. HG_FORMAT if it is damaged or not of that kind, HG_INVALID if it is of another job.
 * @param[out] values  malloc'ed, `bytes` of them; the caller frees them */
hg_status hg_values_read(const char *path, int64_t bytes, uint64_t identity, hg_checkpoint *checkpoint,
                         unsigned char **values);
#endif
