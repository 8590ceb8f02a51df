/* SPDX-License-Identifier: MIT */
/* Energy: formulas by hand, contexts, division by joules. */
#include <stdlib.h>

#include "hetgrid.h"
#include "energy/use_context.h"
#include "energy/cluster_energy.h"
#include "speed/fpm.h"
#include "energy/energy_division.h"
#include "energy/nnls.h"
#include "energy/power.h"
#include "golden/paper_energy.h"
#include "tap.h"

static void runs_scale(void)
{
  const cluster c = {.t1 = 1000, .sigma = .5, .watts = 99, .switch_watts = 16, .nodes_max = 16};
  scaled r;
  tap_int(cluster_run(&c, 4, &r), HG_OK, "a run on 4 nodes");
  tap_near(r.seconds, 500, 1e-9, "takes T1 / 4^.5");
  tap_near(r.e1, 1e5, 1e-9, "one node costs (P + P_switch / N_max) T1");
  tap_near(r.joules, 4 * (99 + 1) * 500, 1e-9, "four cost N (P + P_switch / N_max) T");
  tap_near(r.speedup, 2, 1e-12, "speedup N^sigma");
  tap_near(r.gain, .5, 1e-12, "gain N^(sigma - 1)");
  tap_int(cluster_run(&c, 16, &r), HG_OK, "on all nodes");
  tap_int(cluster_run(&c, 17, &r), HG_INVALID, "not on more nodes than there are");
  tap_int(cluster_run(&c, .5, &r), HG_INVALID, "nor on half a one");
  tap_contains(hg_message(), "N is 0.5, must be in 1..16", "which is said");
  cluster wrong = c;
  wrong.t1 = 0;
  tap_int(cluster_run(&wrong, 4, &r), HG_INVALID, "T1 = 0 is refused");
  wrong = c;
  wrong.watts = NAN;
  tap_int(cluster_run(&wrong, 4, &r), HG_INVALID, "and a power of NaN");
  wrong = c;
  wrong.sigma = 1.2;
  tap_int(cluster_run(&wrong, 4, &r), HG_OK, "sigma above 1 is computed");
  tap_ok(!hg_is_scalable(1.2) && !hg_is_scalable(-.1) && hg_is_scalable(0) && hg_is_scalable(1),
         "and said to be outside the scalability area");
}

static void thresholds_are_found(void)
{
  double n;
  hg_threshold(8, .5, .8, &n);
  tap_near(n, pow(8, 1 / .3), 1e-9, "A gains 8 and loses N^-.3: equal at 8^(1/.3)");
  hg_threshold(4, .9, .8, &n);
  tap_ok(isnan(n), "none if it would be below one node");
  hg_threshold(4, .5, .5, &n);
  tap_ok(isnan(n), "none if both scale equally");
  hg_threshold(1e300, .5, .5 + 1e-3, &n);
  tap_ok(isinf(n), "infinite beyond the largest number");
  tap_int(hg_threshold(0, .1, .2, &n), HG_INVALID, "a gain of 0 is refused");
  tap_ok(hg_configuration(2, 3) == 1 && hg_configuration(.5, .5) == 3 && hg_configuration(2, .5) == 2 &&
             hg_configuration(1, 2) == 2,
         "three configurations, limits in the middle one");
}

static void lines_are_fitted(void)
{
  const double n[] = {1, 2, 4, 8}, exact[] = {100, 50, 25, 12.5}, noisy[] = {100, 55, 25, 12.5}, same[] = {2, 2};
  hg_scaling f;
  tap_int(hg_scaling_fit(4, n, exact, &f), HG_OK, "an exact line");
  tap_ok(fabs(f.t1 - 100) < 1e-9 && fabs(f.sigma - 1) < 1e-12 && f.max_rel < 1e-12, "is found exactly");
  hg_scaling_fit(4, n, noisy, &f);
  tap_ok(f.sigma_error > 0 && f.centre_error > 0 && hg_scaling_error(&f, 64) > hg_scaling_error(&f, 4) &&
             f.max_rel > .02,
         "noise gives errors (%g)", f.sigma_error);
  /* residuals d, -d, -d, d at four points with distance h = log 2 do not move the line; errors: sqrt(2 / 5) d / h and
   * d / sqrt(2) */
  const double d = .01, bent[] = {100 * exp(d), 50 * exp(-d), 25 * exp(-d), 12.5 * exp(d)};
  hg_scaling_fit(4, n, bent, &f);
  tap_near(f.sigma, 1, 1e-12, "a bent line has the same slope");
  tap_near(f.sigma_error, sqrt(.4) * d / log(2), 1e-12, "... its standard error");
  tap_near(f.centre_error, d / sqrt(2), 1e-12, "... and that of the centre");
  tap_near(f.max_rel, exp(d) - 1, 1e-12, "... the largest residual");
  tap_int(hg_scaling_fit(2, same, exact, &f), HG_INVALID, "two points with one N are refused");
  tap_int(hg_scaling_fit(0, n, exact, &f), HG_INVALID, "as no points");
  const double negative[] = {1, -1};
  tap_int(hg_scaling_fit(2, n, negative, &f), HG_INVALID, "and a negative time");
}

static void powers_are_means(void)
{
  const double full[] = {200, 220}, wait[] = {100, 110}, less[] = {90, 110}, share[] = {.5, 1.1}, unit[] = {10, 20};
  activity a[] = {{.5, full}, {.25, wait}};
  double watts, joules, beta;
  mean_power(&(activities){2, 1, a, wait, 30, false}, &watts);
  tap_near(watts, .5 * 420 + .5 * 210 + 30, 1e-9, "a synchronous run: b full + (1 - b) wait + switch");
  mean_power(&(activities){2, 2, a, wait, 30, false}, &watts);
  tap_near(watts, .5 * 420 + .25 * 210 + .25 * 210 + 30, 1e-9, "three activities");
  tap_int(mean_power(&(activities){2, 1, a, NULL, 0, false}, &watts), HG_INVALID, "time without a power is refused");
  const activity low = {.5, less};
  tap_int(mean_power(&(activities){2, 1, &low, wait, 0, false}, &watts), HG_INVALID, "waiting above full is refused");
  a[1].share = .75;
  tap_int(mean_power(&(activities){2, 2, a, wait, 0, false}, &watts), HG_INVALID, "shares above 1 are refused");
  tap_int(mean_power(&(activities){2, 2, a, wait, 0, true}, &watts), HG_OK, "... unless taken as printed");
  tap_int(node_energy(10, 50, 1, share, unit, &joules), HG_OK, "a node's energy");
  tap_near(joules, 10 * (50 + 5), 1e-12, "is T (P_I + beta P)");
  tap_int(node_energy(10, 50, 2, share, unit, &joules), HG_INVALID, "beta above 1 is refused");
  tap_int(hg_decay_correction(0, &beta), HG_INVALID, "an unused GPU has no correction");
  hg_decay_correction(.602, &beta);
  tap_near(beta, .801, 1e-12, "(1.48)");
  tap_ok(hg_criterion_value(HG_BY_ED2P, 3, 5) == 45 && hg_criterion_value(HG_BY_EDP, 3, 5) == 15 &&
             hg_criterion_value(HG_BY_ENERGY, 3, 5) == 5 && hg_criterion_value(HG_BY_TIME, 3, 5) == 3,
         "four criteria");
}

static void samples_are_integrated(void)
{
  hg_sample s[] = {{0, 100}, {2, 100}, {2, 200}, {4, 200}, {3, 200}};
  double j;
  hg_samples_sort(5, s);
  tap_ok(s[1].watts == 100 && s[2].watts == 200 && s[4].time == 4, "samples are sorted, steps stay");
  hg_trapezoid(5, s, 0, 4, &j);
  tap_near(j, 600, 1e-12, "a step");
  hg_trapezoid(5, s, 1, 2.5, &j);
  tap_near(j, 200, 1e-12, "ends between samples");
  hg_sample ramp[] = {{0, 0}, {10, 100}};
  hg_trapezoid(2, ramp, 2, 4, &j);
  tap_near(j, 60, 1e-12, "ends are interpolated");
  tap_int(hg_trapezoid(2, ramp, 3, 3, &j), HG_OK, "a window of length 0");
  tap_near(j, 0, 0, "has no joules");
  tap_int(hg_trapezoid(2, ramp, -1, 3, &j), HG_INVALID, "a window that begins before the samples is refused");
  tap_contains(hg_message(), "-1..3 s, must be within the samples at 0..10 s", "with both ranges");
  tap_int(hg_trapezoid(0, ramp, 0, 0, &j), HG_INVALID, "as one without samples");
}

static void platforms_have_powers(void)
{
  static const char text[] = "device core cpu full=10 wait=8\ndevice g cuda full=100 idle=5\n"
                             "node 2*core*2,g base=50\nnetwork bandwidth=1 switch=7\n";
  const int rank[] = {0, 0, 1};
  const bool cuda[] = {true, false, false};
  int unit[3], nodes;
  hg_platform p;
  tap_int(hg_platform_parse(text, "here", ".", &p), HG_OK, "a platform with powers alone is read");
  tap_ok(p.device[1].wait == 5 && p.device[0].wait == 8 && p.node[1].base == 50 && p.switch_watts == 7,
         "with its powers");
  tap_int(hg_power_match(&p, 2, 3, rank, cuda, unit, &nodes), HG_OK, "its processors are found for three workers");
  tap_ok(nodes == 2 && unit[0] == 0 && unit[1] == 1 && unit[2] == 4, "a GPU, a core, a core of the other node");
  hg_unit_use use[6] = {{2, 2, 0}, {1, 3, 0}, {0, 0, 4}, {0, 0, 4}, {4, 0, 0}, {0, 0, 4}};
  const hg_energy_breakdown m = hg_power_joules(&p, nodes, 4, use);
  tap_near(m.base, 400, 1e-12, "base of both nodes");
  tap_near(m.network, 28, 1e-12, "the switch");
  tap_near(m.gpu, 2 * 100 + 2 * 5 + 4 * 5, 1e-12, "GPUs, the unused one idle");
  tap_near(m.cpu, 10 + 3 * 8 + 40, 1e-12, "cores: busy and waiting; unused ones draw nothing of their own");
  const int crowd[] = {0, 0, 0};
  const bool cores[] = {false, false, false};
  tap_int(hg_power_match(&p, 1, 3, crowd, cores, unit, &nodes), HG_INVALID, "three workers on two cores are refused");
  tap_contains(hg_message(), "too few processor cores for the workers of rank 0", "by name");
  tap_int(hg_power_match(&p, 3, 3, rank, cuda, unit, &nodes), HG_INVALID, "and three ranks on two nodes");
  hg_platform_free(&p);
  tap_int(hg_platform_parse("device a cpu full=3 wait=4\nnode a\n", "f", ".", &p), HG_FORMAT, "waiting above full");
  tap_contains(hg_message(), "f:1: device a: full=3 wait=4 idle=0 W, must be full >= wait >= idle",
               "is refused by line");
  tap_int(hg_platform_parse("device a cpu full=3 wait=2 full_heat=1.5\nnode a\n", "f", ".", &p), HG_FORMAT,
          "kernels that draw less than waiting");
  tap_contains(hg_message(), "f:1: device a: full_heat=1.5 W, must be >= wait=2 and beside a full=W", "... are named");
  tap_int(hg_platform_parse("device a cpu heat=1 full_heat=1.5\nnode a\n", "f", ".", &p), HG_FORMAT,
          "kernels' power alone");
  tap_int(hg_platform_parse("device a cpu full=3 full_heat=5 full_adr=4\nnode a\n", "f", ".", &p), HG_OK,
          "powers of kernels are read");
  hg_power_of_kernels(&p, "pricer");
  hg_power_of_kernels(&p, NULL);
  tap_near(p.device[0].full, 3, 0, "kernels without measurement draw the device's power");
  hg_power_of_kernels(&p, "heat");
  tap_near(p.device[0].full, 5, 0, "... and measured ones their own");
  hg_platform_free(&p);
  tap_int(hg_platform_parse("device a cpu full=3\nnode a base=-1\n", "f", ".", &p), HG_FORMAT, "as a negative base");
}

static hg_use_context a_context(const char *name, double t1, double sigma)
{
  hg_use_context c = {.beta = 1, .base = 100, .nodes_max = 64, .sigma = NAN, .units = 1, .unit = {{2, 50, 20, 10}}};
  snprintf(c.name, sizeof c.name, "%s", name);
  for (int i = 0; i < 4; i++) {
    c.nodes[i] = 1 << i;
    c.seconds[i] = t1 * pow(c.nodes[i], -sigma);
    c.joules[i] = NAN;
    c.points++;
  }
  return c;
}

/* 100 / N s and messages of 2 N s: no straight line. */
static void contexts_may_bend(void)
{
  const hg_estimate_rules rules = {false, false};
  hg_use_context c = a_context("bends", 100, 1);
  hg_run_estimate run;
  c.points = 3;
  c.seconds[1] += 4, c.seconds[2] += 8;
  for (int i = 0; i < 3; i++) c.joules[i] = c.seconds[i] * 150 * c.nodes[i];
  tap_ok(hg_use_context_fit(&c) == HG_OK && c.bent, "points that a straight line misses by %.3f bend", c.time.max_rel);
  hg_use_context_at(&c, 2, &rules, &run);
  tap_near(run.seconds, 54, 1e-9, "at a point the time is that of the point");
  tap_near(run.joules, 54 * 300, 1e-9, "and so are the joules");
  hg_use_context_at(&c, 8, &rules, &run);
  tap_near(run.seconds, 12.5 + 16, 1e-9, "beyond, the part that is not divided by N continues to grow");
  tap_near(run.joules, 28.5 * 150 * 8, 1e-6, "at a power that stays as it was");
  tap_near(run.seconds_error, 8 / 28.5, 1e-9, "and its growth is not certain");
  hg_use_context_at(&c, 3, &rules, &run);
  tap_near(run.seconds, 100 / 3. + 6, 1e-9, "between points it is a power of N");
  c.error = .2;
  tap_ok(hg_use_context_fit(&c) == HG_OK && !c.bent, "within the error of the points the line holds");
  c.points = 2, c.error = 0;
  tap_ok(hg_use_context_fit(&c) == HG_OK && !c.bent, "two points are a line");
}

static void points_are_joined(void)
{
  const double nodes[] = {4, 1, 2, 1}, value[] = {26, 100, 60, 121};
  hg_scaling_curve c;
  double error;
  hg_scaling_curve_make(4, nodes, value, &c);
  tap_ok(c.count == 3 && c.nodes[0] == 1 && c.nodes[2] == 4 && fabs(c.value[0] - 110) < 1e-9,
         "points are sorted, those of one N joined: %g s on %g", c.value[0], c.nodes[0]);
  tap_near(hg_scaling_curve_time(&c, 8, &error), 13, 1e-9,
           "where the last point has nothing on top, times fall as 1 / N");
}

static void contexts_are_weighed(void)
{
  hg_use_context a = a_context("fast", 100, .5), b = a_context("wide", 300, .9);
  const hg_estimate_rules rules = {false, false}, far = {true, false};
  hg_run_estimate run;
  a.synchronous = true;
  a.beta = .25;
  a.switch_watts = 40;
  tap_ok(hg_use_context_fit(&a) == HG_OK && hg_use_context_fit(&b) == HG_OK, "contexts are fitted %s", hg_message());
  tap_int(hg_use_context_at(&a, 16, &rules, &run), HG_OK, "16 nodes");
  tap_near(run.seconds, 25, 1e-9, "take T1 / 4");
  tap_near(run.joules, 25 * (16 * (100 + 2 * (.25 * 50 + .75 * 20)) + 40), 1e-6, "and N (base + units) + switch W");
  tap_int(hg_use_context_at(&a, 40, &rules, &run), HG_INVALID, "five times what was measured is refused");
  tap_int(hg_use_context_at(&a, 32, &rules, &run), HG_OK, "four times is not");
  tap_int(hg_use_context_at(&a, 40, &far, &run), HG_OK, "... unless extrapolation is asked for");
  tap_int(hg_use_context_at(&a, 65, &far, &run), HG_INVALID, "more nodes than there are never is possible");
  tap_near(hg_use_context_crossing(&a, &b, HG_BY_TIME, &rules), pow(3, 1 / .4), 1e-6, "N_T by formula");
  const double n = hg_use_context_crossing(&a, &b, HG_BY_ENERGY, &rules);
  const double ea = 100 * pow(n, -.5) * (n * (100 + 2 * (.25 * 50 + .75 * 20)) + 40), eb = 300 * pow(n, -.9) * n * 200;
  tap_ok(fabs(ea / eb - 1) < 1e-9, "at N_E = %g both cost the same: %g and %g J", n, ea, eb);
  hg_use_context_hybrid(&b, 1, &b, 1, &rules, &run);
  tap_near(run.seconds, 150, 1e-9, "two nodes that never wait are twice as fast as one");
  tap_near(run.joules, 150 * 400, 1e-6, "and draw twice as much");
  hg_use_context_hybrid(&a, 1, &b, 1, &rules, &run);
  tap_near(run.seconds, 1 / (1 / 25. + 1 / 300.) + 75, 1e-9, "speeds of computing add, communication is the slower's");
  a.beta = 1.5;
  tap_int(hg_use_context_fit(&a), HG_INVALID, "beta above 1 is refused");
  a = a_context("x", 100, .5);
  a.unit[0].wait = 60;
  tap_int(hg_use_context_fit(&a), HG_INVALID, "waiting above full is refused");
  a = a_context("x", 100, .5);
  a.points = 1;
  tap_int(hg_use_context_fit(&a), HG_INVALID, "one N is refused");
  a.sigma = .5;
  tap_int(hg_use_context_fit(&a), HG_OK, "... unless the slope is given");
  a.joules[0] = 900;
  hg_use_context_fit(&a);
  hg_use_context_at(&a, 4, &rules, &run);
  tap_near(run.joules, 1800, 1e-9, "one N's joules grow with it as the times fall, whatever the powers say");
  a.joules[0] = NAN;
  a.units = 0;
  tap_int(hg_use_context_fit(&a), HG_INVALID, "without powers or joules there is no energy");
}

/* Checks the definition on random divisions of random machines: none may be better. */
static void no_division_is_better(void)
{
  uint64_t state = 7;
  double worst = INFINITY;
  for (int machine = 0; machine < 60; machine++) {
    hg_energy_division_unit unit[8];
    const int units = (int)tap_between(&state, 1, 8);
    for (int i = 0; i < units; i++) {
      const double full = (double)tap_between(&state, 1, 300), wait = full * (double)tap_between(&state, 0, 100) / 100;
      const double start = machine % 2 ? (double)tap_between(&state, 0, 20) : 0;
      unit[i] = (hg_energy_division_unit){(double)tap_between(&state, 1, 50), start, full, wait, wait * .3};
    }
    const hg_energy_division_machine m = {units, unit, (double)tap_between(&state, 0, 400)};
    for (int by = HG_BY_TIME; by <= HG_BY_ED2P; by++) {
      double w[8], seconds, joules;
      hg_energy_division_divide(&m, 1000, (hg_criterion)by, w);
      hg_energy_division_cost(&m, w, &seconds, &joules);
      const double best = hg_criterion_value((hg_criterion)by, seconds, joules);
      for (int trial = 0; trial < 10000 / 60; trial++) {
        double sum = 0;
        for (int i = 0; i < units; i++)
          sum += w[i] = tap_between(&state, 0, 2) ? (double)tap_between(&state, 0, 1000) : 0;
        if (sum == 0) continue;
        for (int i = 0; i < units; i++) w[i] *= 1000 / sum;
        hg_energy_division_cost(&m, w, &seconds, &joules);
        worst = fmin(worst, hg_criterion_value((hg_criterion)by, seconds, joules) / best);
      }
    }
  }
  tap_ok(worst >= 1 - 1e-12, "of 40000 random divisions none is better: the best is %.6g times as bad", worst);
}

/* 3^20 sets of units: too many to try one by one. */
static void many_kinds(void)
{
  enum { KINDS = 20, UNITS = 2 * KINDS };
  hg_energy_division_unit unit[UNITS];
  for (int i = 0; i < UNITS; i++)
    unit[i] = (hg_energy_division_unit){10 + i / 2, 0, 100 + 17 * (i / 2 * 7 % KINDS), 20, 5};
  const hg_energy_division_machine m = {UNITS, unit, 300};
  for (int by = HG_BY_EDP; by <= HG_BY_ED2P; by++) {
    double w[UNITS], seconds, joules;
    int better = 0, used = 0;
    tap_int(hg_energy_division_divide(&m, 1000, (hg_criterion)by, w), HG_OK, "3^20 sets of units");
    hg_energy_division_cost(&m, w, &seconds, &joules);
    const double best = hg_criterion_value((hg_criterion)by, seconds, joules);
    for (int i = 0; i < UNITS; i++) {
      double other[UNITS], speed = 0;
      used += w[i] > 0;
      for (int j = 0; j < UNITS; j++) speed += (j == i) != (w[j] > 0) ? unit[j].speed : 0;
      for (int j = 0; j < UNITS; j++) other[j] = (j == i) != (w[j] > 0) ? 1000 * unit[j].speed / speed : 0;
      hg_energy_division_cost(&m, other, &seconds, &joules);
      better += hg_criterion_value((hg_criterion)by, seconds, joules) < best * (1 - 1e-12);
    }
    tap_ok(better == 0 && used > 0, "... none is better with one unit more or less than these %d", used);
  }
}

/* Times that are functions of work: by time the division equals that of functional performance models; a unit that is
 * slow on an even share and fast on its final share is used. */
static void functions_divide(void)
{
  enum { UNITS = 4, WORK = 16000000 };
  const hg_speed_model gpu = {.kind = HG_SPEED_SATURATING, .smax = 150e9, .t0 = 8e-6},
                       core = {.kind = HG_SPEED_CLIFF, .smax = 3e9, .mem = 2e5, .r = .4, .k = 4},
                       late = {.kind = HG_SPEED_SATURATING, .smax = 1e12, .t0 = 1}, none = {.smax = 0};
  const hg_speed_model *const time[UNITS] = {&core, &gpu, &late, &none};
  const hg_speed_model all[] = {core, gpu, late};
  hg_energy_division_unit unit[UNITS];
  double w[UNITS], seconds, joules;
  int64_t best[3];
  for (int i = 0; i < UNITS; i++) unit[i] = (hg_energy_division_unit){.full = 5, .wait = 5};
  const hg_energy_division_machine m = {UNITS, unit, 100};
  tap_int(hg_energy_division_fit(UNITS, time, m.base, WORK, HG_BY_TIME, unit), HG_OK,
          "times that are functions of work");
  hg_energy_division_divide(&m, WORK, HG_BY_TIME, w);
  hg_energy_division_cost(&m, w, &seconds, &joules);
  hg_fpm(3, all, NULL, WORK, best);
  tap_near(seconds, hg_makespan(3, all, NULL, best), 1e-5, "... by time: as functional performance models divide");
  tap_near(fmax(hg_speed_time(&core, w[0], 0), hg_speed_time(&gpu, w[1], 0)), seconds, 1e-9,
           "... that is what they take");
  tap_ok(w[2] == 0 && w[3] == 0, "... a unit that begins too late or has no speed gets nothing");

  hg_energy_division_unit few[17];
  const hg_speed_model *of[17], slow = {.kind = HG_SPEED_SATURATING, .smax = 2.5e9};
  for (int i = 0; i < 17; i++) {
    few[i] = (hg_energy_division_unit){.full = i ? 5 : 600, .wait = i ? 5 : 70, .idle = i ? 0 : 70};
    of[i] = i ? &slow : &gpu;
  }
  const hg_energy_division_machine node = {17, few, 300};
  double share[17];
  hg_energy_division_fit(17, of, node.base, WORK, HG_BY_ENERGY, few);
  hg_energy_division_divide(&node, WORK, HG_BY_ENERGY, share);
  tap_ok(share[0] > .75 * WORK, "a GPU that is slow on an even share has most of the work for least energy: %.3g of %d",
         share[0], WORK);
}

static void energy_divides(void)
{
  const hg_energy_division_unit unit[] = {{3, 0, 10, 10, 0}, {1, 0, 9, 9, 0}};
  const hg_energy_division_machine m = {2, unit, 5};
  double w[2], seconds, joules;
  hg_energy_division_divide(&m, 12, HG_BY_TIME, w);
  tap_ok(w[0] == 9 && w[1] == 3, "for least time both units work, by speed");
  hg_energy_division_cost(&m, w, &seconds, &joules);
  tap_ok(seconds == 3 && joules == 72, "3 s and 72 J");
  hg_energy_division_divide(&m, 12, HG_BY_ENERGY, w);
  hg_energy_division_cost(&m, w, &seconds, &joules);
  tap_ok(w[1] == 0 && seconds == 4 && joules == 60, "for least energy the first alone works: 4 s and 60 J");
  hg_energy_division_divide(&m, 12, HG_BY_EDP, w);
  tap_ok(w[1] > 0, "for their least product both work: 216 against 240 J s");
  hg_energy_division_point *front;
  int count;
  hg_energy_division_front(&m, 12, &front, &count);
  tap_ok(count == 2 && front[0].joules == 72 && front[1].joules == 60, "both are on the front");
  free(front);
  const hg_energy_division_unit alike[] = {{2, 0, 20, 20, 0}, {1, 0, 10, 10, 0}};
  hg_energy_division_front(&(hg_energy_division_machine){2, alike, 0}, 100, &front, &count);
  tap_ok(count == 1, "sets that differ in energy by a rounding alone: the fastest is the front (%d)", count);
  free(front);
  const hg_energy_division_unit idle[] = {{0, 0, 10, 10, 0}};
  tap_int(hg_energy_division_divide(&(hg_energy_division_machine){1, idle, 0}, 1, HG_BY_ENERGY, w), HG_INVALID,
          "no speed, no division");
}

static void levels_are_found(void)
{
  const double a[] = {1, 0, 0, 1, 1, 0, 1, 0, 1, 1, 2, 0, 1, 0, 2}, b[] = {50, 60, 58, 70, 66};
  const double down[] = {50, 45, 45, 40, 40};
  double x[3], worst;
  hg_non_negative_least_squares(5, 3, a, b, x, &worst);
  tap_ok(fabs(x[0] - 50) < 1e-9 && fabs(x[1] - 10) < 1e-9 && fabs(x[2] - 8) < 1e-9 && worst < 1e-9,
         "base, full and waiting power: %g, %g, %g", x[0], x[1], x[2]);
  hg_non_negative_least_squares(5, 3, a, down, x, &worst);
  tap_ok(x[1] == 0 && x[2] == 0 && fabs(x[0] - 44) < 1e-9 && worst > .05,
         "none is negative; the remainder is reported: %g", worst);
  hg_non_negative_least_squares(2, 1, (double[]){1, 1}, (double[]){.25, .75}, x, &worst);
  tap_ok(fabs(x[0] - .5) < 1e-12 && fabs(worst - 1) < 1e-12, "... of less than 1 W too: %g", worst);
}

int main(void)
{
  runs_scale();
  thresholds_are_found();
  lines_are_fitted();
  powers_are_means();
  samples_are_integrated();
  platforms_have_powers();
  contexts_are_weighed();
  contexts_may_bend();
  points_are_joined();
  energy_divides();
  functions_divide();
  no_division_is_better();
  many_kinds();
  levels_are_found();
  return tap_done();
}
