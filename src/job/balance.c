/* SPDX-License-Identifier: MIT */
#include "job/balance.h"

#include <math.h>

typedef struct extremes {
  double least, most;
} extremes;

static void widen(extremes *e, double seconds)
{
  if (seconds <= 0) return;
  e->least = fmin(e->least, seconds);
  e->most = fmax(e->most, seconds);
}

static double gap(const hg_session *s, const double *busy)
{
  extremes e = {INFINITY, 0};
  for (int r = 0, i = 0; r < s->ranks; r++) {
    double sum = 0;
    int workers = 0;
    for (; i < s->all_workers && s->worker_rank[i] == r; i++, workers++) {
      sum += busy[i];
      if (s->ranks == 1) widen(&e, busy[i]);
    }
    if (s->ranks > 1 && workers > 0) widen(&e, sum / workers);
  }
  return e.most > 0 ? e.most / e.least - 1 : 0;
}

/* Of the workers that did something; 0 if none did: cores beside GPUs are left alone. */
static double mean_of_kind(const hg_session *s, const double *busy, const double *speed, hg_worker_kind kind)
{
  double sum = 0;
  int count = 0;
  for (int i = 0; i < s->all_workers; i++)
    if (s->kind[i] == kind && busy[i] > 0) {
      sum += speed[i];
      count++;
    }
  return count > 0 ? sum / count : 0;
}

double hg_balance_measure(const hg_session *s, const hg_worker_times *times, double *speed)
{
  const int n = s->all_workers;
  double busy[n], cells[n];
  int first = 0;
  while (s->worker_rank[first] != s->rank) first++;
  for (int i = 0; i < n; i++) busy[i] = cells[i] = 0;
  for (int w = 0; w < s->workers; w++) {
    busy[first + w] = times[w].busy;
    cells[first + w] = times[w].cells;
  }
  hg_session_sum_all(s, busy, n);
  hg_session_sum_all(s, cells, n);
  for (int i = 0; i < n; i++) speed[i] = busy[i] > 0 ? cells[i] / busy[i] : 0;
  for (int i = 0; i < n; i++)
    if (busy[i] <= 0) speed[i] = mean_of_kind(s, busy, speed, s->kind[i]);
  return gap(s, busy);
}

bool hg_balance_same(const hg_tiling *a, const hg_tiling *b)
{
  bool same = a->regions == b->regions && a->depth == b->depth;
  for (int i = 0; same && i < a->regions; i++) same = hg_box_equal(&a->region[i].box, &b->region[i].box);
  return same;
}
