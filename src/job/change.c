/* SPDX-License-Identifier: MIT */
/* The 2-norm of a step's change, computed from both states of all tiles in place. The sum of squares is exact, so that
 * it is the same for every division. */
#include <math.h>
#include <pthread.h>

#include "job/value_rows.h"

/* Rows of a tile; each thread sums a part of them. */
typedef struct changing {
  const hg_tile_view *before, *after;
  bool is_float;
  double scale; /* of changes, so that their squares are numbers */
  hg_exact *all;
  pthread_mutex_t lock;
} changing;

static double change_of(const char *before, const char *after, int64_t i, bool is_float)
{
  if (is_float) return (double)((const float *)after)[i] - (double)((const float *)before)[i];
  return ((const double *)after)[i] - ((const double *)before)[i];
}

static void add_row(const changing *c, int64_t row, hg_exact *sum)
{
  enum { NUMBERS = 1024 };
  const hg_tile_view *a = c->before, *b = c->after;
  const int64_t count = hg_box_extent(&a->core, 0), rows = hg_box_extent(&a->core, 1), y = row % rows, z = row / rows;
  double square[NUMBERS];
  int squares = 0;
  for (int64_t i = 0; i < count; i++) {
    const double change =
        change_of(a->values + y * a->row + z * a->layer, b->values + y * b->row + z * b->layer, i, c->is_float);
    square[squares++] = change * c->scale * (change * c->scale);
    if (squares < NUMBERS && i < count - 1) continue;
    hg_exact_add_all(sum, square, squares);
    squares = 0;
  }
}

static void add_part(void *arg, int part, int parts)
{
  changing *c = arg;
  const int64_t rows = hg_box_extent(&c->before->core, 1) * hg_box_extent(&c->before->core, 2);
  hg_exact mine = {0};
  for (int64_t row = rows * part / parts; row < rows * (part + 1) / parts; row++) add_row(c, row, &mine);
  pthread_mutex_lock(&c->lock);
  hg_exact_join(c->all, &mine);
  pthread_mutex_unlock(&c->lock);
}

typedef struct sum {
  bool is_float;
  double scale;
  hg_exact exact;
} sum;

static hg_status add_tile(void *arg, const hg_tile_view *before, const hg_tile_view *after)
{
  sum *s = arg;
  changing c = {before, after, s->is_float, s->scale, &s->exact, PTHREAD_MUTEX_INITIALIZER};
  hg_run_parts(before, add_part, &c);
  return HG_OK;
}

double hg_change_scale(double largest)
{
  int exponent;
  if (!isfinite(largest)) return 1;
  frexp(largest, &exponent);
  return ldexp(1, exponent > -1000 ? -exponent : 1000); /* also 1 / it is a normal number */
}

hg_status hg_run_change_norm(hg_run *r, double *norm)
{
  sum s = {.is_float = r->job->update->value_type == 'f', .scale = hg_change_scale(r->reduction)};
  *norm = NAN;
  if (isnan(r->reduction) || r->done == r->first || !r->graph->ops->changes || !hg_run_is_real(r)) return HG_OK;
  hg_session_pause(&r->session);
  const hg_status status = r->graph->ops->changes(r->graph, add_tile, &s);
  hg_session_resume(&r->session);
  HG_TRY(hg_session_agree(&r->session, status));
  *norm = sqrt(hg_run_sum(r, &s.exact)) / s.scale;
  return HG_OK;
}
