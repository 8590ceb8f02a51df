/* SPDX-License-Identifier: MIT */
/* Shares learnt on simulated heterogeneous devices, some of which change speed. */
#include "divisible/shares.h"

#include <string.h>

#include "tap.h"

static double uniform(uint64_t *state, double lo, double hi)
{
  return lo + (hi - lo) * (double)(tap_random(state) >> 11) * 0x1p-53;
}

enum { DEVICES = 5 };

/* Seconds of w items: a start-up time, a speed and some noise. */
typedef struct machine {
  double start[DEVICES], speed[DEVICES], noise;
  uint64_t state;
} machine;

static double pass(machine *m, const hg_shares *s, double *seconds)
{
  double longest = 0;
  for (int i = 0; i < s->parts; i++) {
    seconds[i] = (m->start[i] + (double)s->w[i] / m->speed[i]) * uniform(&m->state, 1, 1 + m->noise);
    if (s->w[i] > 0) longest = fmax(longest, seconds[i]);
  }
  return longest;
}

static machine random_machine(uint64_t *state, double noise)
{
  machine m = {.noise = noise, .state = tap_random(state)};
  for (int i = 0; i < DEVICES; i++) {
    m.speed[i] = exp(uniform(state, log(10), log(3000)));
    m.start[i] = uniform(state, 0, 3) / m.speed[i];
  }
  return m;
}

/* The least possible time, in perfect balance. */
static double optimum(const machine *m, int64_t items)
{
  double speed = 0, done = 0;
  for (int i = 0; i < DEVICES; i++) speed += m->speed[i], done += m->start[i] * m->speed[i];
  return ((double)items + done) / speed;
}

static void shares_balance(void)
{
  uint64_t state = 5;
  int most = 0;
  double worst = 0;
  for (int i = 0; i < 200; i++) {
    machine m = random_machine(&state, 0);
    hg_shares s;
    double seconds[DEVICES];
    const int64_t items = 20000;
    hg_shares_begin(DEVICES, items, .05, NULL, &s);
    while (s.state == HG_SHARES_LEARNING && s.passes < 50) {
      pass(&m, &s, seconds);
      hg_shares_learn(&s, seconds);
    }
    worst = fmax(worst, pass(&m, &s, seconds) / optimum(&m, items));
    most = s.passes > most ? s.passes : most;
    hg_shares_end(&s);
  }
  tap_ok(most <= 5, "unequal devices balance in at most 5 passes (most %d)", most);
  tap_ok(worst <= 1.05, "... to within 5 %% of the optimum (worst %.4f)", worst);
}

static void slow_down(double noise)
{
  uint64_t state = 6;
  int most = 0;
  for (int i = 0; i < 100; i++) {
    machine m = random_machine(&state, noise);
    hg_shares s;
    double seconds[DEVICES];
    const int64_t items = 20000;
    hg_shares_begin(DEVICES, items, .05, NULL, &s);
    for (int k = 0; k < 12; k++) pass(&m, &s, seconds), hg_shares_learn(&s, seconds);
    m.speed[i % DEVICES] /= 10;
    m.start[i % DEVICES] *= 10;
    int passes = 0;
    while (pass(&m, &s, seconds) > 1.15 * optimum(&m, items) && passes < 20) passes++, hg_shares_learn(&s, seconds);
    most = passes > most ? passes : most;
    hg_shares_end(&s);
  }
  tap_ok(most <= 3, "a device that slows down tenfold (noise %g) is balanced again after %d passes", noise, most);
}

static void what_is_known_starts_balanced(void)
{
  uint64_t state = 7;
  machine m = random_machine(&state, 0);
  hg_shares s, next;
  double seconds[DEVICES];
  hg_shares_begin(DEVICES, 30000, .05, NULL, &s);
  while (s.state == HG_SHARES_LEARNING) pass(&m, &s, seconds), hg_shares_learn(&s, seconds);
  hg_shares_begin(DEVICES, 30000, .05, s.speed, &next);
  const double promised = next.promised, longest = pass(&m, &next, seconds);
  hg_shares_learn(&next, seconds);
  tap_ok(next.state == HG_SHARES_BALANCED, "earlier models start balanced (imbalance %.4f)", next.imbalance);
  tap_ok(fabs(promised / longest - 1) < .1, "... and predict the pass (%.4f s, %.4f s)", promised, longest);
  hg_shares_end(&s);
  hg_shares_end(&next);
}

/* All devices pause (a machine that stops for a moment) while shares are found; later predictions use later passes. */
static void a_bad_beginning_is_forgotten(void)
{
  uint64_t state = 9;
  double off = 0;
  for (int k = 0; k < 20; k++) {
    machine m = random_machine(&state, 0);
    hg_shares s;
    double seconds[DEVICES];
    hg_shares_begin(DEVICES, 20000, .05, NULL, &s);
    for (int i = 0; i < 40; i++) {
      const double drag = s.state == HG_SHARES_LEARNING ? 1.2 : 1;
      pass(&m, &s, seconds);
      for (int d = 0; d < DEVICES; d++) seconds[d] *= drag;
      hg_shares_learn(&s, seconds);
    }
    const double promised = s.promised;
    off = fmax(off, fabs(promised / pass(&m, &s, seconds) - 1));
    hg_shares_end(&s);
  }
  tap_ok(off < .02, "balanced passes predict later ones, not the pass that found the balance (%.4f)", off);
}

/* Keeps only a device's last pass. */
static hg_status forget_and_learn(void *arg, int part, int64_t w, double seconds, hg_partial_speed *speed)
{
  (void)arg, (void)part;
  *speed = (hg_partial_speed){0};
  return hg_partial_learn(speed, (double)w, seconds);
}

/* With even shares the first is three times as fast; with three quarters of the items it is as fast as the other. */
static void a_division_that_comes_again_is_the_last(void)
{
  const double even[] = {1, 3}, uneven[] = {3, 1};
  hg_shares s;
  hg_shares_begin(2, 100, .05, NULL, &s);
  s.model = forget_and_learn;
  hg_shares_learn(&s, even);
  tap_ok(s.w[0] == 75 && s.state == HG_SHARES_LEARNING, "the faster gets %d of 100", (int)s.w[0]);
  hg_shares_learn(&s, uneven);
  tap_ok(s.state == HG_SHARES_REPEATED && s.w[0] + s.w[1] == 100, "even shares, already tried, are not tried again: %s",
         hg_shares_state_name(s.state));
  hg_shares_end(&s);
}

static void few_items(void)
{
  hg_shares s;
  machine m = {.speed = {1, 2, 3, 4, 5}};
  double seconds[DEVICES];
  for (int64_t items = 0; items < DEVICES; items++) {
    int64_t sum = 0;
    hg_shares_begin(DEVICES, items, .05, NULL, &s);
    for (int k = 0; k < 9; k++) pass(&m, &s, seconds), hg_shares_learn(&s, seconds);
    for (int i = 0; i < DEVICES; i++) sum += s.w[i];
    tap_int(sum, items, "fewer items than devices are all assigned");
    hg_shares_end(&s);
  }
  tap_ok(hg_shares_begin(2, 9, 1, NULL, &s) == HG_INVALID, "epsilon 1 is refused: %s", hg_message());
  tap_ok(hg_shares_begin(2, 9, NAN, NULL, &s) == HG_INVALID, "... and NaN");
  tap_ok(hg_shares_begin(2, -1, .1, NULL, &s) == HG_INVALID, "... and -1 items");
}

static void imbalance_is_of_those_with_work(void)
{
  const int64_t all[] = {3, 3, 0}, alone[] = {0, 5, 0}, none[] = {0, 0, 0};
  const double seconds[] = {2, 4, 9}, at_once[] = {0, 0, 0};
  tap_near(hg_shares_imbalance(3, all, seconds), .5, 0, "2 s and 4 s are out of balance by a half");
  tap_near(hg_shares_imbalance(3, alone, seconds), 0, 0, "one alone is in balance");
  tap_near(hg_shares_imbalance(3, none, seconds), 0, 0, "nobody is, too");
  tap_near(hg_shares_imbalance(3, all, at_once), 0, 0, "... nor those that take no measurable time");
}

/* A GPU beside two cores; only its being some hundred times faster is known. */
static void what_is_guessed_comes_first(void)
{
  const double rate[] = {300, 1, 1}, seconds[] = {1, 4, 0};
  hg_shares s;
  hg_shares_begin(3, 302, .05, NULL, &s);
  memcpy(s.rate, rate, sizeof rate);
  hg_shares_renew(&s);
  tap_ok(s.w[0] == 300 && s.w[1] == 1 && s.w[2] == 1, "the first shares are as guessed (%lld, %lld, %lld)",
         (long long)s.w[0], (long long)s.w[1], (long long)s.w[2]);
  tap_ok(s.promised == 0, "... and give no prediction (%g s)", s.promised);
  s.w[1] = 2;
  s.w[2] = 0;
  hg_shares_learn(&s, seconds);
  tap_ok(s.w[2] <= 1, "a device without items counts as one with the same guess (%lld items)", (long long)s.w[2]);
  hg_shares_end(&s);
}

enum { CORES = 15 };

/* Passes by a GPU, which needs 0.1 s before its first item, and by cores; initial speeds are guesses.
 * @return s of all passes */
static double passes_with_a_gpu(int64_t items, int passes, int left, int64_t *first, int64_t *last)
{
  const double guessed[] = {3180, 95}, speed[] = {3000, 69};
  double seconds[CORES + 1], all = 0, cold = .1;
  hg_shares s;
  hg_shares_begin(CORES + 1, items, .05, NULL, &s);
  for (int i = 0; i <= CORES; i++) s.rate[i] = guessed[i > 0];
  s.start[0] = .1;
  s.left = left;
  hg_shares_renew(&s);
  *first = s.w[0];
  for (int k = 0; k < passes; k++) {
    double longest = 0;
    for (int i = 0; i <= CORES; i++) {
      seconds[i] = (double)s.w[i] / speed[i > 0] + (i == 0 ? cold : 0);
      if (s.w[i] > 0) longest = fmax(longest, seconds[i]);
    }
    all += longest;
    if (s.w[0] > 0) cold = 0;
    *last = s.w[0];
    hg_shares_learn(&s, seconds);
  }
  hg_shares_end(&s);
  return all;
}

static void a_cold_start_is_no_speed(void)
{
  int64_t first, last;
  double all = passes_with_a_gpu(16, 3, 3, &first, &last);
  tap_ok(first == 0 && last == 0 && all < .09, "few items are not worth a cold start: %.3f s", all);
  all = passes_with_a_gpu(64, 3, 3, &first, &last);
  tap_ok(first == 1 && last > 45 && all < .14, "a GPU is warm after one item, and then gets %lld of 64: %.3f s",
         (long long)last, all);
  all = passes_with_a_gpu(256, 3, 3, &first, &last);
  tap_ok(first > 60 && first < 160 && last > 180 && all < .32,
         "cores do what they can in a cold start: %lld of 256, then %lld: %.3f s", (long long)first, (long long)last,
         all);
  all = passes_with_a_gpu(16, 30, 0, &first, &last);
  tap_ok(first == 1 && last > 10, "many passes pay for it: %lld of 16 in the last of 30, %.3f s", (long long)last, all);
  all = passes_with_a_gpu(1, 3, 0, &first, &last);
  tap_ok(all > 0, "one item: %.3f s", all);
}

int main(void)
{
  imbalance_is_of_those_with_work();
  shares_balance();
  slow_down(0);
  slow_down(.01);
  what_is_known_starts_balanced();
  a_bad_beginning_is_forgotten();
  a_division_that_comes_again_is_the_last();
  few_items();
  what_is_guessed_comes_first();
  a_cold_start_is_no_speed();
  return tap_done();
}
