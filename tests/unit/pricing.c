/* SPDX-License-Identifier: MIT */
/* The pricing kernels: random numbers against known answers, elementary functions against quadruple
 * precision, sums against plain loops, the same bits from all instruction sets. */
#include "codelets/pricing.h"

#include <quadmath.h>
#include <stdlib.h>

#include "tap.h"

enum { BATCH = 1024 };

static double range(uint64_t *state, double lo, double hi)
{
  return lo + (hi - lo) * ((double)(tap_random(state) >> 11) * 0x1p-53);
}

static double ulps(double got, __float128 exact)
{
  const double next = nextafter(fabs((double)exact), INFINITY) - fabs((double)exact);
  return (double)(fabsq((__float128)got - exact) / (__float128)next);
}

static __float128 sin_2pi(__float128 x)
{
  return sinq(2 * M_PIq * x);
}

static __float128 cos_2pi(__float128 x)
{
  return cosq(2 * M_PIq * x);
}

/* As the kernels meet it: (x + 1/2) 2^-32. */
static double uniform(uint64_t *state)
{
  return ((double)(tap_random(state) >> 32) + .5) * 0x1p-32;
}

static double exponent(uint64_t *state)
{
  return tap_random(state) % 2 ? range(state, -700, 700) : range(state, -3, 3);
}

typedef struct elementary {
  const char *name;
  void (*mine)(int count, const double *x, double *out);
  __float128 (*exact)(__float128 x);
  double (*argument)(uint64_t *state);
} elementary;

static void check_function(const char *isa, const elementary *f, int batches)
{
  uint64_t state = 7;
  double x[BATCH], y[BATCH], worst = 0, at = 0;
  for (int b = 0; b < batches; b++) {
    for (int i = 0; i < BATCH; i++) x[i] = f->argument(&state);
    if (b == 0) x[0] = 0x1p-33, x[1] = 1 - 0x1p-33, x[2] = .5 - 0x1p-33, x[3] = .25 + 0x1p-33;
    f->mine(BATCH, x, y);
    for (int i = 0; i < BATCH; i++) {
      const double error = ulps(y[i], f->exact(x[i]));
      if (!(error <= worst)) worst = error, at = x[i];
    }
  }
  tap_ok(worst <= 1,
         "%s: %s is within %.3f ulp of quadruple precision (worst at %.17g; %d arguments)", isa,
         f->name, worst, at, batches * BATCH);
}

static void check_functions(const hg_pricing_kernel *k, int batches)
{
  const elementary list[] = {{"ln", k->ln, logq, uniform},
                           {"exp", k->exp, expq, exponent},
                           {"sin 2 pi x", k->sin_2pi, sin_2pi, uniform},
                           {"cos 2 pi x", k->cos_2pi, cos_2pi, uniform}};
  for (int i = 0; i < 4; i++) check_function(k->name, &list[i], batches);
}

/* Random123's known answers (kat_vectors of its distribution). */
static void check_philox(const hg_pricing_kernel *k)
{
  static const uint32_t known[][10] = {
      {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
      {-1u, -1u, -1u, -1u, -1u, -1u, 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
      {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
       0x94fdcceb, 0x5001e420, 0x24126ea1}};
  for (int i = 0; i < 3; i++) {
    uint32_t out[4];
    k->philox(known[i], known[i] + 4, out);
    tap_ok(memcmp(out, known[i] + 6, sizeof out) == 0,
           "%s: Philox4x32-10 of %08x.. is %08x %08x %08x %08x", k->name, known[i][0], out[0],
           out[1], out[2], out[3]);
  }
}

/* The same by plain loops over paths and the kernel's own functions, one argument at a time. */
static double one(void (*function)(int count, const double *x, double *out), double x)
{
  double in[8], out[8];
  for (int i = 0; i < 8; i++) in[i] = x;
  function(8, in, out);
  return out[0];
}

static double normal(const hg_pricing_kernel *k, const hg_paths *p, uint64_t number)
{
  const uint64_t block = number / 4;
  const uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32), p->stream, 0};
  uint32_t word[4];
  k->philox(counter, p->key, word);
  const int even = (int)(number % 4) / 2 * 2;
  const double radius = sqrt(-2 * one(k->ln, (word[even] + .5) * 0x1p-32)),
               turn = (word[even + 1] + .5) * 0x1p-32;
  return radius * one(number % 2 ? k->sin_2pi : k->cos_2pi, turn);
}

static double gain(const hg_paths *p, double growth)
{
  const double value = fma(p->start, growth, -p->strike);
  return value > 0 ? value : 0;
}

static double value_of(const hg_pricing_kernel *k, const hg_paths *p, uint64_t path)
{
  double log = 0, growths = 0, logs = 0;
  for (uint64_t j = 0; j < (uint64_t)p->fixings; j++) {
    log += fma(p->spread, normal(k, p, path * (uint64_t)p->fixings + j), p->drift);
    growths += one(k->exp, log);
    logs += log;
  }
  const double mean = growths * p->mean, value = gain(p, mean);
  if (p->payoff == HG_PAYOFF_CONTROL) return value - gain(p, one(k->exp, logs * p->mean));
  return p->payoff == HG_PAYOFF_DELTA ? value > 0 ? p->start * mean : 0 : value;
}

static hg_chunk_sums plain_sums(const hg_pricing_kernel *k, const hg_paths *p, int64_t chunk)
{
  double sum[HG_CHUNK_LANES] = {0}, squares[HG_CHUNK_LANES] = {0};
  for (int64_t i = 0; i < HG_CHUNK_PATHS && chunk * HG_CHUNK_PATHS + i < p->paths; i++) {
    const double v = value_of(k, p, (uint64_t)(chunk * HG_CHUNK_PATHS + i));
    sum[i % HG_CHUNK_LANES] += v;
    squares[i % HG_CHUNK_LANES] = fma(v, v, squares[i % HG_CHUNK_LANES]);
  }
  for (int half = HG_CHUNK_LANES / 2; half > 0; half /= 2)
    for (int i = 0; i < half; i++) sum[i] += sum[i + half], squares[i] += squares[i + half];
  return (hg_chunk_sums){sum[0], squares[0]};
}

static hg_paths contract(int fixings, double sign, hg_payoff payoff, int64_t paths)
{
  const double dt = 1.0 / fixings, sigma = .2;
  return (hg_paths){sign * 100,
                    sign * 105,
                    (.05 - sigma * sigma / 2) * dt,
                    sigma * sqrt(dt),
                    sqrt(dt),
                    -sigma * dt,
                    1.0 / fixings,
                    paths,
                    fixings,
                    3,
                    {0xdeadbeef, 42},
                    payoff};
}

static void check_sums(const hg_pricing_kernel *k)
{
  const struct {
    int fixings;
    double sign;
    hg_payoff payoff;
    int64_t paths, chunk;
  } c[] = {{1, 1, HG_PAYOFF, 65536 + 4000, 1},
           {1, -1, HG_PAYOFF, 300, 0},
           {1, 1, HG_PAYOFF_DELTA, 1, 0},
           {12, 1, HG_PAYOFF, 1000, 0},
           {7, -1, HG_PAYOFF_CONTROL, 777, 0},
           {2, 1, HG_PAYOFF_CONTROL, 513, 0},
           {5, 1, HG_PAYOFF_DELTA, 256, 0},
           {1, 1, HG_PAYOFF_CONTROL, 257, 0},
           {3, 1, HG_PAYOFF, 0x100000000 * 65536, 0xffffffff}};
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    const int64_t most = c[i].chunk == 0xffffffff ? c[i].chunk * HG_CHUNK_PATHS + 600 : c[i].paths;
    const hg_paths p = contract(c[i].fixings, c[i].sign, c[i].payoff, most);
    hg_chunk_sums got;
    k->chunk(&p, c[i].chunk, &got);
    const hg_chunk_sums wanted = plain_sums(k, &p, c[i].chunk);
    tap_ok(memcmp(&got, &wanted, sizeof got) == 0,
           "%s: %d fixings, payoff %d, chunk %lld of %lld paths: %.17g, by plain loops %.17g",
           k->name, p.fixings, (int)p.payoff, (long long)c[i].chunk, (long long)p.paths, got.sum,
           wanted.sum);
  }
}

/* Derivatives of the payoff against differences of prices on the same paths. */
static void check_vega(const hg_pricing_kernel *k)
{
  for (int fixings = 1; fixings <= 6; fixings += 5) {
    const double step = 1e-5, dt = 1.0 / fixings;
    hg_chunk_sums vega, above, below;
    hg_paths p = contract(fixings, 1, HG_PAYOFF_VEGA, HG_CHUNK_PATHS);
    k->chunk(&p, 0, &vega);
    p.payoff = HG_PAYOFF;
    for (int side = -1; side <= 1; side += 2) {
      const double sigma = .2 + side * step;
      p.drift = (.05 - sigma * sigma / 2) * dt;
      p.spread = sigma * sqrt(dt);
      k->chunk(&p, 0, side < 0 ? &below : &above);
    }
    const double wanted = (above.sum - below.sum) / (2 * step);
    tap_ok(fabs(vega.sum - wanted) < 1e-3 * wanted,
           "%s: vega over %d fixings is %.9g, by differences %.9g", k->name, fixings, vega.sum,
           wanted);
  }
}

/* Whatever the registers: all kernels add up the same bits. */
static void check_agreement(void)
{
  const hg_pricing_kernel *first = hg_pricing_kernel_at(0), *k;
  for (int i = 1; (k = hg_pricing_kernel_at(i)); i++)
    for (int payoff = HG_PAYOFF; payoff <= HG_PAYOFF_VEGA; payoff++)
      for (int fixings = 1; fixings <= 5; fixings += 2) {
        const hg_paths p = contract(fixings, 1, (hg_payoff)payoff, 2 * HG_CHUNK_PATHS - 100);
        hg_chunk_sums a, b;
        first->chunk(&p, 1, &a);
        k->chunk(&p, 1, &b);
        tap_ok(memcmp(&a, &b, sizeof a) == 0, "%s and %s agree: payoff %d, %d fixings: %.17g %.17g",
               first->name, k->name, payoff, fixings, a.sum, b.sum);
      }
}

int main(void)
{
  const hg_pricing_kernel *k;
  const char *wanted = getenv("HG_PRICING_ARGUMENTS");
  const int batches = wanted ? atoi(wanted) / BATCH : 100;
  for (int i = 0; (k = hg_pricing_kernel_at(i)); i++) {
    check_philox(k);
    check_functions(k, i == 0 ? batches : 10);
    check_sums(k);
    check_vega(k);
  }
  check_agreement();
  tap_ok(hg_pricing_kernel_find("auto") == hg_pricing_kernel_at(0) &&
             !hg_pricing_kernel_find("none"),
         "kernels are found by name");
  return tap_done();
}
