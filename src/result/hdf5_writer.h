/* SPDX-License-Identifier: MIT */
/* HDF5 files that appear whole or not at all. They are written through a driver of hetgrid's own: after a failed
 * write, the HDF5 library cannot close its file and crashes at exit, so the driver records failures and reports them
 * only when the file is closed. */
#ifndef HG_RESULT_HDF5_WRITER_H
#define HG_RESULT_HDF5_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/file.h"
#include "base/status.h"

/** A file being written. */
typedef struct hg_hdf5_writer {
  int64_t file; /**< hid_t */
  int fd;
  int error; /**< errno of the first write that failed, or 0 */
  char temporary[HG_PATH_MAX];
} hg_hdf5_writer;

/** Creates the file under a temporary name; *writer must not move until the end.
 * HG_IO, HG_INVALID. */
hg_status hg_hdf5_begin(const char *path, hg_hdf5_writer *writer);

/** Creates a dataset without a time stamp, so that the same values give the same bytes. `type`, `space` and the result
 * are hid_t; < 0 on failure. */
int64_t hg_hdf5_dataset(const hg_hdf5_writer *writer, const char *name, int64_t type, int64_t space);

/** As hg_hdf5_dataset, for values that are not written through the library: the dataset is contiguous in the file,
 * from byte *first on. */
int64_t hg_hdf5_room(const hg_hdf5_writer *writer, const char *name, int64_t type, int64_t space, int64_t *first);

/** Closes the file in the library; its other objects must be closed. `fd` stays open. If not all was written (`good`
 * is false), it is closed and the file is removed: HG_IO. */
hg_status hg_hdf5_leave(hg_hdf5_writer *writer, bool good, const char *path);

/** Closes the file; its other objects must be closed. If all was written (`good`), it gets its trailer and appears as
 * `path`; otherwise it is removed. */
hg_status hg_hdf5_end(hg_hdf5_writer *writer, bool good, const char *path);
#endif
