/* SPDX-License-Identifier: MIT */
/* HDF5 files that appear whole or not at all. They are written through a driver of our own: after a
 * failed write the HDF5 library cannot close its file and crashes when the process ends, so the
 * driver keeps failures to itself until the file is closed. */
#ifndef HG_RESULT_HDF5_WRITER_H
#define HG_RESULT_HDF5_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/file.h"
#include "base/status.h"

/** A file that is being written. */
typedef struct hg_hdf5_writer {
  int64_t file; /**< hid_t */
  int fd;
  int error; /**< errno of the first write that failed, or 0 */
  char temporary[HG_PATH_MAX];
} hg_hdf5_writer;

/** Creates the file under a temporary name; it must stay where it is (*writer) until the end.
 * HG_IO, HG_INVALID. */
hg_status hg_hdf5_begin(const char *path, hg_hdf5_writer *writer);

/** Creates a dataset without the time in it, so that the same values make the same bytes. `type`,
 * `space` and the result are hid_t; < 0 on failure. */
int64_t hg_hdf5_dataset(const hg_hdf5_writer *writer, const char *name, int64_t type, int64_t space);

/** As hg_hdf5_dataset, of values that are not written through the library: its room in the file, in one piece, begins
 * at byte *first. */
int64_t hg_hdf5_room(const hg_hdf5_writer *writer, const char *name, int64_t type, int64_t space, int64_t *first);

/** Ends what the library does with the file, whose other objects are closed; `fd` stays open. If not all was written
 * (`good`) it is closed and the file removed: HG_IO. */
hg_status hg_hdf5_leave(hg_hdf5_writer *writer, bool good, const char *path);

/** Closes the file, whose other objects are closed. If all was written (`good`) it is sealed and
 * appears as `path`, otherwise it is removed. */
hg_status hg_hdf5_end(hg_hdf5_writer *writer, bool good, const char *path);
#endif
