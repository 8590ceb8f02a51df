/* SPDX-License-Identifier: MIT */
/* Assumed speeds of processors before anything has been measured. */
#ifndef HG_SPEED_GUESS_H
#define HG_SPEED_GUESS_H

#include <stdbool.h>
#include <stdint.h>

/** s for so many flops on a core or a GPU. The assumed speed is low for a core and high for a GPU. So beside a GPU no
 * core first tries work that takes it seconds, and the GPU's real speed is soon known. */
static inline double hg_guess_seconds(double flops, bool gpu)
{
  const double CORE = 1e10, GPU = 1e13, LAUNCH = 2e-5;
  return gpu ? LAUNCH + flops / GPU : flops / CORE;
}

/** Additional s of a process' first kernels on a GPU, which load code: a program's own or cuFFT's; those of cuBLAS and
 * cuSOLVER. On an H200 15 ms (heat), 2 (cuFFT), 53 (elimination) and 56 (a product); on an H100 95 (elimination). */
#define HG_COLD_KERNELS .015
#define HG_COLD_LIBRARY .07

/** flop/s that a core may reach in matrix products, on numbers of so many bytes. */
static inline double hg_guess_core(int64_t bytes)
{
  double rate = 1e10; /* in double precision */
#if defined(__x86_64__)
  rate = __builtin_cpu_supports("avx512f") ? 4e10 : __builtin_cpu_supports("avx2") ? 2e10 : rate;
#endif
  return rate * sizeof(double) / (double)bytes;
}
#endif
