/* SPDX-License-Identifier: MIT */
/* Streams against brute force over all divisions of a few items. */
#include "divisible/streams.h"

#include <stdlib.h>
#include <time.h>

#include "tap.h"

static double uniform(uint64_t *state, double lo, double hi)
{
  return lo + (hi - lo) * (double)(tap_random(state) >> 11) * 0x1p-53;
}

/* Bandwidth peak b / (b + half), points 4^k apart. */
static hg_partial_speed bus(double peak, double half_bytes)
{
  hg_partial_speed p = {0};
  for (double b = 1024; p.count < 12; b *= 4)
    p.point[p.count++] = (hg_partial_point){b, peak * b / (b + half_bytes), 1};
  return p;
}

static hg_stream_device random_device(uint64_t *state)
{
  const double peak = uniform(state, 1e9, 5e10);
  const double item = exp(uniform(state, log(1e4), log(1e7)));
  hg_stream_device d = {.in = bus(peak, exp(uniform(state, log(1e3), log(1e6)))),
                        .out = bus(peak * uniform(state, .5, 1.5), 1e5),
                        .bytes_in = item,
                        .bytes_out = tap_between(state, 0, 4) ? item : 0,
                        .copy_engines = (int)tap_between(state, 1, 2),
                        .buffers = (int)tap_between(state, 0, 4)};
  const double rate = peak / item * uniform(state, .2, 3), start = uniform(state, .1, 8);
  for (double n = 1; n < 1e5; n *= 2)
    d.kernel.point[d.kernel.count++] = (hg_partial_point){n, rate * n / (n + start), 1};
  return d;
}

static int64_t sum_of(const hg_streams *s)
{
  int64_t sum = 0;
  for (int i = 0; i < s->count; i++) sum += s->size[i] > 0 ? s->size[i] : INT64_MIN / 1000;
  return sum;
}

/* Tries all 2^(n-1) divisions: bit i ends a stream after item i. */
static double brute_force(const hg_stream_device *d, int n)
{
  double best = INFINITY;
  for (unsigned cuts = 0; cuts < 1u << (n - 1); cuts++) {
    hg_streams s = {1, {1}};
    for (int i = 1; i < n; i++) {
      if (cuts >> (i - 1) & 1) s.size[s.count++] = 0;
      s.size[s.count - 1]++;
    }
    best = fmin(best, hg_streams_simulate(d, &s, NULL));
  }
  return best;
}

static void near_the_optimum(void)
{
  uint64_t state = 1;
  double worst = 1, unsplit = 0;
  for (int i = 0; i < 200; i++) {
    const hg_stream_device d = random_device(&state);
    const int n = (int)tap_between(&state, 1, 12);
    hg_streams s;
    double seconds, once;
    if (hg_streams_divide(&d, HG_STREAMS_BEST, n, 1, 0, &s, &seconds) != HG_OK) worst = INFINITY;
    hg_streams_divide(&d, HG_STREAMS_UNSPLIT, n, 1, 0, &s, &once);
    worst = fmax(worst, seconds / brute_force(&d, n));
    unsplit = fmax(unsplit, seconds / once);
  }
  tap_ok(worst <= 1.02, "the best streams are within 2 %% of all divisions' best (worst %.6f)", worst);
  tap_ok(unsplit <= 1, "... and never worse than unsplit (worst %.6f)", unsplit);
}

static void every_way_divides_all_jobs(void)
{
  uint64_t state = 2;
  bool all = true, larger = true;
  for (int i = 0; i < 100; i++) {
    const hg_stream_device d = random_device(&state);
    const int64_t n = tap_between(&state, 1, 100000), least = tap_between(&state, 1, 40);
    hg_streams s;
    double best, seconds;
    hg_streams_divide(&d, HG_STREAMS_BEST, n, least, 0, &s, &best);
    all = all && sum_of(&s) == n;
    for (int way = HG_STREAMS_DIV2; way <= HG_STREAMS_UNSPLIT; way++) {
      hg_streams_divide(&d, (hg_stream_strategy)way, n, least, 7, &s, &seconds);
      all = all && sum_of(&s) == n;
      larger = larger && best <= seconds * (1 + 1e-6);
    }
    hg_streams_hide(&d, n, least, 0, &s);
    all = all && sum_of(&s) == n && s.size[s.count - 1] >= (n < least ? n : least);
  }
  tap_ok(all, "every strategy divides all items into streams that have some");
  tap_ok(larger, "the best is no worse than DIV2, equal streams and the unsplit share");
}

/* Each resource does one operation at a time, and the operations of a stream are in order. */
static void simulation_is_a_schedule(void)
{
  uint64_t state = 3;
  bool good = true;
  for (int i = 0; i < 500; i++) {
    const hg_stream_device d = random_device(&state);
    hg_streams s;
    hg_stream_times t[HG_STREAMS_MAX];
    double copies = 0, kernels = 0;
    hg_streams_equal(tap_between(&state, 1, 999), (int)tap_between(&state, 1, 20), &s);
    const double total = hg_streams_simulate(&d, &s, t);
    for (int j = 0; j < s.count; j++) {
      const double b = (double)s.size[j] * d.bytes_in, o = (double)s.size[j] * d.bytes_out;
      const double in = b / hg_partial_speed_at(&d.in, b), out = o > 0 ? o / hg_partial_speed_at(&d.out, o) : 0;
      copies += d.copy_engines == 1 ? in + out : fmax(in, 0);
      kernels += (double)s.size[j] / hg_partial_speed_at(&d.kernel, (double)s.size[j]);
      good = good && t[j].in >= in * (1 - 1e-12) && t[j].kernel > t[j].in;
      good = good && t[j].out >= t[j].kernel && t[j].out <= total * (1 + 1e-12);
      if (d.buffers && j >= d.buffers) good = good && t[j].in - in >= t[j - d.buffers].out - 1e-12;
    }
    good = good && total >= copies * (1 - 1e-9) && total >= kernels * (1 - 1e-9);
  }
  tap_ok(good, "streams begin when there is a buffer, and no engine does two things at once");
}

static double cpu_seconds(void)
{
  return (double)clock() / CLOCKS_PER_SEC;
}

/* Planning happens between two passes, which wait for it: its processor time, in units of simulations of the largest
 * number of streams. */
static void planning_costs_some_simulations(void)
{
  enum { SIMULATIONS = 2000, PLANS = 20, ITEMS = 10000 };
  uint64_t state = 5;
  const hg_stream_device d = random_device(&state);
  hg_streams s = {.count = HG_STREAMS_MAX};
  double most = 0, sum = 0;
  for (int i = 0; i < s.count; i++) s.size[i] = 1 + i;
  const double begin = cpu_seconds();
  for (int i = 0; i < SIMULATIONS; i++) sum += hg_streams_simulate(&d, &s, NULL);
  const double one = (cpu_seconds() - begin) / SIMULATIONS, between = cpu_seconds();
  for (int i = 0; i < PLANS; i++) {
    const hg_stream_device other = random_device(&state);
    hg_partial_speed curve;
    double seconds;
    hg_streams_divide(&other, HG_STREAMS_BEST, ITEMS, 1, 0, &s, &seconds);
    hg_streams_curve(&other, HG_STREAMS_BEST, ITEMS, 1, 0, 1, &curve);
    sum += seconds;
  }
  most = (cpu_seconds() - between) / PLANS / one;
  tap_ok(sum > 0 && most < 2000, "streams and speeds of %d items cost %.0f simulations of %d streams (< 2000)", ITEMS,
         most, HG_STREAMS_MAX);
}

static void wrong_devices_are_refused(void)
{
  uint64_t state = 4;
  hg_streams s;
  const hg_stream_device good = random_device(&state);
  hg_stream_device d = good;
  d.in.point[3].speed = 0;
  tap_ok(hg_streams_divide(&d, HG_STREAMS_BEST, 9, 1, 0, &s, NULL) == HG_INVALID, "a bandwidth of 0");
  tap_contains(hg_message(), "bandwidth to the device: 0 per s", "... is named");
  d.in.point[3].speed = NAN;
  tap_ok(hg_streams_divide(&d, HG_STREAMS_BEST, 9, 1, 0, &s, NULL) == HG_INVALID, "... and an invalid one");
  d = good;
  d.copy_engines = 3;
  tap_ok(hg_streams_divide(&d, HG_STREAMS_BEST, 9, 1, 0, &s, NULL) == HG_INVALID, "three copy engines");
  d = good;
  tap_ok(hg_streams_divide(&d, HG_STREAMS_BEST, 0, 1, 0, &s, NULL) == HG_INVALID, "no items");
}

/* 64 items of 314 us in each direction and 110 us of the kernel, like planes of 1024 x 1024 on an H100. */
static void streams_cost_something(void)
{
  hg_stream_device d = {.bytes_in = 16.8e6, .bytes_out = 16.8e6, .copy_engines = 2};
  hg_streams free, dear;
  double seconds;
  hg_partial_learn(&d.in, 1, 1 / 53.5e9);
  hg_partial_learn(&d.out, 1, 1 / 53.5e9);
  hg_partial_learn(&d.kernel, 1, 110e-6);
  hg_streams_divide(&d, HG_STREAMS_BEST, 64, 1, 0, &free, &seconds);
  tap_ok(free.count == 64 && seconds < 20.7e-3, "streams that cost nothing are many: %d, %.4f s", free.count, seconds);
  d.start = 1e-4;
  hg_streams_divide(&d, HG_STREAMS_BEST, 64, 1, 0, &dear, &seconds);
  tap_ok(dear.count > 4 && dear.count < 24 && seconds < 24e-3, "... fewer if each takes 0.1 ms: %d, %.4f s", dear.count,
         seconds);
  d.start = -1;
  tap_ok(hg_streams_divide(&d, HG_STREAMS_BEST, 64, 1, 0, &dear, &seconds) == HG_INVALID, "... less than none: %s",
         hg_message());
}

int main(void)
{
  near_the_optimum();
  every_way_divides_all_jobs();
  simulation_is_a_schedule();
  planning_costs_some_simulations();
  wrong_devices_are_refused();
  streams_cost_something();
  return tap_done();
}
