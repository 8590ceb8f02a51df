/* SPDX-License-Identifier: MIT */
/* auto: the best result of all partitioners, by predicted communication time if the platform's latency and bandwidth
 * are given (thesis, equation 3-8), else by total border (ties: fewer neighbours). With nodes, a border between them
 * counts more, and all partitioners also cut level by level. Then children of the slicing tree are mirrored where that
 * lowers the largest number of neighbours; this changes no area and no border. Never worse than any candidate: for
 * whole cells the resulting boxes are compared, else the real rectangles. */
#include "partition/auto.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "partition/columns.h"
#include "partition/metrics.h"

enum {
  COLUMNS_MAX = 4096,
  LOOK_AHEAD_MAX = 128,
  MIRROR_MAX = 64,
  COUNT_MAX = 256,
  SPLITS = 12,
  LAYERS_MAX = 12,
  OUTSIDE = 16
};

/* --- look-ahead bisection ---------------------------------------------------------------------------------------- */

/* Estimated total half perimeter (half surface) of the shares on a box. */
static double promise(const hg_share *s, int count, int dims, const double size[3])
{
  if (dims == 2)
    return fmin(hg_columns_plan(s, count, size[0], size[1], NULL, NULL),
                hg_columns_plan(s, count, size[1], size[0], NULL, NULL));
  double bound = 0, volume = size[0] * size[1] * size[2] / hg_shares_total(s, count);
  for (int i = 0; i < count; i++) bound += hg_least_half_surface(volume * s[i].speed, size, dims);
  return bound;
}

typedef struct bisection {
  double cost;
  int first, axis;
  double low[3], high[3];
} bisection;

static bisection try_split(const hg_share *s, int count, int dims, const double size[3], int first, int axis)
{
  bisection b = {.first = first, .axis = axis};
  memcpy(b.low, size, sizeof b.low);
  memcpy(b.high, size, sizeof b.high);
  b.low[axis] = size[axis] * hg_shares_total(s, first) / hg_shares_total(s, count);
  b.high[axis] = size[axis] - b.low[axis];
  b.cost = promise(s, first, dims, b.low) + promise(s + first, count - first, dims, b.high);
  return b;
}

static void look_ahead(const hg_share *s, int count, int dims, const double size[3], hg_tree *t, int parent)
{
  if (count == 1) {
    hg_tree_leaf(t, parent, s[0].id);
    return;
  }
  if (count <= 4 && hg_exact_grow(s, count, dims, size, t, parent)) return;
  bisection best = {.cost = INFINITY};
  int step = (count - 1 + SPLITS - 1) / SPLITS;
  for (int axis = 0; axis < dims; axis++)
    for (int first = 1; first < count; first += first < SPLITS / 2 ? 1 : step) {
      bisection b = try_split(s, count, dims, size, first, axis);
      if (b.cost < best.cost) best = b;
    }
  if (!isfinite(best.cost)) {
    t->failed = true;
    return;
  }
  int root = hg_tree_cut(t, parent, best.axis);
  look_ahead(s, best.first, dims, best.low, t, root);
  look_ahead(s + best.first, count - best.first, dims, best.high, t, root);
}

/* Cuts the sorted shares where the estimated border of both halves is least; the estimate is that of optimal columns
 * (2-D) or the lower bound (3-D). */
static hg_status partition_look_ahead(const hg_partition_request *r, hg_tree *t)
{
  hg_share *s;
  int count;
  if (r->dims == 1) return hg_partition_columns(r, t);
  HG_TRY(hg_partition_shares(r, true, &s, &count));
  look_ahead(s, count, r->dims, r->size, t, -1);
  free(s);
  return HG_OK;
}

/* --- layers ------------------------------------------------------------------------------------------------------ */

hg_status hg_partition_layers(const hg_partition_request *r, int axis, int layers, hg_tree *t)
{
  hg_share *s;
  int count, u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
  const double size[2] = {r->size[u], r->size[v]};
  HG_TRY(hg_partition_shares(r, true, &s, &count));
  int root = hg_tree_cut(t, -1, axis), first = 0;
  double total = hg_shares_total(s, count), before = 0;
  hg_status status = HG_OK;
  for (int l = 0; l < layers && status == HG_OK; l++) {
    int last = first + 1, others = layers - 1 - l; /* every layer gets a processor at least, and about an equal share */
    before += s[first].speed;
    while (last < count - others && (others == 0 || before + s[last].speed / 2 <= total * (l + 1) / layers))
      before += s[last++].speed;
    status = hg_columns_best(s + first, last - first, size, u, v, t, root);
    first = last;
  }
  free(s);
  return status;
}

/* --- the choice -------------------------------------------------------------------------------------------------- */

typedef struct contest {
  const hg_partition_request *request;
  hg_rect *rect;
  hg_box *box;
  hg_tree best;
  double score;
  int neighbours;
} contest;

static hg_status realise(const contest *c, const hg_tree *t)
{
  const hg_partition_request *r = c->request;
  const int64_t n[3] = {(int64_t)r->size[0], (int64_t)r->size[1], (int64_t)r->size[2]};
  if (!r->whole) return hg_tree_rects(t, r->size, r->parts, r->speed, c->rect);
  HG_TRY(hg_tree_boxes(t, n, r->parts, r->speed, c->box));
  hg_boxes_to_rects(r->parts, c->box, c->rect);
  return HG_OK;
}

/* The cost of a tree. Counting neighbours takes longer than measuring the border: for many processors they count as 0,
 * unless a latency is given. */
static hg_status score(contest *c, const hg_tree *t, double *value, int *neighbours)
{
  const hg_partition_request *r = c->request;
  hg_partition_metrics m;
  HG_TRY(realise(c, t));
  *neighbours = 0;
  *value = hg_partition_cut(r, c->rect);
  const bool timed = r->bandwidth > 0 || r->link;
  if (timed || r->levels > 0 || r->parts <= COUNT_MAX) {
    HG_TRY(hg_partition_measure(r, c->rect, NULL, &m));
    *neighbours = m.max_neighbours;
    *value = timed ? m.comm_seconds : m.cut + OUTSIDE * m.between[0] + OUTSIDE / 4 * m.between[1];
  }
  return HG_OK;
}

/* Keeps the tree if it is better, else frees it. */
static hg_status enter(contest *c, hg_tree *t)
{
  double value;
  int neighbours;
  hg_status status = hg_tree_check(t);
  if (status == HG_OK) status = score(c, t, &value, &neighbours);
  bool close = status == HG_OK && fabs(value - c->score) <= 1e-12 * fabs(value);
  if (status == HG_OK && (c->best.count == 0 || (close ? neighbours < c->neighbours : value < c->score))) {
    hg_tree_free(&c->best);
    c->best = *t;
    c->score = value;
    c->neighbours = neighbours;
  } else {
    hg_tree_free(t);
  }
  return status;
}

/* Enters a partitioner's flat result and the one cut level by level. */
static hg_status enter_by(contest *c, hg_partition_fn *divide, bool thesis)
{
  hg_partition_request r = *c->request;
  hg_tree t;
  r.thesis = thesis;
  HG_TRY(hg_partition_tree(divide, &r, &t));
  HG_TRY(enter(c, &t));
  if (r.levels == 0) return HG_OK;
  t = (hg_tree){0};
  HG_TRY(hg_partition_by_levels(divide, &r, &t));
  return enter(c, &t);
}

/* Enters a tree cut level by level, each group's box by the best partitioner for it. */
static hg_status enter_best_of_levels(contest *c)
{
  hg_tree t = {0};
  HG_TRY(hg_partition_by_levels(hg_partition_auto, c->request, &t));
  return enter(c, &t);
}

static hg_status enter_all(contest *c, int count)
{
  static hg_partition_fn *const candidates[] = {hg_partition_rows, hg_partition_columns,      hg_partition_two_factor,
                                                hg_partition_sgp,  hg_partition_asgp,         hg_partition_php,
                                                hg_partition_nphp, hg_partition_column_based, hg_partition_recursive,
                                                hg_partition_rcb,  hg_partition_rows_sorted};
  for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++)
    if (candidates[i] != hg_partition_column_based || count <= COLUMNS_MAX) HG_TRY(enter_by(c, candidates[i], false));
  HG_TRY(enter_by(c, hg_partition_nphp, true));
  if (count <= 6) HG_TRY(enter_by(c, hg_partition_exact, false));
  if (count <= LOOK_AHEAD_MAX) HG_TRY(enter_by(c, partition_look_ahead, false));
  if (c->request->levels > 0 && count <= COUNT_MAX) HG_TRY(enter_best_of_levels(c));
  for (int axis = 0; axis < 3 && c->request->dims == 3; axis++)
    for (int layers = 1; layers <= LAYERS_MAX && layers <= count; layers++) {
      hg_tree t = {0};
      HG_TRY(hg_partition_layers(c->request, axis, layers, &t));
      HG_TRY(enter(c, &t));
    }
  return HG_OK;
}

/* Reverses the order of a node's children. */
static void mirror(hg_tree *t, int i)
{
  int reversed = -1, next;
  t->node[i].last = t->node[i].first;
  for (int c = t->node[i].first; c >= 0; c = next) {
    next = t->node[c].next;
    t->node[c].next = reversed;
    reversed = c;
  }
  t->node[i].first = reversed;
}

static hg_status mirror_all(contest *c)
{
  for (int i = 0; i < c->best.count; i++) {
    double value;
    int neighbours;
    if (c->best.node[i].leaf >= 0) continue;
    mirror(&c->best, i);
    HG_TRY(score(c, &c->best, &value, &neighbours));
    if (neighbours < c->neighbours && value <= c->score) /* with whole cells the border may change too */
      c->neighbours = neighbours, c->score = value;
    else
      mirror(&c->best, i);
  }
  return HG_OK;
}

static hg_status open_contest(const hg_partition_request *r, contest *c)
{
  *c = (contest){.request = r,
                 .rect = malloc((size_t)r->parts * sizeof *c->rect),
                 .box = malloc((size_t)r->parts * sizeof *c->box),
                 .score = INFINITY};
  return c->rect && c->box ? HG_OK : hg_fail(HG_MEMORY, "partition: no memory for %d processors", r->parts);
}

/* Frees all but the tree. */
static void close_contest(contest *c)
{
  free(c->rect);
  free(c->box);
}

hg_status hg_partition_mirror(const hg_partition_request *r, hg_tree *t)
{
  contest c;
  hg_status status = open_contest(r, &c);
  c.best = *t;
  if (status == HG_OK) status = score(&c, t, &c.score, &c.neighbours);
  if (status == HG_OK) status = mirror_all(&c);
  *t = c.best;
  close_contest(&c);
  return status;
}

hg_status hg_partition_auto(const hg_partition_request *r, hg_tree *t)
{
  contest c;
  int count = 0;
  for (int i = 0; i < r->parts; i++) count += r->speed[i] > 0;
  hg_status status = open_contest(r, &c);
  if (status == HG_OK) status = enter_all(&c, count);
  if (status == HG_OK && count <= MIRROR_MAX) status = mirror_all(&c);
  close_contest(&c);
  if (status != HG_OK)
    hg_tree_free(&c.best);
  else
    *t = c.best;
  return status;
}
