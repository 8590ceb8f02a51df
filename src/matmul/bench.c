/* SPDX-License-Identifier: MIT */
/* Workers are measured together, so that each has only its share of memory bandwidth and caches. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/simulated_costs.h"
#include "matmul/product.h"
#include "matmul/shares.h"

static const double measurable = 5e7; /* flops of a worker in a step */
enum { MOST_TASKS = 128 };            /* in a step: tiny ones take some 5 us each, and can then be measured */

hg_status hg_matmul_bench_make(const hg_session *s, const hg_matmul_problem *p, hg_matmul_part *part,
                               hg_matmul_bench *b)
{
  const double step = 2. * (double)p->m * (double)p->n * (double)(p->nb < p->k ? p->nb : p->k);
  *b = (hg_matmul_bench){.session = s, .problem = p, .part = part};
  b->repeat = (int)fmin(ceil(measurable * s->all_workers / step), MOST_TASKS);
  b->box = calloc((size_t)s->all_workers, sizeof *b->box);
  b->rank = calloc((size_t)s->ranks, sizeof *b->rank);
  b->partial = calloc((size_t)s->all_workers, sizeof *b->partial);
  if (b->box && b->rank && b->partial) return HG_OK;
  hg_matmul_bench_free(b);
  return hg_fail(HG_MEMORY, "no memory for the parts of %d workers", s->all_workers);
}

void hg_matmul_bench_free(hg_matmul_bench *b)
{
  free(b->box);
  free(b->rank);
  free(b->partial);
  hg_matmul_part_free(&b->spare);
  *b = (hg_matmul_bench){.session = NULL};
}

/* Fills in values that no processor treats as a special case. */
static void fill(void *memory, size_t bytes, hg_precision precision)
{
  if (precision == HG_FLOAT)
    for (size_t i = 0; i < bytes / sizeof(float); i++) ((float *)memory)[i] = .5f + (float)(i % 7);
  else
    for (size_t i = 0; i < bytes / sizeof(double); i++) ((double *)memory)[i] = .5 + (double)(i % 7);
}

static hg_status step_in_product(hg_matmul_bench *b, int strips, double *busy)
{
  const hg_matmul_run run = {.part = b->part,
                             .box = b->box,
                             .strips = strips,
                             .first = b->panel,
                             .end = b->panel + b->repeat,
                             .fresh = b->panel == 0,
                             .goes_on = true,
                             .busy = busy};
  b->panel += b->repeat;
  return hg_matmul_compute(&run);
}

/* Allocates memory for a step and fills it. */
static hg_status make_matrices(hg_matmul_bench *b)
{
  hg_matmul_part *part = &b->spare;
  bool grown;
  HG_TRY(hg_matmul_part_make(b->session, b->problem, &b->rank[b->session->rank], 1, part, &grown));
  for (int i = 0; i < 3 && grown && !hg_simulated; i++)
    fill(part->memory[i].memory, part->memory[i].bytes, b->problem->precision);
  return HG_OK;
}

/* Computes the first panel repeatedly; the first step of all is not counted. */
static hg_status step_apart(hg_matmul_bench *b, int strips, double *busy)
{
  double once[b->session->workers + 1];
  const hg_matmul_run run = {
      .part = &b->spare, .box = b->box + b->session->first_worker, .strips = strips, .end = 1, .busy = once};
  hg_status status = hg_session_agree(b->session, make_matrices(b));
  hg_session_barrier(b->session);
  for (int i = b->warm ? 0 : -1; i < b->repeat && status == HG_OK; i++) {
    status = hg_matmul_compute(&run);
    for (int w = 0; w < b->session->workers && i >= 0; w++) busy[w] += once[w];
  }
  b->warm = true;
  return status;
}

/* A worker whose share was rounded to nothing counts as slow as the slowest. */
static void complete(const hg_matmul_bench *b, const int64_t *units, double *seconds)
{
  double slowest = 0;
  for (int i = 0; i < b->session->all_workers; i++) {
    const double done = hg_matmul_units_of(b->problem, &b->box[i]);
    if (done > 0) slowest = fmax(slowest, seconds[i] / done);
  }
  for (int i = 0; i < b->session->all_workers; i++) {
    const double done = hg_matmul_units_of(b->problem, &b->box[i]);
    const double unit = done > 0 && seconds[i] > 0 ? seconds[i] / done : slowest;
    seconds[i] = fmax(unit, 1e-12) * (double)units[i];
  }
}

hg_status hg_matmul_step(void *arg, const int64_t *units, double *seconds)
{
  hg_matmul_bench *b = arg;
  const hg_session *s = b->session;
  memset(seconds, 0, (size_t)s->all_workers * sizeof *seconds);
  int strips;
  HG_TRY(hg_session_agree(s, hg_matmul_divide(s, b->problem, units, b->box, b->rank)));
  HG_TRY(hg_session_agree(s, hg_matmul_strips(s, b->problem, b->box + s->first_worker, &strips)));
  const hg_status status = (b->part ? step_in_product : step_apart)(b, strips, seconds + s->first_worker);
  HG_TRY(hg_session_agree(s, status));
  hg_session_sum_all(s, seconds, s->all_workers);
  for (int i = 0; i < s->all_workers; i++) seconds[i] /= b->repeat;
  complete(b, units, seconds);
  return HG_OK;
}
