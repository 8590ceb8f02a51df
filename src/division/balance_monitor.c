/* SPDX-License-Identifier: MIT */
#include "division/balance_monitor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"

/* Assumed rate, in bytes/s, of moving the grid until one was measured: by copying on one rank; between ranks also over
 * the network, into new memory. */
#define COPIED 2e9
#define SENT .5e9

/* Within a rank, only such a policy follows a division. */
bool hg_balance_keeps_owners(const hg_session *s)
{
  static const char *const following[] = {"hetgrid", "hetgrid-nphp", "hetgrid-dfpa"};
  bool follows = false;
  for (size_t i = 0; i < sizeof following / sizeof *following; i++)
    follows = follows || strcmp(s->sched, following[i]) == 0;
  return follows;
}

hg_status hg_balance_open(const hg_session *s, bool owners, double grid, int64_t value_bytes, int64_t every,
                          hg_balance_monitor *out)
{
  const size_t n = (size_t)s->all_workers;
  double wander = !owners; /* on any rank: policies may differ, what follows from the samples must not */
  hg_session_max(s, &wander);
  *out = (hg_balance_monitor){.session = s, .owners = wander <= 0, .every = every, .pause = every};
  out->cost = grid * (double)value_bytes / (s->ranks > 1 ? s->ranks * SENT : COPIED);
  out->kind = calloc(n, sizeof *out->kind);
  out->cells = calloc(n, sizeof *out->cells);
  out->busy = calloc(n, sizeof *out->busy);
  out->mark = calloc(2 * n, sizeof *out->mark);
  if (!out->kind || !out->cells || !out->busy || !out->mark) return hg_fail(HG_MEMORY, "no memory for %zu workers", n);
  for (size_t i = 0; i < n; i++) out->kind[i] = (int)s->kind[i];
  return hg_monitor_open(s->all_workers, grid, &out->monitor);
}

void hg_balance_close(hg_balance_monitor *b)
{
  hg_monitor_close(&b->monitor);
  free(b->kind);
  free(b->cells);
  free(b->busy);
  free(b->mark);
  *b = (hg_balance_monitor){0};
}

void hg_balance_restart(hg_balance_monitor *b)
{
  const int n = b->monitor.workers;
  for (int i = 0; i < n; i++) b->cells[i] = b->busy[i] = b->mark[i] = b->mark[n + i] = 0;
  b->pause = b->every;
  b->next = 0;
}

/* Work of all workers since the load: sum[all_workers] cells, then as many s. Tasks run meanwhile, so a rank must not
 * poll while it waits for the others. */
static void collect(const hg_session *s, const hg_graph *graph, double *sum)
{
  hg_worker_times times[s->workers + 1];
  const int first = s->first_worker;
  for (int i = 0; i < 2 * s->all_workers; i++) sum[i] = 0;
  hg_graph_times(graph, times);
  for (int w = 0; w < s->workers; w++) {
    sum[first + w] = times[w].cells;
    sum[s->all_workers + first + w] = times[w].busy;
  }
  hg_session_sum_all(s, sum, 2 * s->all_workers);
}

/* Each worker's cells of the grid: those of its region or, if tasks migrate within a rank, by its part of the rank's
 * work. */
static void set_shares(const hg_balance_monitor *b, const hg_tiling *t, hg_monitor_sample *sample)
{
  const hg_session *s = b->session;
  double region[s->ranks], done[s->ranks];
  for (int r = 0; r < s->ranks; r++) region[r] = done[r] = 0;
  for (int i = 0; i < s->all_workers; i++) {
    sample[i].share = (double)hg_box_cells(&t->region[i].box);
    region[s->worker_rank[i]] += sample[i].share;
    done[s->worker_rank[i]] += sample[i].cells;
  }
  for (int i = 0; i < s->all_workers && !b->owners; i++) {
    const int r = s->worker_rank[i];
    sample[i].share = done[r] > 0 ? region[r] * sample[i].cells / done[r] : 0;
  }
}

/* Work of each worker since the given cells and seconds. sum: [2 all_workers] work since the load. */
static void take_samples(const hg_balance_monitor *b, const hg_graph *graph, const double *cells, const double *busy,
                         double *sum, hg_monitor_sample *sample)
{
  const int n = b->monitor.workers;
  collect(b->session, graph, sum);
  for (int i = 0; i < n; i++) sample[i] = (hg_monitor_sample){.cells = sum[i] - cells[i], .busy = sum[n + i] - busy[i]};
  set_shares(b, graph->tiling, sample);
}

/* Checks cost a message between ranks. If they require a least busy time, the pause is as long as that takes. */
static void set_pause(hg_balance_monitor *b, int64_t step, bool complete, double least)
{
  const double enough = complete ? ceil(least / b->monitor.step) : least > 0 ? 2 * (double)b->pause : 0;
  b->pause = (int64_t)fmin(fmax(enough, (double)b->every), 0x1p40);
  b->next = step + b->pause;
}

bool hg_balance_check(hg_balance_monitor *b, const hg_graph *graph, int64_t step, hg_monitor_rule rule)
{
  if (step < b->next) return false;
  const int n = b->monitor.workers;
  double sum[2 * n];
  hg_monitor_sample sample[n];
  take_samples(b, graph, b->cells, b->busy, sum, sample);
  const bool complete = hg_monitor_complete(&b->monitor, sample, &rule);
  if (rule.cost > 0) rule.cost = b->cost;
  const bool move = complete && hg_monitor_check(&b->monitor, sample, &rule);
  set_pause(b, step, complete, rule.least);
  if (!complete) return false;
  memcpy(b->cells, sum, (size_t)n * sizeof *sum);
  memcpy(b->busy, sum + n, (size_t)n * sizeof *sum);
  return move;
}

void hg_balance_mark(hg_balance_monitor *b, const hg_graph *graph)
{
  collect(b->session, graph, b->mark);
}

void hg_balance_learn(hg_balance_monitor *b, const hg_graph *graph)
{
  const int n = b->monitor.workers;
  double sum[2 * n];
  hg_monitor_sample sample[n];
  take_samples(b, graph, b->mark, b->mark + n, sum, sample);
  for (int i = 0; i < n; i++)
    if (sample[i].cells > 0)
      hg_partial_learn(&b->monitor.speed[i], sample[i].share, sample[i].share * sample[i].busy / sample[i].cells);
}

/* --- repartition -------------------------------------------------------------------------------------------------- */

/* Notes the time of a move, and whether it changed anything. One disturbed move must not double the expected cost of
 * the next. */
static void note_move(hg_balance_monitor *b, double seconds, bool changed)
{
  hg_session_max(b->session, &seconds);
  if (changed) b->cost = (b->cost + seconds) / 2;
  hg_monitor_moved(&b->monitor, changed);
}

static bool is_same(const hg_tiling *a, const hg_tiling *b)
{
  bool same = a->regions == b->regions && a->depth == b->depth;
  for (int i = 0; same && i < a->regions; i++) same = hg_box_equal(&a->region[i].box, &b->region[i].box);
  return same;
}

/* Frees a graph, or NULL, and its division. */
static void balance_drop(hg_graph *graph, hg_tiling *tiling)
{
  hg_graph_free(graph);
  hg_tiling_free(tiling);
  free(tiling);
}

static hg_status change_to(hg_balanced *g, hg_tiling *tiling)
{
  hg_graph *graph = NULL;
  hg_status status = g->make(g->arg, tiling, &graph);
  if (status == HG_OK) status = graph->ops->move(g->graph, graph);
  if (status != HG_OK) {
    balance_drop(graph, tiling);
    return status;
  }
  balance_drop(g->graph, g->tiling);
  g->graph = graph;
  g->tiling = tiling;
  return HG_OK;
}

hg_status hg_balance_tiling(const hg_balanced *g, hg_tiling **out)
{
  const int n = g->balance->monitor.workers;
  double speed[n];
  hg_speed_model model[n];
  hg_monitor_models(&g->balance->monitor, g->balance->kind, speed, model);
  return g->divide(g->arg, model, out);
}

static hg_status repartition(hg_balanced *g, bool *moved)
{
  hg_tiling *tiling;
  HG_TRY(hg_balance_tiling(g, &tiling));
  *moved = !is_same(g->tiling, tiling);
  if (*moved) return change_to(g, tiling);
  balance_drop(NULL, tiling);
  return HG_OK;
}

hg_status hg_balance_divide(hg_balanced *g, bool *moved)
{
  const double start = hg_now();
  HG_TRY(repartition(g, moved));
  note_move(g->balance, hg_now() - start, *moved);
  if (*moved)
    hg_log(HG_INFO, "rebalanced %s %lld: the values moved in %.4f s", g->now, (long long)g->step, hg_now() - start);
  return HG_OK;
}
