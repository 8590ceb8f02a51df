/* SPDX-License-Identifier: MIT */
/* What hetgrid-matmul prints. */
#include <inttypes.h>
#include <stdio.h>

#include "base/blas.h"
#include "codelets/simulated_costs.h"
#include "matmul.h"
#include "result/report.h"

double matmul_flops(const matmul *m)
{
  return 2. * (double)m->problem.m * (double)m->problem.n * (double)m->problem.k;
}

bool matmul_is_right(const matmul *m)
{
  return (m->outcome.freivalds < 0 || m->outcome.freivalds < 1) && (m->outcome.every < 0 || m->outcome.every <= 1);
}

static double rate(const matmul *m)
{
  return m->context.seconds > 0 ? matmul_flops(m) / m->context.seconds * 1e-9 : 0;
}

static const char *status_of(const matmul *m)
{
  return !m->options.verify ? "unverified" : matmul_is_right(m) ? "ok" : "FAILED";
}

/* Units of each worker, separated by blanks. */
static void list_units(const matmul *m, size_t size, char *text)
{
  size_t at = 0;
  *text = '\0';
  for (int i = 0; i < m->session.all_workers && at < size; i++)
    at += (size_t)snprintf(text + at, size - at, "%s%" PRId64, i ? " " : "", m->units[i]);
}

void matmul_columns(const hg_run_context *context, hg_columns *row)
{
  const matmul *m = context->self;
  const hg_matmul_problem *p = &m->problem;
  char units[HG_COLUMN_TEXT];
  list_units(m, sizeof units, units);
  hg_column_text(row, "app", "matmul");
  hg_column_int(row, "m", p->m);
  hg_column_int(row, "n", p->n);
  hg_column_int(row, "k", p->k);
  hg_column_text(row, "precision", hg_precision_names[p->precision == HG_FLOAT]);
  hg_column_int(row, "nb", p->nb);
  hg_column_text(row, "layout", matmul_layouts[p->layout]);
  hg_column_text(row, "model", matmul_models[m->options.model]);
  hg_column_int(row, "ranks", m->session.ranks);
  hg_column_int(row, "cpu_workers", m->session.cpu_workers);
  hg_column_int(row, "cuda_workers", m->session.cuda_workers);
  hg_column_int(row, "repeat", context->number);
  hg_column_double(row, "seconds", "%.9g", context->seconds);
  hg_column_double(row, "gflops", "%.6g", rate(m));
  hg_column_double(row, "imbalance", "%.4g", m->outcome.imbalance);
  hg_column_double(row, "received_bytes", "%.0f", m->outcome.received);
  hg_column_int(row, "dfpa_steps", m->learnt.steps);
  hg_column_double(row, "dfpa_s", "%.6g", m->learnt.dfpa_s);
  hg_column_int(row, "points", m->learnt.points);
  hg_column_double(row, "ffmpa_s", "%.6g", m->learnt.fpm_s);
  hg_column_double(row, "tables_s", "%.6g", m->learnt.tables_s);
  hg_column_text(row, "units", units);
  hg_column_known(row, "freivalds", "%.6g", !(m->outcome.freivalds < 0), m->outcome.freivalds);
  hg_column_known(row, "every_entry", "%.6g", !(m->outcome.every < 0), m->outcome.every);
  hg_column_text(row, "status", status_of(m));
  hg_column_text(row, "blas", hg_simulated ? "" : hg_blas_text());
}

static void print_division(const matmul *m)
{
  const hg_matmul_learnt *l = &m->learnt;
  printf("  divided    %s of %s by %s", m->problem.layout == HG_LAYOUT_ROWS ? "slices" : "rectangles",
         m->problem.layout == HG_LAYOUT_ROWS ? "16 rows" : "16 x 16", matmul_models[m->options.model]);
  if (l->steps)
    printf(": %d step%s in %.3g s%s", l->steps, l->steps == 1 ? "" : "s", l->dfpa_s,
           m->session.ranks == 1 ? ", which are part of the product" : "");
  if (l->tables_s > 0) printf(": %d points per worker, measured in %.3g s", l->points, l->tables_s);
  puts("");
  for (int i = 0; i < m->session.all_workers; i++)
    printf("    worker %-3d rank %-3d %-4s  %" PRId64 " x %" PRId64 " of C, %5.1f %%, busy %.4g s\n", i,
           m->session.worker_rank[i], m->session.kind[i] == HG_CUDA_WORKER ? "cuda" : "cpu",
           hg_box_extent(&m->box[i], 1), hg_box_extent(&m->box[i], 0),
           100. * (double)hg_box_cells(&m->box[i]) / ((double)m->problem.m * (double)m->problem.n), m->busy[i]);
}

void matmul_text(const hg_run_context *context)
{
  const matmul *m = context->self;
  const hg_matmul_problem *p = &m->problem;
  printf("matmul, %" PRId64 " x %" PRId64 " x %" PRId64 ", %s\n", p->m, p->n, p->k,
         hg_precision_names[p->precision == HG_FLOAT]);
  hg_report_machine(&m->session);
  printf(", panels of %d\n", p->nb);
  if (!hg_simulated) printf("  BLAS       %s\n", hg_blas_text());
  print_division(m);
  printf("  time       %.4g s: %.2f GFLOP/s, imbalance %.3f\n", context->seconds, rate(m), m->outcome.imbalance);
  if (m->session.ranks > 1) printf("  exchanged  %.4g MB of A and B\n", m->outcome.received * 1e-6);
  if (m->outcome.freivalds >= 0) printf("  Freivalds  %-10.4g (must be < 1)\n", m->outcome.freivalds);
  if (m->outcome.every >= 0) printf("  each entry %-10.4g of K eps (|A| |B|) (must be <= 1)\n", m->outcome.every);
  printf("  status     %s\n", status_of(m));
}
