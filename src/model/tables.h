/* SPDX-License-Identifier: MIT */
/* Where speed tables are kept: one per application, kernel, precision and device, so that a table serves every machine
 * with that device. */
#ifndef HG_MODEL_TABLES_H
#define HG_MODEL_TABLES_H

#include <stdio.h>

#include "base/file.h"
#include "base/status.h"
#include "model/speed.h"

/** Model name of this machine's processor, letters, digits and '-' only. */
void hg_device_name(char *name, size_t size);

/** Path of the table of a CPU worker: in $HETGRID_TABLES, else $XDG_DATA_HOME/hetgrid/tables, else
 * ~/.local/share/hetgrid/tables. HG_INVALID if it is too long. */
hg_status hg_table_path(const char *app, const char *kernel, const char *precision, char path[HG_PATH_MAX]);

/** Makes the folder of a path and those above it. HG_IO. */
hg_status hg_make_folders(const char *path);

/** Draws speed over work, a curve for each c of the table. HG_IO. */
hg_status hg_speed_table_draw(FILE *out, const char *title, const hg_speed_table *table);
#endif
