/* SPDX-License-Identifier: MIT */
/* The simplest partitions (thesis 3.2, 3.3).
 *
 * rows, columns: one band per processor, its width proportional to its speed; rows-sorted: in order of falling speed,
 * as in nphp.
 * two-factor: p = a * b processors (a, b as near to sqrt(p) as possible, the larger along the longer side) form a mesh.
 * The thesis' processors are equal; for unequal ones, each column of the mesh has a width proportional to the sum of
 * its speeds, and its height is cut among its processors. Example: speeds 3 1 1 3 on 8 x 8: columns {3,1} and {1,3} of
 * width 4, heights 6,2 and 2,6. */
#include <stdlib.h>

#include "partition/partition.h"

static hg_status bands(const hg_partition_request *r, int axis, hg_tree *t)
{
  int root = hg_tree_cut(t, -1, axis);
  for (int i = 0; i < r->parts; i++)
    if (r->speed[i] > 0) hg_tree_leaf(t, root, i);
  return HG_OK;
}

hg_status hg_partition_rows(const hg_partition_request *r, hg_tree *t)
{
  return bands(r, r->dims - 1, t);
}

hg_status hg_partition_rows_sorted(const hg_partition_request *r, hg_tree *t)
{
  hg_share *s;
  int count;
  HG_TRY(hg_partition_shares(r, true, &s, &count));
  const int root = hg_tree_cut(t, -1, r->dims - 1);
  for (int i = 0; i < count; i++) hg_tree_leaf(t, root, s[i].id);
  free(s);
  return HG_OK;
}

hg_status hg_partition_columns(const hg_partition_request *r, hg_tree *t)
{
  return bands(r, 0, t);
}

hg_status hg_partition_two_factor(const hg_partition_request *r, hg_tree *t)
{
  hg_share *s;
  int p, small = 1;
  if (r->dims == 1) return bands(r, 0, t);
  HG_TRY(hg_partition_shares(r, false, &s, &p));
  for (int f = 2; f * f <= p; f++)
    if (p % f == 0) small = f;
  const int v = r->dims - 1, u = v - 1; /* 2-D: x and y; 3-D: y and z, rows stay whole */
  const int a = r->size[u] >= r->size[v] ? p / small : small, b = p / a;
  int root = hg_tree_cut(t, -1, u);
  for (int i = 0; i < a; i++) {
    int column = hg_tree_cut(t, root, v);
    for (int j = 0; j < b; j++) hg_tree_leaf(t, column, s[i * b + j].id);
  }
  free(s);
  return HG_OK;
}
