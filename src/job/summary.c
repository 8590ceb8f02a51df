/* SPDX-License-Identifier: MIT */
/* Smallest, largest and mean of all values, computed tile by tile in place; nothing is gathered. The sum is exact, so
 * that the mean is the same for every division. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "codelets/simulated_costs.h"
#include "job/value_rows.h"

/* Limbs are below 2^32, so doubles hold their sums exactly. */
double hg_run_sum(const hg_run *r, hg_exact *sum)
{
  double limb[HG_EXACT_LIMBS + 1];
  hg_exact_carry(sum);
  for (int i = 0; i < HG_EXACT_LIMBS; i++) limb[i] = (double)sum->limb[i];
  limb[HG_EXACT_LIMBS] = sum->special;
  hg_session_sum_all(&r->session, limb, HG_EXACT_LIMBS + 1);
  for (int i = 0; i < HG_EXACT_LIMBS; i++) sum->limb[i] = (int64_t)limb[i];
  sum->special = limb[HG_EXACT_LIMBS];
  return hg_exact_round(sum);
}

typedef struct state {
  const hg_run *run;
  double smallest, largest, missing; /* number that marks cells without data; NaN: none */
  int64_t nonfinite, first, without;
  hg_exact sum;
} state;

static void note_nonfinite(state *s, int64_t id)
{
  if (s->nonfinite++ == 0 || id < s->first) s->first = id;
}

static void look_at_numbers(state *s, const double *number, int count)
{
  for (int i = 0; i < count; i++) {
    s->smallest = number[i] < s->smallest ? number[i] : s->smallest;
    s->largest = number[i] > s->largest ? number[i] : s->largest;
  }
  hg_exact_add_all(&s->sum, number, count);
}

enum { NUMBERS = 1024 };

/* Takes a row of cells, the first of which is unit `id`, into account. */
#define LOOK_AT(TYPE)                                                                                                  \
  static void look_at_##TYPE(state *s, int64_t id, const TYPE *value, int64_t count)                                   \
  {                                                                                                                    \
    double number[NUMBERS];                                                                                            \
    int numbers = 0;                                                                                                   \
    for (int64_t i = 0; i < count; i++) {                                                                              \
      if ((double)value[i] == s->missing)                                                                              \
        s->without++;                                                                                                  \
      else if (isfinite(value[i]))                                                                                     \
        number[numbers++] = (double)value[i];                                                                          \
      else                                                                                                             \
        note_nonfinite(s, id + i);                                                                                     \
      if (numbers < NUMBERS) continue;                                                                                 \
      look_at_numbers(s, number, numbers);                                                                             \
      numbers = 0;                                                                                                     \
    }                                                                                                                  \
    look_at_numbers(s, number, numbers);                                                                               \
  }

LOOK_AT(double)
LOOK_AT(float)

/* Rows of a tile; each thread summarises a part of them. */
typedef struct looking {
  const hg_tile_view *tile;
  state *all;
  pthread_mutex_t lock;
} looking;

static state nothing(const hg_run *r)
{
  return (state){
      .run = r, .smallest = INFINITY, .largest = -INFINITY, .missing = hg_run_missing(r), .first = INT64_MAX};
}

static void look_at_row(void *arg, int64_t id, int64_t count, const char *values)
{
  state *s = arg;
  if (s->run->job->update->value_type == 'f')
    look_at_float(s, id, (const float *)(const void *)values, count);
  else
    look_at_double(s, id, (const double *)(const void *)values, count);
}

static void join(state *a, const state *b)
{
  if (b->smallest < a->smallest) a->smallest = b->smallest;
  if (b->largest > a->largest) a->largest = b->largest;
  if (b->first < a->first) a->first = b->first;
  a->nonfinite += b->nonfinite;
  a->without += b->without;
  hg_exact_join(&a->sum, &b->sum);
}

static void look_at_part(void *arg, int part, int parts)
{
  looking *l = arg;
  const int64_t rows = hg_box_extent(&l->tile->core, 1) * hg_box_extent(&l->tile->core, 2);
  state mine = nothing(l->all->run);
  hg_run_some_rows(mine.run, l->tile, rows * part / parts, rows * (part + 1) / parts, look_at_row, &mine);
  pthread_mutex_lock(&l->lock);
  join(l->all, &mine);
  pthread_mutex_unlock(&l->lock);
}

static hg_status look(void *arg, const hg_tile_view *t)
{
  looking l = {.tile = t, .all = arg, .lock = PTHREAD_MUTEX_INITIALIZER};
  hg_run_parts(t, look_at_part, &l);
  return HG_OK;
}

/* Counts cells without data in the input itself, since values may become any number. Each rank reads some rows. */
static hg_status count_holes(hg_run *r)
{
  const int64_t *n = r->domain.n, rows = n[1] * n[2];
  const double *missing = hg_grid_missing(r->initial.field);
  double *row, holes = 0;
  if (r->holes >= 0) return HG_OK;
  hg_status status = hg_allocate("a row of the input", (size_t)n[0] * sizeof *row, (void **)&row);
  for (int64_t i = r->session.rank; missing && i < rows && status == HG_OK; i += r->session.ranks) {
    const int64_t y = i % n[1], z = i / n[1];
    status = hg_grid_read(r->initial.field, n, &(hg_box){{0, y, z}, {n[0], y + 1, z + 1}}, row);
    for (int64_t x = 0; x < n[0] && status == HG_OK; x++) holes += row[x] == *missing;
  }
  free(row);
  HG_TRY(hg_session_agree(&r->session, status));
  hg_session_sum(&r->session, &holes);
  r->holes = (int64_t)holes;
  return HG_OK;
}

/* Adds cells that have data but hold the number for none: they were counted as if they had none. */
static void add_hidden(state *s, int64_t hidden)
{
  if (hidden == 0) return;
  s->smallest = fmin(s->smallest, s->missing);
  s->largest = fmax(s->largest, s->missing);
  for (int64_t i = 0; i < hidden && s->run->session.rank == 0; i++) hg_exact_add(&s->sum, s->missing);
}

hg_status hg_run_summary(hg_run *r, hg_summary *out)
{
  const hg_session *session = &r->session;
  state s = nothing(r);
  *out = (hg_summary){.smallest = NAN, .largest = NAN, .mean = NAN, .first = -1};
  if (hg_simulated || !hg_run_is_real(r)) return HG_OK;
  HG_TRY(hg_session_agree(session, hg_run_visit(r, look, &s)));
  HG_TRY(count_holes(r));
  double nonfinite = (double)s.nonfinite, first = -(double)s.first, without = (double)s.without;
  hg_session_sum(session, &without);
  const int64_t hidden = (int64_t)without - r->holes;
  add_hidden(&s, hidden);
  double low = -s.smallest;
  hg_session_max(session, &low);
  hg_session_max(session, &s.largest);
  hg_session_sum(session, &nonfinite);
  hg_session_max(session, &first);
  const double finite = (double)hg_run_units(r) - nonfinite - (double)r->holes;
  hg_run_sum(r, &s.sum);
  *out = (hg_summary){.smallest = -low,
                      .largest = s.largest,
                      .mean = hg_exact_mean(&s.sum, finite),
                      .nonfinite = (int64_t)nonfinite,
                      .first = nonfinite > 0 ? (int64_t)-first : -1,
                      .hidden = hidden};
  return HG_OK;
}
