/* SPDX-License-Identifier: MIT */
/* Cuts level by level: the grid is cut between the groups of the outermost level by the sums of their speeds, then
 * each group's box between the groups inside it, down to the processors. So a group's parts fill one box, and only the
 * borders of few large boxes cross the outer, slower links.
 *
 * Example: two nodes of speeds 1, 1 and 2, 2 on 6 x 4 cells: nodes of 2 and 4 columns, each cut into two halves of 2
 * rows. The tree is one tree of all processors, cut by the speeds like any other. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "partition/partition.h"

typedef struct growth {
  const hg_partition_request *request;
  hg_partition_fn *divide;
  hg_tree *tree;
} growth;

/* Processors that share a box at a level, in runs that stay together at the next. */
typedef struct members {
  int level, count, runs;
  int *id;    /* [count] */
  int *start; /* [runs + 1] */
} members;

static hg_status grow(const growth *g, members *m, const double size[3], int parent);

static int group_of(const hg_partition_request *r, int level, int id)
{
  return level < r->levels ? r->group[level][id] : id;
}

typedef struct keyed {
  int key, id;
} keyed;

static int by_key(const void *a, const void *b)
{
  const keyed *s = a, *t = b;
  return s->key != t->key ? (s->key > t->key) - (s->key < t->key) : (s->id > t->id) - (s->id < t->id);
}

/* Sorts members by group and finds the runs. */
static void find_runs(const hg_partition_request *r, members *m, keyed *sorted)
{
  for (int i = 0; i < m->count; i++) sorted[i] = (keyed){group_of(r, m->level, m->id[i]), m->id[i]};
  qsort(sorted, (size_t)m->count, sizeof *sorted, by_key);
  m->runs = 0;
  for (int i = 0; i < m->count; i++) {
    m->id[i] = sorted[i].id;
    if (i == 0 || sorted[i].key != sorted[i - 1].key) m->start[m->runs++] = i;
  }
  m->start[m->runs] = m->count;
}

static hg_status grow_run(const growth *g, const members *m, int run, const hg_rect *rect, int parent)
{
  members inside = {.level = m->level + 1, .count = m->start[run + 1] - m->start[run], .id = m->id + m->start[run]};
  double size[3]; /* > 0, even for a run so slow that its extent rounds to 0 */
  for (int a = 0; a < 3; a++) size[a] = fmax(rect->hi[a] - rect->lo[a], DBL_EPSILON * g->request->size[a]);
  return grow(g, &inside, size, parent);
}

/* Copies a tree of runs; each leaf is replaced by the tree of its run. */
static hg_status graft(const growth *g, const members *m, const hg_tree *runs, int node, const hg_rect *rect,
                       int parent)
{
  const hg_node *n = &runs->node[node];
  if (n->leaf >= 0) return grow_run(g, m, n->leaf, &rect[n->leaf], parent);
  const int at = hg_tree_cut(g->tree, parent, n->axis);
  for (int k = n->first; k >= 0; k = runs->node[k].next) HG_TRY(graft(g, m, runs, k, rect, at));
  return HG_OK;
}

static hg_status divide_runs(const growth *g, const members *m, const double size[3], double *speed, hg_rect *rect,
                             int parent)
{
  hg_partition_request r = *g->request;
  hg_tree runs;
  r.levels = 0;
  r.parts = m->runs;
  r.speed = speed;
  r.whole = false;
  memcpy(r.size, size, sizeof r.size);
  for (int a = 0; a < 3; a++) r.periodic[a] &= size[a] > (1 - 1e-9) * g->request->size[a];
  for (int k = 0; k < m->runs; k++)
    for (int i = m->start[k]; i < m->start[k + 1]; i++) speed[k] += g->request->speed[m->id[i]];
  HG_TRY(hg_partition_tree(g->divide, &r, &runs));
  hg_status status = hg_tree_rects(&runs, size, m->runs, speed, rect);
  if (status == HG_OK) status = graft(g, m, &runs, 0, rect, parent);
  hg_tree_free(&runs);
  return status;
}

/* Skips levels at which all are in one group. */
static hg_status grow(const growth *g, members *m, const double size[3], int parent)
{
  if (m->count == 1) {
    hg_tree_leaf(g->tree, parent, m->id[0]);
    return HG_OK;
  }
  const size_t n = (size_t)m->count;
  keyed *sorted = malloc(n * sizeof *sorted);
  double *speed = calloc(n, sizeof *speed);
  hg_rect *rect = malloc(n * sizeof *rect);
  m->start = malloc((n + 1) * sizeof *m->start);
  hg_status status =
      sorted && speed && rect && m->start ? HG_OK : hg_fail(HG_MEMORY, "partition: no memory for levels");
  if (status == HG_OK)
    for (find_runs(g->request, m, sorted); m->runs == 1; find_runs(g->request, m, sorted)) m->level++;
  if (status == HG_OK) status = divide_runs(g, m, size, speed, rect, parent);
  free(sorted);
  free(speed);
  free(rect);
  free(m->start);
  return status;
}

hg_status hg_partition_by_levels(hg_partition_fn *divide, const hg_partition_request *r, hg_tree *t)
{
  const growth g = {r, divide, t};
  members all = {.id = malloc((size_t)r->parts * sizeof *all.id)};
  if (!all.id) return hg_fail(HG_MEMORY, "partition: no memory for %d processors", r->parts);
  for (int i = 0; i < r->parts; i++)
    if (r->speed[i] > 0) all.id[all.count++] = i;
  const hg_status status = grow(&g, &all, r->size, -1);
  if (status != HG_OK) hg_tree_free(t);
  free(all.id);
  return status;
}

hg_status hg_partition_nodes(const hg_partition_request *r, hg_tree *t)
{
  return hg_partition_by_levels(hg_partition_nphp, r, t);
}
