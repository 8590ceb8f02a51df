/* SPDX-License-Identifier: MIT */
/* Peers of updates by points: plain loops over two arrays, with the rows shared among OpenMP threads.
 *   point_loops life|reaction N STEPS   N x N units; the outermost ones do not change
 * Prints million units/s. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

typedef struct fields {
  double u, v;
} fields;

static __attribute__((noinline)) void life_row(const unsigned char *restrict t, unsigned char *restrict r, long n)
{
  for (long x = 1; x < n - 1; x++) {
    const unsigned char *north = t + x - n, *south = t + x + n;
    const int alive = north[-1] + north[0] + north[1] + t[x - 1] + t[x + 1] + south[-1] + south[0] + south[1];
    r[x] = (alive == 3) | ((alive == 2) & (t[x] != 0));
  }
}

static __attribute__((noinline)) void reaction_row(const fields *restrict t, fields *restrict r, long n)
{
  for (long x = 1; x < n - 1; x++) {
    const fields c = t[x], w = t[x - 1], e = t[x + 1], north = t[x - n], s = t[x + n];
    const double met = c.u * c.v * c.v;
    r[x].u = c.u + .16 * (w.u + e.u + north.u + s.u - 4 * c.u) - met + .035 * (1 - c.u);
    r[x].v = c.v + .08 * (w.v + e.v + north.v + s.v - 4 * c.v) + met - (.035 + .065) * c.v;
  }
}

int main(int argc, char **argv)
{
  if (argc != 4) return 2;
  const int life = strcmp(argv[1], "life") == 0;
  const long n = atol(argv[2]), steps = atol(argv[3]), bytes = life ? 1 : (long)sizeof(fields);
  char *state[2];
  for (int i = 0; i < 2; i++) {
    state[i] = malloc((size_t)(n * n * bytes));
#pragma omp parallel for
    for (long y = 0; y < n; y++)
      for (long x = 0; x < n; x++) {
        const long id = y * n + x;
        if (life)
          ((unsigned char *)state[i])[id] = id * 7919 % 1009 % 3 == 0;
        else
          ((fields *)(void *)state[i])[id] = (fields){1 - (double)(id % 13) * .01, (double)(id % 7) * .01};
      }
  }
  const double start = hg_now();
  for (long k = 0; k < steps; k++) {
    const char *t = state[k % 2];
    char *r = state[(k + 1) % 2];
#pragma omp parallel for
    for (long y = 1; y < n - 1; y++) {
      if (life)
        life_row((const unsigned char *)t + y * n, (unsigned char *)r + y * n, n);
      else
        reaction_row((const fields *)(const void *)t + y * n, (fields *)(void *)r + y * n, n);
    }
  }
  printf("%.6g\n", 1e-6 * (double)(n * n) * (double)steps / (hg_now() - start));
  return 0;
}
