/* SPDX-License-Identifier: MIT */
/* File names, and files that appear whole or not at all: written under a temporary name, then put in their place. */
#ifndef HG_BASE_FILE_H
#define HG_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

enum { HG_PATH_MAX = 4200 };

/** Whether a path ends with `ending` (such as ".csv", in any case) and has more before it. */
bool hg_file_has_ending(const char *path, const char *ending);

/** FOLDER/NAME. HG_INVALID if that is too long. */
hg_status hg_file_in(const char *folder, const char *name, char path[HG_PATH_MAX]);

/** Name beside `path` to write to. HG_INVALID if it is too long. */
hg_status hg_file_temporary(const char *path, char temporary[HG_PATH_MAX]);

/** Opens a text file that is to appear whole or not at all, under a temporary name. HG_IO, HG_INVALID. */
hg_status hg_file_begin(const char *path, char temporary[HG_PATH_MAX], FILE **out);

/** Closes it. If `status` is HG_OK and all was written it appears as `path`, otherwise it is removed. Returns `status`,
 * or HG_IO. */
hg_status hg_file_end(FILE *out, const char *temporary, const char *path, hg_status status);

/** Flushes the finished temporary file to the disk and renames it to `path`; on failure removes it. HG_IO. */
hg_status hg_file_commit(const char *temporary, const char *path);
#endif
