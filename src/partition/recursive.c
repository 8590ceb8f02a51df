/* SPDX-License-Identifier: MIT */
/* Recursive bisections across the longest side.
 *
 * recursive  Nagamochi and Abe, "An approximation algorithm for dissecting a rectangle into rectangles with specified
 *            areas", Discrete Applied Mathematics 2007 (1.25-approximation): of the processors sorted by rising speed,
 *            the shortest prefix with at least a third of the total is one part.
 * rcb        The list in order of number is split where the total is nearest to half.
 * exact      Every split of the set in two, across every axis: the best guillotine partition, for at most 6 processors.
 *
 * Example, recursive: speeds 5 2 2 1 on a unit square: {1,2,2} and {5} side by side; then {1,2} above {2}. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "partition/auto.h"

typedef int split_fn(const hg_share *s, int count, double total);

/* The list is sorted by falling speed, so the slow ones are at its end. */
static int a_third(const hg_share *s, int count, double total)
{
  double slow = 0;
  for (int k = count - 1; k > 1; k--)
    if ((slow += s[k].speed) >= total / 3 * (1 - 1e-12)) return k;
  return 1;
}

static int nearest_half(const hg_share *s, int count, double total)
{
  (void)total;
  return hg_half_way(&s->speed, sizeof *s, count);
}

static void bisect(split_fn *split, int dims, const hg_share *s, int count, const double size[3], hg_tree *t,
                   int parent)
{
  if (count == 1) {
    hg_tree_leaf(t, parent, s[0].id);
    return;
  }
  double total = hg_shares_total(s, count), low[3], high[3];
  int axis = hg_longest_axis(size, dims), k = split(s, count, total), root = hg_tree_cut(t, parent, axis);
  memcpy(low, size, sizeof low);
  memcpy(high, size, sizeof high);
  low[axis] = size[axis] * hg_shares_total(s, k) / total;
  high[axis] = size[axis] - low[axis];
  bisect(split, dims, s, k, low, t, root);
  bisect(split, dims, s + k, count - k, high, t, root);
}

static hg_status run(const hg_partition_request *r, split_fn *split, bool sorted, hg_tree *t)
{
  hg_share *s;
  int count;
  HG_TRY(hg_partition_shares(r, sorted, &s, &count));
  bisect(split, r->dims, s, count, r->size, t, -1);
  free(s);
  return HG_OK;
}

hg_status hg_partition_recursive(const hg_partition_request *r, hg_tree *t)
{
  return run(r, a_third, true, t);
}

hg_status hg_partition_rcb(const hg_partition_request *r, hg_tree *t)
{
  return run(r, nearest_half, false, t);
}

/* --- exact ------------------------------------------------------------------------------------------------------- */

enum { EXACT_MAX = 6 };

/* The best first cut of a set of processors (bits) on a box. */
typedef struct best_cut {
  double border;
  unsigned low;
  int axis;
} best_cut;

static double set_total(const hg_share *s, unsigned set)
{
  double sum = 0;
  for (int i = 0; i < EXACT_MAX; i++)
    if (set >> i & 1) sum += s[i].speed;
  return sum;
}

static void halves(const hg_share *s, unsigned set, unsigned low, int axis, const double size[3], double a[3],
                   double b[3])
{
  memcpy(a, size, 3 * sizeof *a);
  memcpy(b, size, 3 * sizeof *b);
  a[axis] = size[axis] * set_total(s, low) / set_total(s, set);
  b[axis] = size[axis] - a[axis];
}

static best_cut find_best(const hg_share *s, unsigned set, int dims, const double size[3])
{
  best_cut best = {.border = (set & (set - 1)) == 0 ? 0 : INFINITY};
  if (best.border <= 0) return best;
  for (unsigned low = (set - 1) & set; low > 0; low = (low - 1) & set) {
    if (!(low & set & -set)) continue; /* the halves are interchangeable: `low` is the one with the first processor */
    for (int axis = 0; axis < dims; axis++) {
      double a[3], b[3], border = size[0] * size[1] * size[2] / size[axis];
      halves(s, set, low, axis, size, a, b);
      if (border >= best.border) continue;
      border += find_best(s, low, dims, a).border;
      if (border < best.border) border += find_best(s, set & ~low, dims, b).border;
      if (border < best.border) best = (best_cut){border, low, axis};
    }
  }
  return best;
}

static void grow_best(const hg_share *s, unsigned set, int dims, const double size[3], hg_tree *t, int parent)
{
  best_cut best = find_best(s, set, dims, size);
  if (best.low == 0) {
    hg_tree_leaf(t, parent, s[__builtin_ctz(set)].id);
    return;
  }
  double a[3], b[3];
  int root = hg_tree_cut(t, parent, best.axis);
  halves(s, set, best.low, best.axis, size, a, b);
  grow_best(s, best.low, dims, a, t, root);
  grow_best(s, set & ~best.low, dims, b, t, root);
}

bool hg_exact_grow(const hg_share *s, int count, int dims, const double size[3], hg_tree *t, int parent)
{
  if (count > EXACT_MAX) return false;
  grow_best(s, (1u << count) - 1, dims, size, t, parent);
  return true;
}

hg_status hg_partition_exact(const hg_partition_request *r, hg_tree *t)
{
  hg_share *s;
  int count;
  HG_TRY(hg_partition_shares(r, true, &s, &count));
  bool grown = hg_exact_grow(s, count, r->dims, r->size, t, -1);
  free(s);
  if (!grown) return hg_fail(HG_INVALID, "partition: exact supports at most %d processors, not %d", EXACT_MAX, count);
  return HG_OK;
}
