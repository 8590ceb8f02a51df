/* SPDX-License-Identifier: MIT */
/* Exact sums: against quadruple precision where that is exact, in any order, at the ends of the range. */
#include "base/exact.h"

#include "tap.h"

static double sum_of(const double *v, int n)
{
  hg_exact s = {0};
  for (int i = 0; i < n; i++) hg_exact_add(&s, v[i]);
  return hg_exact_round(&s);
}

/* Doubles whose exponents lie within 2^-20..2^20 sum exactly in 113 bits. */
static int differ_from_quad(uint64_t *state)
{
  int bad = 0;
  for (int round = 0; round < 20000; round++) {
    double v[9];
    __float128 exact = 0;
    const int n = (int)tap_between(state, 0, 9);
    for (int i = 0; i < n; i++) {
      v[i] = ldexp((double)(int64_t)tap_random(state), (int)tap_between(state, -83, -43));
      exact += v[i];
    }
    bad += sum_of(v, n) != (double)exact;
  }
  return bad;
}

/* Arbitrary doubles: two orders, and two joined halves. */
static int depend_on_order(uint64_t *state)
{
  int bad = 0;
  for (int round = 0; round < 3000; round++) {
    double v[20], w[20];
    hg_exact a = {0}, b = {0};
    for (int i = 0; i < 20; i++) {
      uint64_t bits = tap_random(state);
      memcpy(&v[i], &bits, sizeof v[i]);
      if (!isfinite(v[i]) || fabs(v[i]) > 1e306) v[i] = 1;
      w[19 - i] = v[i];
      hg_exact_add(i % 3 ? &a : &b, v[i]);
    }
    hg_exact_join(&a, &b);
    const double s = sum_of(v, 20);
    bad += s != sum_of(w, 20) || s != hg_exact_round(&a);
  }
  return bad;
}

/* Many at once and one by one. @param apart  powers of two between the magnitudes */
static int differ_at_once(uint64_t *state, int apart, int special)
{
  int bad = 0;
  for (int round = 0; round < 2000; round++) {
    static double v[700];
    const int n = (int)tap_between(state, 0, 700), least = (int)tap_between(state, -900, 800);
    hg_exact a = {0}, b = {0};
    for (int i = 0; i < n; i++) {
      const double digits = (double)(int64_t)tap_random(state);
      v[i] = tap_between(state, 0, 9) == 0 ? 0 : ldexp(digits, least + (int)tap_between(state, 0, apart));
      if (special && tap_between(state, 0, 99) == 0) v[i] = special > 1 ? 5e-324 : -INFINITY;
      hg_exact_add(&b, v[i]);
    }
    hg_exact_add_all(&a, v, n);
    hg_exact_carry(&a);
    hg_exact_carry(&b);
    bad += memcmp(a.limb, b.limb, sizeof a.limb) != 0 || memcmp(&a.special, &b.special, sizeof a.special) != 0;
  }
  return bad;
}

static void many_at_once(uint64_t *state)
{
  static const int apart[] = {0, 2, 20, 33, 34, 35, 36, 37, 38, 39, 60, 200};
  for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
    tap_ok(differ_at_once(state, apart[i], 0) == 0, "many at once, magnitudes 2^%d apart: as one by one", apart[i]);
  tap_int(differ_at_once(state, 10, 1), 0, "... with infinities");
  tap_int(differ_at_once(state, 10, 2), 0, "... with denormal numbers");
}

int main(void)
{
  uint64_t state = 1;
  tap_int(differ_from_quad(&state), 0, "sums equal those in quadruple precision, rounded once");
  tap_int(depend_on_order(&state), 0, "sums of arbitrary doubles do not depend on the order");
  many_at_once(&state);
  tap_near(sum_of((double[]){1e308, 1e308, -1e308, -1e308, 5e-324}, 5), 5e-324, 0,
           "overflow on the way does not matter");
  tap_near(sum_of((double[]){1, 0x1p-53}, 2), 1, 0, "a tie goes to even");
  tap_near(sum_of((double[]){1, 0x1p-53, 5e-324}, 3), 1 + 0x1p-52, 0, "the smallest number above a tie counts");
  tap_near(sum_of((double[]){0x1p-1074, 0x1p-1074, -0x1p-1073}, 3), 0, 0, "denormal numbers cancel");
  tap_near(sum_of((double[]){-1.5, .25}, 2), -1.25, 0, "negative sums keep their sign");
  tap_ok(isinf(sum_of((double[]){1e308, 1e308}, 2)), "a sum beyond the range is infinite");
  hg_exact large = {0};
  for (int i = 0; i < 3; i++) hg_exact_add(&large, -1e308);
  tap_near(hg_exact_mean(&large, 3), -1e308, 0, "... its mean is not");
  tap_ok(isnan(hg_exact_mean(&(hg_exact){0}, 0)), "nothing has no mean");
  tap_ok(isnan(sum_of((double[]){INFINITY, -INFINITY}, 2)) && sum_of((double[]){INFINITY, 3}, 2) == INFINITY,
         "infinities add as in IEEE 754");
  hg_exact many = {0};
  for (int i = 0; i < 1000; i++) {
    hg_exact_add(&many, .1);
    if (i % 100 == 50) hg_exact_carry(&many);
  }
  tap_near(hg_exact_round(&many), 100.00000000000000555, 0,
           "a thousand times .1 is the nearest double of the exact sum");
  return tap_done();
}
