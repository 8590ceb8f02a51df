/* SPDX-License-Identifier: MIT */
#ifndef HG_PARTITION_COLUMNS_H
#define HG_PARTITION_COLUMNS_H

#include "partition/partition.h"

/** Least total half-perimeter of columns on width x height for the sorted shares s[count].
 * @param[out] column_start  [count] first share of each column, last column first; may be NULL with columns
 * @param[out] columns  number of columns
 * Infinite if memory runs out. O(count^2). */
double hg_columns_plan(const hg_share *s, int count, double width, double height, int *column_start, int *columns);

/** The better orientation on size[0] (axis u) x size[1] (axis v), grown under `parent`. */
hg_status hg_columns_best(const hg_share *s, int count, const double size[2], int u, int v, hg_tree *t, int parent);
#endif
