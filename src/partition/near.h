/* SPDX-License-Identifier: MIT */
/* Finds pairs of boxes that are close to each other, without comparing all pairs. */
#ifndef HG_PARTITION_NEAR_H
#define HG_PARTITION_NEAR_H

#include <stdbool.h>

#include "base/status.h"
#include "partition/tree.h"

/** Called for a pair: box i of one list, box j of the other. */
typedef void hg_near_fn(void *arg, int i, int j);

/** Whether some extent is 0 or less. */
bool hg_rect_is_empty(const hg_rect *rect);

/** Finds all pairs of one[ones] and other[others] that overlap or are at most reach[axis] apart along every axis;
 * empty boxes have no neighbours. Each pair is reported once, in an order that depends on the boxes alone. HG_MEMORY.
 * Cost: n log n for n boxes, plus n times the number of boxes that a plane cuts for the best axis: n for bands, about
 * n sqrt(n) for a mesh. */
hg_status hg_near_pairs(int ones, const hg_rect *one, int others, const hg_rect *other, const double reach[3],
                        hg_near_fn *tell, void *arg);
#endif
