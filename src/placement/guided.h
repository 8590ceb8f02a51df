/* SPDX-License-Identifier: MIT */
/* Guided self-scheduling: independent units in batches of decreasing size. A free worker takes the next batch, so all
 * finish together whatever their speeds. A batch is a fixed share of what is left when it is taken: 1 / (4 workers), a
 * quarter of an even part, so that a worker four times slower than the others is not the last one. The batches follow
 * from the arguments alone, so their limits need not be communicated.
 *
 *   100 units, 2 workers, at least 5:  13 11 10 9 8 7 6 5 5 5 5 5 5 5 1
 *
 * Polychronopoulos, Kuck, Guided self-scheduling, IEEE Transactions on Computers 36 (1987). */
#ifndef HG_PLACEMENT_GUIDED_H
#define HG_PLACEMENT_GUIDED_H

#include <stdint.h>

#include "base/status.h"

/** Cuts `units` >= 1 into batches for `workers` >= 1. HG_MEMORY.
 * @param least  least units of a batch, >= 1, except the last one
 * @param[out] begin  malloc'ed [*count + 1]: first unit of each, then `units` */
hg_status hg_guided_cut(int64_t units, int workers, int64_t least, int64_t **begin, int *count);
#endif
