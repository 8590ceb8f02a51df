/* SPDX-License-Identifier: MIT */
/* Neighbours by index on a whole grid, for the serial references. `kind` of a side: 0 held, 1 mirrored, 2 periodic. */
#ifndef HG_CODELETS_HEAT_GRID_SIDES_H
#define HG_CODELETS_HEAT_GRID_SIDES_H

#include <stdbool.h>
#include <stdint.h>

#include "codelets/tile.h"

/** Index of the neighbour of i at distance d = -1 or +1 on an axis of n cells. */
static inline int64_t hg_grid_neighbour(int64_t i, int d, int64_t n, const int kind[2])
{
  const int64_t j = i + d;
  if (j >= 0 && j < n) return j;
  return kind[d > 0] == 2 ? (j + n) % n : i;
}

/** Whether a cell keeps its value. */
static inline bool hg_grid_is_held(const int64_t at[3], const int64_t n[3], const int kind[3][2], int dims)
{
  for (int axis = 0; axis < dims; axis++)
    if ((kind[axis][HG_LO] == 0 && at[axis] == 0) || (kind[axis][HG_HI] == 0 && at[axis] == n[axis] - 1)) return true;
  return false;
}
#endif
