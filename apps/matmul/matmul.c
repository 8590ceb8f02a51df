/* SPDX-License-Identifier: MIT */
/* hetgrid-matmul: C = A B on heterogeneous processors. DFPA learns each worker's share of C from the first outer
 * products (on one rank, where they are part of the product), or beforehand (on several ranks, before A is
 * distributed). */
#include "matmul.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/blas.h"
#include "base/clock.h"
#include "codelets/simulated_costs.h"
#include "runtime/versions.h"
#include "runtime/mpi_backoff.h"
#include "matmul/product.h"
#include "options/compare.h"
#include "program/exit.h"
#include "program/outputs.h"
#include "traces/notes.h"

static hg_status check_sizes(matmul *m)
{
  const int64_t inner[2] = {hg_matrix_cols(m->a), hg_matrix_rows(m->b)};
  matmul_options *o = &m->options;
  if (inner[0] != inner[1])
    return hg_fail(HG_INVALID, "%s has %lld columns, %s has %lld rows, must be equally many", hg_matrix_name(m->a),
                   (long long)inner[0], hg_matrix_name(m->b), (long long)inner[1]);
  o->size[0] = hg_matrix_rows(m->a);
  o->size[1] = hg_matrix_cols(m->b);
  o->size[2] = inner[0];
  for (int i = 0; i < 3; i++)
    if (o->size[i] < 1) return hg_fail(HG_INVALID, "%s times %s: a dimension is 0, must be >= 1", o->a, o->b);
  return HG_OK;
}

static hg_status open_matrices(hg_run_context *context)
{
  matmul *m = context->self;
  const matmul_options *o = &m->options;
  HG_TRY(hg_outputs_check(&o->run));
  if (hg_simulated && o->verify)
    return hg_fail(HG_UNSUPPORTED, "--verify: not supported in virtual time, as nothing is computed");
  if (!o->a) {
    HG_TRY(hg_matrix_random(o->size[0], o->size[2], o->seed, &m->a));
    return hg_matrix_random(o->size[2], o->size[1], o->seed + 1, &m->b);
  }
  HG_TRY(hg_matrix_open(o->a, o->seed, &m->a));
  HG_TRY(hg_matrix_open(o->b, o->seed + 1, &m->b));
  return check_sizes(m);
}

static void list_consistency(const hg_run_context *context, hg_consistency *list)
{
  (void)context;
  if (!hg_simulated) hg_consistency_text(list, "BLAS (HETGRID_BLAS)", hg_blas_name());
}

static hg_status make_lists(matmul *m)
{
  const size_t workers = (size_t)m->session.all_workers + 1, ranks = (size_t)m->session.ranks;
  m->units = calloc(workers, sizeof *m->units);
  m->box = calloc(workers, sizeof *m->box);
  m->rank = calloc(ranks, sizeof *m->rank);
  m->busy = calloc(2 * workers, sizeof *m->busy);
  const bool made = m->units && m->box && m->rank && m->busy;
  return hg_session_agree(&m->session, made ? HG_OK : hg_fail(HG_MEMORY, "no memory for the workers' parts"));
}

static hg_status check_room(const matmul *m)
{
  const double bytes = (double)m->problem.m * (double)m->problem.n * (double)hg_precision_bytes(m->problem.precision);
  return hg_session_agree(&m->session, m->session.rank == 0 ? hg_outputs_fit(&m->options.run, 2, bytes) : HG_OK);
}

static hg_status start(hg_run_context *context)
{
  matmul *m = context->self;
  const matmul_options *o = &m->options;
  HG_TRY(hg_session_join(NULL, &m->session));
  HG_TRY(hg_session_open(&(hg_session_options){.sched = o->sched, .workers = o->workers, .trace = o->run.trace},
                         &m->session));
  context->session = &m->session;
  m->problem = (hg_matmul_problem){.a = m->a,
                                   .b = m->b,
                                   .m = o->size[0],
                                   .n = o->size[1],
                                   .k = o->size[2],
                                   .precision = o->precision,
                                   .nb = o->nb ? o->nb : hg_matmul_choose_nb(o->size[2]),
                                   .layout = o->layout,
                                   .partition = o->partition};
  hg_matmul_prepare();
  HG_TRY(make_lists(m));
  HG_TRY(check_room(m));
  HG_TRY(matmul_divide_ranks(m));
  const hg_box *mine = &m->rank[m->session.rank];
  const int panels = hg_matmul_panels(&m->problem);
  HG_TRY(hg_session_agree(&m->session, hg_matmul_part_make(&m->session, &m->problem, mine, panels, &m->part, NULL)));
  context->label = "matmul";
  context->total = panels;
  return hg_matmul_exchange_make(&m->part, m->rank, &m->exchange);
}

static hg_status load(hg_run_context *context)
{
  matmul *m = context->self;
  m->exchange.bytes = 0;
  return hg_session_agree(&m->session, hg_matmul_part_load(&m->part, m->rank));
}

static void add_up(matmul *m)
{
  double largest = 0, all = 0;
  int working = 0;
  m->outcome = (matmul_outcome){.imbalance = 1, .received = m->exchange.bytes, .freivalds = -1, .every = -1};
  hg_session_sum_all(&m->session, m->busy, m->session.all_workers);
  hg_session_sum(&m->session, &m->outcome.received);
  for (int i = 0; i < m->session.all_workers; i++) {
    all += m->busy[i];
    largest = fmax(largest, m->busy[i]);
    working += m->busy[i] > 0;
  }
  if (all > 0) m->outcome.imbalance = largest / (all / working);
}

static bool is_compared(const matmul *m)
{
  const hg_matmul_problem *p = &m->problem;
  return m->options.verify && p->m < HG_MATMUL_EVERY && p->n < HG_MATMUL_EVERY && p->k < HG_MATMUL_EVERY;
}

/* Names the tests that ran. */
static hg_status status_of(const matmul *m)
{
  char every[64] = "";
  if (matmul_is_right(m)) return HG_OK;
  if (!(m->outcome.every < 0)) snprintf(every, sizeof every, ", the worst entry %.4g (must be <= 1)", m->outcome.every);
  return hg_fail(HG_MISMATCH, "FAILED: Freivalds' test gives %.4g (must be < 1)%s", m->outcome.freivalds, every);
}

static hg_status validate(hg_run_context *context)
{
  matmul *m = context->self;
  context->work = matmul_flops(m);
  strcpy(context->work_unit, "flop");
  add_up(m);
  if (m->options.verify) HG_TRY(hg_matmul_freivalds(&m->part, m->options.seed + 2, &m->outcome.freivalds));
  hg_field_free(&m->c);
  if (is_compared(m) || (m->options.run.outputs && hg_context_is_last(context))) {
    HG_TRY(hg_matmul_gather(&m->part, m->rank, &m->c));
    const bool here = is_compared(m) && m->session.rank == 0;
    HG_TRY(hg_session_agree(&m->session, here ? hg_matmul_compare(&m->problem, &m->c, &m->outcome.every) : HG_OK));
    hg_session_bcast(&m->session, &m->outcome.every, sizeof m->outcome.every);
  }
  return status_of(m);
}

static void add_metadata(const matmul *m, hg_metadata *f)
{
  const matmul_options *o = &m->options;
  hg_metadata_begin(f);
  hg_metadata_add_int(f, "ranks", m->session.ranks);
  hg_metadata_add_text(f, "a", o->a ? o->a : "random");
  hg_metadata_add_text(f, "b", o->b ? o->b : "random");
  hg_command_metadata(m->context.command, f);
  hg_metadata_add_text(f, "blas", hg_blas_name());
}

static hg_status write_product(matmul *m)
{
  HG_TRY(hg_field_check(&m->c, "the product"));
  add_metadata(m, &m->metadata);
  m->c.metadata = &m->metadata;
  return hg_outputs_write(&m->options.run, &m->c);
}

static hg_status finish(hg_run_context *context)
{
  matmul *m = context->self;
  const bool here = m->session.rank == 0 && m->options.run.outputs > 0;
  HG_TRY(hg_session_agree(&m->session, here ? write_product(m) : HG_OK));
  return hg_context_phases(context, NULL, 0);
}

static hg_status describe(hg_run_context *context, const char *folder)
{
  const matmul *m = context->self;
  const hg_matmul_problem *p = &m->problem;
  char title[200];
  snprintf(title, sizeof title, "product of %lld x %lld x %lld, panels of %d, %s by %s, policy %s", (long long)p->m,
           (long long)p->n, (long long)p->k, p->nb, matmul_layouts[p->layout], matmul_models[m->options.model],
           m->session.sched);
  const bool first = m->session.rank == 0;
  return hg_session_agree(&m->session, first ? hg_trace_note_run(folder, title, m->session.ranks, NULL) : HG_OK);
}

static void release(hg_run_context *context)
{
  matmul *m = context->self;
  hg_field_free(&m->c);
  hg_matmul_part_free(&m->part);
  hg_matmul_bench_free(&m->bench);
  hg_session_close(&m->session);
  hg_matrix_close(m->a);
  hg_matrix_close(m->b);
  free(m->units);
  free(m->box);
  free(m->rank);
  free(m->busy);
}

HG_MPI_TEST_BACKOFF

int main(int argc, char **argv)
{
  static const hg_program program = {.open = open_matrices,
                                     .consistency = list_consistency,
                                     .start = start,
                                     .load = load,
                                     .run = matmul_run,
                                     .validate = validate,
                                     .columns = matmul_columns,
                                     .text = matmul_text,
                                     .finish = finish,
                                     .describe = describe,
                                     .release = release};
  static matmul m;
  m.context = (hg_run_context){
      .program = &program, .options = &m.options.run, .self = &m, .kernels = "elimination", .begin = hg_now()};
  hg_program_begin("hetgrid-matmul", hg_about);
  const hg_status blas = hg_simulated ? HG_OK : hg_blas_prepare(argv);
  if (blas != HG_OK) return hg_program_end(blas);
  m.context.command = matmul_parse(argc, argv, &m.options);
  return hg_program_run(&m.context);
}
