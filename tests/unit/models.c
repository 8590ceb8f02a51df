/* SPDX-License-Identifier: MIT */
/* Speed models: tables, FPM against brute force, DFPA, partial functions, capability shares. */
#include <stdlib.h>
#include <unistd.h>

#include "speed/cpm.h"
#include "speed/fpm.h"
#include "network/network.h"
#include "speed/speed.h"
#include "random_models.h"

/* Least makespan of n cells on processors i.. by trying everything. */
static double brute(int parts, const hg_speed_model *m, int64_t n)
{
  if (parts == 1) return hg_speed_time(m, (double)n, 0);
  double best = INFINITY;
  for (int64_t w = 0; w <= n; w++)
    best = fmin(best, fmax(hg_speed_time(m, (double)w, 0), brute(parts - 1, m + 1, n - w)));
  return best;
}

static void fpm_equals_the_integer_optimum(void)
{
  uint64_t state = 3;
  int above = 0, off = 0;
  for (int round = 0; round < 600; round++) {
    int parts = (int)tap_between(&state, 1, 4);
    int64_t n = tap_between(&state, 0, 40), w[4], sum = 0;
    hg_speed_model m[4];
    for (int i = 0; i < parts; i++) m[i] = random_model(&state, (double)n);
    off += hg_fpm(parts, m, NULL, n, w) != HG_OK;
    for (int i = 0; i < parts; i++) sum += w[i];
    off += sum != n;
    above += hg_makespan(parts, m, NULL, w) > brute(parts, m, n) * (1 + 1e-12);
  }
  tap_int(off, 0, "fpm divides all cells");
  tap_int(above, 0, "fpm equals the integer optimum in 600 random systems");
  int64_t w[2];
  const hg_speed_model two[2] = {{.smax = 1}, {.smax = .5}};
  hg_fpm(2, two, NULL, 9, w);
  tap_ok(w[0] == 6 && w[1] == 3, "speeds 2 : 1 share 9 cells as 6 and 3");
  tap_ok(hg_fpm(0, two, NULL, 9, w) == HG_INVALID, "no processors are refused (%s)", hg_message());
}

typedef struct machine {
  int parts;
  hg_speed_model model[8];
} machine;

static hg_status run_step(void *arg, const int64_t *w, double *seconds)
{
  const machine *m = arg;
  for (int i = 0; i < m->parts; i++) seconds[i] = hg_speed_time(&m->model[i], (double)w[i], 0);
  return HG_OK;
}

static hg_status fail_step(void *arg, const int64_t *w, double *seconds)
{
  (void)arg, (void)w, (void)seconds;
  return hg_fail(HG_RUNTIME, "the machine stopped");
}

static int by_number(const void *a, const void *b)
{
  return *(const int *)a - *(const int *)b;
}

static void dfpa_converges(void)
{
  enum { SYSTEMS = 201 };
  uint64_t state = 6;
  int iterations[SYSTEMS], open = 0, off = 0;
  for (int s = 0; s < SYSTEMS; s++) {
    machine m = {.parts = (int)tap_between(&state, 2, 8)};
    int64_t n = 1000000, w[8], sum = 0;
    hg_dfpa_result r = {0};
    for (int i = 0; i < m.parts; i++) m.model[i] = random_model(&state, (double)n / m.parts);
    for (int i = 0; i < m.parts; i++) m.model[i].t0 = 0;
    off += hg_dfpa(m.parts, n, NULL, .05, 40, run_step, &m, w, &r) != HG_OK;
    for (int i = 0; i < m.parts; i++) sum += w[i];
    off += sum != n;
    open += r.gap > .05;
    iterations[s] = r.iterations;
  }
  qsort(iterations, SYSTEMS, sizeof *iterations, by_number);
  tap_int(off, 0, "dfpa divides all cells");
  tap_ok(open <= SYSTEMS / 20, "dfpa reaches 5 %% in all but %d of %d systems", open, SYSTEMS);
  tap_ok(iterations[SYSTEMS / 2] <= 8, "in at most 8 steps (median %d)", iterations[SYSTEMS / 2]);
  int64_t w[2];
  hg_dfpa_result r;
  tap_ok(hg_dfpa(2, 100, NULL, .05, 9, fail_step, NULL, w, &r) == HG_RUNTIME, "a failing step ends it (%s)",
         hg_message());
}

/* 5 cells on 3 equal processors never balance. */
static void dfpa_ends_when_a_division_repeats(void)
{
  machine m = {.parts = 3, .model = {{.smax = 1}, {.smax = 1}, {.smax = 1}}};
  int64_t w[3] = {0};
  hg_dfpa_result r = {0};
  int failed = hg_dfpa(3, 5, NULL, .05, 40, run_step, &m, w, &r) != HG_OK;
  tap_ok(!failed && r.iterations <= 3 && r.gap == 1, "5 cells on 3 equal processors: %d steps, times differ by %g",
         r.iterations, r.gap);
  m.model[0].smax = 4;
  failed = hg_dfpa(3, 100, NULL, 1e-9, 40, run_step, &m, w, &r) != HG_OK;
  const double makespan = hg_makespan(3, m.model, NULL, w);
  tap_ok(!failed && r.iterations <= 4 && makespan == 17, "4 : 1 : 1 and 100 cells: %d steps, makespan %g", r.iterations,
         makespan);
}

static void partial_functions_are_linear_in_speed(void)
{
  hg_partial_speed p = {0};
  tap_ok(isinf(hg_partial_time(&p, 1)) && hg_partial_speed_at(&p, 1) == 0, "at first no speed is known");
  hg_partial_learn(&p, 30, 10);
  hg_partial_learn(&p, 10, 2);
  tap_near(hg_partial_speed_at(&p, 20), 4, 1e-15, "between two points speed is linear");
  tap_near(hg_partial_time(&p, 5), 1, 1e-15, "constant below the first");
  tap_near(hg_partial_time(&p, 60), 20, 1e-14, "and beyond the last");
  tap_near(hg_partial_time(&p, 0), 0, 0, "no work takes no time");
  hg_partial_learn(&p, 10.05, 2.1);
  tap_ok(p.count == 2 && p.point[0].samples == 2, "a sample 0.5 %% away joins the mean");
  const double before = hg_partial_speed_at(&p, 30);
  hg_partial_learn(&p, 10, 20.2);
  tap_near(hg_partial_speed_at(&p, 30) / before, .1, .002, "a processor that slows down tenfold does so at all points");
  const double bad[][2] = {{0, 1}, {1, 0}, {-1, 1}, {1, NAN}, {INFINITY, 1}, {1, INFINITY}, {1e300, 1e-300}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    tap_ok(hg_partial_learn(&p, bad[i][0], bad[i][1]) == HG_INVALID && p.count == 2, "refused: %s", hg_message());
}

/* For all measurements the function stays small and more work never takes less time. */
static void partial_functions_stay_small_and_rise(void)
{
  uint64_t state = 8;
  int falls = 0, most = 0, disorder = 0, unbelieved = 0;
  for (int round = 0; round < 300; round++) {
    hg_partial_speed p = {0};
    for (int k = 0; k < 60; k++) {
      const double w = exp(uniform(&state, 0, 12)), seconds = w * exp(uniform(&state, -1, 1));
      hg_partial_learn(&p, w, seconds);
      const double now = hg_partial_time(&p, w);
      unbelieved += now > seconds * 1.35 || now < seconds / 1.35;
      for (int i = 1; i < p.count; i++) disorder += p.point[i].w <= p.point[i - 1].w;
    }
    most = p.count > most ? p.count : most;
    for (double w = .5; w < 3e5; w *= 1.07)
      falls += hg_partial_time(&p, w * 1.07) < hg_partial_time(&p, w) * (1 - 1e-12);
  }
  tap_int(falls, 0, "more work never takes less time");
  tap_int(disorder, 0, "points are in order");
  tap_int(unbelieved, 0, "the latest sample counts");
  tap_ok(most <= HG_PARTIAL_POINTS, "at most %d points (%d)", HG_PARTIAL_POINTS, most);
}

static void tables(void)
{
  const char *good = "# a GPU\n1000,0,0.5\n1000,10,0.6\n2000,0,0.8\n2000,10,1\n";
  hg_speed_model m = {.kind = HG_SPEED_TABLE};
  tap_ok(hg_speed_table_parse(good, strlen(good), "t.csv", &m.table) == HG_OK && m.table.nw == 2 && m.table.nc == 2,
         "a table is read");
  tap_near(hg_speed_time(&m, 500, 0), .25, 1e-15, "below the first point time is proportional");
  tap_near(hg_speed_time(&m, 1500, 5), .725, 1e-15, "between points it is bilinear");
  tap_near(hg_speed_time(&m, 3000, 0), 1.2, 1e-15, "beyond the last point a cell costs no less than on average");
  tap_near(hg_speed_time(&m, 0, 7), 0, 0, "no work takes no time");
  m.again = 50;
  tap_near(hg_speed_time(&m, 1250, 5), .725, 1e-15, "margins are computed twice, 50 cells per item");
  m.again = 0;
  char path[] = "/tmp/hetgrid-table-XXXXXX";
  hg_speed_table again = {0};
  close(mkstemp(path));
  tap_ok(hg_speed_table_write(path, "host x\ndevice y", &m.table) == HG_OK &&
             hg_speed_table_read(path, &again) == HG_OK && again.nw == 2 && again.nc == 2 && again.time[3] == 1,
         "a table that was written is read");
  unlink(path);
  hg_speed_table_free(&again);
  hg_speed_table_free(&m.table);
  const char *bad[] = {"1000,0,-1\n2000,0,1", "2000,0,1\n1000,0,.5", "1000,0,1\n2000,0,.5",        "1000,0\n2000,0",
                       "0,0,1\n2,0,3",        "1,0,1\n1,5,2\n2,0,3", "1,0,1\n1,5,2\n2,0,3\n2,6,4", "x"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    tap_ok(hg_speed_table_parse(bad[i], strlen(bad[i]), "t.csv", &m.table) != HG_OK && strstr(hg_message(), "t.csv"),
           "refused: %s", hg_message());
}

static void cpm(void)
{
  const double quantity[2][3] = {{30, 1, 4}, {10, 3, 4}}, half[3] = {1, 1, 0}, none[3] = {0, 0, 0};
  double share[2];
  tap_ok(hg_cpm_shares(2, quantity, half, share) == HG_OK && fabs(share[0] - .5) < 1e-15,
         "computing 3 : 1 and links 1 : 3 balance");
  tap_ok(hg_cpm_shares(2, quantity, none, share) == HG_INVALID, "no capability is refused (%s)", hg_message());
}

/* Times of 76 to 82 jobs that are equal except for rounding, as stored for a busy machine. */
static void nothing_is_lost_where_times_fall_by_a_rounding(void)
{
  static const double time[][2] = {
      {76, .152029195}, {77, .152029195}, {80, .152029195}, {82, .152029195}, {100, .179496494}};
  hg_partial_speed speed = {0};
  hg_speed_model model[3];
  int lost = 0;
  for (int i = 0; i < 5; i++) hg_partial_learn(&speed, time[i][0], time[i][1]);
  for (int i = 0; i < 3; i++) model[i] = (hg_speed_model){.kind = HG_SPEED_PARTIAL, .partial = &speed};
  for (int parts = 1; parts <= 3; parts++)
    for (int64_t n = 0; n <= 300; n++) {
      int64_t w[3] = {0}, sum = 0;
      lost += hg_fpm(parts, model, NULL, n, w) != HG_OK;
      for (int i = 0; i < parts; i++) sum += w[i];
      lost += sum != n;
    }
  tap_int(lost, 0, "of 903 divisions by such times, those that do not sum to all jobs");
}

/* Work by the model, items by the measured network: 10 items of 8 bytes in each direction. */
static void a_link_takes_the_place_of_what_is_said_of_items(void)
{
  hg_network_point point = {.bytes = 80, .seconds = 3};
  hg_network_level link = {.points = 1, .point = &point};
  const hg_speed_model m = {.kind = HG_SPEED_SATURATING, .smax = 2, .t0 = 1, .tc = 100, .link = &link, .item_bytes = 8};
  tap_near(hg_speed_time(&m, 10, 10), 6 + 2 * hg_network_time(&link, 80), 1e-12, "items go by the link");
  tap_near(hg_speed_time(&m, 10, 0), 6, 1e-12, "... and without any it costs nothing");
  tap_near(hg_speed_time(&m, 0, 10), 0, 0, "... nor do they without work");
}

int main(void)
{
  nothing_is_lost_where_times_fall_by_a_rounding();
  fpm_equals_the_integer_optimum();
  a_link_takes_the_place_of_what_is_said_of_items();
  dfpa_converges();
  dfpa_ends_when_a_division_repeats();
  partial_functions_are_linear_in_speed();
  partial_functions_stay_small_and_rise();
  tables();
  cpm();
  return tap_done();
}
