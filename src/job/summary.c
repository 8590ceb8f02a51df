/* SPDX-License-Identifier: MIT */
/* Smallest, largest and mean of all values, tile by tile where they are; nothing is gathered. The sum is exact, so that
 * the mean is the same for every division. */
#include <math.h>
#include <stdlib.h>

#include "codelets/costs.h"
#include "job/run.h"

typedef struct state {
  const hg_run *run;
  double smallest, largest;
  int64_t strange, first;
  hg_exact sum;
} state;

static void note_strange(state *s, int64_t id)
{
  if (s->strange++ == 0 || id < s->first) s->first = id;
}

/* A row of cells whose first one is unit `id`. */
#define LOOK_AT(TYPE)                                                                                                  \
  static void look_at_##TYPE(state *s, int64_t id, const TYPE *value, int64_t count)                                   \
  {                                                                                                                    \
    for (int64_t i = 0; i < count; i++) {                                                                              \
      const double v = (double)value[i];                                                                               \
      if (!isfinite(v)) {                                                                                              \
        note_strange(s, id + i);                                                                                       \
        continue;                                                                                                      \
      }                                                                                                                \
      s->smallest = v < s->smallest ? v : s->smallest;                                                                 \
      s->largest = v > s->largest ? v : s->largest;                                                                    \
      hg_exact_add(&s->sum, v);                                                                                        \
    }                                                                                                                  \
  }

LOOK_AT(double)
LOOK_AT(float)

static hg_status look(void *arg, const hg_tile_view *t)
{
  state *s = arg;
  const int64_t *n = s->run->domain.n, count = hg_box_extent(&t->core, 0);
  for (int64_t z = t->core.lo[2]; z < t->core.hi[2]; z++)
    for (int64_t y = t->core.lo[1]; y < t->core.hi[1]; y++) {
      const int64_t id = t->core.lo[0] + n[0] * (y + n[1] * z);
      const void *row = t->values + (y - t->core.lo[1]) * t->row + (z - t->core.lo[2]) * t->layer;
      if (s->run->job->update->value_type == 'f')
        look_at_float(s, id, row, count);
      else
        look_at_double(s, id, row, count);
    }
  return HG_OK;
}

hg_status hg_run_summary(hg_run *r, hg_summary *out)
{
  const hg_session *session = &r->session;
  state s = {.run = r, .smallest = INFINITY, .largest = -INFINITY, .first = INT64_MAX};
  *out = (hg_summary){.first = -1};
  if (hg_simulated || !hg_run_is_real(r)) return HG_OK;
  HG_TRY(hg_session_agree(session, r->graph->does->visit(r->graph, look, &s)));
  double low = -s.smallest, strange = (double)s.strange, first = -(double)s.first;
  hg_session_max(session, &low);
  hg_session_max(session, &s.largest);
  hg_session_sum(session, &strange);
  hg_session_max(session, &first);
  const double finite = (double)hg_run_units(r) - strange;
  *out = (hg_summary){.smallest = -low,
                      .largest = s.largest,
                      .mean = hg_run_sum(r, &s.sum) / finite,
                      .strange = (int64_t)strange,
                      .first = strange > 0 ? (int64_t)-first : -1};
  return HG_OK;
}
