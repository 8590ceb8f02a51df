/* SPDX-License-Identifier: MIT */
/* Texts that may be compressed by gzip. */
#ifndef HG_INPUT_GUNZIP_H
#define HG_INPUT_GUNZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/** Whether a path ends with `ending`, optionally followed by .gz. */
bool hg_text_has_ending(const char *path, const char *ending);

/** As hg_file_map, but decompresses a file compressed by gzip. Release with munmap. HG_IO, HG_MEMORY; HG_FORMAT for a
 * file that is damaged, truncated or empty. */
hg_status hg_text_map(const char *path, void **bytes, size_t *size);
#endif
