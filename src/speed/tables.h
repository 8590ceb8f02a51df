/* SPDX-License-Identifier: MIT */
/* Storage of speed tables: one per application, kernel, precision and device, so that a table serves every machine
 * with that device. */
#ifndef HG_SPEED_TABLES_H
#define HG_SPEED_TABLES_H

#include <stdio.h>

#include "base/file.h"
#include "base/status.h"
#include "base/data_folder.h"
#include "speed/speed.h"

/** Kernel in the names of GPUs' tables. */
#define HG_GPU_KERNEL "cuda"

/** Model name of this machine's processor, as the system gives it; "cpu" if it does not tell. */
void hg_cpu_model(char *name, size_t size);

/** Extends a device key for a table of tasks of so many steps. @param steps  0: the key stays as it is */
void hg_device_in_blocks(char *device, size_t size, int steps);

/** Path of the table of a device (its key), in that folder. HG_INVALID if it is too long. */
hg_status hg_table_path(const char *app, const char *kernel, const char *precision, const char *device,
                        char path[HG_PATH_MAX]);

/** Checks that a table can be used for dividing: HG_INVALID if the error in its head is above 0.4 and above four times
 * the required one. */
hg_status hg_table_check_error(const char *path, const hg_speed_table *table);

/** Reads the table of a device in that folder for any kernel; of several the fastest at `cells`, since programs use
 * the fastest kernel. @param[out] out  nw is 0 if there is none; free with hg_speed_table_free
 * HG_IO if the folder does not exist, else as hg_speed_table_read. */
hg_status hg_table_of_device(const char *app, const char *precision, const char *device, double cells,
                             hg_speed_table *out);

/** Draws speed over work, with a curve for each c. HG_IO, HG_MEMORY. */
hg_status hg_speed_table_draw(const char *path, const char *title, const hg_speed_table *table);
#endif
