/* SPDX-License-Identifier: MIT */
/* The pricing kernels in both precisions: random numbers against known answers, elementary functions against quadruple
 * precision, sums against plain loops, the same bits from all instruction sets. */
#include "codelets/pricing/pricing.h"

#include <quadmath.h>
#include <stdlib.h>

#include "tap.h"

enum { BATCH = 1024 };

static double range(uint64_t *state, double lo, double hi)
{
  return lo + (hi - lo) * ((double)(tap_random(state) >> 11) * 0x1p-53);
}

static const char *name_of(bool single)
{
  return single ? "single" : "double";
}

/* The result in single precision: + - * / sqrt in double precision, rounded once more, give the same. */
static double rounded(bool single, double x)
{
  return single ? (double)(float)x : x;
}

static double fused(bool single, double a, double b, double c)
{
  return single ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
}

static double ulps(bool single, double got, __float128 exact)
{
  const double near = fabs((double)exact), next = single
                                                      ? (double)nextafterf((float)near, INFINITY) - (double)(float)near
                                                      : nextafter(near, INFINITY) - near;
  return (double)(fabsq((__float128)got - exact) / (__float128)next);
}

/* Also exactly 0 where that is the result. */
static __float128 sin_2pi(__float128 x)
{
  const __float128 turned = 4 * x, quarter = rintq(turned), angle = M_PI_2q * (turned - quarter);
  const int q = (int)quarter;
  return (q & 2 ? -1 : 1) * (q & 1 ? cosq(angle) : sinq(angle));
}

static __float128 cos_2pi(__float128 x)
{
  return sin_2pi(x + .25);
}

/* Arguments as in the kernels: (x + 1/2) 2^-32. */
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

static void check_function(const char *isa, bool single, const elementary *f, int batches)
{
  uint64_t state = 7;
  double x[BATCH], y[BATCH], worst = 0, at = 0;
  for (int b = 0; b < batches; b++) {
    for (int i = 0; i < BATCH; i++) x[i] = f->argument(&state);
    if (b == 0) x[0] = 0x1p-33, x[1] = 1 - 0x1p-33, x[2] = .5 - 0x1p-33, x[3] = .25 + 0x1p-33;
    for (int i = 0; i < BATCH; i++) x[i] = rounded(single, x[i] * (single && fabs(x[i]) > 87 ? 87. / 700 : 1));
    f->mine(BATCH, x, y);
    for (int i = 0; i < BATCH; i++) {
      const double error = ulps(single, y[i], f->exact(x[i]));
      if (!(error <= worst)) worst = error, at = x[i];
    }
  }
  tap_ok(worst <= 1.1, "%s: %s in %s precision is within %.3f ulp of the exact value (worst at %.17g; %d arguments)",
         isa, f->name, name_of(single), worst, at, batches * BATCH);
}

static void check_functions(const hg_pricing_kernel *k, bool single, int batches)
{
  const hg_pricing_functions *f = k->in[single];
  const elementary list[] = {{"ln", f->ln, logq, uniform},
                             {"exp", f->exp, expq, exponent},
                             {"sin 2 pi x", f->sin_2pi, sin_2pi, uniform},
                             {"cos 2 pi x", f->cos_2pi, cos_2pi, uniform}};
  for (int i = 0; i < 4; i++) check_function(k->name, single, &list[i], batches);
}

/* Random123's known answers (kat_vectors of its distribution). */
static void check_philox(const hg_pricing_kernel *k)
{
  static const uint32_t known[][10] = {{0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                                       {-1u, -1u, -1u, -1u, -1u, -1u, 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                                       {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0,
                                        0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
  for (int i = 0; i < 3; i++) {
    uint32_t out[4];
    k->philox(known[i], known[i] + 4, out);
    tap_ok(memcmp(out, known[i] + 6, sizeof out) == 0, "%s: Philox4x32-10 of %08x.. is %08x %08x %08x %08x", k->name,
           known[i][0], out[0], out[1], out[2], out[3]);
  }
}

/* The same by plain loops over paths with the kernel's own functions, one argument at a time. */
static double one(void (*function)(int count, const double *x, double *out), double x)
{
  double in[8], out[8];
  for (int i = 0; i < 8; i++) in[i] = x;
  function(8, in, out);
  return out[0];
}

static double normal(const hg_pricing_kernel *k, bool single, const hg_paths *p, uint64_t number)
{
  const hg_pricing_functions *f = k->in[single];
  const uint64_t block = number / 4;
  const uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32), p->stream, 0};
  uint32_t word[4];
  k->philox(counter, p->key, word);
  const int even = (int)(number % 4) / 2 * 2;
  const double u = rounded(single, (word[even] + .5) * 0x1p-32),
               turn = rounded(single, (word[even + 1] + .5) * 0x1p-32),
               radius = rounded(single, sqrt(-2 * one(f->ln, u)));
  return rounded(single, radius * one(number % 2 ? f->sin_2pi : f->cos_2pi, turn));
}

static double gain(bool single, const hg_paths *p, double growth)
{
  const double value = fused(single, p->start, growth, -p->strike);
  return value > 0 ? value : 0;
}

static double value_of(const hg_pricing_kernel *k, bool single, const hg_paths *p, uint64_t path)
{
  const hg_pricing_functions *f = k->in[single];
  const double weight = rounded(single, p->mean);
  double log = 0, growths = 0, logs = 0;
  for (uint64_t j = 0; j < (uint64_t)p->fixings; j++) {
    const double z = normal(k, single, p, path * (uint64_t)p->fixings + j);
    log = rounded(single, log + fused(single, p->spread, z, p->drift));
    growths = rounded(single, growths + one(f->exp, log));
    logs = rounded(single, logs + log);
  }
  const double mean = rounded(single, growths * weight), value = gain(single, p, mean);
  if (p->payoff == HG_PAYOFF_CONTROL)
    return rounded(single, value - gain(single, p, one(f->exp, rounded(single, logs * weight))));
  return p->payoff == HG_PAYOFF_DELTA ? value > 0 ? rounded(single, p->start * mean) : 0 : value;
}

static hg_chunk_sums plain_sums(const hg_pricing_kernel *k, bool single, const hg_paths *p, int64_t chunk)
{
  double sum[HG_CHUNK_LANES] = {0}, squares[HG_CHUNK_LANES] = {0};
  for (int64_t i = 0; i < HG_CHUNK_PATHS && chunk * HG_CHUNK_PATHS + i < p->paths; i++) {
    const double v = value_of(k, single, p, (uint64_t)(chunk * HG_CHUNK_PATHS + i));
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

static void check_sums(const hg_pricing_kernel *k, bool single)
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
    k->in[single]->chunk(&p, c[i].chunk, &got);
    const hg_chunk_sums wanted = plain_sums(k, single, &p, c[i].chunk);
    tap_ok(memcmp(&got, &wanted, sizeof got) == 0,
           "%s, %s: %d fixings, payoff %d, chunk %lld of %lld paths: %.17g, by plain loops %.17g", k->name,
           name_of(single), p.fixings, (int)p.payoff, (long long)c[i].chunk, (long long)p.paths, got.sum, wanted.sum);
  }
}

/* Compares derivatives of the payoff with difference quotients of prices on the same paths. */
static void check_vega(const hg_pricing_kernel *k, bool single)
{
  for (int fixings = 1; fixings <= 6; fixings += 5) {
    const double step = single ? 1e-3 : 1e-5, dt = 1.0 / fixings;
    hg_chunk_sums vega, above, below;
    hg_paths p = contract(fixings, 1, HG_PAYOFF_VEGA, HG_CHUNK_PATHS);
    k->in[single]->chunk(&p, 0, &vega);
    p.payoff = HG_PAYOFF;
    for (int side = -1; side <= 1; side += 2) {
      const double sigma = .2 + side * step;
      p.drift = (.05 - sigma * sigma / 2) * dt;
      p.spread = sigma * sqrt(dt);
      k->in[single]->chunk(&p, 0, side < 0 ? &below : &above);
    }
    const double wanted = (above.sum - below.sum) / (2 * step);
    tap_ok(fabs(vega.sum - wanted) < 1e-3 * wanted, "%s, %s: vega over %d fixings is %.9g, by differences %.9g",
           k->name, name_of(single), fixings, vega.sum, wanted);
  }
}

/* Kernels of all instruction sets sum to the same bits. */
static void check_agreement(bool single)
{
  const hg_pricing_kernel *first = hg_pricing_kernel_at(0), *k;
  for (int i = 1; (k = hg_pricing_kernel_at(i)); i++)
    for (int payoff = HG_PAYOFF; payoff <= HG_PAYOFF_VEGA; payoff++)
      for (int fixings = 1; fixings <= 5; fixings += 2) {
        const hg_paths p = contract(fixings, 1, (hg_payoff)payoff, 2 * HG_CHUNK_PATHS - 100);
        hg_chunk_sums a, b;
        first->in[single]->chunk(&p, 1, &a);
        k->in[single]->chunk(&p, 1, &b);
        tap_ok(memcmp(&a, &b, sizeof a) == 0, "%s and %s agree, %s: payoff %d, %d fixings: %.17g %.17g", first->name,
               k->name, name_of(single), payoff, fixings, a.sum, b.sum);
      }
}

/* The same random numbers, rounded: prices are close, but their bits differ. */
static void check_single(void)
{
  for (int fixings = 1; fixings <= 12; fixings += 11) {
    const hg_paths p = contract(fixings, 1, HG_PAYOFF, HG_CHUNK_PATHS);
    hg_chunk_sums in[2];
    for (int single = 0; single < 2; single++) hg_pricing_kernel_find("auto")->in[single]->chunk(&p, 0, &in[single]);
    const double apart = fabs(in[1].sum / in[0].sum - 1);
    tap_ok(apart < 1e-6 && apart > 0, "%d fixings: sums in single precision are %.2g from those in double", fixings,
           apart);
  }
}

int main(void)
{
  const hg_pricing_kernel *k;
  const char *wanted = getenv("HG_PRICING_ARGUMENTS");
  const int batches = wanted ? atoi(wanted) / BATCH : 100;
  for (int i = 0; (k = hg_pricing_kernel_at(i)); i++) {
    check_philox(k);
    for (int single = 0; single < 2; single++) {
      check_functions(k, single, i == 0 ? batches : 10);
      check_sums(k, single);
      check_vega(k, single);
    }
  }
  check_single();
  for (int single = 0; single < 2; single++) check_agreement(single);
  tap_ok(hg_pricing_kernel_find("auto") == hg_pricing_kernel_at(0) && !hg_pricing_kernel_find("none"),
         "kernels are found by name");
  return tap_done();
}
