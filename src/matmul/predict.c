/* SPDX-License-Identifier: MIT */
/* Example: two ranks with one worker each, 10 panels of 2 s each, halves of C one above the other. A panel of B is on
 * one of them, and takes 1 s on the link to the other. Computation hides this: 20 s, plus 1 s before the first
 * panel. */
#include "matmul/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "speed/fpm.h"

#define SURELY .95 /* of a time: the error of predictions */

typedef struct search {
  const hg_matmul_machine *m;
  const hg_matmul_problem *problem; /* as given */
  int workers;
  bool *use; /* [workers] */
  int64_t *units, *found;
  hg_box *box, *rank;
  double best;
  hg_matmul_layout layout;
} search;

static double value_bytes(const hg_matmul_problem *p)
{
  return (double)hg_precision_bytes(p->precision);
}

/* Seconds per panel, and for C. */
typedef struct phases {
  double exchange, fetch, compute, back; /* between ranks; to a GPU; on the slowest worker; from a GPU */
} phases;

static void add_workers(const hg_matmul_machine *m, const hg_matmul_problem *p, const hg_box *box, phases *t)
{
  const double all = (double)p->m * (double)p->n;
  for (int w = 0; w < m->session->all_workers; w++) {
    const double rows = (double)hg_box_extent(&box[w], 1), cols = (double)hg_box_extent(&box[w], 0);
    if (rows * cols == 0) continue;
    t->compute = fmax(t->compute, hg_speed_time(&m->model[w], rows * cols / all * m->units, 0));
    if (!m->port) continue;
    t->fetch = fmax(t->fetch, 2 * m->port[w].latency + (rows + cols) * p->nb * m->port[w].in);
    t->back = fmax(t->back, m->port[w].latency + rows * cols * m->port[w].out);
  }
}

/* B is broadcast to all ranks by a binomial tree, or with many ranks by scatter and allgather. */
static double broadcast_time(const hg_matmul_machine *m, const hg_matmul_problem *p)
{
  enum { MANY = 8 };
  const int ranks = m->session->ranks;
  const double rounds = ceil(log2(ranks)),
               carry = hg_wire_carry(&m->wire, (double)p->nb * (double)p->n * value_bytes(p));
  return ranks < MANY ? rounds * (hg_wire_start(&m->wire) + carry)
                      : (rounds + ranks) * hg_wire_start(&m->wire) + 2 * carry;
}

static double overlap(const hg_box *a, const hg_box *b, int axis)
{
  const int64_t lo = a->lo[axis] > b->lo[axis] ? a->lo[axis] : b->lo[axis];
  const int64_t hi = a->hi[axis] < b->hi[axis] ? a->hi[axis] : b->hi[axis];
  return lo < hi && hg_box_cells(a) > 0 && hg_box_cells(b) > 0 ? (double)(hi - lo) : 0;
}

/* Seconds of a panel's messages on the busiest link. */
static double exchange_time(const hg_matmul_machine *m, const hg_matmul_problem *p, const hg_box *rank, int panel)
{
  const int ranks = m->session->ranks;
  const double bytes = hg_matmul_depth(p, panel) * value_bytes(p);
  double in[ranks], out[ranks], busiest = 0;
  memset(in, 0, sizeof in);
  memset(out, 0, sizeof out);
  for (int o = 0; o < ranks; o++) {
    const bool a = hg_matmul_owns_a(p, rank, panel, o), b = hg_matmul_owns_b(p, rank, panel, o);
    for (int r = 0; r < ranks; r++) {
      if (r == o || (!a && !b)) continue;
      const double values = (a ? overlap(&rank[o], &rank[r], 1) : 0) + (b ? overlap(&rank[o], &rank[r], 0) : 0);
      out[o] += values * bytes;
      in[r] += values * bytes;
    }
  }
  for (int r = 0; r < ranks; r++) busiest = fmax(busiest, fmax(in[r], out[r]));
  return busiest > 0 ? 2 * hg_wire_start(&m->wire) + hg_wire_carry(&m->wire, busiest) : 0;
}

/* Seconds of a panel's messages: all broadcasts take equally long, exchanges depend on who owns the panel. */
static double messages_time(const hg_matmul_machine *m, const hg_matmul_problem *p, const hg_box *rank)
{
  enum { SAMPLES = 32 };
  const int panels = hg_matmul_panels(p), samples = panels < SAMPLES ? panels : SAMPLES;
  double sum = 0;
  if (m->session->ranks == 1) return 0;
  if (p->layout == HG_LAYOUT_ROWS) return broadcast_time(m, p);
  for (int i = 0; i < samples; i++) sum += exchange_time(m, p, rank, (int)((int64_t)panels * i / samples));
  return sum / samples;
}

double hg_matmul_time(const hg_matmul_machine *m, const hg_matmul_problem *p, const hg_box *box, const hg_box *rank)
{
  phases t = {.exchange = messages_time(m, p, rank)};
  add_workers(m, p, box, &t);
  return t.exchange + t.fetch + t.compute + (hg_matmul_panels(p) - 1) * fmax(t.exchange, fmax(t.fetch, t.compute)) +
         t.back;
}

/* --- search ------------------------------------------------------------------------------------------------------- */

static hg_status open_search(search *s, const hg_matmul_machine *m, const hg_matmul_problem *p)
{
  const size_t workers = (size_t)m->session->all_workers;
  *s = (search){.m = m,
                .problem = p,
                .workers = (int)workers,
                .use = calloc(workers, sizeof *s->use),
                .units = calloc(workers, sizeof *s->units),
                .found = calloc(workers, sizeof *s->found),
                .box = calloc(workers, sizeof *s->box),
                .rank = calloc((size_t)m->session->ranks, sizeof *s->rank),
                .best = INFINITY};
  if (s->use && s->units && s->found && s->box && s->rank) return HG_OK;
  return hg_fail(HG_MEMORY, "no memory for the parts of %zu workers", workers);
}

static void close_search(search *s)
{
  free(s->use);
  free(s->units);
  free(s->found);
  free(s->box);
  free(s->rank);
}

/* Evaluates the current shares with a layout. */
static hg_status evaluate(search *s, hg_matmul_layout layout)
{
  hg_matmul_problem p = *s->problem;
  p.layout = layout;
  HG_TRY(hg_matmul_divide(s->m->session, &p, s->units, s->box, s->rank));
  const double seconds = hg_matmul_time(s->m, &p, s->box, s->rank);
  if (seconds >= s->best) return HG_OK;
  s->best = seconds;
  s->layout = layout;
  memcpy(s->found, s->units, (size_t)s->workers * sizeof *s->found);
  return HG_OK;
}

/* Tries FPM's shares among the workers in use. */
static hg_status try_workers(search *s, bool layouts)
{
  hg_speed_model model[s->workers];
  int64_t part[s->workers];
  int used = 0;
  for (int w = 0; w < s->workers; w++)
    if (s->use[w]) model[used++] = s->m->model[w];
  HG_TRY(hg_fpm(used, model, NULL, (int64_t)s->m->units, part));
  for (int w = 0, i = 0; w < s->workers; w++) s->units[w] = s->use[w] ? part[i++] : 0;
  HG_TRY(evaluate(s, s->problem->layout));
  return layouts ? evaluate(s, HG_LAYOUT_RECTANGLES) : HG_OK;
}

/* Drops a worker or, with `ranks`, a rank: among those in use, the slowest at an even share. */
static void drop_slowest(search *s, bool ranks)
{
  const int *rank = s->m->session->worker_rank;
  double sum[s->workers], even = s->m->units / s->workers;
  int slowest = -1;
  memset(sum, 0, sizeof sum);
  for (int w = 0; w < s->workers; w++)
    if (s->use[w]) sum[ranks ? rank[w] : w] += 1 / hg_speed_time(&s->m->model[w], even, 0);
  for (int i = 0; i < s->workers; i++)
    if (sum[i] > 0 && (slowest < 0 || sum[i] <= sum[slowest])) slowest = i;
  for (int w = 0; w < s->workers; w++)
    if ((ranks ? rank[w] : w) == slowest) s->use[w] = false;
}

static hg_status try_fewer(search *s, bool ranks, bool layouts)
{
  enum { FEW = 16 };
  for (int w = 0; w < s->workers; w++) s->use[w] = true;
  for (int left = ranks ? s->m->session->ranks : s->workers, fewer; left > 0; left = fewer) {
    HG_TRY(try_workers(s, layouts));
    fewer = left <= FEW ? left - 1 : 3 * left / 4;
    for (int i = left; i > fewer; i--) drop_slowest(s, ranks);
  }
  return HG_OK;
}

/* Starts from the given shares, which remain unless others are clearly faster. */
static hg_status find_best(search *s, bool others, bool layouts, int64_t *units, hg_matmul_layout *layout,
                           double *seconds)
{
  const size_t bytes = (size_t)s->workers * sizeof *units;
  memcpy(s->units, units, bytes);
  HG_TRY(evaluate(s, s->problem->layout));
  *seconds = s->best;
  *layout = s->layout;
  if (!others) return HG_OK;
  HG_TRY(try_fewer(s, false, layouts));
  HG_TRY(try_fewer(s, true, layouts));
  if (s->best >= SURELY * *seconds) return HG_OK;
  *seconds = s->best;
  *layout = s->layout;
  memcpy(units, s->found, bytes);
  return HG_OK;
}

hg_status hg_matmul_choose(const hg_matmul_machine *m, const hg_matmul_problem *p, bool others, bool layouts,
                           int64_t *units, hg_matmul_layout *layout, double *seconds)
{
  search s;
  hg_status status = open_search(&s, m, p);
  if (status == HG_OK) status = find_best(&s, others, layouts, units, layout, seconds);
  close_search(&s);
  return status;
}
