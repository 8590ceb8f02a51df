/* SPDX-License-Identifier: MIT */
/* Detection under random delays: asynchronous relaxation of -u'' = 0 on a row of 2 to 8 blocks, simulated event by
 * event (async/async_sim.h). Blocks are up to ten times as slow as others, messages take up to fifty sweeps, and
 * messages of different links overtake each other. */
#include "async/termination.h"

#include <math.h>
#include <stdlib.h>

#include "async/async_sim.h"
#include "tap.h"

enum { RUNS = 1000, BLOCKS = 8, POINTS = 6, LIMIT = 2000000 };

static const double TOLERANCE = 1e-6;

/* If delays are bounded, no message travels longer than FLIGHT. It may wait as long for the previous one, then for the
 * end of a sweep and another sweep, each at most 15: BOUND. */
static const double FLIGHT = 20, BOUND = 2 * 20 + 2 * 15;

/* Ghosts on both sides, of the running and of the frozen values. */
typedef struct block {
  int points, inner;
  double slowness, u[POINTS], frozen[POINTS], ghost[2][2];
} block;

typedef struct world {
  uint64_t state;
  double flight; /* longest travel time of a message */
  bool still;    /* a sweep that would change less than the tolerance changes nothing */
  int blocks, rank[BLOCKS];
  double mean[BLOCKS][BLOCKS]; /* travel time of messages between two blocks */
  block block[BLOCKS];
} world;

static double uniform(world *w)
{
  return (double)(tap_random(&w->state) >> 11) * 0x1p-53;
}

static int pick(world *w, int lo, int hi)
{
  return lo + (int)(tap_random(&w->state) % (uint64_t)(hi - lo + 1));
}

/* Does `sweeps` sweeps of u with these ghosts. Returns the change of the first. */
static double relax(const block *b, double *u, const double ghost[2], int sweeps)
{
  double change = 0;
  for (int k = 0; k < sweeps; k++) {
    double now[POINTS];
    memcpy(now, u, sizeof now);
    for (int i = 0; i < b->points; i++)
      u[i] = ((i > 0 ? now[i - 1] : ghost[0]) + (i + 1 < b->points ? now[i + 1] : ghost[1])) / 2;
    for (int i = 0; i < b->points && k == 0; i++) change = fmax(change, fabs(u[i] - now[i]));
  }
  return change;
}

static double sweep(void *self, int number, double *seconds)
{
  world *w = self;
  block *b = &w->block[number];
  double before[POINTS];
  *seconds = b->slowness * (.5 + uniform(w));
  memcpy(before, b->u, sizeof before);
  const double change = relax(b, b->u, b->ghost[HG_ROW_RUNNING], b->inner);
  if (w->still && change <= TOLERANCE) memcpy(b->u, before, sizeof before);
  return change;
}

static void freeze(void *self, int number)
{
  block *b = &((world *)self)->block[number];
  memcpy(b->frozen, b->u, sizeof b->frozen);
}

static double change_of_frozen(const block *b, const double ghost[2])
{
  double u[POINTS];
  memcpy(u, b->frozen, sizeof u);
  return relax(b, u, ghost, 1);
}

static double measure(void *self, int number, double *seconds)
{
  world *w = self;
  const block *b = &w->block[number];
  *seconds = b->slowness * uniform(w);
  return change_of_frozen(b, b->ghost[HG_ROW_FROZEN]);
}

static void leave(void *self, int number, int side, hg_async_sim_vector vector, void *face)
{
  const block *b = &((world *)self)->block[number];
  *(double *)face = (vector == HG_ROW_FROZEN ? b->frozen : b->u)[side ? b->points - 1 : 0];
}

static void arrive(void *self, int number, int side, hg_async_sim_vector vector, const void *face)
{
  ((world *)self)->block[number].ghost[vector][side] = *(const double *)face;
}

static double flight(void *self, int from, int to, size_t bytes)
{
  world *w = self;
  (void)bytes;
  return fmin(-w->mean[from][to] * log1p(-uniform(w)), w->flight);
}

static const hg_async_sim_work work = {sweep, freeze, measure, leave, arrive, flight};

/* --- a run --- */

static void make_world(world *w)
{
  w->blocks = pick(w, 2, BLOCKS);
  const int ranks = pick(w, 1, w->blocks);
  for (int i = 0; i < w->blocks; i++) {
    block *b = &w->block[i];
    w->rank[i] = i * ranks / w->blocks;
    b->points = pick(w, 2, POINTS);
    b->inner = pick(w, 1, 6);
    b->slowness = pow(10, uniform(w));
    for (int k = 0; k < w->blocks; k++) w->mean[i][k] = .1 * pow(500, uniform(w));
  }
  block *last = &w->block[w->blocks - 1];
  last->ghost[HG_ROW_RUNNING][1] = last->ghost[HG_ROW_FROZEN][1] = 1;
}

/* The running values are the result if they have settled. */
static double residual_of_result(world *w, bool settled)
{
  double worst = 0;
  for (int i = 0; i < w->blocks && settled; i++) freeze(w, i);
  for (int i = 0; i < w->blocks; i++) {
    const block *b = &w->block[i];
    const double ghost[2] = {i > 0 ? b[-1].frozen[b[-1].points - 1] : 0, i + 1 < w->blocks ? b[1].frozen[0] : 1};
    worst = fmax(worst, change_of_frozen(b, ghost));
  }
  return worst;
}

typedef struct outcome {
  bool ended;
  double residual, said; /* change of the returned vector: recomputed, reported */
  int64_t rounds, sweeps;
} outcome;

static outcome run(uint64_t seed, hg_detection how, double limit, bool still)
{
  world w = {.state = seed * 7919 + 1, .flight = limit, .still = still};
  hg_async_sim_stats stats[BLOCKS] = {{0}};
  hg_async_sim_end end = {0};
  make_world(&w);
  const hg_async_sim row = {.work = &work,
                            .self = &w,
                            .blocks = w.blocks,
                            .rank = w.rank,
                            .face = sizeof(double),
                            .detection = how,
                            .tolerance = TOLERANCE,
                            .still = still,
                            .sweeps = LIMIT};
  const bool ended = hg_async_sim_run(&row, stats, &end) == HG_OK;
  outcome o = {
      .ended = ended, .residual = residual_of_result(&w, end.settled), .said = end.residual, .rounds = end.rounds};
  for (int i = 0; i < w.blocks; i++) {
    o.sweeps += stats[i].sweeps;
    o.ended = o.ended && stats[i].sweeps < LIMIT;
  }
  return o;
}

typedef struct stats {
  int wrong, endless, unlike;
  double worst; /* in tolerances */
  int64_t rounds, sweeps;
} stats;

static stats run_all(hg_detection how, double limit, bool still)
{
  stats t = {0};
  for (int i = 0; i < RUNS; i++) {
    const outcome o = run((uint64_t)i, how, limit, still);
    t.endless += !o.ended;
    t.unlike += o.said != o.residual;
    t.wrong += !(o.residual <= TOLERANCE);
    t.worst = fmax(t.worst, o.residual / TOLERANCE);
    t.rounds += o.rounds;
    t.sweeps += o.sweeps;
  }
  return t;
}

/* The depth of the tree of ranks plus one: three bounds for the root of 4. */
static void criteria_hold_for_whole_bounds(void)
{
  hg_detect *d;
  if (hg_detect_make(1, 0, true, &d) != HG_OK) abort();
  hg_detect_begin(d, (hg_detection){HG_DETECT_BOUNDED, 2}, 1, 4);
  hg_detect_sweep(d, 0, true, false, 10);
  hg_detect_sweep(d, 0, true, false, 15.9);
  tap_int(hg_detect_order_now(d)->round, 0, "5.9 s are less than three bounds of 2 s");
  hg_detect_sweep(d, 0, false, false, 15.95);
  hg_detect_sweep(d, 0, true, false, 16);
  tap_int(hg_detect_order_now(d)->round, 0, "a criterion that failed starts again");
  hg_detect_sweep(d, 0, true, false, 22);
  tap_int(hg_detect_order_now(d)->round, 1, "6 s are enough: all freeze, without a wave");
  hg_detect_measured(d, 0, 1, 3);
  tap_ok(hg_detect_order_now(d)->stop, "that ends the run, though the residual is %g",
         hg_detect_order_now(d)->residual);
  hg_detect_free(d);
}

static const hg_detection exactly = {.kind = HG_DETECT_EXACT};

static void all_end_when_one_gives_up(void)
{
  hg_detect *d;
  if (hg_detect_make(2, 0, true, &d) != HG_OK) abort();
  hg_detect_begin(d, exactly, 1, 1);
  hg_detect_sweep(d, 0, true, true, 0);
  tap_int(hg_detect_order_now(d)->round, 0, "one converged block of two freezes nothing");
  hg_detect_give_up(d, 1);
  tap_int(hg_detect_order_now(d)->round, 1, "a block that gives up makes all freeze");
  hg_detect_measured(d, 0, 1, 5);
  hg_detect_measured(d, 1, 1, NAN);
  tap_ok(hg_detect_order_now(d)->stop && isnan(hg_detect_order_now(d)->residual), "the end, though the residual is %g",
         hg_detect_order_now(d)->residual);
  hg_detect_begin(d, exactly, 1, 1);
  tap_ok(!hg_detect_order_now(d)->stop && hg_detect_order_now(d)->round == 0, "a restart forgets it");
  hg_detect_free(d);
}

static void what_failed_wants_sweeps(void)
{
  hg_detect *d;
  if (hg_detect_make(2, 0, true, &d) != HG_OK) abort();
  hg_detect_begin(d, exactly, 1, 1);
  for (int i = 0; i < 2; i++) hg_detect_sweep(d, i, true, true, 0);
  for (int i = 0; i < 2; i++) hg_detect_measured(d, i, 1, 5);
  tap_ok(!hg_detect_order_now(d)->stop, "a frozen vector above the tolerance is not the end");
  tap_int(hg_detect_order_now(d)->round, 1, "... nor is it frozen again at once");
  hg_detect_sweep(d, 0, true, true, 1);
  tap_int(hg_detect_order_now(d)->round, 1, "... or when one block alone has swept");
  hg_detect_sweep(d, 1, true, true, 1);
  tap_int(hg_detect_order_now(d)->round, 2, "... but when all have");
  hg_detect_free(d);
}

int main(void)
{
  const hg_detection bounded = {HG_DETECT_BOUNDED, BOUND};
  const stats exact = run_all(exactly, INFINITY, false), rest = run_all(exactly, INFINITY, true),
              persistent = run_all((hg_detection){.kind = HG_DETECT_PERSISTENT}, INFINITY, false),
              kept = run_all(bounded, FLIGHT, false), broken = run_all(bounded, INFINITY, false),
              flags = run_all((hg_detection){.kind = HG_DETECT_FLAGS}, INFINITY, false);
  const stats *const all[] = {&exact, &rest, &persistent, &kept, &broken, &flags};
  static const char *const name[] = {
      "exact", "exact, by rest", "persistent", "bounded", "bounded, by delays that are not", "flags"};
  for (int i = 0; i < 6; i++) {
    printf("# %s: %d of %d stops are wrong, worst residual %.3g tolerances, %.2f rounds and %.0f sweeps a run\n",
           name[i], all[i]->wrong, RUNS, all[i]->worst, (double)all[i]->rounds / RUNS, (double)all[i]->sweeps / RUNS);
    tap_int(all[i]->endless, 0, "every run ends");
    tap_int(all[i]->unlike, 0, "the residual that was validated is the recomputed one of the frozen vector");
  }
  tap_int(exact.wrong, 0, "exact: no stop is wrong");
  tap_int(rest.wrong, 0, "by rest: no stop is wrong");
  tap_int(rest.rounds, 0, "... and nothing is frozen");
  tap_ok(rest.sweeps < exact.sweeps, "... with fewer sweeps: %.0f per run instead of %.0f", (double)rest.sweeps / RUNS,
         (double)exact.sweeps / RUNS);
  tap_ok(flags.wrong > RUNS / 4, "naive flags stop wrongly in %d of %d runs", flags.wrong, RUNS);
  tap_ok(persistent.wrong < flags.wrong && persistent.worst < 1000,
         "persistence does in %d, by %.3g tolerances at most", persistent.wrong, persistent.worst);
  tap_int(kept.wrong, 0, "bounded: no stop is wrong while delays are bounded");
  criteria_hold_for_whole_bounds();
  all_end_when_one_gives_up();
  what_failed_wants_sweeps();
  return tap_done();
}
