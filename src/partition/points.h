/* SPDX-License-Identifier: MIT */
/* Partition by points (thesis 3.1): cells in row order are assigned in contiguous runs. */
#ifndef HG_PARTITION_POINTS_H
#define HG_PARTITION_POINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/** Fills start[parts + 1]: processor i owns the cells start[i] .. start[i+1]-1, x fastest. HG_INVALID for more cells
 * than can be numbered, or measured in about a minute. */
hg_status hg_points_divide(const int64_t n[3], int parts, const double *speed, int64_t *start);

typedef struct hg_points_metrics {
  int64_t items_cells; /**< distinct halo values, summed over ordered pairs of processors */
  int64_t items_edges; /**< 2 x number of neighbouring cells of different processors */
  int pairs;           /**< neighbouring pairs of processors */
  int max_neighbours;
} hg_points_metrics;

/** Measures such a partition. Along `periodic` axes (NULL: none) ends are neighbours. Examines only cells within a row
 * (3-D: a layer) of where a processor's cells begin or end. O(min(cells, parts * row) * dims + parts^2). HG_MEMORY. */
hg_status hg_points_measure(const int64_t n[3], const bool periodic[3], int parts, const int64_t *start,
                            hg_points_metrics *out);
#endif
