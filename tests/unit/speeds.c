/* SPDX-License-Identifier: MIT */
/* Measuring speed tables: undisturbed runs need few points and reach the wanted error; disturbed ones give the same
 * tables. */
#include "speed/fpm.h"
#include "speed/measure.h"
#include "tap.h"

static double uniform(uint64_t *state, double lo, double hi)
{
  return lo + (hi - lo) * (double)(tap_random(state) >> 11) * 0x1p-53;
}

/* A processor and its disturbances. */
typedef struct machine {
  hg_speed_model model;
  uint64_t state;
  double share;     /* share of disturbed runs, which take 2 to 20 times as long */
  int burst;        /* runs per disturbance; 1: each run has its own */
  int left;         /* runs left of the present one */
  double factor, w; /* factor of the present burst; present work */
  int again;        /* measurements of a point measured before */
} machine;

static hg_status one_run(void *arg, double *seconds)
{
  machine *m = arg;
  if (m->left-- <= 0) {
    m->left = m->burst - 1;
    m->factor = uniform(&m->state, 0, 1) < m->share ? uniform(&m->state, 2, 20) : 1;
  }
  *seconds = hg_speed_time(&m->model, m->w, 0) * m->factor * uniform(&m->state, 1, 1.015);
  return HG_OK;
}

static hg_status disturbed_clock(void *arg, double x, int visit, hg_timing *out)
{
  machine *m = arg;
  m->w = x;
  m->again += visit > 0;
  return hg_measure_runs(one_run, m, out);
}

static hg_status exact_clock(void *arg, double x, int visit, hg_timing *out)
{
  machine *m = arg;
  m->again += visit > 0;
  out->low = out->high = out->seconds = hg_speed_time(&m->model, x, 0);
  out->agreed = true;
  return HG_OK;
}

static hg_speed_model random_model(uint64_t *state)
{
  const double smax = exp(uniform(state, log(1e7), log(1e10)));
  return (hg_speed_model){.kind = tap_between(state, 0, 1) ? HG_SPEED_CLIFF : HG_SPEED_SATURATING,
                          .smax = smax,
                          .t0 = uniform(state, 0, 4096) / smax, /* as much as the smallest measured work */
                          .mem = exp(uniform(state, log(1e4), log(2e7))),
                          .r = uniform(state, .1, .9),
                          .k = uniform(state, 1, 8)};
}

static const hg_measure_plan usual = {.x0 = 4096, .xmax = 16e6, .d = 16e6 / 6, .error = .05, .most = 60};

/* Largest relative error of the table's speeds. */
static double error_of(const hg_speed_model *table, const hg_speed_model *model)
{
  double worst = 0;
  for (double w = usual.x0; w < usual.xmax; w *= 1.003) {
    const double t = hg_speed_time(model, w, 0) / hg_speed_time(table, w, 0);
    worst = fmax(worst, fabs(t - 1));
  }
  return worst;
}

static void exact_clocks(void)
{
  enum { SYSTEMS = 500 };
  uint64_t state = 11;
  int missed = 0, unsaid = 0, again = 0, points = 0;
  double worst = 0;
  for (int s = 0; s < SYSTEMS; s++) {
    machine m = {.model = random_model(&state)};
    hg_speed_model table = {.kind = HG_SPEED_TABLE};
    hg_measure_report r;
    if (hg_speed_table_measure(exact_clock, &m, &usual, &table.table, &r) != HG_OK) missed += SYSTEMS;
    const double error = error_of(&table, &m.model);
    missed += error > usual.error;
    unsaid += error > fmax(usual.error, r.error) * 1.001;
    worst = fmax(worst, error);
    again += m.again;
    points += r.points;
    hg_speed_table_free(&table.table);
  }
  tap_ok(unsaid == 0,
         "the wanted error of %g is kept or said to be missed: of %d tables %d miss it, %d without "
         "saying so "
         "(worst %.3f, %d points each, %d measured again)",
         usual.error, SYSTEMS, missed, unsaid, worst, points / SYSTEMS, again);
}

/* Largest relative difference between the parts of two processors. */
static double difference(const hg_speed_model two[2])
{
  static const int64_t cells[] = {20000, 200000, 2000000, 20000000, 30000000, 100000000};
  double worst = 0;
  for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
    int64_t w[2];
    hg_fpm(2, two, NULL, cells[i], w);
    worst = fmax(worst, 2 * fabs((double)(w[0] - w[1])) / (double)cells[i]);
  }
  return worst;
}

static void disturbed_clocks(int burst, double share, int allowed)
{
  enum { PAIRS = 1000 };
  uint64_t state = 12;
  int apart = 0, failed = 0, repeated = 0, disagreed = 0, points = 0;
  double worst = 0;
  for (int s = 0; s < PAIRS; s++) {
    hg_speed_model table[2] = {{.kind = HG_SPEED_TABLE}, {.kind = HG_SPEED_TABLE}};
    machine m = {.model = random_model(&state), .state = (uint64_t)s, .share = share, .burst = burst};
    for (int i = 0; i < 2; i++) {
      hg_measure_report r;
      failed += hg_speed_table_measure(disturbed_clock, &m, &usual, &table[i].table, &r) != HG_OK;
      failed += hg_speed_table_check(&table[i].table, "table") != HG_OK;
      repeated += r.repeated;
      disagreed += r.disagreed;
      points += r.points;
    }
    const double d = difference(table);
    apart += d > .1;
    worst = fmax(worst, d);
    for (int i = 0; i < 2; i++) hg_speed_table_free(&table[i].table);
  }
  tap_int(failed, 0, "every table is measured and its times increase");
  tap_ok(apart <= allowed,
         "%.0f %% of the runs times 2 to 20, %d in a row: the parts of two equal processors differ "
         "by more than 10 %% in "
         "%d of %d pairs (at most %.3f; %d points, %d repeated, %d without agreement)",
         100 * share, burst, apart, PAIRS, worst, points, repeated, disagreed);
}

static bool at_once(void *arg)
{
  (void)arg;
  return true;
}

static void what_cannot_be_measured_is_said(void)
{
  machine m = {.model = {.smax = 1e9}, .state = 5, .share = 1, .burst = 1};
  hg_speed_table t = {0};
  hg_measure_report r = {0};
  hg_status status = hg_speed_table_measure(disturbed_clock, &m, &usual, &t, &r);
  tap_ok(status == HG_OK && r.disagreed > 0 && hg_speed_table_check(&t, "table") == HG_OK,
         "runs that never agree are counted: %d of %d points", r.disagreed, r.points);
  hg_speed_table_free(&t);
  hg_measure_plan few = usual;
  few.most = 8;
  m = (machine){.model = {.kind = HG_SPEED_CLIFF, .smax = 1e9, .mem = 3e6, .r = .2, .k = 8}};
  status = hg_speed_table_measure(exact_clock, &m, &few, &t, &r);
  tap_ok(status == HG_OK && r.points == 8 && r.error > few.error, "8 points do not suffice: error %g instead of %g",
         r.error, few.error);
  hg_speed_table_free(&t);
  few = usual;
  few.enough = at_once;
  status = hg_speed_table_measure(exact_clock, &m, &few, &t, &r);
  tap_ok(status == HG_OK && r.stopped && r.points >= 6 && r.error > few.error && t.w[r.points - 1] == few.xmax,
         "without time to refine there are the first %d points, error %g", r.points, r.error);
  hg_speed_table_free(&t);
  few.most = 1;
  tap_int(hg_speed_table_measure(exact_clock, &m, &few, &t, &r), HG_INVALID, "one point is no table");
  few = usual;
  few.xmax = few.x0;
  tap_int(hg_speed_table_measure(exact_clock, &m, &few, &t, &r), HG_INVALID, "nor is one size");
  m.model.smax = -1;
  tap_ok(hg_speed_table_measure(exact_clock, &m, &usual, &t, &r) == HG_RUNTIME, "negative times are refused (%s)",
         hg_message());
}

static void pooling(void)
{
  double time[] = {1, 3, 2, 4, 4, 1}, weight[] = {1, 1, 1, 1, 1, 2};
  const double pooled[] = {1, 2.5, 2.5, 2.5, 2.5, 2.5};
  double off = 0;
  const int moved = hg_pool_adjacent_violators(6, weight, time);
  for (int i = 0; i < 6; i++) off = fmax(off, fabs(time[i] - pooled[i]));
  tap_ok(moved == 5 && off < 1e-15, "1 3 2 4 4 1 (twice) become 1 2.5 2.5 2.5 2.5 2.5 (%d moved)", moved);
  uint64_t state = 9;
  int falls = 0, unlike = 0;
  for (int round = 0; round < 200; round++) {
    double before = 0, after = 0, t[30], w[30];
    for (int i = 0; i < 30; i++) t[i] = uniform(&state, 0, 1), w[i] = uniform(&state, .1, 1), before += w[i] * t[i];
    hg_pool_adjacent_violators(30, w, t);
    for (int i = 0; i < 30; i++) after += w[i] * t[i], falls += i > 0 && t[i] < t[i - 1];
    unlike += fabs(after - before) > 1e-12;
  }
  tap_ok(falls == 0 && unlike == 0, "pooled times rise (%d falls) and keep their weighted sum (%d do not)", falls,
         unlike);
}

/* The runs of a piece of work, one after the other. */
typedef struct runs {
  const double *seconds;
  int taken;
} runs;

static hg_status next_run(void *arg, double *seconds)
{
  runs *r = arg;
  *seconds = r->seconds[r->taken++];
  return HG_OK;
}

static void runs_that_agree(void)
{
  static const double five[] = {.003, .021, .00302, .00299, .007}, three[] = {1, 1.02, 1.03},
                      long_ones[] = {.1, .2, .101};
  static const struct {
    const double *seconds;
    int taken;
    double middle, low, high;
  } known[] = {{five, 5, .003, .00299, .00302}, {three, 3, 1.025, 1.02, 1.03}, {long_ones, 3, .1005, .1, .101}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    runs r = {known[i].seconds, 0};
    hg_timing t;
    const hg_status status = hg_measure_runs(next_run, &r, &t);
    tap_ok(status == HG_OK && t.agreed && r.taken == known[i].taken, "%d runs are enough", r.taken);
    tap_ok(fabs(t.seconds - known[i].middle) < 1e-12 && t.low == known[i].low && t.high == known[i].high,
           "... more than half of them lie within %g .. %g s, in the middle %g", t.low, t.high, t.seconds);
  }
}

int main(void)
{
  runs_that_agree();
  pooling();
  exact_clocks();
  disturbed_clocks(1, 0, 0);
  disturbed_clocks(1, .3, 0);
  disturbed_clocks(10, .3, 0);
  disturbed_clocks(50, .3, 10); /* most of a table in one */
  what_cannot_be_measured_is_said();
  return tap_done();
}
