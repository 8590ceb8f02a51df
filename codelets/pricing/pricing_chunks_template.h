/* SPDX-License-Identifier: MIT */
/* Chunks of paths in one precision, with one instruction set. Path values are summed in double precision in both
 * cases. Included by pricing_isa.c and pricing_isa_float.c with REAL_IS_FLOAT 0 and 1. */
#include "codelets/pricing/pricing_internal.h"
#include "codelets/pricing/pricing_paths.h"

enum { LANES = HG_CHUNK_LANES, ROWS = HG_CHUNK_PATHS / HG_CHUNK_LANES, VECTORS = LANES / VL };

/* Sums so far of all lanes, in vectors in any order. */
typedef struct lanes {
  D sum[VECTORS], squares[VECTORS];
} lanes;

HG_LANE_FN void take(lanes *l, int vector, V value)
{
  const D v = wide(value);
  l->sum[vector] += v;
  l->squares[vector] = fused_wide(v, v, l->squares[vector]);
}

/* In the last chunk, sets values of paths beyond the last one to 0. */
HG_LANE_FN V cut(const hg_paths *p, U path, V value, bool last)
{
  return last ? only_where(below(path, U_OF(p->paths)), value) : value;
}

/* Lane 4 b + j goes to vector j, as number j of block b. */
HG_LANE_FN void european_row(const hg_paths *p, hg_payoff payoff, uint64_t path, bool last, lanes *l)
{
  for (int v = 0; v < VECTORS; v += 4) {
    const U block = U_OF(path / 4 + (uint64_t)(v / 4 * VL)) + lane_numbers();
    V value[4];
    european(p, payoff, block, value);
    for (uint64_t j = 0; j < 4; j++) take(l, v + (int)j, cut(p, block * U_OF(4) + U_OF(j), value[j], last));
  }
}

HG_LANE_FN void average_row(const hg_paths *p, hg_payoff payoff, uint64_t path, bool last, lanes *l)
{
  for (int v = 0; v < VECTORS; v++) {
    const U paths = U_OF(path + (uint64_t)(v * VL)) + lane_numbers();
    take(l, v, cut(p, paths, average(p, payoff, paths), last));
  }
}

static double tree(double *lane)
{
  for (int half = LANES / 2; half > 0; half /= 2)
    for (int i = 0; i < half; i++) lane[i] += lane[i + half];
  return lane[0];
}

static double add_up(const D *vector, bool by_blocks)
{
  double lane[LANES];
  for (int v = 0; v < VECTORS; v++)
    for (int i = 0; i < VL; i++) lane[by_blocks ? 4 * (v / 4 * VL + i) + v % 4 : v * VL + i] = vector[v][i];
  return tree(lane);
}

HG_LANE_FN void rows(const hg_paths *p, hg_payoff payoff, bool one, int64_t chunk, lanes *l)
{
  const uint64_t first = (uint64_t)chunk * HG_CHUNK_PATHS, left = (uint64_t)p->paths - first,
                 whole = left / LANES < ROWS ? left / LANES : ROWS;
  uint64_t row = 0;
  for (; row < whole; row++)
    if (one)
      european_row(p, payoff, first + row * LANES, false, l);
    else
      average_row(p, payoff, first + row * LANES, false, l);
  if (row == ROWS || left % LANES == 0) return;
  if (one)
    european_row(p, payoff, first + row * LANES, true, l);
  else
    average_row(p, payoff, first + row * LANES, true, l);
}

#define ROWS_OF(name, payoff, one)                                                                                     \
  static void name(const hg_paths *p, int64_t chunk, lanes *l)                                                         \
  {                                                                                                                    \
    rows(p, payoff, one, chunk, l);                                                                                    \
  }
ROWS_OF(european_payoff, HG_PAYOFF, true)
ROWS_OF(european_delta, HG_PAYOFF_DELTA, true)
ROWS_OF(european_vega, HG_PAYOFF_VEGA, true)
ROWS_OF(average_payoff, HG_PAYOFF, false)
ROWS_OF(average_control, HG_PAYOFF_CONTROL, false)
ROWS_OF(average_delta, HG_PAYOFF_DELTA, false)
ROWS_OF(average_vega, HG_PAYOFF_VEGA, false)

static void chunk_sums(const hg_paths *p, int64_t chunk, hg_chunk_sums *out)
{
  static void (*const kinds[2][4])(const hg_paths *p, int64_t chunk,
                                   lanes *l) = {{average_payoff, average_control, average_delta, average_vega},
                                                {european_payoff, average_control, european_delta, european_vega}};
  const bool one = p->fixings == 1 && p->payoff != HG_PAYOFF_CONTROL;
  lanes l;
  memset(&l, 0, sizeof l);
  kinds[one][p->payoff](p, chunk, &l);
  *out = (hg_chunk_sums){add_up(l.sum, one), add_up(l.squares, one)};
}

static V sin_of(V x)
{
  V sine, cosine;
  sin_cos_2pi(x, &sine, &cosine);
  return sine;
}

static V cos_of(V x)
{
  V sine, cosine;
  sin_cos_2pi(x, &sine, &cosine);
  return cosine;
}

#define ELEMENTARY(name, function)                                                                                     \
  static void name(int count, const double *x, double *out)                                                            \
  {                                                                                                                    \
    for (int i = 0; i + VL <= count; i += VL) {                                                                        \
      D v;                                                                                                             \
      memcpy(&v, x + i, sizeof v);                                                                                     \
      v = wide(function(narrow(v)));                                                                                   \
      memcpy(out + i, &v, sizeof v);                                                                                   \
    }                                                                                                                  \
  }
ELEMENTARY(ln_all, ln_of)
ELEMENTARY(exp_all, exp_of)
ELEMENTARY(sin_all, sin_of)
ELEMENTARY(cos_all, cos_of)

#define FUNCTIONS2(isa, precision)                                                                                     \
  const hg_pricing_functions hg_pricing_##precision##_##isa = {chunk_sums, ln_all, exp_all, sin_all, cos_all};
#define FUNCTIONS(isa, precision) FUNCTIONS2(isa, precision)
