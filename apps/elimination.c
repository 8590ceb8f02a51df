/* SPDX-License-Identifier: MIT */
/* hetgrid-elimination: reads the system, deals out its tiles, factors and solves, and says how good the result is. */
#include "elimination.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything a run owns. */
typedef struct elimination {
  elimination_options options;
  hg_matrix *a, *b;
  hg_session session;
  bool session_open;
  hg_tile_map map;
  hg_lu_problem problem;
  hg_elimination *graph;
  hg_lu_run run;
  hg_progress bar;
} elimination;

static hg_status read_system(elimination *m)
{
  const elimination_options *o = &m->options;
  HG_TRY(hg_matrix_open(o->matrix, o->seed, &m->a));
  const int64_t n = hg_matrix_rows(m->a);
  if (o->factor_only) return HG_OK;
  if (strcmp(o->rhs, "random") == 0) return hg_matrix_random(n, o->nrhs, o->seed + 1, &m->b);
  if (strcmp(o->rhs, "ones") == 0) return hg_matrix_ones(n, o->nrhs, &m->b);
  return hg_matrix_open(o->rhs, o->seed, &m->b);
}

static hg_status check_outputs(const elimination_options *o)
{
  if (hg_session_launch_rank() != 0) return HG_OK;
  for (int i = 0; i < o->run.outputs; i++) HG_TRY(hg_output_check(o->run.output[i]));
  if (o->factors && !hg_file_has_ending(o->factors, ".h5"))
    return hg_fail(HG_INVALID, "--factors: '%s' must end in .h5", o->factors);
  return o->factors && !o->solve_only ? hg_output_check(o->factors) : HG_OK;
}

/* Who owns which tile. */
static hg_status deal_tiles(elimination *m, int tiles)
{
  const elimination_options *o = &m->options;
  const int ranks = m->session.ranks;
  double speed[ranks];
  if (o->speeds && o->speeds != ranks)
    return hg_fail(HG_INVALID, "--speeds: %d numbers for %d ranks", o->speeds, ranks);
  if (o->p && o->p * o->q != ranks) return hg_fail(HG_INVALID, "--grid: %dx%d for %d ranks", o->p, o->q, ranks);
  for (int r = 0; r < ranks; r++) speed[r] = o->speeds ? o->speed[r] : 1;
  m->run.partition = o->partition ? o->partition : o->speeds ? "columns" : "grid";
  if (o->partition) return hg_tile_map_pattern(o->partition, ranks, speed, o->pattern ? o->pattern : tiles, &m->map);
  m->run.p = o->p ? o->p : 1;
  m->run.q = o->p ? o->q : ranks;
  if (o->speeds) return hg_tile_map_columns(ranks, speed, tiles + 1, &m->map);
  return hg_tile_map_grid(m->run.p, m->run.q, &m->map);
}

static hg_status build(elimination *m)
{
  const elimination_options *o = &m->options;
  const int64_t n = hg_matrix_rows(m->a);
  const int nb = o->nb ? o->nb : hg_choose_nb(n, m->session.cuda_workers > 0);
  HG_TRY(hg_session_agree(&m->session, deal_tiles(m, (int)((n + nb - 1) / nb) + (n == 0))));
  m->problem = (hg_lu_problem){
      .a = m->a, .b = m->b, .precision = o->precision, .nb = nb, .pivoting = o->pivoting, .map = &m->map};
  m->run.session = &m->session;
  m->run.problem = &m->problem;
  m->run.n = n;
  m->run.nrhs = m->b ? hg_matrix_cols(m->b) : 0;
  m->run.quality = (hg_lu_quality){.residual_hpl = -1, .dget01 = -1, .growth = -1, .rcond = -1};
  return hg_elimination_make(&m->session, &m->problem, &m->graph);
}

static void show_progress(void *arg, int64_t done)
{
  elimination *m = arg;
  hg_progress_update(&m->bar, done);
}

static hg_status timed_run(elimination *m, int number)
{
  const elimination_options *o = &m->options;
  HG_TRY(hg_elimination_load(m->graph));
  if (o->solve_only) HG_TRY(hg_lu_factors_read(&m->session, m->graph, o->factors));
  hg_progress_begin(&m->bar, m->session.rank == 0 && !o->run.quiet ? o->run.progress : "off", "elimination",
                    (m->run.n + m->problem.nb - 1) / m->problem.nb);
  hg_session_barrier(&m->session);
  if (number == o->run.repeat - 1) hg_record_start();
  double start = hg_now();
  hg_status status =
      o->solve_only ? hg_elimination_eliminate(m->graph) : hg_elimination_factor(m->graph, show_progress, m);
  m->run.facts = *hg_elimination_facts(m->graph);
  m->run.solved = m->b && m->run.facts.info == 0;
  if (status == HG_OK && m->run.solved) status = hg_elimination_solve(m->graph);
  hg_session_barrier(&m->session);
  m->run.seconds = hg_now() - start;
  hg_record_stop();
  m->run.repeat = number;
  hg_progress_end(&m->bar);
  return status;
}

static hg_status write_solution(const elimination *m, const hg_field *x)
{
  const elimination_options *o = &m->options;
  hg_status status = HG_OK;
  for (int i = 0; i < o->run.outputs && m->session.rank == 0 && status == HG_OK; i++) {
    status = hg_output_write(o->run.output[i], x);
    if (status == HG_OK && !o->run.quiet && !o->run.csv) printf("  wrote      %s\n", o->run.output[i]);
  }
  return hg_session_agree(&m->session, status);
}

/* The residual is that of the solution, so it is checked before anything is written. */
static hg_status check_solution(elimination *m)
{
  hg_field x;
  if (!m->run.solved) return HG_OK;
  HG_TRY(hg_lu_solution(&m->session, m->graph, &m->problem, &x));
  hg_status status = hg_lu_residual(&m->session, m->graph, &m->problem, &x, &m->run.quality.residual_hpl);
  if (status == HG_OK) status = write_solution(m, &x);
  hg_field_free(&x);
  return status;
}

static hg_status verify(elimination *m)
{
  int64_t compared = 0;
  if (m->options.pivoting == HG_PIVOT_TOURNAMENT)
    return hg_fail(HG_INVALID, "--verify: the pivots of a tournament are not LAPACK's; its ratios are always printed");
  HG_TRY(hg_lu_verify_pivots(&m->session, m->graph, &m->problem, &compared));
  if (m->session.rank == 0 && !m->options.run.csv && !m->options.run.quiet)
    printf("  verified   %" PRId64 " of %" PRId64 " pivots are LAPACK's%s\n", compared, m->run.n,
           compared < m->run.n ? "; there, two rows are equally large" : "");
  return HG_OK;
}

/* Everything that reads the factors comes before they are multiplied again. */
static hg_status judge(elimination *m)
{
  const elimination_options *o = &m->options;
  hg_lu_quality *q = &m->run.quality;
  HG_TRY(hg_lu_growth(&m->session, m->graph, &q->growth));
  if (o->determinant) HG_TRY(hg_lu_determinant(&m->session, m->graph, q));
  if (o->rcond || !(o->run.csv || o->run.quiet)) HG_TRY(hg_lu_rcond(&m->session, m->graph, &q->rcond));
  if (o->factors && !o->solve_only) HG_TRY(hg_lu_factors_write(&m->session, m->graph, o->factors));
  HG_TRY(check_solution(m));
  if (o->verify) HG_TRY(verify(m));
  HG_TRY(hg_elimination_multiply_back(m->graph));
  return hg_lu_factors_error(&m->session, m->graph, &m->problem, &q->dget01);
}

/* A result that is not to be trusted is a failure. */
static hg_status verdict(const elimination *m)
{
  const hg_lu_run *r = &m->run;
  const char *word = hg_lu_verdict(r);
  if (strcmp(word, "FAILED") == 0)
    return hg_fail(HG_MISMATCH, "FAILED: residual %.4g (must be < %g), factors %.4g (must be < %g), growth %.4g",
                   r->quality.residual_hpl, HG_LU_RESIDUAL_BOUND, r->quality.dget01, HG_LU_FACTORS_BOUND,
                   r->quality.growth);
  if (r->facts.info && m->b)
    return hg_fail(HG_MISMATCH, "%s is singular: pivot %" PRId64 " is exactly zero, so the system was not solved",
                   hg_matrix_name(m->a), r->facts.info);
  return HG_OK;
}

static hg_status run_all(elimination *m)
{
  const elimination_options *o = &m->options;
  const bool speak = m->session.rank == 0 && !o->run.quiet;
  HG_TRY(build(m));
  if (speak && o->run.csv) hg_lu_report_csv_header();
  for (int i = -o->run.warmup; i < o->run.repeat; i++) {
    HG_TRY(timed_run(m, i));
    if (i == o->run.repeat - 1) break;
    if (speak && o->run.csv && i >= 0) hg_lu_report_csv(&m->run);
    if (speak && !o->run.csv && i >= 0) hg_lu_report_text(&m->run);
  }
  if (speak && !o->run.csv) hg_lu_report_text(&m->run);
  if (o->run.trace) HG_TRY(hg_lu_trace_notes(o->run.trace, &m->run));
  if (hg_simulated) {
    if (speak && o->run.csv) hg_lu_report_csv(&m->run);
    return HG_OK; /* there is no result */
  }
  HG_TRY(judge(m));
  if (speak && o->run.csv) hg_lu_report_csv(&m->run);
  if (speak && !o->run.csv) hg_lu_report_quality(&m->run);
  return verdict(m);
}

static void release(elimination *m)
{
  hg_elimination_free(m->graph);
  hg_tile_map_free(&m->map);
  if (m->session_open) hg_session_close(&m->session);
  hg_matrix_close(m->a);
  hg_matrix_close(m->b);
}

int main(int argc, char **argv)
{
  if (!hg_simulated) hg_blas_prepare(argv);
  elimination m = {0};
  elimination_parse(argc, argv, &m.options);
  hg_log_set_rank(hg_session_launch_rank());
  hg_status status = read_system(&m);
  if (status == HG_OK) status = check_outputs(&m.options);
  if (status == HG_OK) {
    status = hg_session_open(&(hg_session_options){.sched = m.options.sched, .trace = m.options.run.trace}, &m.session);
    m.session_open = status == HG_OK;
  }
  if (status == HG_OK) status = run_all(&m);
  if (status != HG_OK && hg_session_launch_rank() == 0) fprintf(stderr, "hetgrid-elimination: %s\n", hg_message());
  const bool traced = m.session_open && m.options.run.trace && hg_session_launch_rank() == 0;
  release(&m);
  if (traced && hg_finish_trace(&m.options.run, m.session.ranks) != HG_OK) {
    fprintf(stderr, "hetgrid-elimination: %s\n", hg_message());
    if (status == HG_OK) status = HG_IO;
  }
  return status == HG_OK ? 0 : status == HG_INVALID ? 2 : status == HG_NO_WORKER ? 77 : 1;
}
