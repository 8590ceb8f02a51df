/* SPDX-License-Identifier: MIT */
/* Pictures of a measured network. */
#ifndef HG_NETWORK_DRAW_H
#define HG_NETWORK_DRAW_H

#include "network/predict.h"

/** Draws a level, time over size, both logarithmic (0 bytes at the left edge): points with their quartiles, unstable
 * ones hollow; the prediction; the straight pieces. HG_IO, HG_MEMORY. */
hg_status hg_network_draw(const char *path, const hg_network *network, const hg_network_level *level);

/** Draws the best algorithm of a broadcast over ranks 2 .. ranks and sizes up to max_bytes. HG_IO, HG_MEMORY, and what
 * hg_network_choose returns. */
hg_status hg_network_draw_choice(const char *path, const hg_network *network, const hg_rank_layout *group,
                                 double max_bytes);
#endif
