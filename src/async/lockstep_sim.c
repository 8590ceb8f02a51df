/* SPDX-License-Identifier: MIT */
/* A row of blocks that wait for each other. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "async/async_sim.h"

typedef struct together {
  const hg_async_sim *row;
  hg_async_sim_stats *stats;
  double *end[2];   /* [blocks] of even and odd sweeps, s */
  char *face;       /* [blocks][2][row->face] the last faces sent */
  double known[2];  /* times at which the residuals of even and odd sweeps are known */
  double reduction; /* s */
} together;

/* Time at which a block can begin: after its previous sweep, when both neighbours' faces of that sweep have arrived. */
static double ready(const together *t, int block, const double *before)
{
  const hg_async_sim *r = t->row;
  double time = before[block];
  for (int s = 0; s < 2; s++) {
    const int from = block + (s ? 1 : -1);
    if (from >= 0 && from < r->blocks) time = fmax(time, before[from] + r->work->flight(r->self, from, block, r->face));
  }
  return time;
}

static void take_faces(const together *t, int64_t sweep)
{
  const hg_async_sim *r = t->row;
  for (int i = 0; i < r->blocks && sweep > 0; i++)
    for (int s = 0; s < 2; s++) {
      const int from = i + (s ? 1 : -1);
      if (from < 0 || from >= r->blocks) continue;
      r->work->arrive(r->self, i, s, HG_ROW_RUNNING, t->face + (size_t)(2 * from + 1 - s) * r->face);
    }
}

static void leave_faces(const together *t)
{
  const hg_async_sim *r = t->row;
  for (int i = 0; i < r->blocks; i++)
    for (int s = 0; s < 2; s++)
      if (i + (s ? 1 : -1) >= 0 && i + (s ? 1 : -1) < r->blocks)
        r->work->leave(r->self, i, s, HG_ROW_RUNNING, t->face + (size_t)(2 * i + s) * r->face);
}

/* Returns the largest residual; NaN: not measured. */
static double sweep(together *t, int64_t number)
{
  const hg_async_sim *r = t->row;
  const double *before = t->end[1 - number % 2];
  double *end = t->end[number % 2], largest = NAN, last = 0;
  take_faces(t, number);
  for (int i = 0; i < r->blocks; i++) {
    double seconds;
    const double residual = r->work->sweep(r->self, i, &seconds);
    largest = isnan(largest) || residual > largest ? residual : largest;
    end[i] = fmax(ready(t, i, before), t->known[number % 2]) + seconds;
    t->stats[i].busy += seconds;
    t->stats[i].sweeps++;
    last = fmax(last, end[i]);
  }
  leave_faces(t);
  t->known[number % 2] = isnan(largest) ? 0 : last + t->reduction;
  return largest;
}

static hg_status make(together *t)
{
  const hg_async_sim *r = t->row;
  const size_t blocks = (size_t)r->blocks;
  const int ranks = r->rank[r->blocks - 1] + 1;
  for (int i = 0; i < 2; i++) HG_TRY(hg_allocate("times", blocks * sizeof(double), (void **)&t->end[i]));
  for (int reached = 1; reached < ranks; reached *= 2)
    t->reduction += r->work->flight(r->self, 0, r->blocks - 1, sizeof(double));
  return hg_allocate("faces", 2 * blocks * r->face + 1, (void **)&t->face);
}

/* When a residual is found small enough, the next sweep is already running; it changes nothing. */
hg_status hg_lockstep_sim_run(const hg_async_sim *row, hg_async_sim_stats *stats, hg_async_sim_end *end)
{
  together t = {.row = row, .stats = stats};
  hg_status status = make(&t);
  double residual = NAN;
  for (int64_t i = 0; status == HG_OK && i < row->sweeps && !(residual <= row->tolerance); i++) {
    residual = sweep(&t, i);
    end->seconds = t.known[i % 2];
  }
  end->residual = residual;
  end->rounds = 0;
  free(t.end[0]);
  free(t.end[1]);
  free(t.face);
  return status;
}
