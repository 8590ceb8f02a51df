/* SPDX-License-Identifier: MIT */
/* Random blocks of adr, for tests of its kernels on GPUs and their emulation: a time step begins, then two sweeps. C
 * and C++. */
#ifndef HG_TESTS_ADR_CASES_H
#define HG_TESTS_ADR_CASES_H

#include <math.h>
#include <stdlib.h>

#include "codelets/adr/adr.h"
#include "codelets/adr/adr_krylov.h"
#include "tap.h"

enum { ADR_STATES = 3, ADR_SWEEPS = 2 };

typedef struct adr_case {
  hg_adr_block b;
  hg_adr_step step;
  bool is_float, first, bdf2, broken; /* broken: the point blocks hold a NaN */
  double *tables, *state[ADR_STATES]; /* u, old, before */
  void *work;
  hg_adr_outcome outcome;
  int iterations; /* of the last solve */
} adr_case;

static size_t adr_state_bytes(const adr_case *c)
{
  return 2 * (size_t)c->b.field * sizeof(double);
}

static size_t adr_real_bytes(const adr_case *c)
{
  return c->is_float ? sizeof(float) : sizeof(double);
}

static size_t adr_work_bytes(const adr_case *c)
{
  return HG_ADR_FIELDS * (size_t)c->b.field * adr_real_bytes(c);
}

static size_t adr_table_bytes(const adr_case *c)
{
  return (size_t)hg_adr_table_at(&c->b, 3, 0) * sizeof(double);
}

static double adr_real(uint64_t *state, double lo, double hi)
{
  return lo + (hi - lo) * (double)(tap_random(state) >> 11) * 0x1p-53;
}

static void adr_shape(uint64_t *state, const int64_t most[3], hg_adr_block *b)
{
  memset(b, 0, sizeof *b);
  for (int a = 0; a < 3; a++) {
    b->n[a] = tap_between(state, 1, most[a]);
    b->lo[a] = tap_between(state, 0, (b->n[a] - 1) / 2);
    b->hi[a] = tap_between(state, b->lo[a] + 1, b->n[a]);
    b->wrap[a] = tap_between(state, 0, 1) == 1;
  }
  b->reaction = (int)tap_between(state, HG_ADR_MMS, HG_ADR_NONE);
  hg_adr_lay_out(b);
}

/* Weights of both sides, their sum, sines and cosines. */
static void adr_fill_tables(uint64_t *state, const adr_case *c)
{
  for (int a = 0; a < 3; a++)
    for (int64_t i = 0; i < c->b.n[a]; i++) {
      double *const at = c->tables + hg_adr_table_at(&c->b, a, 0) + i, angle = adr_real(state, 0, 6);
      const int64_t n = c->b.n[a];
      at[0] = adr_real(state, .1, 20);
      at[n] = adr_real(state, .1, 20);
      at[2 * n] = at[0] + at[n];
      at[3 * n] = sin(angle);
      at[4 * n] = cos(angle);
    }
}

static adr_case adr_make_case(uint64_t *state, const int64_t most[3])
{
  adr_case c;
  memset(&c, 0, sizeof c);
  adr_shape(state, most, &c.b);
  c.is_float = tap_between(state, 0, 1) == 1;
  c.first = tap_between(state, 0, 2) == 0;
  c.bdf2 = !c.first && tap_between(state, 0, 1) == 1;
  c.step.dt = adr_real(state, .001, .1);
  for (int i = 0; i < HG_ADR_TERMS; i++) c.step.term[i] = adr_real(state, -.5, .5);
  c.step.tolerance = 1e-12;
  c.step.inner = c.is_float ? .01 : 1e-6;
  c.step.bicg = (int)tap_between(state, 0, 1);
  c.step.limit = (int)tap_between(state, 1, 12);
  c.tables = (double *)calloc(1, adr_table_bytes(&c));
  for (int i = 0; i < ADR_STATES; i++) {
    c.state[i] = (double *)malloc(adr_state_bytes(&c));
    for (int64_t k = 0; k < 2 * c.b.field; k++) c.state[i][k] = adr_real(state, -2, 2);
  }
  c.work = calloc(1, adr_work_bytes(&c));
  adr_fill_tables(state, &c);
  return c;
}

static void *adr_copy(const void *from, size_t bytes)
{
  void *to = malloc(bytes);
  memcpy(to, from, bytes);
  return to;
}

static adr_case adr_copy_case(const adr_case *from)
{
  adr_case c = *from;
  c.tables = (double *)adr_copy(from->tables, adr_table_bytes(from));
  for (int i = 0; i < ADR_STATES; i++) c.state[i] = (double *)adr_copy(from->state[i], adr_state_bytes(from));
  c.work = adr_copy(from->work, adr_work_bytes(from));
  return c;
}

static void adr_free_case(adr_case *c)
{
  free(c->tables);
  for (int i = 0; i < ADR_STATES; i++) free(c->state[i]);
  free(c->work);
}

/* A NaN in the first point block, as a singular block leaves it. */
static void adr_break(const adr_case *c, void *work)
{
  const int64_t at = HG_ADR_INVERSE * c->b.field + c->b.origin;
  if (c->is_float)
    ((float *)work)[at] = NAN;
  else
    ((double *)work)[at] = NAN;
}

/** A solve that breaks down is not continued. */
static int adr_sweeps(const adr_case *c)
{
  return c->broken ? 1 : ADR_SWEEPS;
}

static void adr_run_on_cpu(adr_case *c)
{
  const hg_adr_kernel *k = hg_adr_kernel_find("auto");
  hg_adr_begin(&c->b, c->first, c->bdf2, c->state[0], c->state[1], c->state[2], &c->outcome);
  for (int i = 0; i < adr_sweeps(c); i++) {
    const double before = c->outcome.iterations;
    k->residual[c->is_float](&c->b, &c->step, c->tables, c->state[0], c->state[1], i == 0, c->work, &c->outcome);
    if (c->broken) adr_break(c, c->work);
    k->solve[c->is_float](&c->b, &c->step, c->tables, c->state[0], c->work, &c->outcome);
    c->iterations = (int)(c->outcome.iterations - before);
  }
}

/* Number of differing values of the unknowns, in `fields` fields from `first` on. */
static int64_t adr_differences(const hg_adr_block *b, const void *one, const void *two, size_t size, int first,
                               int fields)
{
  int64_t wrong = 0;
  for (int f = first; f < first + fields; f++)
    for (int64_t z = 0; z < b->n[2]; z++)
      for (int64_t y = 0; y < b->n[1]; y++) {
        const size_t at = (size_t)(f * b->field + b->origin + z * b->stride[2] + y * b->stride[1]) * size;
        for (int64_t x = 0; x < b->n[0]; x++)
          wrong +=
              memcmp((const char *)one + at + (size_t)x * size, (const char *)two + at + (size_t)x * size, size) != 0;
      }
  return wrong;
}

/** Whether a case computed by `run` equals the CPU's in all data that later tasks read: states, right-hand side, point
 * blocks, solution, outcome. */
static bool adr_same(const adr_case *got, const adr_case *wanted)
{
  enum { FOUND = HG_ADR_VECTORS + 8 };
  const hg_adr_block *b = &wanted->b;
  int64_t wrong = 0;
  for (int i = 0; i < ADR_STATES; i++)
    wrong += adr_differences(b, got->state[i], wanted->state[i], sizeof(double), 0, 2);
  if (!wanted->broken)
    wrong += adr_differences(b, got->work, wanted->work, adr_real_bytes(wanted), 0, HG_ADR_VECTORS) +
             adr_differences(b, got->work, wanted->work, adr_real_bytes(wanted), FOUND, 2);
  const bool outcome = memcmp(&got->outcome, &wanted->outcome, sizeof got->outcome) == 0;
  if (wrong > 0 || !outcome || got->iterations != wanted->iterations)
    printf("# %lld x %lld x %lld %s reaction %d, %s, limit %d: %lld values differ; residual %.17g for %.17g, failed %g "
           "for %g, %d iterations for %d\n",
           (long long)b->n[0], (long long)b->n[1], (long long)b->n[2], wanted->is_float ? "float" : "double",
           b->reaction, wanted->step.bicg ? "bicg" : "bicgstab", wanted->step.limit, (long long)wrong,
           got->outcome.residual, wanted->outcome.residual, got->outcome.failed, wanted->outcome.failed,
           got->iterations, wanted->iterations);
  return wrong == 0 && outcome && got->iterations == wanted->iterations;
}

/* --- passes of a method over all blocks --- */

typedef void adr_pass_fn(adr_case *c, hg_adr_pass pass, const hg_adr_krylov *it, double sum[2]);

static void adr_pass_on_cpu(adr_case *c, hg_adr_pass pass, const hg_adr_krylov *it, double sum[2])
{
  hg_adr_kernel_find("auto")->pass[c->is_float](&c->b, &c->step, pass, it, c->tables, c->state[0], c->work, &c->outcome,
                                                sum);
}

/* Vectors of random numbers, including ghosts, which other blocks would send. */
static void adr_fill_vectors(uint64_t *state, const adr_case *c)
{
  for (int64_t i = 0; i < HG_ADR_SPARE * c->b.field; i++) {
    const double value = adr_real(state, -1, 1);
    if (c->is_float)
      ((float *)c->work)[i] = (float)value;
    else
      ((double *)c->work)[i] = value;
  }
}

/** All passes of two iterations, by `run` and on the CPU. */
static void adr_check_passes(adr_pass_fn *run, const char *name, const int64_t most[3], int rounds, uint64_t seed)
{
  static const hg_adr_pass order[] = {HG_ADR_BEGIN,   HG_ADR_SEARCH,  HG_ADR_ALONG_P, HG_ADR_DESCEND,
                                      HG_ADR_ALONG_R, HG_ADR_CORRECT, HG_ADR_SEARCH,  HG_ADR_END};
  enum { PASSES = sizeof order / sizeof *order };
  int wrong = 0;
  for (int i = 0; i < rounds; i++) {
    adr_case wanted = adr_make_case(&seed, most);
    adr_fill_vectors(&seed, &wanted);
    wanted.outcome.scale[0] = 2;
    wanted.outcome.scale[1] = 3;
    adr_case got = adr_copy_case(&wanted);
    for (int k = 0; k < PASSES; k++) {
      hg_adr_krylov it = hg_adr_krylov_begin(1, .1, 10);
      double sums[2][2] = {{7, 7}, {7, 7}};
      it.fresh = k == 1;
      it.usable = true;
      it.alpha = .3, it.omega = -.2, it.beta = .7, it.count = 4;
      adr_pass_on_cpu(&wanted, order[k], &it, sums[0]);
      run(&got, order[k], &it, sums[1]);
      wrong += memcmp(sums[0], sums[1], sizeof sums[0]) != 0;
      wrong += adr_differences(&got.b, got.work, wanted.work, adr_real_bytes(&got), 0, HG_ADR_SPARE) != 0;
      memcpy(got.work, wanted.work, adr_work_bytes(&got)); /* excludes ghosts, which the next exchange would fill */
    }
    wrong += !adr_same(&got, &wanted);
    adr_free_case(&got);
    adr_free_case(&wanted);
  }
  tap_ok(wrong == 0, "%s: the passes over %d blocks have the CPU's bits (%d do not)", name, rounds, wrong);
}

/** Runs `rounds` random cases by `run` and on the CPU. */
static void adr_check_cases(void (*run)(adr_case *c), const char *name, const int64_t most[3], int rounds,
                            uint64_t seed)
{
  int wrong = 0, iterations = 0, failed = 0;
  for (int i = 0; i < rounds; i++) {
    adr_case wanted = adr_make_case(&seed, most);
    wanted.broken = i % 8 == 7;
    adr_case got = adr_copy_case(&wanted);
    adr_run_on_cpu(&wanted);
    run(&got);
    wrong += !adr_same(&got, &wanted);
    iterations += (int)wanted.outcome.iterations;
    failed += wanted.outcome.failed != 0;
    adr_free_case(&got);
    adr_free_case(&wanted);
  }
  tap_ok(wrong == 0, "%s: %d blocks of up to %lld x %lld x %lld nodes have the CPU's bits (%d do not; %d iterations)",
         name, rounds, (long long)most[0], (long long)most[1], (long long)most[2], wrong, iterations);
  tap_ok(failed >= rounds / 8, "... those too that break down (%d)", failed);
}
#endif
