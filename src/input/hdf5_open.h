/* SPDX-License-Identifier: MIT */
/* Opening HDF5 files to read them. */
#ifndef HG_INPUT_HDF5_OPEN_H
#define HG_INPUT_HDF5_OPEN_H

#include <stdint.h>

#include "base/status.h"

/** Opens a file for reading; the library prints nothing. Close with H5Fclose. @param[out] file  hid_t
 * HG_IO; HG_FORMAT if it is not HDF5, is truncated, or another program has it open for writing. */
hg_status hg_hdf5_open_file(const char *path, int64_t *file);
#endif
