/* SPDX-License-Identifier: MIT */
/* Where measurements of a machine are kept, and how their files are named. */
#ifndef HG_BASE_DATA_FOLDER_H
#define HG_BASE_DATA_FOLDER_H

#include <stddef.h>

#include "base/file.h"
#include "base/status.h"

/** A model name as it appears in file names: letters, digits and '-' only. */
void hg_device_key(const char *model, char *key, size_t size);

/** Path of a file in the folder of tables: $HETGRID_TABLES, else $XDG_DATA_HOME/hetgrid/tables, else
 * ~/.local/share/hetgrid/tables; the latter two must be absolute. HG_UNSUPPORTED where none of them is set; HG_INVALID
 * if it is too long. */
hg_status hg_table_file(const char *name, char path[HG_PATH_MAX]);

/** Creates the folder of a path and those above it. HG_IO. */
hg_status hg_make_folders(const char *path);
#endif
