/* SPDX-License-Identifier: MIT */
/* When a running program should be divided anew. */
#include <math.h>

#include "base/random.h"
#include "placement/watch.h"
#include "tap.h"

enum { GRID = 1000, LOOK_STEPS = 10 };

/* A look after some steps of two workers with these shares and speeds. */
static bool look(hg_watch *w, const double *share, const double *speed, const hg_watch_rule *rule)
{
  hg_watch_sample sample[2];
  for (int i = 0; i < 2; i++)
    sample[i] =
        (hg_watch_sample){.cells = LOOK_STEPS * share[i], .busy = LOOK_STEPS * share[i] / speed[i], .share = share[i]};
  return hg_watch_complete(w, sample, rule) && hg_watch_look(w, sample, rule);
}

static hg_watch new_watch(void)
{
  hg_watch w;
  tap_ok(hg_watch_open(2, GRID, &w) == HG_OK, "two workers are watched");
  return w;
}

static void a_slow_worker_is_noticed_at_the_second_look(void)
{
  hg_watch w = new_watch();
  const hg_watch_rule rule = {.tolerance = .05, .cost = 1, .steps_left = 1000};
  const double share[] = {500, 500}, speed[] = {300, 100};
  tap_ok(!look(&w, share, speed, &rule), "one look may be chance");
  tap_ok(look(&w, share, speed, &rule), "two are not");
  int kind[] = {0, 0};
  double known[2];
  hg_speed_model model[2];
  hg_watch_models(&w, kind, known, model);
  tap_ok(fabs(known[0] - 300) < 1e-9 && fabs(known[1] - 100) < 1e-9, "speeds are learnt: %g and %g", known[0],
         known[1]);
  tap_ok(fabs(hg_speed_time(&model[1], 250, 0) - 2.5) < 1e-9, "... as models");
  hg_watch_close(&w);
}

/* A step lasts 5 s and could last 2.5: a look of 10 steps loses 25 s. */
static void a_move_is_paid_for(void)
{
  const double share[] = {500, 500}, speed[] = {300, 100};
  for (int half_cost = 30; half_cost <= 230; half_cost += 50) {
    hg_watch w = new_watch();
    const hg_watch_rule rule = {.tolerance = .05, .cost = 2 * half_cost, .steps_left = 1e6};
    int looks = 1;
    while (!look(&w, share, speed, &rule)) looks++;
    tap_int(looks, half_cost <= 25 ? 2 : (half_cost + 24) / 25, "looks of 25 s until half the cost of a move is lost");
    hg_watch_close(&w);
  }
  hg_watch w = new_watch();
  const hg_watch_rule late = {.tolerance = .05, .cost = 100, .steps_left = 39};
  int moves = 0;
  for (int i = 0; i < 100; i++) moves += look(&w, share, speed, &late);
  tap_int(moves, 0, "moves that the 39 steps left, at 2.5 s each, would not pay for");
  hg_watch_close(&w);
}

static void what_passes_quickly_moves_nothing(void)
{
  hg_watch w = new_watch();
  const hg_watch_rule rule = {.tolerance = .05, .cost = 200, .steps_left = 1e6};
  const double share[] = {500, 500}, quiet[] = {200, 200}, disturbed[] = {200, 100};
  int moves = 0;
  for (int i = 0; i < 300; i++) moves += look(&w, share, i % 10 < 3 ? disturbed : quiet, &rule);
  tap_int(moves, 0, "moves where three looks of ten find one of two workers disturbed");
  hg_watch_close(&w);
}

static void equal_workers_stay_whatever_the_noise(void)
{
  int moves = 0;
  for (int run = 0; run < 200; run++) {
    hg_watch w;
    const double share[] = {500, 500};
    const hg_watch_rule rule = {.tolerance = .05, .cost = 20, .steps_left = 1e6};
    if (hg_watch_open(2, GRID, &w) != HG_OK) continue;
    for (int i = 0; i < 100; i++) {
      double speed[2];
      for (int j = 0; j < 2; j++) speed[j] = 200 * (.96 + .08 * hg_random_unit((uint64_t)run, (uint64_t)(2 * i + j)));
      moves += look(&w, share, speed, &rule);
    }
    hg_watch_close(&w);
  }
  tap_int(moves, 0, "moves in 20000 looks at two equal workers whose times scatter by 4 %");
}

static void a_move_that_does_not_help_is_not_repeated_soon(void)
{
  hg_watch w = new_watch();
  const double share[] = {500, 500}, speed[] = {300, 100};
  const hg_watch_rule rule = {.tolerance = .05, .cost = 1, .steps_left = 1e6};
  int moves = 0;
  for (int i = 0; i < 300; i++)
    if (look(&w, share, speed, &rule)) {
      moves++;
      hg_watch_moved(&w);
    }
  tap_ok(moves >= 2 && moves <= 10, "%d moves in 300 looks that change nothing", moves);
  hg_watch_close(&w);
}

static void a_look_waits_until_all_have_worked(void)
{
  hg_watch w = new_watch();
  const hg_watch_rule rule = {.tolerance = .05, .least = 1};
  hg_watch_sample sample[2] = {{100, 2, 500}, {0, 0, 500}};
  tap_ok(!hg_watch_complete(&w, sample, &rule), "one that has a share has done nothing yet");
  sample[1] = (hg_watch_sample){50, .5, 500};
  tap_ok(!hg_watch_complete(&w, sample, &rule), "... or not for long");
  sample[1] = (hg_watch_sample){0, 0, 0};
  tap_ok(hg_watch_complete(&w, sample, &rule), "one without a share is not waited for");
  sample[0] = sample[1];
  tap_ok(!hg_watch_complete(&w, sample, &rule), "nobody has a share");
  hg_watch_close(&w);
}

static void idle_workers_are_tried_if_their_kind_works(void)
{
  hg_watch w;
  const int kind[] = {1, 0, 0, 2};
  double speed[4];
  hg_speed_model model[4];
  const hg_watch_rule rule = {.tolerance = .05};
  const hg_watch_sample sample[4] = {{900, 1, 900}, {100, 1, 100}, {0, 0, 0}, {0, 0, 0}};
  tap_ok(hg_watch_open(4, GRID, &w) == HG_OK && !hg_watch_look(&w, sample, &rule), "four workers, two of them idle");
  hg_watch_models(&w, kind, speed, model);
  tap_ok(speed[0] == 900 && speed[1] == 100 && speed[2] == 100 && speed[3] == 0,
         "speeds %g %g %g %g: like those of its kind, or none", speed[0], speed[1], speed[2], speed[3]);
  tap_ok(isinf(hg_speed_time(&model[3], 1, 0)), "a worker of no speed never ends");
  hg_watch_close(&w);
}

int main(void)
{
  a_slow_worker_is_noticed_at_the_second_look();
  a_move_is_paid_for();
  what_passes_quickly_moves_nothing();
  equal_workers_stay_whatever_the_noise();
  a_move_that_does_not_help_is_not_repeated_soon();
  a_look_waits_until_all_have_worked();
  idle_workers_are_tried_if_their_kind_works();
  return tap_done();
}
