/* SPDX-License-Identifier: MIT */
/* Divides C, and runs the product. */
#include <string.h>

#include "matmul.h"
#include "matmul/divide.h"
#include "matmul/product.h"

static hg_matmul_sharing sharing(const matmul *m)
{
  const matmul_options *o = &m->options;
  return (hg_matmul_sharing){.model = o->model,
                             .epsilon = o->epsilon,
                             .division = &o->division,
                             .layouts = o->layouts,
                             .runs = o->run.repeat,
                             .warm = o->run.warmup > 0};
}

static hg_status set_boxes(matmul *m)
{
  return hg_matmul_divide(&m->session, &m->problem, m->units, m->box, m->rank);
}

static hg_status divide(matmul *m)
{
  const hg_matmul_sharing how = sharing(m);
  HG_TRY(hg_matmul_shares(&how, &m->bench, m->units, &m->learnt));
  m->divided = true;
  const bool other = m->learnt.layout != m->problem.layout;
  m->problem.layout = m->learnt.layout;
  HG_TRY(set_boxes(m));
  for (int w = 0; w < m->session.all_workers && other; w++)
    m->units[w] = (int64_t)hg_matmul_units_of(&m->problem, &m->box[w]);
  return HG_OK;
}

/* On one rank DFPA learns from the product's panels; */
static bool learns_meanwhile(const matmul *m)
{
  return m->session.ranks == 1 && m->options.model == HG_MATMUL_DFPA;
}

/* with GPUs, it does not begin with equal shares. */
static bool learns_at_once(const matmul *m)
{
  return learns_meanwhile(m) && m->session.cuda_workers == 0;
}

hg_status matmul_divide_ranks(matmul *m)
{
  HG_TRY(hg_session_agree(&m->session, hg_matmul_bench_make(&m->session, &m->problem, NULL, &m->bench)));
  m->rank[0] = (hg_box){{0, 0, 0}, {m->problem.n, m->problem.m, 1}};
  if (!learns_at_once(m)) HG_TRY(hg_session_agree(&m->session, divide(m)));
  if (learns_meanwhile(m)) m->bench.part = &m->part;
  hg_matmul_part_free(&m->bench.spare);
  return HG_OK;
}

static void show_progress(void *arg, int64_t panels)
{
  hg_progress_update(&((hg_run_context *)arg)->bar, panels);
}

static hg_status count_strips(const matmul *m, int *strips)
{
  const hg_session *s = &m->session;
  return hg_session_agree(s, hg_matmul_strips(s, &m->problem, m->box + s->first_worker, strips));
}

/* Computes panels first .. end - 1 with the current shares; adds their time to *busy. The last call collects C. */
static hg_status compute(matmul *m, int strips, int first, int end, double *busy)
{
  const int me = m->session.first_worker;
  double *now = busy + m->session.all_workers;
  const hg_matmul_run part = {.part = &m->part,
                              .box = m->box + me,
                              .strips = strips,
                              .first = first,
                              .end = end,
                              .fresh = first == 0,
                              .goes_on = end < hg_matmul_panels(&m->problem),
                              .bring = hg_matmul_bring,
                              .bring_arg = &m->exchange,
                              .progress = show_progress,
                              .progress_arg = &m->context,
                              .busy = now + me};
  HG_TRY(hg_session_agree(&m->session, hg_matmul_compute(&part)));
  for (int w = me; w < me + m->session.workers; w++) busy[w] += now[w];
  return HG_OK;
}

/* Whether one worker has all of C. */
static bool is_alone(const matmul *m)
{
  int working = 0;
  for (int w = 0; w < m->session.all_workers; w++) working += m->units[w] > 0;
  return working == 1;
}

/* Computes half of the remaining panels at a time, so that a worker that has become slower is noticed. Strips take
 * all panels at once, since each is copied to its GPU and back. */
static hg_status compute_and_adapt(matmul *m, int panel)
{
  const hg_matmul_sharing how = sharing(m);
  const int panels = hg_matmul_panels(&m->problem), least = 4 * m->bench.repeat;
  double *now = m->busy + m->session.all_workers;
  while (panel < panels) {
    const int left = panels - panel;
    int strips;
    HG_TRY(count_strips(m, &strips));
    const int round = left < 2 * least || is_alone(m) || strips > 1 ? left : left / 2;
    HG_TRY(compute(m, strips, panel, panel + round, m->busy));
    panel += round;
    for (int w = 0; w < m->session.workers; w++) now[w] /= round;
    if (panel < panels) HG_TRY(hg_matmul_adapt(&how, &m->bench, now, m->units));
    HG_TRY(set_boxes(m));
  }
  return HG_OK;
}

hg_status matmul_run(hg_run_context *context)
{
  matmul *m = context->self;
  if (m->divided && m->options.model == HG_MATMUL_DFPA && context->number > 0) m->learnt = (hg_matmul_learnt){0};
  memset(m->busy, 0, 2 * (size_t)m->session.all_workers * sizeof *m->busy);
  m->bench.panel = 0;
  if (!m->divided) HG_TRY(divide(m));
  if (learns_meanwhile(m)) return compute_and_adapt(m, m->bench.panel);
  int strips;
  HG_TRY(count_strips(m, &strips));
  return compute(m, strips, 0, hg_matmul_panels(&m->problem), m->busy);
}
