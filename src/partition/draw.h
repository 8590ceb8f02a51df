/* SPDX-License-Identifier: MIT */
/* Pictures of a partition. */
#ifndef HG_PARTITION_DRAW_H
#define HG_PARTITION_DRAW_H

#include "chart/chart.h"
#include "partition/metrics.h"

/** Draws a partition: parts coloured by speed, labelled with number, share and messages if there is room; `halo` > 0
 * shades the cells that each part receives. For 3-D grids it draws up to six layers, which show every part if six
 * suffice. HG_IO, HG_MEMORY. */
hg_status hg_partition_draw(const char *path, const char *title, const hg_partition_request *request,
                            const hg_rect *rect, double halo);

/** Draws a partition by points: runs of cells in row order, from start[part] to start[part + 1] - 1, with their number
 * if there is room; up to six layers of 3-D grids. HG_IO, HG_MEMORY. @param n  cells along each axis */
hg_status hg_points_draw(const char *path, const int64_t n[3], int parts, const int64_t *start);
#endif
