/* SPDX-License-Identifier: MIT */
/* A trailer for HDF5 files that hetgrid reads again: a checksum of all bytes before it, which HDF5 ignores. It detects
 * damaged files before the HDF5 library, which trusts its input, reads them. */
#ifndef HG_RESULT_HDF5_TRAILER_H
#define HG_RESULT_HDF5_TRAILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/file.h"
#include "base/checksum.h"
#include "base/status.h"
#include "runtime/session.h"

/** Appends the trailer to a finished file that is open for reading and writing and will become `path`.
 * @param known   bytes from `first` on whose `sum` is known, so that they are not read again; 0: none
 * @param identity  of the problem
 * HG_IO. */
hg_status hg_hdf5_write_trailer(int fd, const char *path, const hg_checksum *sum, int64_t first, int64_t known,
                                uint64_t identity);

/** HG_IO, or HG_FORMAT if the file has no trailer or is damaged; `what` names the expected kind of file
 * ("checkpoint"). Collective: each rank checks a part; fails on all ranks alike. */
hg_status hg_hdf5_check_trailer(const hg_session *session, const char *path, const char *what);

/** Adds the sums of all ranks, on all ranks. Collective. */
void hg_checksums_of_all(const hg_session *session, hg_checksum *sum);

/** HG_INVALID if there is a file other than a checkpoint (complete or not) of the problem with that identity. */
hg_status hg_hdf5_check_place(const char *path, uint64_t identity);

/** Scalar attributes; `at` and `type` are hid_t. */
bool hg_hdf5_put(int64_t at, const char *name, int64_t type, const void *value);
bool hg_hdf5_get(int64_t at, const char *name, int64_t type, void *value);

/** Text attributes. A text that is read is malloc'ed; NULL: none, or no memory. */
bool hg_hdf5_put_text(int64_t at, const char *name, const char *text);
char *hg_hdf5_get_text(int64_t at, const char *name);
#endif
