/* SPDX-License-Identifier: MIT */
#include "elimination/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAIN (-1)     /* memory of the cores */
#define HANDLE 1.3e-6 /* s of a GPU driver's work for each tile of a task, while the GPU computes */
#define TRANSFER 2e-6 /* s that StarPU needs for a copy of a tile */
#define SURELY .95    /* of a time: the error of predictions */

/* The progress of a simulated run. */
typedef struct state {
  const hg_lu_machine *m;
  int64_t n;
  int nb, tiles;
  const hg_tile_map *homes;
  int *first;     /* [ranks + 1] workers */
  double *ready;  /* [tiles] s, when a column's last task ends */
  int *memory;    /* [tiles] the GPU that has a column, or MAIN */
  double *free;   /* [workers] s, when all its tasks have ended */
  double *in;     /* [workers] s, when the copies to a GPU end, */
  double *out;    /* ... and from it */
  double *there;  /* [workers] s, when the panel arrives */
  double *update; /* [workers] s for a column of nb columns at this step */
  double *link;   /* [ranks] s, when it has sent all its panels */
  bool *works;    /* [ranks] whether it has columns right of the panel */
} state;

static double rows_from(const state *s, int k)
{
  return (double)(s->n - (int64_t)k * s->nb);
}

static double width(const state *s, int j)
{
  return fmin(s->nb, rows_from(s, j));
}

static double scale(const state *s)
{
  return s->m->single ? .5 : 1;
}

/* Bytes of column j from tile k down. */
static double bytes(const state *s, int k, int j)
{
  return rows_from(s, k) * width(s, j) * 8 * scale(s);
}

/* Seconds to copy column j from tile k down, tile by tile. The tiles of a panel have to wait for each other. */
static double copy_time(const state *s, int k, int j, const hg_device *d, double bandwidth)
{
  const int latencies = j == k ? 2 : 1;
  return (s->tiles - k) * (latencies * d->latency + TRANSFER) + bytes(s, k, j) / bandwidth;
}

/* Seconds for column j at step k: the top tile is solved for, with rows counted as in the task; for j = k, the
 * panel. */
static double task_time(const state *s, int k, int j, int worker)
{
  const hg_device *d = s->m->device[worker];
  const double depth = width(s, k), rows = rows_from(s, k);
  const double task =
      j == k ? hg_platform_panel_time(d, depth, depth * depth * (rows - depth / 3))
             : hg_platform_update_time(d, rows - depth / 2, width(s, j), depth) + hg_platform_solve_time(d, depth);
  const int handles = (s->tiles - k) * (j == k ? 1 : 2);
  return d->cuda ? fmax(scale(s) * task, HANDLE * handles) : scale(s) * task;
}

/* Where and when a task could run. */
typedef struct placement {
  int worker;
  double expected, end; /* s: as the policy would estimate it; including all that links carry */
  double out, in;       /* s, when its copies end; 0: none */
  double task;          /* s */
} placement;

/* Seconds until a busy worker begins an urgent task: it is in the middle of a task, and a GPU has another one
 * queued. */
static double lag(const state *s, int worker)
{
  return (s->m->device[worker]->cuda ? 1.5 : .5) * s->update[worker];
}

/* Column j at step k on a worker. Urgent tasks overtake others. The policy sees only part of the wait for links, and
 * it weights copies of data that tasks update, which have to come back: half of each comes closest to the best tile
 * sizes on simulated nodes. */
static placement place(const state *s, int k, int j, int worker, bool urgent)
{
  const hg_device *const *device = s->m->device;
  const int from = s->memory[j], to = device[worker]->cuda ? worker : MAIN;
  const double out = from != to && from != MAIN ? copy_time(s, k, j, device[from], device[from]->from) : 0,
               in = from != to && to != MAIN ? copy_time(s, k, j, device[to], device[to]->to) : 0,
               task = j > k && width(s, j) == s->nb ? s->update[worker] : task_time(s, k, j, worker),
               there = s->ready[j] + out + in,
               begin = urgent ? fmin(s->free[worker], there + lag(s, worker)) : s->free[worker];
  const double unhindered = fmax(begin, there) + task;
  placement p = {.worker = worker, .task = task};
  double data = s->ready[j];
  if (out > 0) data = p.out = fmax(data, s->out[from]) + out;
  if (in > 0) data = p.in = fmax(data, s->in[to]) + in;
  if (j > k) data = fmax(data, s->there[worker]);
  p.end = fmax(begin, data) + task;
  p.expected = (unhindered + p.end + out + in) / 2;
  return p;
}

/* On the worker of the column's rank that is expected to finish it first. */
static placement best_placement(const state *s, int k, int j, bool urgent)
{
  const hg_lu_machine *m = s->m;
  const int rank = m->rank[hg_tile_owner(s->homes, 0, j)];
  placement best = {.expected = INFINITY};
  for (int w = s->first[rank], freest = w; w < s->first[rank + 1]; w++) {
    const bool alike = w > s->first[rank] && !m->device[w]->cuda && m->device[w] == m->device[freest];
    if (alike && s->free[w] >= s->free[freest]) continue;
    freest = w;
    const placement p = place(s, k, j, w, urgent);
    if (p.expected < best.expected) best = p;
  }
  return best;
}

/* @return the worker */
static int run_task(state *s, int k, int j, bool urgent)
{
  const placement p = best_placement(s, k, j, urgent);
  const int from = s->memory[j], to = s->m->device[p.worker]->cuda ? p.worker : MAIN;
  if (p.out > 0) s->out[from] = p.out;
  if (p.in > 0) s->in[to] = p.in;
  s->memory[j] = to;
  s->ready[j] = p.end;
  s->free[p.worker] = fmax(p.end, s->free[p.worker] + p.task);
  return p.worker;
}

/* Time when panel k is in main memory of the rank whose worker made it, if any other worker needs it. */
static double leave_gpu(state *s, int k, int from)
{
  const hg_device *d = s->m->device[from];
  const int alone = s->m->rank[from];
  bool needed = s->first[alone + 1] - s->first[alone] > 1;
  for (int r = 0; r < s->m->ranks; r++) needed |= s->works[r] && r != alone;
  if (!d->cuda || !needed) return s->ready[k];
  return s->out[from] = fmax(s->ready[k], s->out[from]) + copy_time(s, k, k, d, d->from);
}

/* Time when panel k has arrived on the other ranks that have columns. */
static double travel(state *s, int k, int from, double begin)
{
  const hg_lu_machine *m = s->m;
  int receivers = 0;
  for (int r = 0; r < m->ranks; r++) receivers += s->works[r] && r != m->rank[from];
  if (receivers == 0) return begin;
  s->link[m->rank[from]] = fmax(begin, s->link[m->rank[from]]) + receivers * bytes(s, k, k) / m->bandwidth;
  return s->link[m->rank[from]] + m->latency;
}

/* Sends panel k from the worker that made it to all that have columns. */
static void send_panel(state *s, int k, int from)
{
  const hg_lu_machine *m = s->m;
  const double left = leave_gpu(s, k, from), arrived = travel(s, k, from, left);
  for (int w = 0; w < m->workers; w++) {
    const hg_device *d = m->device[w];
    s->there[w] = w == from ? s->ready[k] : m->rank[w] == m->rank[from] ? left : arrived;
    if (w == from || !d->cuda || !s->works[m->rank[w]]) continue;
    s->there[w] = s->in[w] = fmax(s->there[w], s->in[w]) + copy_time(s, k, k, d, d->to);
  }
}

/* Finds the ranks with columns right of panel k, and their workers' time per column. */
static void begin_step(state *s, int k)
{
  const hg_lu_machine *m = s->m;
  memset(s->works, 0, (size_t)m->ranks * sizeof *s->works);
  for (int j = k + 1; j < s->tiles; j++) s->works[m->rank[hg_tile_owner(s->homes, 0, j)]] = true;
  for (int w = 0; w < m->workers; w++)
    s->update[w] = w > 0 && m->device[w] == m->device[w - 1] ? s->update[w - 1] : task_time(s, k, k + 1, w);
}

/* Tasks of step k become ready with its panel. The next panel's column is urgent, and so is that panel, which becomes
 * ready when other tasks are already queued. @return the worker that computes it */
static int step(state *s, int k, int from)
{
  begin_step(s, k);
  send_panel(s, k, from);
  for (int j = k + 1; j < s->tiles; j++) s->ready[j] = fmax(s->ready[j], s->ready[k]);
  run_task(s, k, k + 1, true);
  for (int j = k + 2; j < s->tiles; j++) run_task(s, k, j, false);
  return run_task(s, k + 1, k + 1, true);
}

static double run(state *s)
{
  double end = 0;
  for (int w = s->m->workers - 1; w >= 0; w--) s->first[s->m->rank[w]] = w;
  s->first[s->m->ranks] = s->m->workers;
  for (int j = 0; j < s->tiles; j++) s->memory[j] = MAIN;
  for (int k = 0, from = run_task(s, 0, 0, false); k + 1 < s->tiles; k++) from = step(s, k, from);
  for (int w = 0; w < s->m->workers; w++) end = fmax(end, s->free[w]);
  return end;
}

hg_status hg_lu_time(const hg_lu_machine *m, int64_t n, int nb, const hg_tile_map *homes, double *seconds)
{
  const size_t tiles = (size_t)((n + nb - 1) / nb), workers = (size_t)m->workers, ranks = (size_t)m->ranks;
  double *numbers = calloc(tiles + 5 * workers + ranks, sizeof *numbers);
  int *whole = calloc(tiles + ranks + 1, sizeof *whole);
  bool *works = calloc(ranks, sizeof *works);
  const bool room = numbers && whole && works;
  if (room) {
    double *of_worker = numbers + tiles;
    state s = {.m = m,
               .n = n,
               .nb = nb,
               .tiles = (int)tiles,
               .homes = homes,
               .works = works,
               .first = whole,
               .memory = whole + ranks + 1,
               .ready = numbers,
               .free = of_worker,
               .in = of_worker + workers,
               .out = of_worker + 2 * workers,
               .there = of_worker + 3 * workers,
               .update = of_worker + 4 * workers,
               .link = of_worker + 5 * workers};
    *seconds = tiles > 0 ? run(&s) : 0;
  }
  free(numbers);
  free(whole);
  free(works);
  return room ? HG_OK : hg_fail(HG_MEMORY, "no memory for the times of %zu columns", tiles);
}

static const int sizes[] = {96, 128, 192, 256, 384, 512, 768, 1024};

/* Two columns for each worker whose share is not small. */
static double least_columns(const hg_lu_machine *m, const double *share)
{
  double largest = 0, columns = 0;
  for (int w = 0; w < m->workers; w++) largest = fmax(largest, share[w]);
  for (int w = 0; w < m->workers; w++) columns += share[w] >= largest / 2 ? 2 : 0;
  return columns;
}

hg_status hg_lu_choose_tiles(const hg_lu_machine *m, int64_t n, int nb, const double *share, int *best, double *seconds)
{
  enum { MANY = 1024 }; /* columns: smaller tiles are not considered */
  const int count = nb ? 1 : (int)(sizeof sizes / sizeof *sizes);
  const double least = least_columns(m, share);
  *seconds = INFINITY;
  for (int i = 0; i < count; i++) {
    const int size = nb ? nb : sizes[i];
    if (i > 0 && (double)n / size < least) break;
    if (i + 1 < count && n / size > MANY && (double)n / sizes[i + 1] >= least) continue;
    hg_tile_map homes;
    HG_TRY(hg_tile_map_columns(m->workers, share, m->rank, (int)((n + size - 1) / size), &homes));
    double t;
    const hg_status status = hg_lu_time(m, n, size, &homes, &t);
    hg_tile_map_free(&homes);
    HG_TRY(status);
    if (t >= *seconds) continue;
    *seconds = t;
    *best = size;
  }
  return HG_OK;
}

/* Removes the node with the smallest remaining share, unless it is the last with any. */
static void drop_slowest(const hg_lu_machine *m, double *share)
{
  double sum[m->ranks];
  int slowest = -1, left = 0;
  memset(sum, 0, sizeof sum);
  for (int w = 0; w < m->workers; w++) sum[m->rank[w]] += share[w];
  for (int r = 0; r < m->ranks; r++) {
    left += sum[r] > 0;
    if (sum[r] > 0 && (slowest < 0 || sum[r] <= sum[slowest])) slowest = r;
  }
  for (int w = 0; w < m->workers && left > 1; w++)
    if (m->rank[w] == slowest) share[w] = 0;
}

hg_status hg_lu_choose_nodes(const hg_lu_machine *m, int64_t n, int nb, double *share, int *best, double *seconds)
{
  enum { STEPS = 8 }; /* this many nodes are removed one at a time */
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

/* Whether no earlier worker is of the same kind. */
static bool is_first_of_kind(const hg_lu_machine *m, int worker)
{
  for (int w = 0; w < worker; w++)
    if (m->device[w] == m->device[worker]) return false;
  return true;
}

/* Scales the shares of one kind of processor if that reduces the time. */
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

/* Repeats this while the time falls: on nodes that get panels late, and behind slow links, processors are worth less
 * than their speed. */
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
