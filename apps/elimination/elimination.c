/* SPDX-License-Identifier: MIT */
/* hetgrid-elimination: reads the system, distributes its tiles, factors and solves, and reports the quality of the
 * result. */
#include "elimination.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/blas.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "codelets/simulated_costs.h"
#include "elimination/choose_workers.h"
#include "elimination/trace_notes.h"
#include "options/compare.h"
#include "runtime/versions.h"
#include "runtime/worker_usage.h"
#include "placement/choose.h"
#include "program/exit.h"
#include "program/outputs.h"
#include "runtime/mpi_backoff.h"
#include "result/write.h"

static hg_status read_system(elimination *m)
{
  const elimination_options *o = &m->options;
  HG_TRY(hg_matrix_open(o->matrix, o->seed, &m->a));
  const int64_t n = hg_matrix_rows(m->a);
  if (o->factor_only) return HG_OK;
  if (strcmp(o->rhs, "random") == 0) return hg_matrix_random(n, o->nrhs, o->seed + 1, &m->b);
  if (strcmp(o->rhs, "ones") == 0) return hg_matrix_ones(n, o->nrhs, &m->b);
  if (!strpbrk(o->rhs, ".:"))
    return hg_fail(HG_INVALID, "--rhs: '%s', must be ones, random or a file (.mtx, .npy, .npz or .h5)", o->rhs);
  return hg_matrix_open(o->rhs, o->seed, &m->b);
}

static hg_status check_outputs(const elimination_options *o)
{
  if (hg_session_launch_rank() != 0) return HG_OK;
  HG_TRY(hg_outputs_apart(&o->run, "--factors", o->factors));
  HG_TRY(hg_files_apart("--phases", o->run.phases_file, "--factors", o->factors));
  HG_TRY(hg_outputs_check(&o->run));
  if (o->factors && !hg_file_has_ending(o->factors, ".h5"))
    return hg_fail(HG_INVALID, "--factors: '%s' must end in .h5", o->factors);
  return o->factors && !o->solve_only ? hg_output_check(o->factors) : HG_OK;
}

static hg_status open_system(hg_run_context *context)
{
  elimination *m = context->self;
  if (m->options.verify && m->options.pivoting == HG_PIVOT_TOURNAMENT)
    return hg_fail(HG_INVALID,
                   "--verify: not with --pivoting tournament, whose pivots differ from LAPACK's; the ratios are "
                   "always printed");
  HG_TRY(check_outputs(&m->options));
  return read_system(m);
}

static void list_consistency(const hg_run_context *context, hg_consistency *list)
{
  (void)context;
  if (!hg_simulated) hg_consistency_text(list, "BLAS (HETGRID_BLAS)", hg_blas_name());
}

static hg_status distribute_tiles(elimination *m, int tiles)
{
  hg_lu_division d = m->options.division;
  d.speeds.app = "elimination";
  d.speeds.kernel = hg_blas_core();
  d.speeds.precision = hg_precision_names[m->options.precision == HG_FLOAT];
  HG_TRY(hg_lu_distribute(&m->session, &d, m->run.n, tiles, &m->distribution));
  m->run.partition = m->distribution.name;
  m->run.p = m->distribution.p;
  m->run.q = m->distribution.q;
  return HG_OK;
}

/* Checks now that the files to be written fit. */
static hg_status check_room(const elimination *m)
{
  const elimination_options *o = &m->options;
  const double size = (double)hg_precision_bytes(o->precision), n = (double)m->run.n;
  hg_status status = m->session.rank == 0 ? hg_outputs_fit(&o->run, 2, n * (double)m->run.nrhs * 8) : HG_OK;
  if (status == HG_OK && o->factors && !o->solve_only && m->session.rank == 0)
    status = hg_output_fits(o->factors, 2, n * n * size);
  return hg_session_agree(&m->session, status);
}

/* Checks memory before any allocation that grows with n: ranks that share a machine each have their part. */
static hg_status check_memory(const elimination *m)
{
  const int64_t n = hg_matrix_rows(m->a), cols = (n + m->session.ranks - 1) / m->session.ranks;
  if (hg_simulated) return HG_OK;
  return hg_session_agree(&m->session, hg_memory_check("the matrix", (int64_t[3]){n, cols, 1},
                                                       (int64_t)hg_precision_bytes(m->options.precision)));
}

/* Whether columns are assigned to workers. */
static bool has_shares(const elimination_options *o)
{
  return o->division.speeds.speeds || o->division.speeds.tables;
}

/* Two workers per GPU, so that a panel, which mostly waits for latencies, runs beside products. One if each worker
 * counts as a processor. */
static int gpu_workers(const elimination_options *o)
{
  return has_shares(o) || o->run.energy.wanted ? 1 : 2;
}

/* Chooses workers where no option names them, and tiles that suit them. */
static hg_status choose_workers(elimination *m, int64_t n, int *nb)
{
  const elimination_options *o = &m->options;
  const hg_status status =
      has_shares(o) ? HG_OK : hg_lu_choose_workers(&m->session, n, o->precision, o->run.repeat, o->run.warmup > 0);
  HG_TRY(hg_session_agree(&m->session, status));
  double gpus = hg_use_count(&m->session, HG_CUDA_WORKER);
  hg_session_max(&m->session, &gpus);
  *nb = o->nb ? o->nb : hg_choose_nb(n, gpus > 0);
  return HG_OK;
}

static hg_status start(hg_run_context *context)
{
  elimination *m = context->self;
  const elimination_options *o = &m->options;
  HG_TRY(hg_session_join(NULL, &m->session));
  if (o->solve_only) HG_TRY(hg_lu_factors_check(&m->session, o->factors, o->precision));
  HG_TRY(check_memory(m));
  const hg_session_options options = {
      .sched = o->sched, .trace = o->run.trace, .gpu_workers = gpu_workers(o), .steers = true};
  HG_TRY(hg_session_open(&options, &m->session));
  context->session = &m->session;
  const int64_t n = hg_matrix_rows(m->a);
  int nb;
  HG_TRY(choose_workers(m, n, &nb));
  m->run.n = n;
  HG_TRY(distribute_tiles(m, (int)((n + nb - 1) / nb) + (n == 0)));
  m->problem = (hg_lu_problem){.a = m->a,
                               .b = m->b,
                               .precision = o->precision,
                               .nb = nb,
                               .pivoting = o->pivoting,
                               .map = &m->distribution.map,
                               .homes = m->distribution.homes.owner ? &m->distribution.homes : NULL};
  m->run.session = &m->session;
  m->run.factored = !o->solve_only;
  m->run.problem = &m->problem;
  m->run.nrhs = m->b ? hg_matrix_cols(m->b) : 0;
  context->label = "elimination";
  context->total = (n + nb - 1) / nb;
  HG_TRY(hg_elimination_make(&m->session, &m->problem, &m->graph));
  return hg_simulated ? HG_OK : check_room(m);
}

static hg_status load(hg_run_context *context)
{
  elimination *m = context->self;
  HG_TRY(hg_elimination_load(m->graph));
  return m->options.solve_only ? hg_lu_factors_read(&m->session, m->graph, m->options.factors) : HG_OK;
}

static void show_progress(void *arg, int64_t done)
{
  hg_progress_update(&((hg_run_context *)arg)->bar, done);
}

static hg_status run(hg_run_context *context)
{
  elimination *m = context->self;
  hg_elimination_watch(m->graph, m->options.run.phases);
  HG_TRY(m->options.solve_only ? hg_elimination_forward_solve(m->graph)
                               : hg_elimination_factor(m->graph, show_progress, context));
  m->run.metadata = *hg_elimination_metadata(m->graph);
  m->run.solved = m->b && m->run.metadata.info == 0;
  if (m->run.solved) HG_TRY(hg_elimination_solve(m->graph));
  hg_elimination_watch(m->graph, false);
  return HG_OK;
}

static hg_status check_solution(elimination *m)
{
  hg_field_free(&m->x);
  if (!m->run.solved) return HG_OK;
  HG_TRY(hg_lu_solution(&m->session, m->graph, &m->problem, &m->x));
  return hg_lu_residual(&m->session, m->graph, &m->problem, &m->x, &m->run.quality.residual_hpl);
}

static hg_status verify(elimination *m)
{
  int64_t compared = 0;
  HG_TRY(hg_lu_verify_pivots(&m->session, m->graph, &m->problem, &compared));
  if (m->session.rank == 0 && !m->options.run.csv && !m->options.run.quiet)
    printf("  verified   %" PRId64 " of %" PRId64 " pivots are those of LAPACK%s\n", compared, m->run.n,
           compared < m->run.n ? "; the others depend on rounding" : "");
  return HG_OK;
}

/* Writes factors before they are multiplied, under a temporary name until they have been validated. */
static hg_status keep_factors(const elimination *m, char temporary[HG_PATH_MAX])
{
  HG_TRY(hg_file_temporary(m->options.factors, temporary));
  return hg_lu_factors_write(&m->session, m->graph, temporary);
}

/* Everything that reads the factors must run before they are multiplied. */
static hg_status check_factors(elimination *m)
{
  const elimination_options *o = &m->options;
  hg_lu_quality *q = &m->run.quality;
  HG_TRY(hg_lu_growth(&m->session, m->graph, &q->growth));
  if (o->determinant) HG_TRY(hg_lu_determinant(&m->session, m->graph, q));
  HG_TRY(hg_lu_rcond(&m->session, m->graph, &q->rcond));
  if (o->verify) HG_TRY(verify(m));
  if (o->factors && !o->solve_only) HG_TRY(keep_factors(m, m->kept_factors));
  HG_TRY(hg_elimination_multiply_back(m->graph));
  return hg_lu_factors_error(&m->session, m->graph, &m->problem, &q->dget01);
}

static hg_status check_pivots(const elimination *m)
{
  const hg_lu_run *r = &m->run;
  if (!r->metadata.info) return HG_OK;
  return hg_fail(HG_MISMATCH, "%s %s: pivot %" PRId64 " is exactly zero%s", hg_matrix_name(m->a),
                 hg_lu_breakdown(r->problem), r->metadata.info, m->b ? ", so the system was not solved" : "");
}

/* Adds a computed number, and its bound if it has one. */
static void add_number(char text[256], const char *name, double value, double bound)
{
  const size_t at = strlen(text);
  if (value < 0) return;
  const int length = snprintf(text + at, 256 - at, "%s %s %.4g", at ? "," : "", name, value);
  if (bound > 0) snprintf(text + at + length, 256 - at - (size_t)length, " (must be < %g)", bound);
}

static hg_status fail_by_numbers(const hg_lu_quality *q)
{
  char text[256] = "";
  add_number(text, "residual", q->residual_hpl, HG_LU_RESIDUAL_BOUND);
  add_number(text, "factors", q->dget01, HG_LU_FACTORS_BOUND);
  add_number(text, "growth", q->growth, 0);
  return hg_fail(HG_MISMATCH, "FAILED:%s", text);
}

static bool solution_overflows(const hg_lu_quality *q)
{
  return isnan(q->residual_hpl) && q->dget01 >= 0 && q->dget01 < HG_LU_FACTORS_BOUND;
}

/* A result that cannot be trusted is a failure. Factors of a singular matrix can be trusted, so finish() reports the
 * singular matrix after they have been written. */
static hg_status status_of(const elimination *m)
{
  const hg_lu_run *r = &m->run;
  const char *word = hg_lu_validate(r);
  if (strcmp(word, "FAILED") == 0 && solution_overflows(&r->quality))
    return hg_fail(HG_MISMATCH, "FAILED: the factors are right, but the solution overflows: it has values beyond %.2g",
                   m->problem.precision == HG_FLOAT ? (double)FLT_MAX : DBL_MAX);
  if (strcmp(word, "FAILED") == 0) return fail_by_numbers(&r->quality);
  return m->b ? check_pivots(m) : HG_OK;
}

static void warn_of_condition(const elimination *m)
{
  if (hg_lu_is_ill_conditioned(&m->run))
    hg_log(HG_WARN,
           "%s is ill-conditioned: rcond %.3g is below the precision, so the solution may have no correct digit",
           hg_matrix_name(m->a), m->run.quality.rcond);
}

static hg_status validate(hg_run_context *context)
{
  elimination *m = context->self;
  m->run.repeat = context->number;
  m->run.seconds = context->seconds;
  context->work = elimination_flops(&m->run);
  strcpy(context->work_unit, "flop");
  m->run.quality = (hg_lu_quality){.residual_hpl = -1, .dget01 = -1, .growth = -1, .rcond = -1};
  if (hg_simulated) return HG_OK; /* there is no result */
  HG_TRY(check_solution(m));
  if (hg_context_is_last(context)) HG_TRY(check_factors(m));
  warn_of_condition(m);
  return status_of(m);
}

static void add_metadata(const elimination *m, hg_metadata *f)
{
  hg_metadata_begin(f);
  hg_metadata_add_int(f, "ranks", m->session.ranks);
  hg_command_metadata(m->context.command, f);
  hg_metadata_add_text(f, "blas", hg_blas_name());
}

static hg_status write_results(elimination *m)
{
  const elimination_options *o = &m->options;
  add_metadata(m, &m->metadata);
  m->x.metadata = &m->metadata;
  m->x.vector = m->b && hg_matrix_is_vector(m->b);
  HG_TRY(hg_outputs_write(&o->run, &m->x));
  if (!*m->kept_factors) return HG_OK;
  HG_TRY(hg_file_commit(m->kept_factors, o->factors));
  *m->kept_factors = 0;
  return HG_OK;
}

static hg_status finish(hg_run_context *context)
{
  elimination *m = context->self;
  if (!hg_simulated) HG_TRY(hg_session_agree(&m->session, m->session.rank == 0 ? write_results(m) : HG_OK));
  hg_worker_times times[m->session.workers + 1];
  hg_elimination_phases(m->graph, context->use, times);
  HG_TRY(hg_context_phases(context, times, 0));
  return check_pivots(m);
}

static hg_status describe(hg_run_context *context, const char *folder)
{
  return hg_lu_trace_notes(folder, &((elimination *)context->self)->run);
}

static void release(hg_run_context *context)
{
  elimination *m = context->self;
  if (*m->kept_factors && m->session.rank == 0) unlink(m->kept_factors);
  hg_field_free(&m->x);
  hg_elimination_free(m->graph);
  hg_lu_distribution_free(&m->distribution);
  hg_session_close(&m->session);
  hg_matrix_close(m->a);
  hg_matrix_close(m->b);
}

HG_MPI_TEST_BACKOFF

int main(int argc, char **argv)
{
  static const hg_program program = {.open = open_system,
                                     .consistency = list_consistency,
                                     .start = start,
                                     .load = load,
                                     .run = run,
                                     .validate = validate,
                                     .columns = elimination_columns,
                                     .text = elimination_text,
                                     .finish = finish,
                                     .describe = describe,
                                     .release = release};
  static elimination m;
  m.context = (hg_run_context){
      .program = &program, .options = &m.options.run, .self = &m, .kernels = "elimination", .begin = hg_now()};
  hg_program_begin("hetgrid-elimination", hg_about);
  const hg_status blas = hg_simulated ? HG_OK : hg_blas_prepare(argv);
  if (blas != HG_OK) return hg_program_end(blas);
  m.context.command = elimination_parse(argc, argv, &m.options);
  return hg_program_run(&m.context);
}
