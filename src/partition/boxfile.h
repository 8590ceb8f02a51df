/* SPDX-License-Identifier: MIT */
/* A partition given by the user as a file. */
#ifndef HG_PARTITION_BOXFILE_H
#define HG_PARTITION_BOXFILE_H

#include <stddef.h>

#include "base/box.h"
#include "base/status.h"

/** Reads one box per line, `x,y,w,h` (2-D) or `x,y,z,w,h,d` (3-D) or `x,w` (1-D), whole numbers, in the order of the
 * processors, and checks that they cover n cells exactly once. HG_FORMAT, HG_INVALID naming file, line and value. */
hg_status hg_boxes_read(const char *path, int dims, const int64_t n[3], int parts, hg_box *box);

/** The same for text in memory. */
hg_status hg_boxes_parse(const char *text, size_t size, const char *place, int dims, const int64_t n[3], int parts,
                         hg_box *box);
#endif
