/* SPDX-License-Identifier: MIT */
/* A row of blocks in virtual time: the messages between them, and the end. */
#include "async/async_sim.h"

#include "tap.h"

enum { BLOCKS = 3, SWEEPS = 5 };

/* A block's value is its number of sweeps. */
typedef struct block {
  int value, frozen;
  int heard[2][2];           /* last value received, by side and vector */
  int before[SWEEPS + 1][2]; /* ghosts of each sweep */
} block;

static block blocks[BLOCKS];

static double sweep(void *self, int number, double *seconds)
{
  block *b = &blocks[number];
  (void)self;
  for (int s = 0; s < 2; s++) b->before[b->value][s] = b->heard[s][HG_ROW_RUNNING];
  b->value++;
  *seconds = 1;
  return 1;
}

static void freeze(void *self, int number)
{
  (void)self;
  blocks[number].frozen = 10 * (number + 1) + blocks[number].value;
}

static double measure(void *self, int number, double *seconds)
{
  (void)self;
  *seconds = .5;
  return 7 + number;
}

static void leave(void *self, int number, int side, hg_async_sim_vector vector, void *face)
{
  (void)self;
  (void)side;
  *(int *)face = vector == HG_ROW_FROZEN ? blocks[number].frozen : blocks[number].value;
}

static void arrive(void *self, int number, int side, hg_async_sim_vector vector, const void *face)
{
  (void)self;
  blocks[number].heard[side][vector] = *(const int *)face;
}

static double flight(void *self, int from, int to, size_t bytes)
{
  (void)self;
  (void)from;
  (void)to;
  (void)bytes;
  return .25;
}

static const hg_async_sim_work work = {sweep, freeze, measure, leave, arrive, flight};

/* @return number of ghosts that differ from the neighbour's value 0.25 s before the sweep began */
static int wrong_ghosts(void)
{
  int wrong = 0;
  for (int i = 0; i < BLOCKS; i++)
    for (int k = 0; k < SWEEPS; k++)
      for (int s = 0; s < 2; s++) {
        const int other = s ? i + 1 : i - 1, want = other < 0 || other == BLOCKS || k == 0 ? 0 : k - 1;
        wrong += blocks[i].before[k][s] != want;
      }
  return wrong;
}

int main(void)
{
  const hg_async_sim row = {.work = &work,
                            .blocks = BLOCKS,
                            .rank = (int[]){0, 0, 0},
                            .face = sizeof(int),
                            .tolerance = .1,
                            .sweeps = SWEEPS};
  hg_async_sim_stats stats[BLOCKS] = {{0}};
  hg_async_sim_end end = {0};
  tap_int(hg_async_sim_run(&row, stats, &end), HG_OK, "three blocks in step that give up after five sweeps");
  tap_int(wrong_ghosts(), 0, "each sweep reads what its neighbours had before the last message left");
  tap_ok(blocks[0].heard[1][HG_ROW_FROZEN] == 25 && blocks[1].heard[0][HG_ROW_FROZEN] == 15 &&
             blocks[1].heard[1][HG_ROW_FROZEN] == 35 && blocks[2].heard[0][HG_ROW_FROZEN] == 25,
         "frozen values reach their neighbours");
  tap_ok(stats[0].sweeps == SWEEPS && stats[1].sweeps == SWEEPS && stats[2].sweeps == SWEEPS,
         "none sweeps more often than it may");
  tap_near(stats[1].busy, SWEEPS + .5, 1e-12, "a block is busy while it sweeps and measures");
  tap_int(stats[1].staleness, 2, "the first two sweeps have no new values");
  tap_ok(end.residual == 9 && end.rounds == 1, "the worst block's residual of one frozen vector (%g, %lld)",
         end.residual, (long long)end.rounds);
  tap_near(end.seconds, SWEEPS + 2 * .25 + .5, 1e-12,
           "it ends when frozen values, queued after others, have been measured");
  return tap_done();
}
