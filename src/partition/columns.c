/* SPDX-License-Identifier: MIT */
/* Column-based partition of least total half-perimeter: Beaumont, Boudet, Rastello, Robert, "Matrix multiplication on
 * heterogeneous platforms", IEEE TPDS 2001 (PERI-SUM).
 *
 * Processors are sorted by speed, and consecutive ones form columns; a column of k processors and width w on a grid of
 * height h costs k w + h. Dynamic programming over the end of the last column finds the optimum. The cost of a column
 * satisfies the quadrangle inequality (k and w both add up along the order), so the best start of the last column
 * never decreases as its end advances: O(p) times the length of the columns. Both orientations are tried. Example: 5
 * equal processors on a unit square: columns of 2 and 3: 2*0.4 + 3*0.6 + 2 = 4.6. */
#include <math.h>
#include <stdlib.h>

#include "partition/columns.h"

double hg_columns_plan(const hg_share *s, int count, double width, double height, int *column_start, int *columns)
{
  double *sum = malloc(((size_t)count + 1) * sizeof *sum), *cost = malloc(((size_t)count + 1) * sizeof *cost);
  int *from = malloc(((size_t)count + 1) * sizeof *from);
  double result = INFINITY;
  if (sum && cost && from) {
    sum[0] = cost[0] = 0;
    for (int i = 0; i < count; i++) sum[i + 1] = sum[i] + s[i].speed;
    from[0] = 0;
    for (int end = 1; end <= count; end++) {
      cost[end] = INFINITY;
      for (int start = end - 1; start >= from[end - 1]; start--) {
        double c = cost[start] + (end - start) * width * (sum[end] - sum[start]) / sum[count] + height;
        if (c < cost[end]) cost[end] = c, from[end] = start;
      }
    }
    result = cost[count];
    if (columns) {
      *columns = 0;
      for (int end = count; end > 0; end = from[end]) column_start[(*columns)++] = from[end]; /* last column first */
    }
  }
  free(sum);
  free(cost);
  free(from);
  return result;
}

/* Grows the tree of a plan: columns along axis u, cut along axis v. */
static void grow(const hg_share *s, int count, const int *start, int columns, int u, int v, hg_tree *t, int parent)
{
  int root = hg_tree_cut(t, parent, u);
  for (int c = columns - 1; c >= 0; c--) {
    int end = c > 0 ? start[c - 1] : count, node = end - start[c] > 1 ? hg_tree_cut(t, root, v) : root;
    for (int i = start[c]; i < end; i++) hg_tree_leaf(t, node, s[i].id);
  }
}

hg_status hg_columns_best(const hg_share *s, int count, const double size[2], int u, int v, hg_tree *t, int parent)
{
  int *start = malloc(((size_t)count + 1) * sizeof *start), columns = 0;
  if (!start) return hg_fail(HG_MEMORY, "partition: no memory for %d columns", count);
  bool swap =
      hg_columns_plan(s, count, size[1], size[0], NULL, NULL) < hg_columns_plan(s, count, size[0], size[1], NULL, NULL);
  double cost = hg_columns_plan(s, count, size[swap], size[!swap], start, &columns);
  if (isfinite(cost)) grow(s, count, start, columns, swap ? v : u, swap ? u : v, t, parent);
  free(start);
  return isfinite(cost) ? HG_OK : hg_fail(HG_MEMORY, "partition: no memory for %d processors", count);
}

hg_status hg_partition_column_based(const hg_partition_request *r, hg_tree *t)
{
  hg_share *s;
  int count;
  if (r->dims == 1) return hg_partition_columns(r, t);
  HG_TRY(hg_partition_shares(r, true, &s, &count));
  const int u = r->dims - 2, v = r->dims - 1; /* 3-D: columns of y and z, rows stay whole */
  const double size[2] = {r->size[u], r->size[v]};
  hg_status status = hg_columns_best(s, count, size, u, v, t, -1);
  free(s);
  return status;
}
