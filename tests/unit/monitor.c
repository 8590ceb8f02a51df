/* SPDX-License-Identifier: MIT */
/* When a running program should be redivided. */
#include <math.h>

#include "base/random.h"
#include "division/balance_monitor.h"
#include "division/rebalance_rule.h"
#include "tap.h"

enum { GRID = 1000, CHECK_STEPS = 10 };

/* A check after some steps of two workers with these shares and speeds. */
static bool check(hg_monitor *w, const double *share, const double *speed, const hg_monitor_rule *rule)
{
  hg_monitor_sample sample[2];
  for (int i = 0; i < 2; i++)
    sample[i] = (hg_monitor_sample){
        .cells = CHECK_STEPS * share[i], .busy = CHECK_STEPS * share[i] / speed[i], .share = share[i]};
  return hg_monitor_complete(w, sample, rule) && hg_monitor_check(w, sample, rule);
}

/* A check after the first one, which has its own rule. */
static hg_monitor new_monitor(void)
{
  hg_monitor w;
  tap_ok(hg_monitor_open(2, GRID, &w) == HG_OK, "two workers are monitored");
  w.checked = true;
  return w;
}

static void what_is_glaring_is_believed_at_once(void)
{
  const hg_monitor_rule rule = {.tolerance = .05, .cost = 1, .steps_left = 1000},
                        late = {.tolerance = .05, .cost = 1, .steps_left = 3};
  const double share[] = {500, 500}, unlike[] = {300, 100}, similar[] = {300, 220};
  for (int i = 0; i < 4; i++) {
    static const char *const name[] = {"a third of the speed at the first check", "... three steps from the end",
                                       "three quarters of the speed", "a third of the speed at the second check"};
    hg_monitor w;
    if (hg_monitor_open(2, GRID, &w) != HG_OK) return;
    w.checked = i == 3;
    tap_ok(check(&w, share, i == 2 ? similar : unlike, i == 1 ? &late : &rule) == (i == 0), "%s: %s", name[i],
           i == 0 ? "a move" : "no move yet");
    hg_monitor_close(&w);
  }
}

static void a_slow_worker_is_noticed_at_the_second_look(void)
{
  hg_monitor w = new_monitor();
  const hg_monitor_rule rule = {.tolerance = .05, .cost = 1, .steps_left = 1000};
  const double share[] = {500, 500}, speed[] = {300, 100};
  tap_ok(!check(&w, share, speed, &rule), "one check may be chance");
  tap_ok(check(&w, share, speed, &rule), "two are not");
  int kind[] = {0, 0};
  double known[2];
  hg_speed_model model[2];
  hg_monitor_models(&w, kind, known, model);
  tap_ok(fabs(known[0] - 300) < 1e-9 && fabs(known[1] - 100) < 1e-9, "speeds are learnt: %g and %g", known[0],
         known[1]);
  tap_ok(fabs(hg_speed_time(&model[1], 250, 0) - 2.5) < 1e-9, "... as models");
  hg_monitor_close(&w);
}

/* A step lasts 5 s and could last 2.5: a check of 10 steps loses 25 s. */
static void a_move_is_paid_for(void)
{
  const double share[] = {500, 500}, speed[] = {300, 100};
  for (int cost = 10; cost <= 410; cost += 50) {
    hg_monitor w = new_monitor();
    const hg_monitor_rule rule = {.tolerance = .05, .cost = cost, .steps_left = 1e6};
    int checks = 1;
    while (!check(&w, share, speed, &rule)) checks++;
    tap_ok(checks == cost / 25 + 2, "%d checks of 25 s until all but one have lost the %d s of a move", checks, cost);
    hg_monitor_close(&w);
  }
  hg_monitor w = new_monitor();
  const hg_monitor_rule late = {.tolerance = .05, .cost = 100, .steps_left = 39};
  int moves = 0;
  for (int i = 0; i < 100; i++) moves += check(&w, share, speed, &late);
  tap_int(moves, 0, "moves for which the remaining 39 steps of 2.5 s would not pay");
  hg_monitor_close(&w);
}

static void what_passes_quickly_moves_nothing(void)
{
  hg_monitor w = new_monitor();
  const hg_monitor_rule rule = {.tolerance = .05, .cost = 200, .steps_left = 1e6};
  const double share[] = {500, 500}, quiet[] = {200, 200}, disturbed[] = {200, 100};
  int moves = 0;
  for (int i = 0; i < 300; i++) moves += check(&w, share, i % 10 < 3 ? disturbed : quiet, &rule);
  tap_int(moves, 0, "moves where three checks of ten find one of two workers disturbed");
  hg_monitor_close(&w);
}

static void equal_workers_stay_whatever_the_noise(void)
{
  int moves = 0;
  for (int run = 0; run < 200; run++) {
    hg_monitor w;
    const double share[] = {500, 500};
    const hg_monitor_rule rule = {.tolerance = .05, .cost = 20, .steps_left = 1e6};
    if (hg_monitor_open(2, GRID, &w) != HG_OK) continue;
    for (int i = 0; i < 100; i++) {
      double speed[2];
      for (int j = 0; j < 2; j++) speed[j] = 200 * (.96 + .08 * hg_random_unit((uint64_t)run, (uint64_t)(2 * i + j)));
      moves += check(&w, share, speed, &rule);
    }
    hg_monitor_close(&w);
  }
  tap_int(moves, 0, "moves in 20000 checks of two equal workers whose times scatter by 4 %");
}

static void a_division_that_cannot_change_is_not_asked_for_soon(void)
{
  hg_monitor w = new_monitor();
  const double share[] = {500, 500}, speed[] = {300, 100};
  const hg_monitor_rule rule = {.tolerance = .05, .cost = 1, .steps_left = 1e6};
  int moves = 0;
  for (int i = 0; i < 300; i++)
    if (check(&w, share, speed, &rule)) {
      moves++;
      hg_monitor_moved(&w, false);
    }
  tap_ok(moves >= 5 && moves <= 13, "%d moves in 300 checks that change nothing", moves);
  hg_monitor_close(&w);
}

static void a_look_waits_until_all_have_worked(void)
{
  hg_monitor w = new_monitor();
  const hg_monitor_rule rule = {.tolerance = .05, .least = 1};
  hg_monitor_sample sample[2] = {{100, 2, 500}, {0, 0, 500}};
  tap_ok(!hg_monitor_complete(&w, sample, &rule), "one that has a share has done nothing yet");
  sample[1] = (hg_monitor_sample){50, .5, 500};
  tap_ok(!hg_monitor_complete(&w, sample, &rule), "... or not for long");
  sample[1] = (hg_monitor_sample){0, 0, 0};
  tap_ok(hg_monitor_complete(&w, sample, &rule), "one without a share is not waited for");
  sample[0] = sample[1];
  tap_ok(!hg_monitor_complete(&w, sample, &rule), "no worker has a share");
  hg_monitor_close(&w);
}

/* Behaves like policies that move tiles between the workers of a rank. */
static void a_share_that_was_given_away_is_divided_anew(void)
{
  hg_monitor w = new_monitor();
  const int kind[] = {0, 0};
  double speed[2];
  hg_speed_model model[2];
  const hg_monitor_rule rule = {.tolerance = .05, .cost = .01, .steps_left = 1e6, .least = .05};
  hg_monitor_sample sample[2] = {{200, .2, 500}, {4, .04, 500}};
  tap_ok(!hg_monitor_complete(&w, sample, &rule), "one that has been idle for long may still work");
  sample[0] = (hg_monitor_sample){1000, 1, 500};
  tap_ok(hg_monitor_complete(&w, sample, &rule), "... but not if the other has worked 25 times as long");
  sample[1] = (hg_monitor_sample){0, 0, 500};
  tap_ok(!hg_monitor_complete(&w, sample, &rule), "the check waits for an unknown worker");
  sample[1] = (hg_monitor_sample){4, .04, 500};
  tap_ok(!hg_monitor_check(&w, sample, &rule) && hg_monitor_check(&w, sample, &rule), "two such checks redivide");
  hg_monitor_moved(&w, true);
  sample[0] = (hg_monitor_sample){9000, 9, 909};
  sample[1] = (hg_monitor_sample){0, 0, 91};
  tap_ok(hg_monitor_complete(&w, sample, &rule), "an idle worker of known speed has given its share away");
  tap_ok(!hg_monitor_check(&w, sample, &rule) && hg_monitor_check(&w, sample, &rule), "... and gets it back");
  tap_ok(w.share[0] == GRID && w.share[1] == 0, "... since the other did all of it");
  hg_monitor_models(&w, kind, speed, model);
  tap_ok(fabs(speed[0] - 1000) < 1e-9 && fabs(speed[1] - 100) < 1e-9, "... by the measured speeds (%g, %g)", speed[0],
         speed[1]);
  hg_monitor_close(&w);
}

static void idle_workers_are_tried_if_their_kind_works(void)
{
  hg_monitor w;
  const int kind[] = {1, 0, 0, 2};
  double speed[4];
  hg_speed_model model[4];
  const hg_monitor_rule rule = {.tolerance = .05, .steps_left = 10};
  const hg_monitor_sample sample[4] = {{500, 5. / 9, 500}, {500, 5, 500}, {0, 0, 0}, {0, 0, 0}};
  tap_ok(hg_monitor_open(4, GRID, &w) == HG_OK, "four workers, two of them idle");
  tap_ok(!hg_monitor_check(&w, sample, &rule) || hg_monitor_check(&w, sample, &rule), "... are checked");
  hg_monitor_models(&w, kind, speed, model);
  tap_ok(fabs(speed[0] - 900) < 1e-9 && speed[1] == 100 && speed[2] == 100 && speed[3] == 0,
         "speeds %g %g %g %g: like those of its kind, or none", speed[0], speed[1], speed[2], speed[3]);
  tap_ok(isinf(hg_speed_time(&model[3], 1, 0)), "a worker of no speed never ends");
  hg_monitor_close(&w);
}

/* --- a machine with other programs on it --- */

/* Two workers, each alternately alone and sharing its core with 1 to 6 other programs for a while. */
typedef struct {
  uint64_t seed;
  double base[2];      /* cells/s */
  double quiet, noisy; /* s on average */
  double until[2];
  int others[2];
  uint64_t drawn;
} machine;

enum { CELLS = 9000000, DEPTH = 32, BLOCKS = 63 };

static double draw(machine *m)
{
  return hg_random_unit(m->seed, m->drawn++) + 1e-12;
}

static double speed_at(machine *m, int i, double t)
{
  while (t >= m->until[i]) {
    m->others[i] = m->others[i] > 0 ? 0 : 1 + (int)(6 * draw(m));
    m->until[i] -= log(draw(m)) * (m->others[i] > 0 ? m->noisy : m->quiet);
  }
  return m->base[i] / (1 + m->others[i]);
}

/* Seconds that a worker needs for so many cells from time t on; its speed is looked up at least every 4 ms. */
static double work(machine *m, int i, double cells, double t)
{
  const double begin = t;
  while (cells > 0) {
    const double speed = speed_at(m, i, t), slice = fmin(.004, cells / speed);
    cells -= slice * speed;
    t += slice;
  }
  return t - begin;
}

static void divide_anew(const hg_monitor *w, double *share)
{
  const int kind[2] = {0, 0};
  double speed[2], low = 0, high = CELLS;
  hg_speed_model model[2];
  hg_monitor_models(w, kind, speed, model);
  for (int i = 0; i < 50; i++) {
    const double n = (low + high) / 2;
    *(hg_speed_time(&model[0], n, 0) < hg_speed_time(&model[1], CELLS - n, 0) ? &low : &high) = n;
  }
  share[0] = fmin(fmax(low, 3000), CELLS - 3000);
  share[1] = CELLS - share[0];
}

/* Seconds of a run divided evenly, or redivided by the monitor, if a move takes 0.08 to 0.24 s. */
static double run(machine m, bool monitored)
{
  double t = 0, cost = .07, share[2] = {CELLS / 2, CELLS / 2};
  hg_monitor_sample sample[2] = {{0, 0, 0}, {0, 0, 0}};
  hg_monitor w;
  if (hg_monitor_open(2, CELLS, &w) != HG_OK) return NAN;
  for (int block = 0; block < BLOCKS; block++) {
    double longest = 0;
    for (int i = 0; i < 2; i++) {
      const double took = work(&m, i, share[i] * DEPTH, t);
      sample[i] = (hg_monitor_sample){sample[i].cells + share[i] * DEPTH, sample[i].busy + took, share[i]};
      longest = fmax(longest, took);
    }
    t += longest;
    const hg_monitor_rule rule = {.05, cost, (BLOCKS - 1 - block) * DEPTH, w.checked ? .05 : .01};
    if (!monitored || !hg_monitor_complete(&w, sample, &rule)) continue;
    if (hg_monitor_check(&w, sample, &rule)) {
      const double took = .08 + .16 * hg_random_unit(m.seed, (uint64_t)block);
      divide_anew(&w, share);
      hg_monitor_moved(&w, true);
      t += took;
      cost = (cost + took) / 2;
    }
    sample[0] = sample[1] = (hg_monitor_sample){0, 0, 0};
  }
  hg_monitor_close(&w);
  return t;
}

/* Ratio of watched to evenly divided runs on 100 machines: geometric mean and worst. */
static double watched_over_even(double slower, double quiet, double noisy, double *worst)
{
  double sum = 0;
  *worst = 0;
  for (uint64_t seed = 0; seed < 100; seed++) {
    const machine m = {.seed = seed, .base = {4.2e9, 4.2e9 / slower}, .quiet = quiet, .noisy = noisy};
    const double ratio = run(m, true) / run(m, false);
    *worst = fmax(*worst, ratio);
    sum += log(ratio);
  }
  return exp(sum / 100);
}

static void on_a_shared_machine_it_pays_or_does_little_harm(void)
{
  static const double lasting[] = {.02, .1, .5, 2, 10};
  for (int i = 0; i < 10; i++) {
    const double noisy = lasting[i / 2], quiet = i % 2 ? 4 * noisy : noisy;
    double worst[2];
    const double equal = watched_over_even(1, quiet, noisy, &worst[0]),
                 unlike = watched_over_even(3, quiet, noisy, &worst[1]);
    tap_ok(equal < 1.18 && worst[0] < 2 && unlike < .8 && worst[1] < 1.4,
           "disturbed for %g s of %g s: time over that of even shares %.3f (at worst %.2f), with a third of the speed "
           "%.3f (%.2f)",
           noisy, noisy + quiet, equal, worst[0], unlike, worst[1]);
  }
}

static void undisturbed_it_costs_a_block_and_a_move(void)
{
  double worst;
  const double unlike = watched_over_even(3, 1e9, 1e-6, &worst), equal = watched_over_even(1, 1e9, 1e-6, &worst);
  tap_ok(unlike < .56, "a worker of a third of the speed: %.3f of the time with even shares, 0.5 at best", unlike);
  tap_ok(equal == 1, "equal ones: %.3f", equal);
}

/* Fills the stack, so that uninitialised variables of the next call hold this. */
__attribute__((noinline)) static void fill_stack(void)
{
  volatile double filled[1000];
  for (int i = 0; i < 1000; i++) filled[i] = 1e5;
  if (filled[999] < 1e5) tap_ok(false, "the stack holds what is written there");
}

/* Two workers of the first of many ranks, with regions of 100 and 300 cells, ran 40 % and 60 % of the tasks. */
static void wandering_tasks_are_shares_of_their_rank(void)
{
  int rank[2] = {0, 0};
  hg_worker_kind kind[2] = {HG_CPU_WORKER, HG_CPU_WORKER};
  const hg_session s = {.ranks = 300, .workers = 2, .all_workers = 2, .worker_rank = rank, .kind = kind};
  hg_region region[2] = {{.box = {{0, 0, 0}, {10, 10, 1}}}, {.box = {{10, 0, 0}, {40, 10, 1}}}};
  const hg_tiling tiling = {.regions = 2, .region = region};
  hg_phase_times times[2] = {{.compute = 2, .cells = 4000}, {.compute = 3, .cells = 6000}};
  const hg_graph graph = {.session = &s, .tiling = &tiling, .times = times};
  for (int owners = 0; owners < 2; owners++) {
    hg_balance_monitor b;
    if (hg_balance_open(&s, owners, 400, 8, 1, &b) != HG_OK) return;
    fill_stack();
    hg_balance_learn(&b, &graph);
    for (int i = 0; i < 2; i++) {
      const hg_partial_speed *learnt = &b.monitor.speed[i];
      tap_ok(learnt->count == 1 && fabs(learnt->point[0].speed - 2000) < 1e-9, "worker %d: 2000 cells/s", i);
      tap_near(learnt->point[0].w, owners ? 100 + 200 * i : 160 + 80 * i, 1e-9,
               owners ? "... at its region" : "... at its part of what the rank has done");
    }
    hg_balance_close(&b);
  }
}

int main(void)
{
  what_is_glaring_is_believed_at_once();
  a_slow_worker_is_noticed_at_the_second_look();
  a_move_is_paid_for();
  what_passes_quickly_moves_nothing();
  equal_workers_stay_whatever_the_noise();
  a_division_that_cannot_change_is_not_asked_for_soon();
  a_look_waits_until_all_have_worked();
  a_share_that_was_given_away_is_divided_anew();
  idle_workers_are_tried_if_their_kind_works();
  on_a_shared_machine_it_pays_or_does_little_harm();
  undisturbed_it_costs_a_block_and_a_move();
  wandering_tasks_are_shares_of_their_rank();
  return tap_done();
}
