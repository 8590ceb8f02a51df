/* SPDX-License-Identifier: MIT */
/* Small files of the kernel. Internal to energy/. */
#ifndef HG_ENERGY_SYSFS_H
#define HG_ENERGY_SYSFS_H

#include <stdint.h>

#include "base/file.h"

/** Their root: HETGRID_SYSFS, else /sys. */
const char *hg_sysfs_root(void);

/** FOLDER/NAME: the first line, without its newline. HG_IO; HG_FORMAT if it does not fit into `size` bytes. */
hg_status hg_sysfs_text(const char *folder, const char *name, char *out, size_t size);

/** FOLDER/NAME: a whole number >= 0. HG_IO, HG_FORMAT */
hg_status hg_sysfs_int(const char *folder, const char *name, uint64_t *out);
#endif
