/* SPDX-License-Identifier: MIT */
/* A book with all kinds of rows, for tests of the pricing kernels on GPUs and their emulation. C and C++. */
#ifndef HG_TESTS_PRICING_CASES_H
#define HG_TESTS_PRICING_CASES_H

#include <math.h>

#include "codelets/pricing/pricing.h"
#include "tap.h"

/** Rows; chunks of a row, and paths: the last chunk is not full. */
enum { CASES = 14, CASE_CHUNKS = 2, CASE_PATHS = HG_CHUNK_PATHS + 1000 };

static void make_cases(hg_paths row[CASES])
{
  static const int fixings[CASES] = {1, 1, 1, 1, 4, 12, 7, 7, 2, 3, 5, 8, 13, 1};
  for (int i = 0; i < CASES; i++) {
    const double dt = 1.0 / fixings[i], sigma = .3, sign = i % 3 ? 1 : -1;
    hg_paths p = {sign * 100,
                  sign * (90 + i),
                  (.03 - sigma * sigma / 2) * dt,
                  sigma * sqrt(dt),
                  sqrt(dt),
                  -sigma * dt,
                  1.0 / fixings[i],
                  CASE_PATHS,
                  fixings[i],
                  (uint32_t)i,
                  {12345u * (uint32_t)i, 0xcafeu},
                  (hg_payoff)(i % 4)};
    row[i] = p;
  }
}

/** Compares sums of pieces first .. first + count - 1 of the cases with those of a CPU kernel. */
static void compare_cases(const hg_paths row[CASES], int first, int count, bool is_float, const hg_chunk_sums *got,
                          const char *what)
{
  int wrong = 0, worst = -1;
  for (int i = 0; i < count; i++) {
    hg_chunk_sums wanted = {0, 0};
    const int piece = first + i;
    if (piece < CASES * CASE_CHUNKS)
      hg_pricing_kernel_find("auto")->in[is_float]->chunk(&row[piece / CASE_CHUNKS], piece % CASE_CHUNKS, &wanted);
    if (memcmp(&wanted, &got[i], sizeof wanted) == 0) continue;
    wrong++;
    worst = piece;
  }
  tap_ok(wrong == 0, "%s, %s precision: pieces %d..%d have the same bits as on CPUs (%d wrong, one is %d)", what,
         is_float ? "single" : "double", first, first + count - 1, wrong, worst);
}
#endif
