/* SPDX-License-Identifier: MIT */
/* Kernels and problems of the adr program as one block: known numbers, orders, conservation, bits; and the overlap of
 * blocks. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "adr/blocks.h"
#include "adr/certificate.h"
#include "adr/problem_file.h"
#include "adr/serial.h"
#include "tap.h"

static hg_adr_problem problem(int number, int64_t x, int64_t y, int64_t z)
{
  hg_adr_problem p;
  tap_ok(hg_adr_problem_make(number, (int64_t[]){x, y, z}, &p) == HG_OK, "problem %s of %lld x %lld x %lld",
         hg_adr_problem_names[number], (long long)x, (long long)y, (long long)z);
  return p;
}

static hg_adr_settings settings(double time, int64_t steps)
{
  hg_adr_settings s = HG_ADR_SETTINGS_DEFAULTS;
  s.time = time;
  s.steps = steps;
  s.tolerance = 1e-11;
  return s;
}

static hg_adr_result solve(const hg_adr_problem *p, const hg_adr_settings *s, const char *kernel)
{
  hg_adr_result r;
  const hg_status status = hg_adr_serial(p, s, hg_adr_kernel_find(kernel), s->steps, &r);
  if (status != HG_OK) tap_ok(false, "%s is solved: %s", p->name, hg_message());
  return r;
}

static double error_of(int n, int64_t steps, bool bdf2)
{
  const hg_adr_problem p = problem(0, n, n, n);
  hg_adr_settings s = settings(.1, steps);
  s.bdf2 = bdf2;
  hg_adr_result r = solve(&p, &s, "auto");
  const double error = r.value ? hg_adr_error(&p, (const double *[]){r.value, r.value + n * n * n}, s.time) : 1;
  free(r.value);
  return error;
}

static void orders(void)
{
  const double coarse = error_of(7, 4, false), middle = error_of(15, 16, false), fine = error_of(31, 64, false);
  tap_near(coarse, 3.6403266415621083e-3, 1e-10, "the error of mms, n = 7");
  tap_near(log2(coarse / middle), 1.8756, .01, "order in space, n = 7 and 15");
  tap_near(log2(middle / fine), 1.9613, .01, "order in space, n = 15 and 31");
  tap_near(error_of(31, 8, true), 2.597e-4, 1e-7, "bdf2 in 8 steps, n = 31");
}

/* Compares with a run of many more steps, so that the error of space cancels. */
static double distance(const hg_adr_result *a, const hg_adr_result *b, int64_t values)
{
  double largest = 0;
  for (int64_t i = 0; i < values; i++) largest = fmax(largest, fabs(a->value[i] - b->value[i]));
  return largest;
}

static void order_in_time(bool bdf2, double order)
{
  const hg_adr_problem p = problem(1, 8, 8, 8);
  hg_adr_settings s = settings(.2, 1280);
  s.bdf2 = bdf2;
  hg_adr_result limit = solve(&p, &s, "auto");
  double far[2];
  for (int i = 0; i < 2; i++) {
    s.steps = i ? 40 : 20;
    hg_adr_result r = solve(&p, &s, "auto");
    far[i] = distance(&r, &limit, 1024);
    free(r.value);
  }
  tap_near(log2(far[0] / far[1]), order, .15, bdf2 ? "bdf2 is of order 2 in time" : "Euler is of order 1 in time");
  free(limit.value);
}

static void conserves(void)
{
  const hg_adr_problem p = problem(1, 8, 8, 8);
  hg_adr_settings s = settings(.2, 5);
  for (int k = 0; k < 2; k++) {
    s.tolerance = k ? 1e-11 : 1e-6;
    hg_adr_result r = solve(&p, &s, "auto");
    double sum = 0;
    for (int i = 0; i < 1024; i++) sum += r.value[i];
    tap_near(sum / 1024, 1, 2 * s.tolerance * 5, "the sum of both species stays 1024");
    free(r.value);
  }
}

/* Numbers of an independent reference for all variants. */
static void known_numbers(void)
{
  const hg_adr_problem mms = problem(0, 7, 7, 7), diurnal = problem(2, 10, 3, 10);
  for (int k = 0; k < 8; k++) {
    hg_adr_settings s = settings(.1, 4), day = settings(7200, 60);
    s.bicg = day.bicg = k & 1;
    s.in_double = day.in_double = k & 2;
    s.once = day.once = k & 4;
    hg_adr_result r = solve(&mms, &s, "auto");
    tap_near(r.value[(3 * 7 + 3) * 7 + 3], 1.455373234588947, 1e-9, "mms in the middle");
    free(r.value);
    r = solve(&diurnal, &day, "auto");
    tap_near(r.value[0] / 10469.832146765586, 1, 1e-8, "diurnal, c1 at the bottom left");
    tap_near(r.value[599] / 269925473403.46454, 1, 1e-8, "diurnal, c2 at the top right");
    free(r.value);
  }
}

static void same_bits(void)
{
  static const int sizes[][3] = {{7, 7, 7}, {20, 5, 3}, {1, 1, 1}, {2, 9, 1}, {33, 2, 17}};
  for (int number = 0; number < 3; number++)
    for (int k = 0; k < 5; k++) {
      const hg_adr_problem p = problem(number, sizes[k][0], sizes[k][1], sizes[k][2]);
      hg_adr_settings s = settings(number == 2 ? 600 : .05, 3);
      s.in_double = k == 1;
      s.bicg = k == 2 || k == 4;
      s.tolerance = 1e-8;
      hg_adr_result first = solve(&p, &s, "auto");
      const size_t bytes = 2 * sizeof(double) * (size_t)(p.n[0] * p.n[1] * p.n[2]);
      for (int i = 0; hg_adr_kernel_at(i); i++) {
        hg_adr_result r = solve(&p, &s, hg_adr_kernel_at(i)->name);
        tap_ok(r.value && first.value && memcmp(r.value, first.value, bytes) == 0, "kernel %s gives the same bits",
               hg_adr_kernel_at(i)->name);
        free(r.value);
      }
      free(first.value);
    }
}

/* --- blocks --- */

/* Each node of the ring that a block's residual reads comes from exactly one piece, and from the right node. */
static void check_pieces(const hg_adr_problem *p, const hg_tiling *t, int overlap)
{
  for (int tile = 0; tile < t->tiles; tile++) {
    hg_adr_place place;
    hg_adr_block b;
    hg_adr_patch *list;
    int count;
    hg_adr_block_make(p, t, tile, overlap, &place, &b);
    hg_adr_pieces(p, t, tile, overlap, &list, &count);
    double *seen = calloc((size_t)b.field, sizeof *seen);
    bool right = true;
    for (int i = 0; i < count; i++) {
      const hg_halo_piece_cells c = hg_adr_cells(&b, &place, &list[i].box);
      const hg_box core = hg_tile_core(t, list[i].from);
      for (int a = 0; a < 3; a++)
        right = right && list[i].box.lo[a] - list[i].shift[a] >= core.lo[a] &&
                list[i].box.hi[a] - list[i].shift[a] <= core.hi[a];
      for (int64_t z = 0; z < c.n[2]; z++)
        for (int64_t y = 0; y < c.n[1]; y++)
          for (int64_t x = 0; x < c.n[0]; x++) seen[c.first + z * c.stride[2] + y * c.stride[1] + x] += 1;
    }
    int64_t missing = 0;
    for (int64_t z = 0; z < b.n[2]; z++)
      for (int64_t y = 0; y < b.n[1]; y++)
        for (int64_t x = 0; x < b.n[0]; x++) {
          const bool own = x >= b.lo[0] && x < b.hi[0] && y >= b.lo[1] && y < b.hi[1] && z >= b.lo[2] && z < b.hi[2];
          missing += seen[b.origin + z * b.stride[2] + y * b.stride[1] + x] != !own;
        }
    tap_ok(right && missing == 0, "%s, block %d, overlap %d: %d pieces fill what is not its own (%lld do not)", p->name,
           tile, overlap, count, (long long)missing);
    free(seen);
    free(list);
  }
}

static void overlaps(void)
{
  const hg_box boxes[2][4] = {
      {{{0, 0, 0}, {8, 8, 2}}, {{0, 0, 2}, {8, 8, 3}}, {{0, 0, 3}, {8, 8, 7}}, {{0, 0, 7}, {8, 8, 8}}},
      {{{0, 0, 0}, {3, 8, 8}}, {{3, 0, 0}, {8, 4, 5}}, {{3, 4, 0}, {8, 8, 5}}, {{3, 0, 5}, {8, 8, 8}}}};
  const int rank[4] = {0};
  const int64_t tile[4][3] = {{8, 8, 8}, {8, 8, 8}, {8, 8, 8}, {8, 8, 8}};
  const hg_domain domain = {.dims = 3, .n = {8, 8, 8}, .radius = 1};
  for (int number = 0; number < 3; number++)
    for (int k = 0; k < 2; k++) {
      const hg_adr_problem p = problem(number, 8, 8, 8);
      hg_tiling t;
      hg_tiling_make(&domain, 4, boxes[k], rank, 1, tile, &t);
      for (int overlap = 0; overlap <= 4; overlap += 2) check_pieces(&p, &t, overlap);
      tap_ok(hg_adr_check_overlap(&t, 7) == HG_OK && hg_adr_check_overlap(&t, 8) == HG_INVALID,
             "margins are not wider than the grid: %s", hg_message());
      hg_tiling_free(&t);
    }
}

/* Numbers of a dense computation. */
static void certificates(void)
{
  static const struct {
    int number;
    int64_t n[3];
    double dt, ratio;
  } known[] = {{0, {7, 7, 7}, .025, .60},   {0, {31, 31, 31}, .025, .96}, {1, {8, 8, 8}, .04, .80},
               {1, {16, 16, 16}, .04, .94}, {1, {32, 32, 32}, .04, .95},  {1, {16, 16, 16}, .2, 1.53},
               {1, {32, 32, 32}, .2, 1.11}, {2, {10, 3, 10}, 120, .065}};
  for (int i = 0; i < 8; i++) {
    const hg_adr_problem p = problem(known[i].number, known[i].n[0], known[i].n[1], known[i].n[2]);
    hg_adr_settings s = settings(known[i].dt, 1);
    const double ratio = hg_adr_certificate(&p, &s);
    tap_ok(fabs(ratio - known[i].ratio) < .01, "%s, n = %lld, dt = %g: rows weigh %.4g (known: %g)", p.name,
           (long long)p.n[0], known[i].dt, ratio, known[i].ratio);
  }
}

static double worse(double a, double b)
{
  return isnan(a) || a > b ? a : b;
}

/* Separate blocks: the largest ratio over a division's blocks with the grid's weights, values times `factor`. */
static double largest_of_blocks(const hg_adr_problem *p, const hg_tiling *t, const hg_adr_step *step,
                                const double *grid, double factor)
{
  double largest = 0;
  for (int i = 0; i < t->tiles; i++) {
    hg_adr_block b;
    hg_adr_place place;
    hg_adr_block_make(p, t, i, 1, &place, &b);
    double *weight = calloc(2 * (size_t)b.field, sizeof *weight), *u = calloc(2 * (size_t)b.field, sizeof *u),
           *tables = calloc((size_t)hg_adr_table_at(&b, 3, 0), sizeof *tables);
    hg_adr_fill_tables(p, &b, place.unknowns.lo, tables);
    hg_adr_certificate_cut(p, &b, place.unknowns.lo, grid, weight);
    const hg_halo_piece_cells c = hg_adr_cells(&b, &place, &place.core);
    for (int64_t k = 0; k < c.n[0] * c.n[1] * c.n[2]; k++) {
      const int64_t x = k % c.n[0], y = k / c.n[0] % c.n[1], z = k / c.n[0] / c.n[1],
                    at[3] = {place.core.lo[0] + x, place.core.lo[1] + y, place.core.lo[2] + z};
      for (int s = 0; s < 2; s++)
        u[s * b.field + c.first + z * c.stride[2] + y * c.stride[1] + x] = factor * hg_adr_initial(p, s, at);
    }
    largest = worse(largest, hg_adr_certificate_check(&b, step, tables, u, weight));
    free(weight);
    free(u);
    free(tables);
  }
  return largest;
}

static void weights_hold_for_blocks(void)
{
  static const hg_box boxes[3] = {{{0, 0, 0}, {9, 8, 3}}, {{0, 0, 3}, {4, 8, 10}}, {{4, 0, 3}, {9, 8, 10}}};
  static const int64_t tile[3][3] = {{9, 8, 10}, {9, 8, 10}, {9, 8, 10}};
  static const int rank[3] = {0};
  const hg_domain domain = {.dims = 3, .n = {9, 8, 10}, .radius = 2};
  for (int number = 0; number < 3; number++) {
    const hg_adr_problem p = problem(number, 9, 8, 10);
    const hg_adr_settings s = settings(number == 2 ? 120 : .04, 1);
    const hg_adr_step step = hg_adr_step_make(&p, &s, 1);
    const int64_t nodes = 9 * 8 * 10;
    double value[2 * 9 * 8 * 10], weight[2 * 9 * 8 * 10];
    for (int64_t i = 0; i < 2 * nodes; i++)
      value[i] = hg_adr_initial(&p, (int)(i / nodes), (int64_t[]){i % 9, i / 9 % 8, i % nodes / 72});
    const double ratio = hg_adr_certificate_find(&p, &step, value, weight);
    hg_tiling t;
    hg_tiling_make(&domain, 3, boxes, rank, 1, tile, &t);
    tap_near(ratio, hg_adr_certificate(&p, &s), 1e-14, "given values that are the initial ones");
    tap_near(largest_of_blocks(&p, &t, &step, weight, 1), ratio, 1e-12, "the weights hold for three blocks");
    tap_ok(number != 1 || largest_of_blocks(&p, &t, &step, weight, 40) > 1, "... and not for values 40 times as large");
    tap_ok(!(largest_of_blocks(&p, &t, &step, weight, NAN) < 1), "... nor for NaN");
    hg_tiling_free(&t);
  }
}

static void begins_with_given_fields(void)
{
  enum { X = 4, Y = 5, Z = 6 };
  static double given[Z][Y][X];
  hg_adr_problem p = problem(0, X, Y, Z);
  const double own = hg_adr_initial(&p, 0, (int64_t[]){1, 2, 3});
  int wrong = 0;
  p.initial[1] = &given[0][0][0];
  for (int i = 0; i < X * Y * Z; i++) p.initial[1][i] = i;
  for (int64_t z = 0; z < Z; z++)
    for (int64_t y = 0; y < Y; y++)
      for (int64_t x = 0; x < X; x++) wrong += hg_adr_initial(&p, 1, (int64_t[]){x, y, z}) != given[z][y][x];
  tap_int(wrong, 0, "nodes that do not begin with the value of their field");
  tap_ok(hg_adr_initial(&p, 0, (int64_t[]){1, 2, 3}) == own,
         "... while a species without one begins as its reaction says");
}

static void refused(void)
{
  hg_adr_problem p = problem(0, 4, 4, 4);
  p.d[1] = -.5;
  tap_ok(hg_adr_problem_check(&p) == HG_INVALID, "negative diffusion is refused: %s", hg_message());
  tap_contains(hg_message(), "-0.5", "the value is named");
  p.d[1] = NAN;
  tap_ok(hg_adr_problem_check(&p) == HG_INVALID, "NaN as diffusion is refused: %s", hg_message());
  hg_adr_settings s = settings(0, 1);
  tap_ok(hg_adr_settings_check(&s) == HG_INVALID, "no time is refused: %s", hg_message());
  s = settings(1, 1);
  s.inner = 1;
  tap_ok(hg_adr_settings_check(&s) == HG_INVALID, "an inner tolerance of 1 is refused: %s", hg_message());
}

/* --- problems from files --- */

#define PROBLEM(more)                                                                                                  \
  "{\"size\": [4, 5, 6], \"a\": 1, \"D\": [0.1, 0, 2], \"boundary\": [\"fixed\", \"mirror\", \"periodic\"],"           \
  "\"reaction\": \"none\", \"initial\": [1.5, \"f.h5:c\"]" more "}"

static hg_status parse_problem(const char *text, const int64_t size[3], hg_adr_problem *p, char initial[2][HG_PATH_MAX])
{
  return hg_adr_problem_parse(text, strlen(text), "here/p.json", size, p, initial);
}

static void read_problem(void)
{
  static const int64_t as_is[3] = {0}, other[3] = {7, 8, 9};
  static char initial[2][HG_PATH_MAX];
  hg_adr_problem p;
  static const char more[] = PROBLEM(", \"length\": 2, \"origin\": [0, 1, 0], \"outside\": [0, 3]");
  tap_ok(parse_problem(more, as_is, &p, initial) == HG_OK, "a problem is read %s", hg_message());
  tap_ok(p.n[0] == 4 && p.n[1] == 5 && p.n[2] == 6 && p.a[2] == 1 && p.d[2] == 2 && p.outside[1] == 3,
         "sizes, velocity, diffusion, outside");
  tap_ok(p.h[0] == .4 && p.first[0] == .4 && p.h[1] == .5 && p.first[1] == 1 && p.h[2] == 2. / 6 && p.first[2] == 0,
         "nodes are within fixed sides, on mirrored ones, once around a periodic axis");
  tap_ok(strcmp(initial[0], "1.5") == 0 && strcmp(initial[1], "here/f.h5:c") == 0 && strcmp(p.name, "p.json") == 0,
         "fields are relative to the file (%s)", initial[1]);
  tap_ok(parse_problem(PROBLEM(""), other, &p, initial) == HG_OK && p.n[2] == 9, "a given size takes precedence");
}

static void refuse_problems(void)
{
  static const struct {
    const char *text, *why;
  } bad[] = {
      {"{", "p.json:1:"},
      {"[1]", "must be an object"},
      {PROBLEM(", \"b\": 1"), "'b' is an unknown key"},
      {PROBLEM(", \"a\": 2"), "duplicate"},
      {PROBLEM(", \"length\": [1, 0, 1]"), "'length' is 0, must be in 1e-100..1e+100"},
      {PROBLEM(", \"origin\": [1, 2]"), "'origin' has 2 elements, must be one or 3"},
      {PROBLEM(", \"outside\": \"1\""), "'outside' must be numbers"},
      {PROBLEM(", \"growth\": 1"), "'growth' excludes a periodic z axis"},
      {"{\"size\": 0}", "'size' is 0, must be in 1..1.04858e+06"},
      {"{\"size\": 2.5}", "'size' must be whole numbers"},
      {"{\"a\": 1}", "'size' is missing, and so is --size"},
      {"{\"size\": 4, \"D\": -1}", "'D' is -1, must be in 0..1e+100"},
      {"{\"size\": 4}", "'boundary' is missing"},
      {"{\"size\": 4, \"boundary\": \"open\"}", "'boundary' is 'open', unknown"},
      {"{\"size\": 4, \"boundary\": \"fixed\", \"reaction\": 1}", "'reaction' must be a name"},
      {"{\"size\": 4, \"boundary\": \"fixed\", \"reaction\": \"none\"}", "'initial' is missing"},
      {"{\"size\": 4, \"boundary\": \"fixed\", \"reaction\": \"none\", \"initial\": [1, null]}",
       "'initial' must be numbers or names"},
      {"{\"size\": 4, \"boundary\": \"mirror\", \"reaction\": \"mms\"}", "needs the unit cube"},
      {"{\"size\": 4, \"boundary\": \"fixed\", \"reaction\": \"mms\", \"initial\": 1}", "has its own"},
      {"{\"size\": 4, \"boundary\": [\"mirror\", \"periodic\", \"mirror\"], \"outside\": 0, \"reaction\": \"none\"}",
       "'outside' is only for fixed sides, but there are none"},
      {"{\"size\": 4, \"D\": 1, \"boundary\": \"fixed\", \"reaction\": \"none\", \"initial\": 1, \"growth\": 100, "
       "\"length\": 100}",
       "must be finite"}};
  static const int64_t as_is[3] = {0};
  static char initial[2][HG_PATH_MAX];
  hg_adr_problem p;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const hg_status status = parse_problem(bad[i].text, as_is, &p, initial);
    tap_ok((status == HG_FORMAT || status == HG_INVALID) && strstr(hg_message(), bad[i].why), "refused: %s",
           hg_message());
  }
}

/* Weights that overflow within a few rounds are not finite, and the earlier ones must be kept. */
static void large_weights(void)
{
  hg_adr_problem p = problem(1, 4, 4, 4);
  for (int a = 0; a < 3; a++) p.a[a] = 1e14, p.d[a] = 0;
  hg_adr_settings s = settings(.1, 1);
  const double ratio = hg_adr_certificate(&p, &s);
  tap_ok(ratio > 1 && isfinite(ratio), "rows of large weight have a finite one (%g)", ratio);
  tap_ok(hg_adr_step_check(&p, &s) == HG_OK, "that step is tried");
  p.a[1] = 1e300;
  tap_ok(hg_adr_step_check(&p, &s) == HG_INVALID, "one that is far too long is refused: %s", hg_message());
  tap_contains(hg_message(), "along y is 4e+299, must be <= 1e+16", "value and bound are named");
}

/* |a| h / (2 D) at the smallest D, which is at an end if D is monotonic in z. */
static void peclet_numbers(void)
{
  hg_adr_problem mms = problem(0, 7, 7, 7), p = problem(2, 5, 3, 9);
  tap_near(hg_adr_peclet(&mms), 1. / 8 / .2, 1e-15, "the axis along which the velocity is largest counts");
  mms.d[0] = 1;
  tap_near(hg_adr_peclet(&mms), .7 / 8 / .3, 1e-15, "... next to the diffusion");
  p.a[0] = 0;
  p.a[2] = 1e-6;
  const double top = p.first[2] + 8 * p.h[2];
  for (int sign = -1; sign <= 1; sign += 2) {
    p.growth = sign * .2;
    const double d = p.d[2] * exp(p.growth * (sign > 0 ? p.first[2] : top));
    tap_near(hg_adr_peclet(&p), 1e-6 * p.h[2] / (2 * d), 1e-15 / d, "the layer with the least diffusion counts");
  }
  p.d[2] = 0;
  tap_ok(isinf(hg_adr_peclet(&p)), "without diffusion it is infinite");
}

/* A NaN is not lost among the nodes after it. */
static void keeps_nan(void)
{
  const hg_adr_problem p = problem(1, 6, 6, 6);
  const hg_adr_settings s = settings(.1, 1);
  static double values[2][216];
  const double *const value[2] = {values[0], values[1]};
  double residual = 0;
  values[1][20] = NAN;
  tap_ok(hg_adr_serial_residual(&p, &s, hg_adr_kernel_find("auto"), 1, value, value, &residual) == HG_OK &&
             isnan(residual),
         "the residual of values that are no numbers is none (%g)", residual);
}

/* Allocated bytes; 0 if unknown. */
static size_t memory(void)
{
  const struct mallinfo2 m = mallinfo2();
  return m.uordblks + m.hblkhd;
}

static void keeps_no_memory(void)
{
  const hg_adr_problem p = problem(1, 6, 6, 6);
  const hg_adr_settings s = settings(.1, 1);
  static double values[2][216];
  const double *const value[2] = {values[0], values[1]};
  double residual = 0;
  size_t before = 0;
  for (int i = 0; i <= 100; i++) {
    hg_adr_serial_residual(&p, &s, hg_adr_kernel_find("auto"), 1, value, value, &residual);
    if (i == 0) before = memory();
  }
  tap_ok(memory() < before + (1 << 16), "a hundred residuals keep no memory (%zu bytes)", memory() - before);
}

int main(void)
{
  read_problem();
  refuse_problems();
  large_weights();
  peclet_numbers();
  keeps_nan();
  keeps_no_memory();
  orders();
  order_in_time(false, 1);
  order_in_time(true, 2);
  conserves();
  known_numbers();
  same_bits();
  overlaps();
  certificates();
  weights_hold_for_blocks();
  begins_with_given_fields();
  refused();
  return tap_done();
}
