/* SPDX-License-Identifier: MIT */
/* HDF5 files of our own that are read again: they end with a seal over all bytes before it, which HDF5 does not look
 * at. A damaged file is found before the HDF5 library, which trusts what it reads, gets to see it. Internal to result/.
 */
#ifndef HG_RESULT_SEALED_HDF5_H
#define HG_RESULT_SEALED_HDF5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/file.h"
#include "base/status.h"

/** Ends a finished file, that is to become `path`, with its seal. HG_IO. */
hg_status hg_hdf5_seal(const char *temporary, const char *path, uint64_t identity);

/** HG_IO, or HG_FORMAT if the file has no seal or is not as it was written; `what` says what the
 * file should be ("checkpoint"). */
hg_status hg_hdf5_check_seal(const char *path, const char *what);

/** HG_INVALID if there is a file that is no checkpoint of the problem with that identity, whole or not. */
hg_status hg_hdf5_check_place(const char *path, uint64_t identity);

/** Scalar attributes; `at` and `type` are hid_t. */
bool hg_hdf5_put(int64_t at, const char *name, int64_t type, const void *value);
bool hg_hdf5_get(int64_t at, const char *name, int64_t type, void *value);
#endif
