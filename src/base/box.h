/* SPDX-License-Identifier: MIT */
/* Boxes of grid cells. Axis 0 is x (columns, fastest in memory), 1 is y (rows), 2 is z (layers). */
#ifndef HG_BASE_BOX_H
#define HG_BASE_BOX_H

#include <stdbool.h>
#include <stdint.h>

/** The cells lo[a] <= i < hi[a] of each axis; axes that a grid does not have span 0..1. */
typedef struct hg_box {
  int64_t lo[3]; /**< first cell */
  int64_t hi[3]; /**< one past the last cell */
} hg_box;

/** Extent of an axis in cells, 0 if hi < lo. */
static inline int64_t hg_box_extent(const hg_box *b, int axis)
{
  return b->hi[axis] > b->lo[axis] ? b->hi[axis] - b->lo[axis] : 0;
}

/** Number of cells; INT64_MAX if there are more. */
static inline int64_t hg_box_cells(const hg_box *b)
{
  const int64_t x = hg_box_extent(b, 0), y = hg_box_extent(b, 1), z = hg_box_extent(b, 2);
  int64_t cells;
  if (x == 0 || y == 0 || z == 0) return 0;
  return __builtin_mul_overflow(x, y, &cells) || __builtin_mul_overflow(cells, z, &cells) ? INT64_MAX : cells;
}

/** Coordinates of cell `i` of a box, in the order of memory. @param[out] at  [3] */
static inline void hg_box_place(const hg_box *b, int64_t i, int64_t at[3])
{
  const int64_t nx = hg_box_extent(b, 0), ny = hg_box_extent(b, 1);
  at[0] = b->lo[0] + i % nx;
  at[1] = b->lo[1] + i / nx % ny;
  at[2] = b->lo[2] + i / nx / ny;
}

/** The intersection of two boxes (possibly empty). */
static inline hg_box hg_box_meet(const hg_box *a, const hg_box *b)
{
  hg_box r;
  for (int i = 0; i < 3; i++) {
    r.lo[i] = a->lo[i] > b->lo[i] ? a->lo[i] : b->lo[i];
    r.hi[i] = a->hi[i] < b->hi[i] ? a->hi[i] : b->hi[i];
  }
  return r;
}

static inline bool hg_box_equal(const hg_box *a, const hg_box *b)
{
  bool same = true;
  for (int i = 0; i < 3; i++) same = same && a->lo[i] == b->lo[i] && a->hi[i] == b->hi[i];
  return same;
}
#endif
