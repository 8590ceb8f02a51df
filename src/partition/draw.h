/* SPDX-License-Identifier: MIT */
/* Pictures of a partition. */
#ifndef HG_PARTITION_DRAW_H
#define HG_PARTITION_DRAW_H

#include <stdio.h>

#include "partition/metrics.h"

/** Draws a 2-D partition as SVG: parts coloured by speed, labelled with number, share and messages; `halo` > 0 shades
 * the cells that each part receives. 3-D grids are drawn as the layer at half their depth. HG_IO. */
hg_status hg_partition_draw(FILE *out, const char *title, const hg_partition_request *request, const hg_rect *rect,
                            double halo);
#endif
