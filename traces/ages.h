/* SPDX-License-Identifier: MIT */
/* How old what a block read of its neighbours was, in a run that does not wait (async/blocks.h). */
#ifndef HG_TRACES_AGES_H
#define HG_TRACES_AGES_H

#include <stdint.h>

/** Ages 0, 1, 2..3, 4..7, .. 32..63, and 64 or more. */
enum { HG_AGES = 8 };

/** Of all sweeps of a block. Age: of what was read from a neighbour, in the block's own sweeps since it was new.
 * Doubles, so that ranks can add theirs up. */
typedef struct hg_block_ages {
  double sweeps;
  double stale;        /**< sweeps that knew something old of some neighbour */
  double oldest;       /**< largest age */
  double age[HG_AGES]; /**< how often a neighbour's values of such an age were read */
} hg_block_ages;

/** Counts what was read from a neighbour. */
static inline void hg_ages_count(hg_block_ages *ages, int64_t age)
{
  int class = 0;
  while (class < HG_AGES - 1 && age >> class > 0) class ++;
  ages->age[class]++;
  if ((double)age > ages->oldest) ages->oldest = (double)age;
}
#endif
