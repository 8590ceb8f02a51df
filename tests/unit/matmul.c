/* SPDX-License-Identifier: MIT */
/* Products: parts cover C once and panels have one owner each for all shares; checks find a single wrong entry. */
#include <float.h>
#include <math.h>

#include "hetgrid.h"
#include "matmul/divide.h"
#include "matmul/predict.h"
#include "matmul/shares.h"
#include "matmul/verify.h"
#include "tap.h"

enum { MOST = 12 };

/* Ranks with 1 to 3 workers each. */
static hg_session random_session(uint64_t seed, int *worker_rank)
{
  hg_session s = {.ranks = 1 + (int)(hg_random_bits(seed, 0) % 4), .worker_rank = worker_rank};
  for (int r = 0; r < s.ranks; r++)
    for (int w = (int)(hg_random_bits(seed, 1 + (uint64_t)r) % 3); w >= 0; w--) worker_rank[s.all_workers++] = r;
  return s;
}

static hg_matmul_problem random_problem(uint64_t seed)
{
  return (hg_matmul_problem){.m = 1 + (int64_t)(hg_random_bits(seed, 11) % 300),
                             .n = 1 + (int64_t)(hg_random_bits(seed, 12) % 300),
                             .k = 1 + (int64_t)(hg_random_bits(seed, 13) % 300),
                             .nb = 1 + (int)(hg_random_bits(seed, 14) % 70),
                             .layout = hg_random_bits(seed, 15) % 2 ? HG_LAYOUT_RECTANGLES : HG_LAYOUT_ROWS,
                             .partition = hg_random_bits(seed, 16) % 2 ? "auto" : "nphp"};
}

/* Some workers get nothing. */
static void random_units(uint64_t seed, const hg_matmul_problem *p, int workers, int64_t *units)
{
  int64_t left = hg_matmul_units(p);
  for (int i = 0; i < workers; i++) {
    const uint64_t number = hg_random_bits(seed, 20 + (uint64_t)i);
    units[i] = i == workers - 1 ? left : number % 4 == 0 ? 0 : (int64_t)(number / 4 % (uint64_t)(left + 1));
    left -= units[i];
  }
}

static bool covers(const hg_box *box, int count, const hg_box *whole)
{
  int64_t cells = 0;
  bool good = true;
  for (int i = 0; i < count; i++) {
    const hg_box inside = hg_box_meet(&box[i], whole);
    good &= hg_box_cells(&inside) == hg_box_cells(&box[i]);
    cells += hg_box_cells(&box[i]);
    for (int j = 0; j < i; j++) {
      const hg_box both = hg_box_meet(&box[i], &box[j]);
      good &= hg_box_cells(&both) == 0;
    }
  }
  return good && cells == hg_box_cells(whole);
}

/* In every panel, each row of A and each column of B has one owner; with slices the slice's owner has the row of A. */
static bool panels_are_owned(const hg_session *s, const hg_matmul_problem *p, const hg_box *rank)
{
  bool good = true;
  for (int k = 0; k < hg_matmul_panels(p); k++) {
    int64_t rows = 0, cols = 0;
    for (int r = 0; r < s->ranks; r++) {
      if (hg_matmul_owns_a(p, rank, k, r)) rows += hg_box_extent(&rank[r], 1);
      if (hg_matmul_owns_b(p, rank, k, r)) cols += p->layout == HG_LAYOUT_ROWS ? p->n : hg_box_extent(&rank[r], 0);
    }
    good &= rows == p->m && cols == p->n;
  }
  return good;
}

static void parts_cover_and_panels_are_owned(void)
{
  int cases = 0, covered = 0, within = 0, owned = 0;
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    int worker_rank[MOST];
    int64_t units[MOST];
    hg_box box[MOST], rank[4];
    const hg_session s = random_session(seed, worker_rank);
    const hg_matmul_problem p = random_problem(seed);
    const hg_box whole = {{0, 0, 0}, {p.n, p.m, 1}};
    random_units(seed, &p, s.all_workers, units);
    if (hg_matmul_divide(&s, &p, units, box, rank) != HG_OK) continue;
    cases++;
    covered += covers(box, s.all_workers, &whole) && covers(rank, s.ranks, &whole);
    owned += panels_are_owned(&s, &p, rank);
    bool inside = true;
    for (int i = 0; i < s.all_workers; i++) {
      const hg_box common = hg_box_meet(&box[i], &rank[worker_rank[i]]);
      inside &= hg_box_cells(&common) == hg_box_cells(&box[i]);
    }
    within += inside;
  }
  tap_int(cases, 2000, "shares can be cut");
  tap_int(covered, 2000, "parts of workers, and of ranks, cover C once");
  tap_int(within, 2000, "a worker's part is inside its rank's");
  tap_int(owned, 2000, "rows and columns of panels have one owner");
}

/* A product on one rank by plain loops. */
static void multiply(hg_matmul_part *part)
{
  const hg_matmul_problem *p = part->problem;
  for (int64_t j = 0; j < p->n; j++)
    for (int64_t i = 0; i < p->m; i++) {
      double sum = 0, a, b;
      for (int64_t k = 0; k < p->k; k++) {
        hg_matrix_read(p->a, i, k, 1, 1, &a, 1);
        hg_matrix_read(p->b, k, j, 1, 1, &b, 1);
        sum += a * b;
      }
      *(double *)hg_matmul_part_c(part, i, j) = sum;
    }
}

static double freivalds(const hg_matmul_part *part)
{
  double ratio = -1;
  hg_matmul_freivalds(part, 3, &ratio);
  return ratio;
}

static double compare(const hg_matmul_part *part)
{
  const hg_matmul_problem *p = part->problem;
  hg_field c = {.dims = 2, .n = {p->n, p->m, 1}, .precision = p->precision, .name = "product"};
  double ratio = -1;
  if (hg_field_make(&c) != HG_OK) return ratio;
  for (int64_t i = 0; i < p->m * p->n; i++)
    ((double *)c.values)[i] = *(const double *)hg_matmul_part_c(part, i / p->n, i % p->n);
  hg_matmul_compare(p, &c, &ratio);
  hg_field_free(&c);
  return ratio;
}

/* Bound of the error of entry i, j: k eps sum |a| |b|; in Freivalds' test 8 eps sqrt(k) ||row of A|| ||B||. */
static void allowed(const hg_matmul_problem *p, int64_t i, int64_t j, double *test, double *every)
{
  double row = 0, all = 0, sum = 0, a, b;
  for (int64_t k = 0; k < p->k; k++) {
    hg_matrix_read(p->a, i, k, 1, 1, &a, 1);
    row += a * a;
    for (int64_t c = 0; c < p->n; c++) {
      hg_matrix_read(p->b, k, c, 1, 1, &b, 1);
      all += b * b;
      if (c == j) sum += fabs(a * b);
    }
  }
  *test = 8 * DBL_EPSILON * sqrt((double)p->k * row * all);
  *every = (double)p->k * DBL_EPSILON * sum;
}

static void bound_of_the_test_is_kept(const hg_matmul_part *part)
{
  double *entry = hg_matmul_part_c(part, 12, 34), right = *entry, test, every;
  allowed(part->problem, 12, 34, &test, &every);
  *entry = right + .8 * test;
  double got = freivalds(part);
  tap_ok(got > .5 && got < 1, "Freivalds' test accepts 0.8 of its bound: %g", got);
  *entry = right + 1.3 * test;
  got = freivalds(part);
  tap_ok(got > 1, "... and not 1.3: %g", got);
  *entry = right;
}

static void bounds_are_kept(const hg_matmul_part *part)
{
  double *entry = hg_matmul_part_c(part, 12, 34), right = *entry, test, every;
  allowed(part->problem, 12, 34, &test, &every);
  *entry = right + .8 * every;
  double got = compare(part);
  tap_ok(got > .5 && got <= 1, "an error of 0.8 of an entry's bound passes: %g", got);
  *entry = right + 1.3 * every;
  got = compare(part);
  tap_ok(got > 1, "... by 1.3 does not: %g", got);
  *entry = right;
  bound_of_the_test_is_kept(part);
}

/* A row's sum has so many terms and an entry so few that the check must sum without rounding. */
static void long_rows_are_checked(void)
{
  const hg_session s = {.ranks = 1};
  const int64_t columns = 100000;
  for (int64_t k = 1; k <= 2; k++) {
    hg_matrix *a, *b;
    hg_matrix_random(20, k, 1, &a);
    hg_matrix_random(k, columns, 2, &b);
    const hg_matmul_problem p = {.a = a, .b = b, .m = 20, .n = columns, .k = k, .nb = 16};
    hg_matmul_part part = {.lda = 0};
    const hg_box whole = {{0, 0, 0}, {columns, 20, 1}};
    tap_ok(hg_matmul_part_make(&s, &p, &whole, 1, &part, NULL) == HG_OK, "a part of long rows is made");
    multiply(&part);
    const double got = freivalds(&part);
    tap_ok(got < .4, "Freivalds' test of rows of %lld and sums of %lld: %g", (long long)columns, (long long)k, got);
    bound_of_the_test_is_kept(&part);
    hg_matmul_part_free(&part);
    hg_matrix_close(a);
    hg_matrix_close(b);
  }
}

/* Squares of such values are no doubles. */
static void any_scale_is_checked(const char *scale_a, const char *scale_b)
{
  const hg_session s = {.ranks = 1};
  char name[2][64];
  snprintf(name[0], sizeof name[0], "uniform:40,%s", scale_a);
  snprintf(name[1], sizeof name[1], "uniform:40,%s", scale_b);
  hg_matrix *a, *b;
  tap_ok(hg_matrix_open(name[0], 1, &a) == HG_OK && hg_matrix_open(name[1], 2, &b) == HG_OK, "%s, %s", name[0],
         name[1]);
  const hg_matmul_problem p = {.a = a, .b = b, .m = 40, .n = 40, .k = 40, .nb = 16};
  hg_matmul_part part = {.lda = 0};
  const hg_box whole = {{0, 0, 0}, {40, 40, 1}};
  tap_ok(hg_matmul_part_make(&s, &p, &whole, 4, &part, NULL) == HG_OK, "a part is made");
  multiply(&part);
  double test = freivalds(&part), every = compare(&part);
  tap_ok(test >= 0 && test < 1 && every >= 0 && every <= 1, "... both checks take the product: %g, %g", test, every);
  *(double *)hg_matmul_part_c(&part, 20, 30) *= 1.1;
  test = freivalds(&part), every = compare(&part);
  tap_ok(test > 1 && every > 1, "... and refuse an entry wrong by a tenth: %g, %g", test, every);
  hg_matmul_part_free(&part);
  hg_matrix_close(a);
  hg_matrix_close(b);
}

static void wrong_entries_are_seen(void)
{
  const hg_session s = {.ranks = 1};
  hg_matrix *a, *b;
  hg_matrix_random(70, 50, 1, &a);
  hg_matrix_random(50, 60, 2, &b);
  const hg_matmul_problem p = {.a = a, .b = b, .m = 70, .n = 60, .k = 50, .nb = 16};
  hg_matmul_part part = {.lda = 0};
  const hg_box whole = {{0, 0, 0}, {60, 70, 1}};
  tap_ok(hg_matmul_part_make(&s, &p, &whole, 4, &part, NULL) == HG_OK, "a part is made");
  multiply(&part);
  double test = freivalds(&part), every = compare(&part);
  tap_ok(test >= 0 && test < 1 && every >= 0 && every <= 1, "both checks accept a right product: %g, %g", test, every);
  bounds_are_kept(&part);
  double *entry = hg_matmul_part_c(&part, 69, 59);
  *entry += 1e-11;
  test = freivalds(&part), every = compare(&part);
  tap_ok(test > 1 && every > 1, "an entry wrong by 1e-11 is refused by both: %g, %g", test, every);
  *entry = NAN;
  test = freivalds(&part), every = compare(&part);
  tap_ok(isnan(test) && isnan(every), "so is a NaN: %g, %g", test, every);
  hg_matmul_part_free(&part);
  hg_matrix_close(a);
  hg_matrix_close(b);
}

/* A step of a tiny product must not need 2^20 tasks, some minutes, to reach the wanted flops. */
static void steps_stay_short(void)
{
  const int64_t sides[] = {1, 10, 100, 1000};
  const hg_session s = {.ranks = 3, .all_workers = 6};
  for (int i = 0; i < 4; i++) {
    const hg_matmul_problem p = {.m = sides[i], .n = sides[i], .k = sides[i], .nb = 64};
    hg_matmul_bench bench;
    const hg_status status = hg_matmul_bench_make(&s, &p, NULL, &bench);
    tap_ok(status == HG_OK && bench.repeat >= 1 && bench.repeat <= 128, "a step of %lld cubed: %d tasks per worker",
           (long long)sides[i], bench.repeat);
    hg_matmul_bench_free(&bench);
  }
}

/* 10 panels on ranks of one worker with 25 units/s; a panel of B arrives after `arrives` s. */
static hg_matmul_layout choose(int ranks, double arrives, bool layouts, int64_t *units, double *given, double *least)
{
  int rank[4] = {0, 1, 2, 3};
  hg_box box[4], rectangle[4];
  hg_speed_model model[4];
  const hg_session s = {.ranks = ranks, .all_workers = ranks, .worker_rank = rank};
  const hg_matmul_problem p = {.m = 1600, .n = 1600, .k = 1600, .precision = HG_DOUBLE, .nb = 160, .partition = "auto"};
  const hg_matmul_machine m = {
      .session = &s, .units = 100, .model = model, .wire = {.bandwidth = 160 * 1600 * 8 / arrives}};
  hg_matmul_layout layout = HG_LAYOUT_ROWS;
  for (int r = 0; r < ranks; r++) {
    model[r] = (hg_speed_model){.kind = HG_SPEED_SATURATING, .smax = 25};
    units[r] = 100 / ranks;
  }
  *given = *least = NAN;
  if (hg_matmul_divide(&s, &p, units, box, rectangle) != HG_OK) return layout;
  *given = hg_matmul_time(&m, &p, box, rectangle);
  hg_matmul_choose(&m, &p, true, layouts, units, &layout, least);
  return layout;
}

/* Computing for 2 s hides a message of 1 s. If a message takes 20 s, one worker alone is faster. With four ranks, parts
 * of both matrices are half as much data per rank as B alone. */
static void time_decides(void)
{
  int64_t units[4];
  double given, least;
  hg_matmul_layout layout = choose(2, 1, true, units, &given, &least);
  tap_ok(fabs(given - 21) < 1e-9 && least == given && layout == HG_LAYOUT_ROWS && units[0] == 50 && units[1] == 50,
         "10 panels of 2 s after a message of 1 s: %g s, and nothing surely takes less (%g)", given, least);
  layout = choose(2, 20, true, units, &given, &least);
  tap_ok(fabs(given - 202) < 1e-9 && fabs(least - 40) < 1e-9 && units[0] * units[1] == 0,
         "messages of 20 s: %g s, a worker alone %g", given, least);
  layout = choose(4, 1, true, units, &given, &least);
  tap_ok(layout == HG_LAYOUT_RECTANGLES && least < .6 * given, "four ranks: slices %g s, rectangles %g", given, least);
  layout = choose(4, 1, false, units, &given, &least);
  tap_ok(layout == HG_LAYOUT_ROWS && least == given, "... if a user has not asked for slices: %g", least);
}

int main(int argc, char **argv)
{
  (void)argc;
  if (hg_blas_prepare(argv) != HG_OK) return 1;
  parts_cover_and_panels_are_owned();
  wrong_entries_are_seen();
  any_scale_is_checked("1e160", "1e-100");
  any_scale_is_checked("1e-170", "1e170");
  any_scale_is_checked("1e-160", "1e-155");
  long_rows_are_checked();
  steps_stay_short();
  time_decides();
  return tap_done();
}
