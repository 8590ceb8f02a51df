/* SPDX-License-Identifier: MIT */
/* Samples of speeds, and the choice of cores or GPUs for a run. */
#include <math.h>

#include "speed/sample.h"
#include "tap.h"

static hg_status fail_step(void *arg, const int64_t *w, double *seconds)
{
  (void)arg, (void)w, (void)seconds;
  return HG_RUNTIME;
}

/* A GPU of a million units/s and a core of a thousand. */
typedef struct disturbed {
  int steps, slow; /* the GPU is 10000 times slower in the first `slow` steps */
} disturbed;

static hg_status run_disturbed_step(void *arg, const int64_t *w, double *seconds)
{
  disturbed *d = arg;
  seconds[0] = (double)w[0] / (d->steps < d->slow ? 1e2 : 1e6);
  seconds[1] = (double)w[1] / 1e3;
  d->steps++;
  return HG_OK;
}

static void a_sample_is_the_median_of_three_and_the_faster_stays(void)
{
  const struct {
    int slow;
    double gpu;
  } c[] = {{0, 1e6}, {1, 1e6}, {2, 1e2}, {4, 1e2}};
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    disturbed d = {.slow = c[i].slow};
    double speed[2] = {0};
    const int64_t w[2] = {1000, 1};
    hg_status status = hg_sample_speeds(2, w, run_disturbed_step, &d, speed);
    tap_ok(status == HG_OK && d.steps == 3 && fabs(speed[0] / c[i].gpu - 1) < 1e-12 && fabs(speed[1] / 1e3 - 1) < 1e-12,
           "%d slow steps of a GPU: it does %g units/s, a core %g", c[i].slow, speed[0], speed[1]);
    d.slow = c[i].slow > 3 ? 4 : 99;
    status = hg_sample_speeds(2, (int64_t[2]){1000, 0}, run_disturbed_step, &d, speed);
    const double then = c[i].slow > 3 ? 1e6 : c[i].gpu;
    tap_ok(status == HG_OK && fabs(speed[0] / then - 1) < 1e-12 && fabs(speed[1] / 1e3 - 1) < 1e-12,
           "after another sample %g, and %g of the core that was not sampled", speed[0], speed[1]);
  }
  double speed[2] = {0};
  const int64_t w[2] = {1, 1};
  tap_ok(hg_sample_speeds(2, w, fail_step, NULL, speed) == HG_RUNTIME, "a failing step ends it");
}

/* The sides' real speeds in flop/s, and which of their samples other programs disturb. */
typedef struct sides {
  double gpus, cores, flops;
  int looks[2], disturbed[2]; /* of cores, of GPUs: samples made; first samples that are 100 times too slow */
  double seen[2];             /* flop/s */
} sides;

static hg_status look_at(void *arg, bool gpus, hg_side_times *o)
{
  sides *s = arg;
  const double speed = (gpus ? s->gpus : s->cores) / (s->looks[gpus]++ < s->disturbed[gpus] ? 100 : 1);
  s->seen[gpus] = fmax(s->seen[gpus], speed);
  if (gpus) o->gpus = s->flops / s->seen[1];
  if (!gpus) o->cores = s->flops / s->seen[0];
  if (s->seen[0] > 0 && s->seen[1] > 0) o->both = s->flops / (s->seen[0] + s->seen[1]);
  return HG_OK;
}

static hg_status fail_look(void *arg, bool gpus, hg_side_times *o)
{
  (void)arg, (void)gpus, (void)o;
  return HG_RUNTIME;
}

/* 15 cores of 4e10 flop/s. */
static void sides_are_chosen_by_all_that_is_to_pay(void)
{
  const struct {
    const char *name;
    double gpus, known, flops;
    int runs, disturbed; /* first samples of a GPU */
    bool warm, sampled, use[2], looks[2];
  } c[] = {
      {"little work goes to cores, which finish before a GPU is warm", 2e13, 0, 1e9, 1, 0, false, true, {1, 0}, {0, 0}},
      {"... also if nothing can be sampled", 2e13, 0, 3e10, 1, 0, false, false, {1, 0}, {0, 0}},
      {"more work goes to a GPU, without sampling cores", 2e13, 0, 3e11, 1, 0, false, true, {0, 1}, {0, 1}},
      {"... which is known to be far faster, unsampled", 2e13, 1e13, 3e11, 1, 0, false, true, {0, 1}, {0, 0}},
      {"... as do many runs of little work", 2e13, 0, 1e10, 30, 0, false, true, {0, 1}, {0, 1}},
      {"... or one after warm-ups", 2e13, 0, 1e9, 1, 0, true, true, {0, 1}, {0, 0}},
      {"a slow GPU is joined by cores", 6e11, 0, 1e12, 1, 0, false, true, {1, 1}, {1, 1}},
      {"a very slow one is left out", 1e10, 0, 1e12, 1, 0, false, true, {1, 0}, {1, 1}},
      {"a GPU with a disturbed sample is sampled again", 2e13, 0, 3e11, 1, 1, false, true, {0, 1}, {1, 1}}};
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    sides s = {.gpus = c[i].gpus, .cores = 6e11, .flops = c[i].flops, .disturbed = {0, c[i].disturbed}};
    const hg_prospect p = {"a run", c[i].flops, 4e10, c[i].known, 1, 15, c[i].runs, c[i].warm ? 0 : .1};
    bool gpus, cores;
    const hg_status status = hg_choose_sides(&p, c[i].sampled ? look_at : NULL, &s, &gpus, &cores);
    tap_ok(status == HG_OK && cores == c[i].use[0] && gpus == c[i].use[1] && (s.looks[0] > 0) == c[i].looks[0] &&
               (s.looks[1] > 0) == c[i].looks[1],
           "%s: %s%s, by %d samples of cores and %d of GPUs", c[i].name, cores ? "cores" : "", gpus ? " GPUs" : "",
           s.looks[0], s.looks[1]);
  }
  bool gpus, cores;
  const hg_prospect p = {"a run", 1e13, 4e10, 0, 1, 15, 1, .1};
  tap_int(hg_choose_sides(&p, fail_look, NULL, &gpus, &cores), HG_RUNTIME, "a failing sample ends it");
}

int main(void)
{
  a_sample_is_the_median_of_three_and_the_faster_stays();
  sides_are_chosen_by_all_that_is_to_pay();
  return tap_done();
}
