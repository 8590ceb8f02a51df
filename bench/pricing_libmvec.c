/* SPDX-License-Identifier: MIT */
/* hetgrid-pricer's European contract by a plain loop that the compiler vectorises, with the C library's vector
 * functions (libmvec), accurate to 4 ulp: million paths/s of one thread, and the price on stderr.
 * pricing_libmvec PATHS */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"

enum { BLOCKS = 64 };

static void philox(uint64_t first, uint32_t key, uint32_t word[4][BLOCKS])
{
  for (int b = 0; b < BLOCKS; b++) {
    uint32_t c0 = (uint32_t)(first + (uint64_t)b), c1 = (uint32_t)((first + (uint64_t)b) >> 32), c2 = 0, c3 = 0;
    uint32_t key_0 = key, key_1 = 0;
    for (int i = 0; i < 10; i++) {
      const uint64_t p0 = (uint64_t)0xd2511f53 * c0, p1 = (uint64_t)0xcd9e8d57 * c2;
      c0 = (uint32_t)(p1 >> 32) ^ c1 ^ key_0;
      c2 = (uint32_t)(p0 >> 32) ^ c3 ^ key_1;
      c1 = (uint32_t)p1;
      c3 = (uint32_t)p0;
      key_0 += 0x9e3779b9;
      key_1 += 0xbb67ae85;
    }
    word[0][b] = c0, word[1][b] = c1, word[2][b] = c2, word[3][b] = c3;
  }
}

static void add_block(uint64_t first, double sum[BLOCKS], double squares[BLOCKS])
{
  const double spread = .2, drift = .05 - spread * spread / 2;
  uint32_t word[4][BLOCKS];
  philox(first, 42, word);
  for (int pair = 0; pair < 4; pair += 2)
    for (int b = 0; b < BLOCKS; b++) {
      const double radius = sqrt(-2 * log((word[pair][b] + .5) * 0x1p-32));
      const double angle = 2 * M_PI * ((word[pair + 1][b] + .5) * 0x1p-32);
      const double one = fmax(100 * exp(drift + spread * radius * cos(angle)) - 100, 0);
      const double two = fmax(100 * exp(drift + spread * radius * sin(angle)) - 100, 0);
      sum[b] += one + two;
      squares[b] += one * one + two * two;
    }
}

int main(int argc, char **argv)
{
  static double sum[BLOCKS], squares[BLOCKS];
  const uint64_t paths = argc > 1 ? (uint64_t)atof(argv[1]) : 1 << 24;
  double all = 0, all_squares = 0;
  const double begin = hg_now();
  for (uint64_t first = 0; first < paths / 4; first += BLOCKS) add_block(first, sum, squares);
  for (int b = 0; b < BLOCKS; b++) all += sum[b], all_squares += squares[b];
  const double seconds = hg_now() - begin, n = (double)paths;
  fprintf(stderr, "libmvec: %.6f +- %.2g\n", exp(-.05) * all / n,
          exp(-.05) * sqrt((all_squares - all * all / n) / n / n));
  printf("%.4g\n", n / seconds * 1e-6);
  return 0;
}
