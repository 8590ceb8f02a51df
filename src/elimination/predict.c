/* SPDX-License-Identifier: MIT */
#include "elimination/predict.h"

#include <math.h>
#include <string.h>

#define NONE 1e-9  /* columns */
#define SURELY .95 /* of a time: predicted ones are off by as much */

/* A run as far as it has come. */
typedef struct state {
  const hg_lu_machine *m;
  int64_t n;
  int nb, tiles;
  const hg_tile_map *homes;
  double *left;  /* [workers] columns at home right of the panel, the last one as the part that it is of one */
  double *whole; /* [ranks] the same of all workers of a rank */
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

static double part_of_column(const state *s, int j)
{
  return width(s, j) / s->nb;
}

/* Column j, exchanges apart, as the task counts its rows: the top ones are solved for. */
static double column_time(const state *s, int k, int j, int worker)
{
  const double depth = width(s, k), rows = rows_from(s, k) - depth;
  return scale(s) * hg_platform_update_time(s->m->device[worker], fmax(rows, 1), width(s, j), depth);
}

/* A column of the first step comes to a device meanwhile tile by tile, each in the time of several messages there and
 * back, as StarPU moves them. */
static double shared_column_time(const state *s, int k, int worker)
{
  enum { MESSAGES = 6 };
  const hg_device *d = s->m->device[worker];
  const double update = column_time(s, k, k + 1, worker) / part_of_column(s, k + 1);
  if (!d->cuda || k > 0) return update;
  return fmax(update, s->tiles * (MESSAGES * d->latency + (double)s->nb * s->nb * 8 * scale(s) / d->to));
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

/* From its home to a worker of the same rank. */
static double move_time(const state *s, int k, int home, int worker)
{
  return home == worker ? 0 : wire(s, k, home, false) + wire(s, k, worker, true);
}

/* s that a worker needs for column k and its panel. */
static double urgent_time(const state *s, int k, int worker)
{
  const double update = k > 0 ? column_time(s, k - 1, k, worker) : 0;
  return update + panel_time(s, k, worker) + move_time(s, k, hg_tile_owner(s->homes, 0, k), worker);
}

/* The worker of the home's rank that is done with column k and its panel first: what is urgent goes anywhere there. */
static int best_worker(const state *s, int k)
{
  const hg_lu_machine *m = s->m;
  const int home = hg_tile_owner(s->homes, 0, k);
  int best = home;
  for (int w = 0; w < m->workers; w++)
    if (m->rank[w] == m->rank[home] && urgent_time(s, k, w) < urgent_time(s, k, best)) best = w;
  return best;
}

/* s that the link of the sender's rank is busy with panel k: all ranks that have columns get it at once. */
static double sending_time(const state *s, int k, int from)
{
  const hg_lu_machine *m = s->m;
  const double bytes = rows_from(s, k) * width(s, k) * 8 * scale(s);
  int receivers = 0;
  for (int r = 0; r < m->ranks; r++) receivers += r != m->rank[from] && s->whole[r] > NONE;
  return receivers * bytes / m->bandwidth;
}

/* Panel k goes from the worker that made it to all that have columns, and needs the panels before, which its link still
 * has to carry. */
static void send_panel(state *s, int k, int from)
{
  const hg_lu_machine *m = s->m;
  const double begin = s->panel + wire(s, k, from, false), sending = sending_time(s, k, from);
  const double arrived = fmax(begin, s->link[m->rank[from]]) + sending;
  for (int w = 0; w < m->workers; w++)
    s->there[w] =
        w == from ? s->panel : (m->rank[w] != m->rank[from] ? arrived + m->latency : begin) + wire(s, k, w, true);
  s->link[m->rank[from]] = arrived;
}

/* When the next panel leaves the same rank before panel k has arrived, they share the link. */
static void postpone(state *s, int k, int from, int next)
{
  const hg_lu_machine *m = s->m;
  const double begin = s->panel + wire(s, k + 1, next, false), left = s->link[m->rank[from]] - begin;
  const double shared = fmin(left, sending_time(s, k + 1, next));
  for (int w = 0; w < m->workers && shared > 0; w++)
    if (m->rank[w] != m->rank[from]) s->there[w] += shared;
}

/* Workers of a rank that take each other's columns: not those that would need several times as long. */
typedef struct sharing {
  int first, end; /* workers */
  double slowest; /* s of a column */
} sharing;

static sharing workers_of_rank(const state *s, int k, int member)
{
  const double several = 4;
  const hg_lu_machine *m = s->m;
  sharing r = {member, member + 1, INFINITY};
  while (r.first > 0 && m->rank[r.first - 1] == m->rank[member]) r.first--;
  while (r.end < m->workers && m->rank[r.end] == m->rank[member]) r.end++;
  for (int w = r.first; w < r.end; w++) r.slowest = fmin(r.slowest, several * column_time(s, k, k + 1, w));
  return r;
}

static bool shares(const state *s, int k, const sharing *r, int worker)
{
  return column_time(s, k, k + 1, worker) <= r->slowest;
}

/* s when those who share are done with the columns of all of them, which go to whoever is free. */
static double shared_end(const state *s, int k, const sharing *r)
{
  double done = 0, before = INFINITY;
  while (done < before) {
    double rate = 0, sum = 0;
    if (done > 0) before = done;
    for (int w = r->first; w < r->end; w++) {
      const double begin = fmax(s->free[w], s->there[w]);
      const double column = shared_column_time(s, k, w) + wire(s, k + 1, w, true) + wire(s, k + 1, w, false);
      if (!shares(s, k, r, w)) continue;
      sum += s->left[w];
      if (begin >= before) continue;
      rate += 1 / column;
      sum += begin / column;
    }
    done = sum / rate;
  }
  return done;
}

/* The columns of a worker's rank: at home, or shared where that is faster although columns have to move. */
static void share_columns(state *s, int k, int member)
{
  const sharing r = workers_of_rank(s, k, member);
  double alone[s->m->workers], longest = 0;
  if (s->whole[s->m->rank[member]] < NONE) return;
  for (int w = r.first; w < r.end; w++) {
    alone[w] =
        s->left[w] > NONE ? fmax(s->free[w], s->there[w]) + s->left[w] * shared_column_time(s, k, w) : s->free[w];
    if (shares(s, k, &r, w)) longest = fmax(longest, alone[w]);
  }
  const double shared = shared_end(s, k, &r);
  for (int w = r.first; w < r.end; w++)
    s->free[w] = shares(s, k, &r, w) && shared < longest ? fmax(s->free[w], shared) : alone[w];
}

/* s until a worker with other tasks begins one that is urgent: it is in the middle of one, and a device has the next
 * one queued behind. */
static double lag(const state *s, int worker, double task)
{
  return s->m->device[worker]->cuda ? 1.5 * task : task / 2;
}

/* Panel k+1 is made when its column has been updated. */
static void make_panel(state *s, int k, int next)
{
  const double own = column_time(s, k, k + 1, next), panel = panel_time(s, k + 1, next), there = s->there[next];
  const double move = move_time(s, k + 1, hg_tile_owner(s->homes, 0, k + 1), next);
  const double begin = fmax(there, fmin(s->free[next], there + lag(s, next, own))) + move;
  share_columns(s, k, next);
  const double queued = s->m->device[next]->cuda ? own : 0,
               updated = fmin(begin + own + queued, fmax(begin + own, s->free[next]));
  s->panel = updated + panel;
}

/* Step k up to the next panel. @return who makes that */
static int step(state *s, int k, int from)
{
  const hg_lu_machine *m = s->m;
  const int next = best_worker(s, k + 1);
  make_panel(s, k, next);
  s->left[hg_tile_owner(s->homes, 0, k + 1)] -= part_of_column(s, k + 1);
  s->whole[m->rank[next]] -= part_of_column(s, k + 1);
  if (m->rank[next] == m->rank[from]) postpone(s, k, from, next);
  for (int w = 0; w < m->workers; w++)
    if (m->rank[w] != m->rank[next] && (w == 0 || m->rank[w - 1] != m->rank[w])) share_columns(s, k, w);
  s->free[next] = fmax(s->free[next] + panel_time(s, k + 1, next), s->panel);
  return next;
}

double hg_lu_time(const hg_lu_machine *m, int64_t n, int nb, const hg_tile_map *homes)
{
  double free[m->workers], there[m->workers], left[m->workers], link[m->ranks], whole[m->ranks], end = 0;
  state s = {m, n, nb, (int)((n + nb - 1) / nb), homes, left, whole, free, link, there, 0};
  memset(free, 0, sizeof free);
  memset(link, 0, sizeof link);
  memset(left, 0, sizeof left);
  memset(whole, 0, sizeof whole);
  for (int j = 1; j < s.tiles; j++) {
    const int home = hg_tile_owner(homes, 0, j);
    left[home] += part_of_column(&s, j);
    whole[m->rank[home]] += part_of_column(&s, j);
  }
  int from = s.tiles > 0 ? best_worker(&s, 0) : 0;
  if (s.tiles > 0) free[from] = s.panel = fmax(free[from], panel_time(&s, 0, from));
  for (int k = 0; k + 1 < s.tiles; k++) {
    send_panel(&s, k, from);
    from = step(&s, k, from);
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
    HG_TRY(hg_tile_map_columns(m->workers, share, m->rank, (int)((n + size - 1) / size), &homes));
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
  enum { STEPS = 16 }; /* of so many nodes one at a time is taken away */
  double fewer[m->workers];
  HG_TRY(hg_lu_choose_tiles(m, n, nb, share, best, seconds));
  memcpy(fewer, share, sizeof fewer);
  for (int nodes = m->ranks, fewest; nodes > 1; nodes = fewest) {
    int size = 0;
    double t;
    for (fewest = nodes - 1 - (nodes - 1) / STEPS; nodes > fewest; nodes--) drop_slowest(m, fewer);
    HG_TRY(hg_lu_choose_tiles(m, n, nb, fewer, &size, &t));
    if (t >= *seconds) continue;
    *seconds = t;
    *best = size;
    memcpy(share, fewer, sizeof fewer);
  }
  return HG_OK;
}

/* Whether no worker before is of the same kind. */
static bool is_first_of_kind(const hg_lu_machine *m, int worker)
{
  for (int w = 0; w < worker; w++)
    if (m->device[w] == m->device[worker]) return false;
  return true;
}

/* Takes the shares with those of a kind of processor scaled if that takes less time. */
static hg_status scale_kind(const hg_lu_machine *m, int64_t n, int nb, const hg_device *kind, double *share,
                            double *seconds)
{
  static const double factors[] = {1.25, .8, 1.08, 1 / 1.08};
  double trial[m->workers];
  for (size_t f = 0; f < sizeof factors / sizeof *factors; f++) {
    int size;
    double t;
    for (int w = 0; w < m->workers; w++) trial[w] = share[w] * (m->device[w] == kind ? factors[f] : 1);
    HG_TRY(hg_lu_choose_tiles(m, n, nb, trial, &size, &t));
    if (t >= *seconds) continue;
    *seconds = t;
    memcpy(share, trial, sizeof trial);
  }
  return HG_OK;
}

/* As long as that takes less time: on nodes that get panels late, and behind slow links, processors are worth less than
 * their speed. */
static hg_status descend(const hg_lu_machine *m, int64_t n, int nb, double *share, double *seconds)
{
  enum { ROUNDS = 8 };
  double before = INFINITY;
  for (int round = 0; round < ROUNDS && *seconds < before && m->ranks > 1; round++) {
    before = *seconds;
    for (int w = 0; w < m->workers; w++)
      if (is_first_of_kind(m, w)) HG_TRY(scale_kind(m, n, nb, m->device[w], share, seconds));
  }
  return HG_OK;
}

hg_status hg_lu_choose_shares(const hg_lu_machine *m, int64_t n, int nb, int candidates, const double *candidate,
                              double *share, int *best, double *seconds)
{
  double trial[m->workers], found[m->workers], least = INFINITY;
  const size_t bytes = sizeof trial;
  int size = nb;
  memcpy(share, candidate, bytes);
  HG_TRY(hg_lu_choose_tiles(m, n, nb, share, best, seconds));
  for (int c = 0; c < candidates; c++) {
    double t;
    int tiles;
    memcpy(trial, candidate + (size_t)c * (size_t)m->workers, bytes);
    HG_TRY(hg_lu_choose_nodes(m, n, nb, trial, &tiles, &t));
    if (t >= least) continue;
    least = t;
    size = tiles;
    memcpy(found, trial, bytes);
  }
  HG_TRY(descend(m, n, size, found, &least));
  if (least >= SURELY * *seconds) return HG_OK;
  *seconds = least;
  *best = size;
  memcpy(share, found, bytes);
  return HG_OK;
}
