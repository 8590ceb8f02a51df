/* SPDX-License-Identifier: MIT */
/* Guided self-scheduling: independent units in batches that become smaller and smaller, so that whoever is free takes
 * the next one and all finish together, however fast they are. A batch has a fixed share of what is left when it is
 * taken: 1 / (4 workers), a quarter of an even part, since a worker four times slower than the others should not be the
 * last one. The batches follow from the numbers alone, so nobody has to tell where one begins.
 *
 *   100 units, 2 workers, at least 5:  13 11 10 9 8 7 6 5 5 5 5 5 5 5 1
 *
 * Polychronopoulos, Kuck, Guided self-scheduling, IEEE Transactions on Computers 36 (1987). */
#ifndef HG_PLACEMENT_GUIDED_H
#define HG_PLACEMENT_GUIDED_H

#include <stdint.h>

#include "base/status.h"

/** Cuts `units` >= 1 into batches for `workers` >= 1. HG_MEMORY.
 * @param least  units of a batch, >= 1, but for the last one
 * @param[out] begin  malloc'ed [*count + 1]: first unit of each, then `units` */
hg_status hg_guided_cut(int64_t units, int workers, int64_t least, int64_t **begin, int *count);
#endif
