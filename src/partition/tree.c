/* SPDX-License-Identifier: MIT */
#include "partition/tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static int add_node(hg_tree *t, int parent, hg_node node)
{
  t->failed = hg_grow("the tree", (void **)&t->node, t->count, sizeof *t->node) != HG_OK;
  if (t->failed) return -1;
  int i = t->count++;
  t->node[i] = node;
  if (parent < 0) return i;
  hg_node *p = &t->node[parent];
  if (p->first < 0)
    p->first = i;
  else
    t->node[p->last].next = i;
  p->last = i;
  return i;
}

int hg_tree_leaf(hg_tree *t, int parent, int processor)
{
  return t->failed ? -1 : add_node(t, parent, (hg_node){.leaf = processor, .first = -1, .next = -1, .last = -1});
}

int hg_tree_cut(hg_tree *t, int parent, int axis)
{
  return t->failed ? -1 : add_node(t, parent, (hg_node){.leaf = -1, .axis = axis, .first = -1, .next = -1, .last = -1});
}

hg_status hg_tree_check(const hg_tree *t)
{
  return t->failed ? hg_fail(HG_MEMORY, "partition: no memory for the tree") : HG_OK;
}

void hg_tree_free(hg_tree *t)
{
  free(t->node);
  *t = (hg_tree){0};
}

/* Sum of the speeds and number of processors below every node. Children come after their parents. */
typedef struct sums {
  double *speed;
  int *leaves;
} sums;

static void free_sums(sums *s)
{
  free(s->speed);
  free(s->leaves);
}

static hg_status make_sums(const hg_tree *t, const double *speed, sums *s)
{
  s->speed = calloc((size_t)t->count + 1, sizeof *s->speed);
  s->leaves = calloc((size_t)t->count + 1, sizeof *s->leaves);
  if (!s->speed || !s->leaves) {
    free_sums(s);
    return hg_fail(HG_MEMORY, "partition: no memory for %d nodes", t->count);
  }
  for (int i = t->count - 1; i >= 0; i--) {
    const hg_node *n = &t->node[i];
    if (n->leaf >= 0) s->speed[i] = speed[n->leaf], s->leaves[i] = 1;
    for (int c = n->first; c >= 0; c = t->node[c].next) s->speed[i] += s->speed[c], s->leaves[i] += s->leaves[c];
  }
  return HG_OK;
}

static void cut_rect(const hg_tree *t, const sums *s, int i, const hg_rect *r, hg_rect *rect)
{
  const hg_node *n = &t->node[i];
  if (n->leaf >= 0) rect[n->leaf] = *r;
  double before = 0, lo = r->lo[n->axis], extent = r->hi[n->axis] - lo;
  for (int c = n->first; c >= 0; c = t->node[c].next) {
    hg_rect part = *r;
    part.lo[n->axis] = lo + extent * (before / s->speed[i]);
    before += s->speed[c];
    if (t->node[c].next >= 0) part.hi[n->axis] = lo + extent * (before / s->speed[i]);
    cut_rect(t, s, c, &part, rect);
  }
}

hg_status hg_tree_rects(const hg_tree *t, const double size[3], int parts, const double *speed, hg_rect *rect)
{
  sums s;
  memset(rect, 0, (size_t)parts * sizeof *rect);
  HG_TRY(make_sums(t, speed, &s));
  if (t->count > 0) cut_rect(t, &s, 0, &(hg_rect){{0, 0, 0}, {size[0], size[1], size[2]}}, rect);
  free_sums(&s);
  return HG_OK;
}

typedef struct remainder {
  double rest;
  int i;
} remainder;

static int by_remainder(const void *a, const void *b)
{
  const remainder *r = a, *s = b;
  if (r->rest != s->rest) return r->rest < s->rest ? 1 : -1;
  return r->i - s->i;
}

/* Distributes the cells left over by flooring, one each to the largest remainders. @param order  room for [count] */
static void give_remainders(int count, const double *share, int64_t *run, int64_t left, remainder *order)
{
  int takers = 0;
  if (left <= 0) return;
  for (int i = 0; i < count; i++)
    if (share[i] > 0) order[takers++] = (remainder){share[i] - (double)run[i], i};
  qsort(order, (size_t)takers, sizeof *order, by_remainder);
  for (int k = 0; left > 0; left--, k++) run[takers > 0 ? order[k % takers].i : 0]++;
}

/* Lengthens runs that are too short, at the expense of those with the most to spare. */
static void feed(int count, const int64_t *least, int64_t *run)
{
  for (int i = 0; i < count; i++)
    while (run[i] < least[i]) {
      int giver = -1;
      for (int j = 0; j < count; j++)
        if (run[j] > least[j] && (giver < 0 || run[j] - least[j] > run[giver] - least[giver])) giver = j;
      if (giver < 0) return;
      int64_t spare = run[giver] - least[giver], need = least[i] - run[i];
      int64_t move = spare / 2 < need ? (spare + 1) / 2 : need;
      run[giver] -= move;
      run[i] += move;
    }
}

/* Floors of the shares. Rounding may make their sum a cell too large, which the last runs give back. */
static int64_t floor_shares(int64_t n, int count, const double *share, int64_t *run)
{
  int64_t left = n;
  for (int i = 0; i < count; i++) left -= run[i] = (int64_t)share[i];
  for (int i = count - 1; left < 0 && i >= 0; i--) {
    int64_t take = run[i] < -left ? run[i] : -left;
    run[i] -= take;
    left += take;
  }
  return left;
}

hg_status hg_split(int64_t n, int count, const double *weight, const int64_t *least, int64_t *start)
{
  const size_t room = (size_t)count;
  double sum = 0, *share = malloc(room * (sizeof *share + 2 * sizeof(int64_t) + sizeof(remainder)));
  if (!share) return hg_fail(HG_MEMORY, "partition: no memory for %d runs", count);
  int64_t *run = (int64_t *)(share + count), *one = run + count;
  for (int i = 0; i < count; i++) sum += weight[i];
  for (int i = 0; i < count; i++) {
    share[i] = sum > 0 ? (double)n * (weight[i] / sum) : 0;
    one[i] = weight[i] > 0;
  }
  give_remainders(count, share, run, floor_shares(n, count, share, run), (remainder *)(one + count));
  feed(count, least ? least : one, run);
  start[0] = 0;
  for (int i = 0; i < count; i++) start[i + 1] = start[i] + run[i];
  free(share);
  return HG_OK;
}

/* Context of cutting into cells. */
typedef struct cutting {
  const hg_tree *tree;
  const sums *sums;
  const double *speed;
  hg_box *box;
} cutting;

static hg_status bisect(const cutting *c, const int *leaf, int count, const hg_box *b);

static int collect(const hg_tree *t, int i, int *leaf, int count)
{
  if (t->node[i].leaf >= 0) leaf[count++] = t->node[i].leaf;
  for (int k = t->node[i].first; k >= 0; k = t->node[k].next) count = collect(t, k, leaf, count);
  return count;
}

static hg_status bisect_below(const cutting *c, int i, const hg_box *b)
{
  int *leaf = malloc((size_t)c->sums->leaves[i] * sizeof *leaf);
  if (!leaf) return hg_fail(HG_MEMORY, "partition: no memory for %d processors", c->sums->leaves[i]);
  const hg_status status = bisect(c, leaf, collect(c->tree, i, leaf, 0), b);
  free(leaf);
  return status;
}

static hg_status cut_box(const cutting *c, int i, const hg_box *b);

/* @param weight, least, start  buffers for the children of node i; `start` has one more */
static hg_status cut_children(const cutting *c, int i, const hg_box *b, double *weight, int64_t *least, int64_t *start)
{
  const hg_tree *t = c->tree;
  const int axis = t->node[i].axis;
  const int64_t extent = hg_box_extent(b, axis), cross = extent ? hg_box_cells(b) / extent : 0;
  int64_t needed = 0;
  int j = 0;
  for (int k = t->node[i].first; k >= 0; k = t->node[k].next, j++) {
    weight[j] = c->sums->speed[k];
    least[j] = cross ? (c->sums->leaves[k] + cross - 1) / cross : 0;
    needed += least[j];
  }
  if (needed > extent) return bisect_below(c, i, b);
  HG_TRY(hg_split(extent, j, weight, least, start));
  j = 0;
  for (int k = t->node[i].first; k >= 0; k = t->node[k].next, j++) {
    hg_box part = *b;
    part.lo[axis] = b->lo[axis] + start[j];
    part.hi[axis] = b->lo[axis] + start[j + 1];
    HG_TRY(cut_box(c, k, &part));
  }
  return HG_OK;
}

static hg_status cut_box(const cutting *c, int i, const hg_box *b)
{
  const hg_node *n = &c->tree->node[i];
  size_t children = 0;
  for (int k = n->first; k >= 0; k = c->tree->node[k].next) children++;
  if (n->leaf >= 0) c->box[n->leaf] = *b;
  if (children == 0) return HG_OK;
  double *weight = malloc(children * sizeof *weight + (2 * children + 1) * sizeof(int64_t));
  if (!weight) return hg_fail(HG_MEMORY, "partition: no memory for %zu parts", children);
  int64_t *least = (int64_t *)(weight + children);
  const hg_status status = cut_children(c, i, b, weight, least, least + children);
  free(weight);
  return status;
}

/* Boxes with few cells: halves the processors and cuts the box across its longest side so that both halves have room.
 * If there is not room for all, the last ones stay empty. */
static hg_status bisect(const cutting *c, const int *leaf, int count, const hg_box *b)
{
  int64_t cells = hg_box_cells(b);
  int axis = hg_box_extent(b, 0) >= hg_box_extent(b, 1) ? 0 : 1;
  if (hg_box_extent(b, 2) > hg_box_extent(b, axis)) axis = 2;
  int64_t extent = hg_box_extent(b, axis);
  if (count > cells) count = (int)cells;
  if (count <= 1 || extent < 2) {
    if (count > 0) c->box[leaf[0]] = *b;
    return HG_OK;
  }
  int64_t cross = cells / extent, half = count / 2 / cross * cross;
  if (half == 0) half = count / 2; /* less than a layer each: one layer is enough for the first half */
  double weight[2] = {0, 0};
  for (int i = 0; i < count; i++) weight[i >= half] += c->speed[leaf[i]];
  const int64_t least[2] = {(half + cross - 1) / cross, (count - half + cross - 1) / cross};
  int64_t start[3];
  HG_TRY(hg_split(extent, 2, weight, least, start));
  hg_box low = *b, high = *b;
  low.hi[axis] = high.lo[axis] = b->lo[axis] + start[1];
  HG_TRY(bisect(c, leaf, (int)half, &low));
  return bisect(c, leaf + half, count - (int)half, &high);
}

hg_status hg_tree_boxes(const hg_tree *t, const int64_t n[3], int parts, const double *speed, hg_box *box)
{
  sums s;
  memset(box, 0, (size_t)parts * sizeof *box);
  HG_TRY(make_sums(t, speed, &s));
  const cutting c = {.tree = t, .sums = &s, .speed = speed, .box = box};
  const hg_status status = t->count > 0 ? cut_box(&c, 0, &(hg_box){{0, 0, 0}, {n[0], n[1], n[2]}}) : HG_OK;
  free_sums(&s);
  return status;
}
