/* SPDX-License-Identifier: MIT */
/* --rebalance: shares that follow the measured speeds while the program runs. */
#include <math.h>
#include <stdlib.h>

#include "heat.h"

/* What every worker has done since the last look: s and cells, on all ranks. */
static hg_status measure(heat *h, double *busy, double *cells)
{
  const hg_session *s = &h->session;
  hg_worker_times *times = malloc(((size_t)s->workers + 1) * sizeof *times);
  if (!times) return hg_fail(HG_MEMORY, "no memory for %d workers", s->workers);
  int first = 0;
  while (s->worker_rank[first] != s->rank) first++;
  for (int i = 0; i < s->all_workers; i++) busy[i] = cells[i] = 0;
  hg_stencil_times(hg_heat_stencil(h->graph), times);
  for (int w = 0; w < s->workers; w++) {
    busy[first + w] = times[w].busy;
    cells[first + w] = times[w].cells;
  }
  free(times);
  hg_session_sum_all(s, busy, s->all_workers);
  hg_session_sum_all(s, cells, s->all_workers);
  return HG_OK;
}

/* How far busy times lie apart: largest / smallest - 1, of workers that did something. Where a policy moves tasks
 * between the workers of a rank, their ranks tell. */
static double gap(const heat *h, const double *busy)
{
  const hg_session *s = &h->session;
  double least = INFINITY, most = 0;
  for (int r = 0, i = 0; r < s->ranks; r++) {
    double sum = 0;
    int workers = 0;
    for (; i < s->all_workers && s->worker_rank[i] == r; i++, workers++) {
      sum += busy[i];
      if (s->ranks == 1 && busy[i] > 0) {
        least = fmin(least, busy[i]);
        most = fmax(most, busy[i]);
      }
    }
    if (s->ranks > 1 && sum > 0) {
      least = fmin(least, sum / workers);
      most = fmax(most, sum / workers);
    }
  }
  return most > 0 ? most / least - 1 : 0;
}

static bool same_regions(const hg_tiling *a, const hg_tiling *b)
{
  bool same = a->regions == b->regions && a->depth == b->depth;
  for (int i = 0; same && i < a->regions; i++) same = hg_box_equal(&a->region[i].box, &b->region[i].box);
  return same;
}

/* The state goes to tiles of the new division; what the old ones have counted is kept. */
static hg_status move(heat *h, hg_tiling *tiling)
{
  hg_heat_graph *next;
  const double start = hg_now();
  HG_TRY(hg_heat_make(&h->session, &h->problem, tiling, h->kernel, h->source, &next));
  hg_status status = hg_stencil_move(hg_heat_stencil(h->graph), hg_heat_stencil(next));
  if (status != HG_OK) {
    hg_heat_free(next);
    return status;
  }
  h->exchanged += hg_stencil_exchanged(hg_heat_stencil(h->graph));
  hg_heat_free(h->graph);
  hg_tiling_free(h->tiling);
  free(h->tiling);
  h->graph = next;
  h->tiling = tiling;
  h->moves++;
  hg_log(HG_INFO, "rebalanced: the state moved in %.4f s", hg_now() - start);
  return HG_OK;
}

hg_status heat_rebalance(heat *h)
{
  const int n = h->session.all_workers;
  double busy[n], cells[n], speed[n], mean = 0;
  HG_TRY(measure(h, busy, cells));
  hg_stencil_reset_times(hg_heat_stencil(h->graph));
  if (gap(h, busy) <= h->options.rebalance) return HG_OK;
  for (int i = 0; i < n; i++) {
    speed[i] = busy[i] > 0 ? cells[i] / busy[i] : 0;
    mean += speed[i] / n;
  }
  for (int i = 0; i < n; i++)
    if (busy[i] <= 0) speed[i] = mean; /* that had nothing to do is tried again */
  hg_tiling *tiling = calloc(1, sizeof *tiling);
  if (!tiling) return hg_fail(HG_MEMORY, "no memory for tiles");
  hg_status status = hg_session_agree(&h->session, heat_make_tiling(h, speed, tiling));
  if (status == HG_OK && !same_regions(h->tiling, tiling)) return move(h, tiling);
  if (status == HG_OK) hg_tiling_free(tiling);
  free(tiling);
  return status;
}
