/* SPDX-License-Identifier: MIT */
#include "partition/points.h"

#include <math.h>
#include <stdlib.h>

#include "partition/tree.h"

static int owner(const int64_t *start, int parts, int64_t cell)
{
  int lo = 0, hi = parts - 1;
  while (lo < hi) { /* the last processor that starts at or before the cell */
    int mid = (lo + hi + 1) / 2;
    if (start[mid] <= cell)
      lo = mid;
    else
      hi = mid - 1;
  }
  return lo;
}

/* Lists the foreign owners of cell i's neighbours, each once; returns their number, and adds all such neighbours to
 * *edges. */
static int foreign(const int64_t n[3], const bool *periodic, const int64_t *start, int parts, int64_t i, int own,
                   int others[6], int64_t *edges)
{
  const int64_t at[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]}, stride[3] = {1, n[0], n[0] * n[1]};
  int count = 0;
  for (int side = 0; side < 6; side++) {
    const int axis = side / 2;
    int64_t d = side % 2 ? 1 : -1;
    if (at[axis] + d < 0 || at[axis] + d >= n[axis]) {
      if (!periodic || !periodic[axis]) continue;
      d *= 1 - n[axis];
    }
    int other = owner(start, parts, i + d * stride[axis]), known = 0;
    if (other == own) continue;
    (*edges)++;
    for (int k = 0; k < count; k++) known |= others[k] == other;
    if (!known) others[count++] = other;
  }
  return count;
}

/* Largest distance of neighbours in row order: only cells so close to an end of a part are examined. */
static int64_t reach_of(const int64_t n[3])
{
  return n[2] > 1 ? n[0] * n[1] : n[1] > 1 ? n[0] : 1;
}

/* To be called before multiplications that might overflow. */
static hg_status check_cells(const int64_t n[3], int parts)
{
  const double row = n[2] > 1 ? (double)n[0] * (double)n[1] : n[1] > 1 ? (double)n[0] : 1;
  const double cells = (double)n[0] * (double)n[1] * (double)n[2], ends = fmin(cells, 2. * parts * row);
  if (cells < 0x1p62 && ends <= 0x1p31) return HG_OK;
  return hg_fail(HG_INVALID, "points: %.4g cells, and %.4g near the ends of parts, must be < 2^62 and <= 2^31", cells,
                 ends);
}

hg_status hg_points_divide(const int64_t n[3], int parts, const double *speed, int64_t *start)
{
  HG_TRY(check_cells(n, parts));
  return hg_split(n[0] * n[1] * n[2], parts, speed, NULL, start);
}

hg_status hg_points_measure(const int64_t n[3], const bool periodic[3], int parts, const int64_t *start,
                            hg_points_metrics *out)
{
  unsigned char *touch = calloc((size_t)parts * (size_t)parts, 1);
  if (!touch) return hg_fail(HG_MEMORY, "points: no memory for %d processors", parts);
  hg_points_metrics m = {0};
  const int64_t reach = reach_of(n);
  for (int own = 0; own < parts; own++)
    for (int64_t i = start[own]; i < start[own + 1]; i++) {
      const int64_t inside = start[own + 1] - reach; /* cells before it, and `reach` after the first, are inside */
      if (i == start[own] + reach && i < inside) i = inside;
      int others[6], count = foreign(n, periodic, start, parts, i, own, others, &m.items_edges);
      m.items_cells += count;
      for (int k = 0; k < count; k++) touch[(size_t)own * (size_t)parts + (size_t)others[k]] = 1;
    }
  for (int i = 0; i < parts; i++) {
    int neighbours = 0;
    for (int j = 0; j < parts; j++) neighbours += touch[(size_t)i * (size_t)parts + (size_t)j];
    if (neighbours > m.max_neighbours) m.max_neighbours = neighbours;
    m.pairs += neighbours;
  }
  m.pairs /= 2;
  free(touch);
  *out = m;
  return HG_OK;
}
