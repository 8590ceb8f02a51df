/* SPDX-License-Identifier: MIT */
/* What is supposed of a processor before anything has been measured. */
#ifndef HG_SPEED_GUESS_H
#define HG_SPEED_GUESS_H

#include <stdbool.h>
#include <stdint.h>

/** s of work of that many flops on a core, or on a GPU: few for a core and many for a GPU, so that beside a GPU no core
 * first tries what would take it seconds, and a GPU tells soon what it really does. */
static inline double hg_guess_seconds(double flops, bool gpu)
{
  const double CORE = 1e10, GPU = 1e13, LAUNCH = 2e-5;
  return gpu ? LAUNCH + flops / GPU : flops / CORE;
}

/** s that a GPU's first kernels of a process take longer than others, since code is loaded: a program's own, or
 * cuFFT's; those of cuBLAS and cuSOLVER. On an H200 15 ms (heat), 2 (cuFFT), 53 (elimination) and 56 (a product); on an
 * H100 95 of an elimination. */
#define HG_COLD_KERNELS .015
#define HG_COLD_LIBRARY .07

/** flop/s that a core may do at best work, as products of matrices, on numbers of so many bytes. */
static inline double hg_guess_core(int64_t bytes)
{
  double rate = 1e10; /* of double precision */
#if defined(__x86_64__)
  rate = __builtin_cpu_supports("avx512f") ? 4e10 : __builtin_cpu_supports("avx2") ? 2e10 : rate;
#endif
  return rate * sizeof(double) / (double)bytes;
}
#endif
