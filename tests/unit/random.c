/* SPDX-License-Identifier: MIT */
/* Random numbers of updates: uniform, and uncorrelated between neighbours in place, time and key. */
#include <math.h>

#define HG_VALUE double
#define HG_DIMS 2
#define HG_RADIUS 1
#include "job/app.h"
#include "tap.h"

enum { NUMBERS = 1 << 16, BINS = 64, AXES = 3 };
#define FAR 5.0 /* standard deviations; the numbers are always the same */

/* Number i along an axis: identifiers, steps or keys. */
static double number(int axis, int64_t i)
{
  return hg_random_at(axis == 0 ? i : 17, axis == 1 ? i : 3, axis == 2 ? i : 1);
}

static void moments(int axis, const char *name)
{
  double mean = 0, square = 0, product = 0, least = 1, most = 0;
  for (int64_t i = 0; i < NUMBERS; i++) {
    const double x = number(axis, i) - .5, next = number(axis, i + 1) - .5;
    mean += x / NUMBERS;
    square += x * x / NUMBERS;
    product += x * next / NUMBERS;
    least = fmin(least, x + .5), most = fmax(most, x + .5);
  }
  const double root = sqrt(NUMBERS);
  tap_ok(least >= 0 && most < 1, "%s: within [0, 1): %g .. %g", name, least, most);
  tap_ok(fabs(mean) * root * sqrt(12) < FAR, "%s: mean off by %g", name, mean);
  tap_ok(fabs(square - 1. / 12) * root * sqrt(180) < FAR, "%s: variance %g", name, square);
  tap_ok(fabs(product) * 12 * root < FAR, "%s: neighbours are unrelated, %g", name, 12 * product);
}

/* Pairs of neighbours fill the unit square evenly. */
static void pairs(int axis, const char *name)
{
  static int count[BINS * BINS];
  double chi = 0;
  memset(count, 0, sizeof count);
  for (int64_t i = 0; i < NUMBERS; i++)
    count[(int)(BINS * number(axis, i)) * BINS + (int)(BINS * number(axis, i + 1))]++;
  const double expected = (double)NUMBERS / (BINS * BINS), freedom = BINS * BINS - 1;
  for (int i = 0; i < BINS * BINS; i++) chi += (count[i] - expected) * (count[i] - expected) / expected;
  tap_ok(fabs(chi - freedom) < FAR * sqrt(2 * freedom), "%s: pairs, chi square %.0f of %.0f", name, chi, freedom);
}

int main(void)
{
  static const char *const axes[AXES] = {"identifiers", "steps", "keys"};
  for (int axis = 0; axis < AXES; axis++) {
    moments(axis, axes[axis]);
    pairs(axis, axes[axis]);
  }
  tap_ok(hg_random_at(1, 2, 3) != hg_random_at(2, 1, 3) && hg_random_at(1, 2, 3) != hg_random_at(1, 3, 2) &&
             hg_random_at(5, 0, 0) != hg_random_at(0, 5, 0),
         "identifier, step and key do not stand for each other");
  return tap_done();
}
