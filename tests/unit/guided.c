/* SPDX-License-Identifier: MIT */
/* Batches of decreasing size cover all units, and workers of different speed that take them when idle end together. */
#include "placement/guided.h"

#include <stdlib.h>

#include "tap.h"

static void check_known(void)
{
  static const int64_t known[] = {13, 11, 10, 9, 8, 7, 6, 5, 5, 5, 5, 5, 5, 5, 1};
  int64_t *begin;
  int count, wrong = 0;
  hg_guided_cut(100, 2, 5, &begin, &count);
  for (int i = 0; i < count && i < 15; i++) wrong += begin[i + 1] - begin[i] != known[i];
  tap_ok(count == 15 && wrong == 0, "100 units for 2 workers, at least 5: %d batches, %d are not as known", count,
         wrong);
  free(begin);
}

static void check_cover(void)
{
  uint64_t state = 3;
  int wrong = 0, most = 0;
  for (int i = 0; i < 1000; i++) {
    const int64_t units = 1 + (int64_t)(tap_random(&state) % 100000), least = 1 + (int64_t)(tap_random(&state) % 100);
    const int workers = 1 + (int)(tap_random(&state) % 100);
    int64_t *begin;
    int count;
    hg_guided_cut(units, workers, least, &begin, &count);
    wrong += begin[0] != 0 || begin[count] != units;
    for (int b = 0; b < count; b++) {
      const int64_t size = begin[b + 1] - begin[b];
      wrong += size < 1 || (b + 1 < count && size < least) || (b > 0 && size > begin[b] - begin[b - 1]);
    }
    most = count > most ? count : most;
    free(begin);
  }
  tap_ok(wrong == 0, "1000 random cuts cover all units by batches that never grow (%d do not; up to %d batches)", wrong,
         most);
}

/* The first idle worker takes the next batch; speeds differ by powers of two. */
static double imbalance(int workers, int64_t units)
{
  double free_at[8] = {0}, last = 0, speeds = 0;
  int64_t *begin;
  int count;
  hg_guided_cut(units, workers, 1, &begin, &count);
  for (int b = 0; b < count; b++) {
    int first = 0;
    for (int w = 1; w < workers; w++)
      if (free_at[w] < free_at[first]) first = w;
    free_at[first] += (double)(begin[b + 1] - begin[b]) / (double)(1 << first);
    last = free_at[first] > last ? free_at[first] : last;
  }
  for (int w = 0; w < workers; w++) speeds += 1 << w;
  free(begin);
  return last * speeds / (double)units;
}

int main(void)
{
  check_known();
  check_cover();
  for (int workers = 2; workers <= 3; workers++)
    tap_ok(imbalance(workers, 10000) < 1.01, "%d workers, each twice as fast as the last: %.4f times the least time",
           workers, imbalance(workers, 10000));
  return tap_done();
}
