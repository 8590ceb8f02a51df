/* SPDX-License-Identifier: MIT */
#include "elimination/predict.h"

#include <math.h>
#include <string.h>

#define SURELY .85 /* of a time: predicted ones are off by as much */

/* A run as far as it has come. */
typedef struct state {
  const hg_lu_machine *m;
  int64_t n;
  int nb, tiles;
  const hg_tile_map *homes;
  int *left;     /* [workers] columns at home right of the panel */
  double *free;  /* [workers] s, when all that is known is done */
  double *link;  /* [ranks] s, when it has sent all panels */
  double *there; /* [workers] s, when the panel is there */
  double panel;  /* s, when it was made */
} state;

static double rows_from(const state *s, int k)
{
  return (double)(s->n - (int64_t)k * s->nb);
}

static double width(const state *s, int k)
{
  return fmin(s->nb, rows_from(s, k));
}

static double scale(const state *s)
{
  return s->m->single ? .5 : 1;
}

/* Column j, exchanges apart, as the task counts its rows. */
static double column_time(const state *s, int k, int j, int worker)
{
  const double depth = width(s, k), rows = rows_from(s, k) - depth / 2;
  return scale(s) * hg_platform_update_time(s->m->device[worker], fmax(rows, 1), width(s, j), depth);
}

static double panel_time(const state *s, int k, int worker)
{
  const double c = width(s, k);
  return scale(s) * hg_platform_panel_time(s->m->device[worker], c * c * (rows_from(s, k) - c / 3));
}

/* Tile by tile. */
static double wire(const state *s, int k, int worker, bool in)
{
  const hg_device *d = s->m->device[worker];
  const double bytes = rows_from(s, k) * width(s, k) * 8 * scale(s);
  return d->cuda ? (s->tiles - k) * d->latency + bytes / (in ? d->to : d->from) : 0;
}

/* The worker of the home's rank that is done with column k and its panel first: what is urgent goes anywhere there. */
static int best_worker(const state *s, int k)
{
  const hg_lu_machine *m = s->m;
  const int home = hg_tile_owner(s->homes, 0, k);
  int best = home;
  for (int w = 0; w < m->workers; w++)
    if (m->rank[w] == m->rank[home] && panel_time(s, k, w) < panel_time(s, k, best)) best = w;
  return best;
}

static bool rank_has_columns(const state *s, int rank)
{
  for (int w = 0; w < s->m->workers; w++)
    if (s->m->rank[w] == rank && s->left[w] > 0) return true;
  return false;
}

/* Panel k goes from the worker that made it to all that have columns, to one rank after the other, behind what the
 * sender's link still has to carry. */
static void send_panel(state *s, int k, int from)
{
  const hg_lu_machine *m = s->m;
  const double bytes = rows_from(s, k) * width(s, k) * 8 * scale(s), out = wire(s, k, from, false);
  double sent = fmax(s->panel + out, s->link[m->rank[from]]);
  int last = -1;
  for (int w = 0; w < m->workers; w++) {
    const bool away = m->rank[w] != m->rank[from];
    if (away && m->rank[w] != last && rank_has_columns(s, m->rank[w])) sent += bytes / m->bandwidth;
    last = m->rank[w];
    s->there[w] = w == from ? s->panel : (away ? sent + m->latency : s->panel + out) + wire(s, k, w, true);
  }
  s->link[m->rank[from]] = sent;
}

/* Step k up to the next panel. @return who makes that */
static int step(state *s, int k)
{
  const int next = best_worker(s, k + 1), home = hg_tile_owner(s->homes, 0, k + 1);
  const double own = column_time(s, k, k + 1, next), panel = panel_time(s, k + 1, next);
  /* its worker is in the middle of a task when it comes */
  const double begin = fmax(s->there[next], fmin(s->free[next], s->there[next] + own / 2));
  for (int w = 0; w < s->m->workers; w++)
    if (s->left[w] > 0)
      s->free[w] =
          fmax(s->free[w], s->there[w]) + s->left[w] * column_time(s, k, s->tiles > k + 2 ? k + 1 : s->tiles - 1, w);
  s->left[home]--;
  s->panel = begin + own + panel;
  s->free[next] = fmax(s->free[next] + panel, s->panel);
  return next;
}

/* Its columns come to a device tile by tile before it can begin, each in the time of several messages there and back,
 * as StarPU moves them. */
static double fetch_time(const state *s, int worker)
{
  enum { MESSAGES = 6 };
  const hg_device *d = s->m->device[worker];
  if (!d->cuda) return 0;
  const double tile = (double)s->nb * s->nb * 8 * scale(s);
  return (double)s->left[worker] * s->tiles * (MESSAGES * d->latency + tile / d->to);
}

double hg_lu_time(const hg_lu_machine *m, int64_t n, int nb, const hg_tile_map *homes)
{
  double free[m->workers], there[m->workers], link[m->ranks], end = 0;
  int left[m->workers];
  state s = {m, n, nb, (int)((n + nb - 1) / nb), homes, left, free, link, there, 0};
  memset(free, 0, sizeof free);
  memset(link, 0, sizeof link);
  memset(left, 0, sizeof left);
  for (int j = 1; j < s.tiles; j++) left[hg_tile_owner(homes, 0, j)]++;
  for (int w = 0; w < m->workers; w++) free[w] = fetch_time(&s, w);
  int from = s.tiles > 0 ? best_worker(&s, 0) : 0;
  if (s.tiles > 0) free[from] = s.panel = fmax(free[from], panel_time(&s, 0, from));
  for (int k = 0; k + 1 < s.tiles; k++) {
    send_panel(&s, k, from);
    from = step(&s, k);
  }
  for (int w = 0; w < m->workers; w++) end = fmax(end, free[w]);
  return end;
}

static const int sizes[] = {96, 128, 192, 256, 384, 512, 768, 1024};

/* Two columns for each of those whose shares are not small. */
static double least_columns(const hg_lu_machine *m, const double *share)
{
  double largest = 0, columns = 0;
  for (int w = 0; w < m->workers; w++) largest = fmax(largest, share[w]);
  for (int w = 0; w < m->workers; w++) columns += share[w] >= largest / 2 ? 2 : 0;
  return columns;
}

hg_status hg_lu_choose_tiles(const hg_lu_machine *m, int64_t n, int nb, const double *share, int *best, double *seconds)
{
  const int count = nb ? 1 : (int)(sizeof sizes / sizeof *sizes);
  *seconds = INFINITY;
  for (int i = 0; i < count; i++) {
    const int size = nb ? nb : sizes[i];
    if (i > 0 && (double)n / size < least_columns(m, share)) break;
    hg_tile_map homes;
    HG_TRY(hg_tile_map_columns(m->workers, share, (int)((n + size - 1) / size), &homes));
    const double t = hg_lu_time(m, n, size, &homes);
    hg_tile_map_free(&homes);
    if (t >= *seconds) continue;
    *seconds = t;
    *best = size;
  }
  return HG_OK;
}

/* Takes away the node with the least share left. */
static void drop_slowest(const hg_lu_machine *m, double *share)
{
  double sum[m->ranks];
  int slowest = -1;
  memset(sum, 0, sizeof sum);
  for (int w = 0; w < m->workers; w++) sum[m->rank[w]] += share[w];
  for (int r = 0; r < m->ranks; r++)
    if (sum[r] > 0 && (slowest < 0 || sum[r] <= sum[slowest])) slowest = r;
  for (int w = 0; w < m->workers; w++)
    if (m->rank[w] == slowest) share[w] = 0;
}

hg_status hg_lu_choose_nodes(const hg_lu_machine *m, int64_t n, int nb, double *share, int *best, double *seconds)
{
  double fewer[m->workers];
  HG_TRY(hg_lu_choose_tiles(m, n, nb, share, best, seconds));
  memcpy(fewer, share, sizeof fewer);
  for (int nodes = m->ranks - 1; nodes > 0; nodes--) {
    int size = 0;
    double t;
    drop_slowest(m, fewer);
    HG_TRY(hg_lu_choose_tiles(m, n, nb, fewer, &size, &t));
    if (t >= *seconds) continue;
    *seconds = t;
    *best = size;
    memcpy(share, fewer, sizeof fewer);
  }
  return HG_OK;
}

hg_status hg_lu_choose_shares(const hg_lu_machine *m, int64_t n, int nb, int candidates, const double *candidate,
                              double *share, int *best, double *seconds)
{
  double trial[m->workers];
  const size_t bytes = sizeof trial;
  memcpy(share, candidate, bytes);
  HG_TRY(hg_lu_choose_tiles(m, n, nb, share, best, seconds));
  for (int c = 0; c < candidates; c++) {
    int size = 0;
    double t;
    memcpy(trial, candidate + (size_t)c * (size_t)m->workers, bytes);
    HG_TRY(hg_lu_choose_nodes(m, n, nb, trial, &size, &t));
    if (t >= SURELY * *seconds) continue;
    *seconds = t;
    *best = size;
    memcpy(share, trial, bytes);
  }
  return HG_OK;
}
