/* SPDX-License-Identifier: MIT */
/* When ranks wait for their tasks before they exchange the results. */
#include "base/random.h"
#include "graph/overlap_tuner.h"
#include "tap.h"

/* Time of a round with waiting, and without. */
typedef struct machine {
  double waits, goes_on; /* s */
} machine;

/* s that so many rounds take; *waited: whether the last one waited. */
static double run(hg_overlap_tuner *r, machine m, int rounds, double noise, uint64_t seed, double *now, bool *waited)
{
  const double begin = *now;
  for (int i = 0; i < rounds; i++) {
    const double u = 2 * hg_random_unit(seed, (uint64_t)i) - 1;
    *now += (r->goes_on ? m.goes_on : m.waits) * (1 + noise * u);
    *waited = !r->goes_on;
    hg_overlap_tuner_next(r, *now);
  }
  return *now - begin;
}

static void the_faster_way_is_found(void)
{
  const machine quiet = {.040, .043}, busy = {.060, .045}, equal = {.050, .050};
  bool waited;
  for (uint64_t seed = 1; seed <= 3; seed++) {
    hg_overlap_tuner a = {0}, b = {0}, c = {0};
    double now = 7;
    run(&a, quiet, 12, .02, seed, &now, &waited);
    tap_ok(waited || !a.goes_on, "12 rounds");
    const double took = run(&a, quiet, 100, .02, seed + 100, &now, &waited);
    tap_ok(waited && took < 101 * quiet.waits, "alone on its machine a rank waits (%.4f s per round)", took / 100);
    run(&b, busy, 12, .05, seed, &now, &waited);
    const double busy_took = run(&b, busy, 100, .05, seed + 100, &now, &waited);
    tap_ok(!waited && busy_took < 102 * busy.goes_on, "with others it does not wait (%.4f s per round)",
           busy_took / 100);
    run(&c, equal, 40, 0, seed, &now, &waited);
    tap_ok(waited, "it waits if nothing is gained");
  }
}

/* The trial without waiting: two rounds to settle, then four, the first of them long by chance. */
static void one_round_does_not_decide(void)
{
  const machine shorter = {.040, .030}, longer = {.040, .060};
  hg_overlap_tuner r = {0};
  double now = 0;
  bool waited;
  while (!r.goes_on && now < 1) run(&r, shorter, 1, 0, 1, &now, &waited);
  run(&r, shorter, 2, 0, 1, &now, &waited);
  run(&r, longer, 1, 0, 1, &now, &waited);
  tap_ok(r.goes_on, "after one round of the trial nothing is decided");
  run(&r, shorter, 4, 0, 1, &now, &waited);
  tap_ok(!waited, "after four their mean decides against waiting");
}

static void a_change_is_noticed(void)
{
  const machine quiet = {.040, .043}, busy = {.060, .045};
  hg_overlap_tuner r = {0};
  double now = 0;
  bool waited;
  run(&r, quiet, 50, 0, 1, &now, &waited);
  tap_ok(waited, "at first nothing disturbs");
  run(&r, busy, 50, 0, 1, &now, &waited);
  tap_ok(!waited, "then other programs do");
  run(&r, (machine){.020, .022}, 50, 0, 1, &now, &waited);
  tap_ok(waited, "then there is less to do");
}

static void short_rounds_wait(void)
{
  hg_overlap_tuner r = {0};
  double now = 0;
  bool waited = true, always = true;
  for (int i = 0; i < 100; i++) {
    run(&r, (machine){.004, .001}, 1, 0, 1, &now, &waited);
    always = always && waited;
  }
  tap_ok(always, "rounds of 4 ms always wait");
  run(&r, (machine){.040, .030}, 50, 0, 1, &now, &waited);
  tap_ok(!waited, "... until they are longer");
  r = (hg_overlap_tuner){0};
  run(&r, (machine){.024, .018}, 50, 0, 1, &now, &waited);
  tap_ok(!waited, "rounds of 24 ms are long enough");
}

/* After a trial there is no other while rounds last as long. */
static void what_does_not_pay_is_tried_once(void)
{
  hg_overlap_tuner r = {0};
  double now = 0;
  bool waited = true;
  int went_on = 0;
  for (int i = 0; i < 100; i++) {
    run(&r, (machine){.040, .060}, 1, 0, 1, &now, &waited);
    went_on += !waited;
  }
  tap_int(went_on, 6, "not waiting, if that takes half as long again, is tried for six rounds of 100");
}

/* Something other than rounds intervenes: a checkpoint of 10 s. */
static void a_pause_counts_for_nothing(void)
{
  const machine quiet = {.040, .043};
  hg_overlap_tuner r = {0};
  double now = 0;
  bool waited = true, always = true;
  run(&r, quiet, 50, 0, 1, &now, &waited);
  for (int i = 0; i < 20; i++) {
    now += 10;
    hg_overlap_tuner_pause(&r);
    run(&r, quiet, 7, 0, 1, &now, &waited);
    always = always && waited;
  }
  tap_ok(always, "pauses between rounds change nothing");
}

int main(void)
{
  the_faster_way_is_found();
  one_round_does_not_decide();
  a_change_is_noticed();
  short_rounds_wait();
  what_does_not_pay_is_tried_once();
  a_pause_counts_for_nothing();
  return tap_done();
}
