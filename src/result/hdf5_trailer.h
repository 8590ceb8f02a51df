/* SPDX-License-Identifier: MIT */
/* HDF5 files of our own that are read again: they end with a seal over all bytes before it, which HDF5 does not look
 * at. A damaged file is found before the HDF5 library, which trusts what it reads, gets to see it. */
#ifndef HG_RESULT_HDF5_TRAILER_H
#define HG_RESULT_HDF5_TRAILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/file.h"
#include "base/checksum.h"
#include "base/status.h"
#include "runtime/session.h"

/** Appends the seal to a finished file that is open for reading and writing and is to become `path`.
 * @param known     bytes from `first` on of which `sum` is known, so that they are not read again; 0: none
 * @param identity  of the problem
 * HG_IO. */
hg_status hg_hdf5_write_trailer(int fd, const char *path, const hg_checksum *sum, int64_t first, int64_t known,
                                uint64_t identity);

/** HG_IO, or HG_FORMAT if the file has no seal or is not as it was written; `what` says what the
 * file should be ("checkpoint"). Collective: each rank looks at a part; fails on all ranks alike. */
hg_status hg_hdf5_check_trailer(const hg_session *session, const char *path, const char *what);

/** The sum of all ranks' sums, on all ranks. Collective. */
void hg_checksums_of_all(const hg_session *session, hg_checksum *sum);

/** HG_INVALID if there is a file that is no checkpoint of the problem with that identity, whole or not. */
hg_status hg_hdf5_check_place(const char *path, uint64_t identity);

/** Scalar attributes; `at` and `type` are hid_t. */
bool hg_hdf5_put(int64_t at, const char *name, int64_t type, const void *value);
bool hg_hdf5_get(int64_t at, const char *name, int64_t type, void *value);

/** Text attributes. The one that is read is malloc'ed; NULL: there is none, or no memory. */
bool hg_hdf5_put_text(int64_t at, const char *name, const char *text);
char *hg_hdf5_get_text(int64_t at, const char *name);
#endif
