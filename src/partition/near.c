/* SPDX-License-Identifier: MIT */
/* A plane sweeps along the axis for which it cuts the fewest boxes at a time. Boxes begin in the order of their lower
 * sides; a box that begins is compared with those of the other list that have not ended. Example: of three bands
 * stacked along y, a plane y = const. cuts one at a time, a plane x = const. all three. */
#include "partition/near.h"

#include <math.h>
#include <stdlib.h>

typedef struct start {
  double lo;
  int list, box;
} start;

typedef struct sweep {
  const hg_rect *rect[2]; /* the two lists */
  const double *reach;
  int axis, open[2]; /* boxes that have begun and not ended */
  int *active[2];
  hg_near_fn *tell;
  void *arg;
} sweep;

bool hg_rect_is_empty(const hg_rect *r)
{
  return !(r->hi[0] > r->lo[0] && r->hi[1] > r->lo[1] && r->hi[2] > r->lo[2]);
}

static int by_start(const void *a, const void *b)
{
  const start *s = a, *t = b;
  if (s->lo != t->lo) return s->lo > t->lo ? 1 : -1;
  return s->list != t->list ? s->list - t->list : s->box - t->box;
}

/* Mean number of boxes that a plane across the axis cuts. */
static double met(int axis, const int count[2], const hg_rect *const rect[2])
{
  double sum = 0, lo = INFINITY, hi = -INFINITY;
  for (int l = 0; l < 2; l++)
    for (int i = 0; i < count[l]; i++) {
      const hg_rect *r = &rect[l][i];
      if (hg_rect_is_empty(r)) continue;
      sum += r->hi[axis] - r->lo[axis];
      lo = fmin(lo, r->lo[axis]);
      hi = fmax(hi, r->hi[axis]);
    }
  return hi > lo ? sum / (hi - lo) : INFINITY;
}

static bool is_near(const hg_rect *a, const hg_rect *b, const double reach[3])
{
  for (int x = 0; x < 3; x++)
    if (a->lo[x] - b->hi[x] > reach[x] || b->lo[x] - a->hi[x] > reach[x]) return false;
  return true;
}

/* Compares the box that begins with the open ones of the other list, and removes those that have ended. */
static void begin(sweep *s, const start *b)
{
  const int other = 1 - b->list;
  const hg_rect *mine = &s->rect[b->list][b->box];
  int kept = 0;
  for (int k = 0; k < s->open[other]; k++) {
    const int box = s->active[other][k];
    const hg_rect *r = &s->rect[other][box];
    if (r->hi[s->axis] + s->reach[s->axis] < b->lo) continue;
    s->active[other][kept++] = box;
    if (is_near(mine, r, s->reach)) s->tell(s->arg, b->list == 0 ? b->box : box, b->list == 0 ? box : b->box);
  }
  s->open[other] = kept;
  s->active[b->list][s->open[b->list]++] = b->box;
}

hg_status hg_near_pairs(int ones, const hg_rect *one, int others, const hg_rect *other, const double reach[3],
                        hg_near_fn *tell, void *arg)
{
  const int count[2] = {ones, others};
  sweep s = {.rect = {one, other}, .reach = reach, .tell = tell, .arg = arg};
  const size_t all = (size_t)ones + (size_t)others + 1;
  start *begins = malloc(all * sizeof *begins);
  int *active = malloc(all * sizeof *active), n = 0;
  hg_status status = begins && active ? HG_OK : hg_fail(HG_MEMORY, "no memory for the neighbours of %d boxes", ones);
  for (int a = 1; a < 3; a++)
    if (met(a, count, s.rect) < met(s.axis, count, s.rect)) s.axis = a;
  for (int l = 0; l < 2 && status == HG_OK; l++)
    for (int i = 0; i < count[l]; i++)
      if (!hg_rect_is_empty(&s.rect[l][i])) begins[n++] = (start){s.rect[l][i].lo[s.axis], l, i};
  if (status == HG_OK) {
    s.active[0] = active;
    s.active[1] = active + ones;
    qsort(begins, (size_t)n, sizeof *begins, by_start);
    for (int k = 0; k < n; k++) begin(&s, &begins[k]);
  }
  free(begins);
  free(active);
  return status;
}
