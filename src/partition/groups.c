/* SPDX-License-Identifier: MIT */
/* Partitions that group processors of equal speed: SGP and PHP of Crandall and Quinn, ASGP and NPHP of the thesis (3.4,
 * algorithms 3-1 to 3-3).
 *
 * php, nphp: processors of equal speed form groups. The list of groups, by falling total speed, is split where the two
 * sums are nearest to each other, the longer side of the box is cut, and so on down to single groups. A group of p
 * equal processors on a box a x b (a >= b) is divided by one of:
 *   sgp   p prime: one processor is peeled off and the rest is divided again; else a mesh of the two largest factors.
 *   asgp  as printed: p = k^2: a k x k mesh, or peel one off if a/b > k; b/a <= mu(p): the two largest factors; else
 *         the rest p-s (s: largest square below p) is cut off first, and both parts are divided again.
 *         by cost (default): of every factor pair, the square split and peel-one, the one of least border, each part
 *         being divided in the same way. Never worse than as printed.
 *
 * Example: 10 equal processors on a unit square. sgp: a 5 x 2 mesh, border 5. asgp: mu(10) = 4/5 < 1, so one is cut off
 * and nine form a 3 x 3 mesh on 0.9 x 1: border 1 + 2 + 1.8 = 4.8.
 *
 * mu(p) is where both costs are equal. Equation 3-7 as printed gives 3/5 for p = 10, but the text says 4/5; solved
 * again, it is mu = (s sqrt(s) + (p-s)^2 - p beta) / (p (alpha - sqrt(s) - 1)), alpha >= beta the two largest factors.
 * The text's 2/3 for p = 5 cannot be reproduced; it is 2/5. For p = k(k+1) the denominator is 0: two factors.
 * In 3-D, groups are split in the same way and a single group is bisected along its longest side. */
#include "partition/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct extents {
  double x[3];
} extents;

static int square_root(int p)
{
  int k = (int)sqrt((double)p);
  while (k * k > p) k--;
  while ((k + 1) * (k + 1) <= p) k++;
  return k;
}

static int small_factor(int p)
{
  int beta = 1;
  for (int f = 2; f * f <= p; f++)
    if (p % f == 0) beta = f;
  return beta;
}

double hg_asgp_mu(int p)
{
  int k = square_root(p), s = k * k, beta = small_factor(p), alpha = p / beta;
  double denominator = (double)p * (alpha - k - 1);
  if (denominator == 0) return INFINITY;
  return ((double)s * k + (double)(p - s) * (p - s) - (double)p * beta) / denominator;
}

static void mesh(hg_tree *t, int parent, const hg_share *s, int a, int b, int u, int v)
{
  int root = hg_tree_cut(t, parent, u);
  for (int i = 0; i < a; i++) {
    int column = b > 1 ? hg_tree_cut(t, root, v) : root;
    for (int j = 0; j < b; j++) hg_tree_leaf(t, column, s[i * b + j].id);
  }
}

/* How a group is divided: a mesh with `along` processors along the long side, or `first` processors cut off. */
typedef struct choice {
  double cost;
  int along, first;
} choice;

/* Choices made so far, by number of processors and extents. A choice is never revised: the tree grown later must be
 * the one whose cost was computed. While the table is less than a quarter full, alternatives are compared; afterwards
 * the printed rule decides, which bounds the time for large groups. */
typedef struct memo_entry {
  int p;
  double a, b;
  choice best;
} memo_entry;
enum { MEMO = 1 << 14 };

typedef struct group_context {
  bool thesis, sgp;
  memo_entry *memo; /* [MEMO] */
  int *used;
} group_context;

static choice choose(const group_context *c, int p, double a, double b);

static double cost_of(const group_context *c, int p, double a, double b)
{
  return p == 1 ? 0 : choose(c, p, a > b ? a : b, a > b ? b : a).cost;
}

static choice cut_off(const group_context *c, int p, int first, double a, double b)
{
  return (choice){b + cost_of(c, first, a * first / p, b) + cost_of(c, p - first, a * (p - first) / p, b), 0, first};
}

static choice as_mesh(int p, int along, double a, double b)
{
  return (choice){(along - 1) * b + (p / along - 1) * a, along, 0};
}

static choice printed_rule(const group_context *c, int p, double a, double b)
{
  int k = square_root(p), beta = small_factor(p);
  if (c->sgp) return beta == 1 && p > 2 ? cut_off(c, p, 1, a, b) : as_mesh(p, p / beta, a, b);
  if (k * k == p) return a / b > k ? cut_off(c, p, 1, a, b) : as_mesh(p, k, a, b);
  if (b / a <= hg_asgp_mu(p)) return as_mesh(p, p / beta, a, b);
  return cut_off(c, p, p - k * k, a, b);
}

enum { PEEL_MAX = 64 }; /* peeling one off pays only for few processors */

static choice least_cost(const group_context *c, int p, double a, double b)
{
  int k = square_root(p), s = k * k == p ? (k - 1) * (k - 1) : k * k;
  choice best = as_mesh(p, p, a, b);
  for (int f = 1; f * f <= p; f++)
    for (int side = 0; side < 2 && p % f == 0; side++) {
      choice m = as_mesh(p, side ? p / f : f, a, b);
      if (m.cost < best.cost) best = m;
    }
  if (s > 0) {
    choice square = cut_off(c, p, p - s, a, b);
    if (square.cost < best.cost) best = square;
  }
  if (p <= PEEL_MAX && a / b > 1 + 1. / p) {
    choice peel = cut_off(c, p, 1, a, b);
    if (peel.cost < best.cost) best = peel;
  }
  return best;
}

static memo_entry *find(const group_context *c, int p, double a, double b)
{
  uint64_t bits[2];
  memcpy(&bits[0], &a, sizeof a);
  memcpy(&bits[1], &b, sizeof b);
  uint64_t h = ((uint64_t)p * 0x9e3779b97f4a7c15u) ^ (bits[0] * 0xbf58476d1ce4e5b9u) ^ (bits[1] * 0x94d049bb133111ebu);
  memo_entry *m = &c->memo[(h ^ h >> 29) % MEMO];
  while (m->p != 0 && !(m->p == p && m->a == a && m->b == b)) m = m + 1 < c->memo + MEMO ? m + 1 : c->memo;
  return m;
}

/* p >= 2, a >= b. */
static choice choose(const group_context *c, int p, double a, double b)
{
  memo_entry *m = find(c, p, a, b);
  if (m->p != 0) return m->best;
  bool weigh = !c->thesis && !c->sgp && *c->used < MEMO / 4;
  choice best = printed_rule(c, p, a, b);
  if (weigh) {
    choice other = least_cost(c, p, a, b);
    if (other.cost < best.cost) best = other;
  }
  if (*c->used < MEMO * 3 / 4) {
    *find(c, p, a, b) = (memo_entry){p, a, b, best};
    (*c->used)++;
  }
  return best;
}

/* Divides one group on the box that earlier cuts leave it. */
static void divide_group(const group_context *c, hg_tree *t, int parent, const hg_share *s, int p, extents e)
{
  if (p == 1) {
    hg_tree_leaf(t, parent, s[0].id);
    return;
  }
  int u = e.x[0] >= e.x[1] ? 0 : 1, v = 1 - u;
  choice best = choose(c, p, e.x[u], e.x[v]);
  if (best.first == 0) {
    mesh(t, parent, s, best.along, p / best.along, u, v);
    return;
  }
  int root = hg_tree_cut(t, parent, u);
  extents low = e, high = e;
  low.x[u] = e.x[u] * best.first / p;
  high.x[u] = e.x[u] - low.x[u];
  divide_group(c, t, root, s, best.first, low);
  divide_group(c, t, root, s + best.first, p - best.first, high);
}

/* 3-D: bisects along the longest side. */
static void bisect_group(hg_tree *t, int parent, const hg_share *s, int p, extents e)
{
  if (p == 1) {
    hg_tree_leaf(t, parent, s[0].id);
    return;
  }
  int axis = hg_longest_axis(e.x, 3), root = hg_tree_cut(t, parent, axis), half = p / 2;
  extents low = e, high = e;
  low.x[axis] = e.x[axis] * half / p;
  high.x[axis] = e.x[axis] - low.x[axis];
  bisect_group(t, root, s, half, low);
  bisect_group(t, root, s + half, p - half, high);
}

/* A group: s[first] .. s[first+count-1], all of about one speed. */
typedef struct group {
  int first, count;
  double sum;
} group;

static int by_total(const void *a, const void *b)
{
  const group *g = a, *h = b;
  if (g->sum != h->sum) return g->sum < h->sum ? 1 : -1;
  return (g->first > h->first) - (g->first < h->first);
}

/* Groups of the sorted processors, by falling total speed. */
static int make_groups(const hg_share *s, int count, double tolerance, group *g)
{
  int groups = 0;
  for (int i = 0; i < count; i++) {
    if (groups > 0 && s[i].speed >= s[g[groups - 1].first].speed * (1 - tolerance))
      g[groups - 1].count++;
    else
      g[groups++] = (group){.first = i, .count = 1};
  }
  for (int i = 0; i < groups; i++) g[i].sum = hg_shares_total(s + g[i].first, g[i].count);
  qsort(g, (size_t)groups, sizeof *g, by_total);
  return groups;
}

static void divide_groups(const group_context *c, int dims, hg_tree *t, int parent, const hg_share *s, const group *g,
                          int groups, extents e)
{
  if (groups == 1) {
    if (dims == 3)
      bisect_group(t, parent, s + g->first, g->count, e);
    else
      divide_group(c, t, parent, s + g->first, g->count, e);
    return;
  }
  double total = 0, low_sum = 0;
  for (int i = 0; i < groups; i++) total += g[i].sum;
  int k = hg_half_way(&g->sum, sizeof *g, groups), axis = hg_longest_axis(e.x, dims),
      root = hg_tree_cut(t, parent, axis);
  for (int i = 0; i < k; i++) low_sum += g[i].sum;
  extents low = e, high = e;
  low.x[axis] = e.x[axis] * low_sum / total;
  high.x[axis] = e.x[axis] - low.x[axis];
  divide_groups(c, dims, t, root, s, g, k, low);
  divide_groups(c, dims, t, root, s, g + k, groups - k, high);
}

/* All four partitioners: one group of all processors, or groups by speed; 1-D grids are cut into bands. */
static hg_status divide(const hg_partition_request *r, bool grouped, bool sgp, hg_tree *t)
{
  hg_share *s;
  int count;
  if (r->dims == 1) return hg_partition_columns(r, t);
  HG_TRY(hg_partition_shares(r, grouped, &s, &count));
  group *g = malloc((size_t)count * sizeof *g);
  int used = 0;
  group_context c = {.thesis = r->thesis, .sgp = sgp, .memo = calloc(MEMO, sizeof *c.memo), .used = &used};
  hg_status status = g && c.memo ? HG_OK : hg_fail(HG_MEMORY, "partition: no memory for %d processors", count);
  if (status == HG_OK) {
    int groups = make_groups(s, count, grouped ? r->tolerance : 1, g);
    divide_groups(&c, r->dims, t, -1, s, g, groups, (extents){{r->size[0], r->size[1], r->size[2]}});
  }
  free(c.memo);
  free(g);
  free(s);
  return status;
}

hg_status hg_partition_sgp(const hg_partition_request *r, hg_tree *t)
{
  return divide(r, false, true, t);
}

hg_status hg_partition_asgp(const hg_partition_request *r, hg_tree *t)
{
  return divide(r, false, false, t);
}

hg_status hg_partition_php(const hg_partition_request *r, hg_tree *t)
{
  return divide(r, true, true, t);
}

hg_status hg_partition_nphp(const hg_partition_request *r, hg_tree *t)
{
  return divide(r, true, false, t);
}
