/* SPDX-License-Identifier: MIT */
/* Monte-Carlo paths of an asset's price (geometric Brownian motion) and the payoff of an option on each: kernels for
 * CPUs and GPUs that sum over chunks of paths. Without StarPU.
 *
 *   S_j = S_(j-1) exp((r - q - sigma^2 / 2) dt + sigma sqrt(dt) Z)
 *
 * Normal number i of stream x under key k is one of the four of block i / 4: Philox4x32-10 (Salmon et al., Parallel
 * random numbers: as easy as 1, 2, 3, SC 2011) on the counter (block lo, block hi, x, 0) gives words x0..x3, u = (x +
 * 1/2) 2^-32, and Box-Muller on (u0, u1) and (u2, u3): R = sqrt(-2 ln u_even), Z_even = R cos(2 pi u_odd), Z_odd = R
 * sin(2 pi u_odd). Path p uses the numbers p M .. p M + M - 1, where M is the number of fixings.
 *
 * A chunk is HG_CHUNK_PATHS consecutive paths: HG_CHUNK_LANES lanes (lane = path mod lanes) sum their values in the
 * order of paths; then lane i adds lane i + half for half = lanes/2 .. 1. Logarithm, exponential, sine and cosine use
 * only + - * / sqrt and fma (pricing_math.h), so that every processor gives the same bits.
 *
 * In single precision u is rounded to the nearest number, and everything up to a path's value is computed in single
 * precision; values are summed in double precision. Its bits differ from those of double precision, and are also the
 * same everywhere. */
#ifndef HG_CODELETS_PRICING_PRICING_H
#define HG_CODELETS_PRICING_PRICING_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HG_CHUNK_PATHS = 65536, HG_CHUNK_LANES = 256 };

/** The value of a path that is summed, before discounting. */
typedef enum hg_payoff {
  HG_PAYOFF,         /**< max(w (A - K), 0), A the arithmetic mean of the fixings, w = 1 call, -1 put */
  HG_PAYOFF_CONTROL, /**< that minus the same on the geometric mean */
  HG_PAYOFF_DELTA,   /**< S times its derivative by S: w A where it pays */
  HG_PAYOFF_VEGA     /**< its derivative by sigma where it pays */
} hg_payoff;

/** A contract as seen by its paths. */
typedef struct hg_paths {
  double start, strike; /**< w S and w K */
  double drift, spread; /**< mean and standard deviation of the change of the logarithm between fixings */
  double root, slope;   /**< for vega: sqrt(dt) and -sigma dt */
  double mean;          /**< 1 / fixings */
  int64_t paths;        /**< in all: paths beyond are left out */
  int32_t fixings;      /**< >= 1 */
  uint32_t stream, key[2];
  hg_payoff payoff;
} hg_paths;

/** Sums over the paths of a chunk: of values and of their squares. */
typedef struct hg_chunk_sums {
  double sum, squares;
} hg_chunk_sums;

/** The functions of an instruction set for one precision of the paths. */
typedef struct hg_pricing_functions {
  /** Chunk number `chunk` of a contract. */
  void (*chunk)(const hg_paths *paths, int64_t chunk, hg_chunk_sums *out);
  /** Elementary functions of x[count], in that precision, count a multiple of 8: ln (x normal, > 0), exp (|x| <= 700,
   * single: 87), sine and cosine of 2 pi x (0 <= x < 1). For tests. */
  void (*ln)(int count, const double *x, double *out);
  void (*exp)(int count, const double *x, double *out);
  void (*sin_2pi)(int count, const double *x, double *out);
  void (*cos_2pi)(int count, const double *x, double *out);
} hg_pricing_functions;

/** The kernels of an instruction set. */
typedef struct hg_pricing_kernel {
  const char *name;                  /**< "avx512", "avx2", "baseline" */
  const hg_pricing_functions *in[2]; /**< [0] in double precision, [1] in single */
  /** Philox4x32-10. For tests. */
  void (*philox)(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);
} hg_pricing_kernel;

/** Flops per path, with an fma counted as two. A European option in double precision: 70.5, of which 34.5 are the
 * normal number, 31 the growth, 5 the payoff and the sums. An average: 67.5 per fixing (control 68.5, vega 72.5), plus
 * 6 (control 39, delta 7, vega 8). In single precision a number takes 26.5 and a growth 23. */
double hg_pricing_flops(const hg_paths *paths, bool is_float);

/** The number-th kernel that this machine can run, the fastest first; NULL after the last. */
const hg_pricing_kernel *hg_pricing_kernel_at(int number);

/** The first with this name; "auto": any. NULL if there is none. */
const hg_pricing_kernel *hg_pricing_kernel_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
