/* SPDX-License-Identifier: MIT */
/* What the pricing kernels are made of: V, real numbers in the lanes of a vector register, U,
 * unsigned words of 64 bits in as many lanes, and the operations that have no portable form. In C
 * the lanes are those of the instruction set the file is compiled for; in C++ and CUDA there is a
 * single lane. */
#ifndef HG_CODELETS_PRICING_LANES_H
#define HG_CODELETS_PRICING_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus

#define HG_LANE_FN static __device__ __forceinline__
#define VL 1
#define V_OF(c) ((double)(c))
#define U_OF(c) ((uint64_t)(c))
typedef double V;
typedef uint64_t U;

HG_LANE_FN U bits_of(V v)
{
  U u;
  memcpy(&u, &v, sizeof u);
  return u;
}

HG_LANE_FN V real_of(U u)
{
  V v;
  memcpy(&v, &u, sizeof v);
  return v;
}

HG_LANE_FN V fused(V a, V b, V c)
{
  return fma(a, b, c);
}

HG_LANE_FN V root_of(V a)
{
  return sqrt(a);
}

/* Products of the low halves. */
HG_LANE_FN U times_32(U a, U b)
{
  return (a & 0xffffffff) * (b & 0xffffffff);
}

/* All bits set where a > b. */
HG_LANE_FN U more(V a, V b)
{
  return a > b ? ~U_OF(0) : 0;
}

HG_LANE_FN U below(U a, U b)
{
  return a < b ? ~U_OF(0) : 0;
}

HG_LANE_FN U lane_numbers(void)
{
  return 0;
}

#else

#ifdef __x86_64__
#include <immintrin.h>
#endif

#define HG_LANE_FN static inline __attribute__((always_inline))
#if defined(__AVX512F__)
#define VL 8
#elif defined(__AVX2__)
#define VL 4
#else
#define VL 2
#endif
#define V_OF(c) ((V){0} + (c))
#define U_OF(c) ((U){0} + (uint64_t)(c))
typedef double V __attribute__((vector_size(8 * VL)));
typedef uint64_t U __attribute__((vector_size(8 * VL)));

HG_LANE_FN U bits_of(V v)
{
  return (U)v;
}

HG_LANE_FN V real_of(U u)
{
  return (V)u;
}

#if defined(__AVX512F__)
HG_LANE_FN V fused(V a, V b, V c)
{
  return (V)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}
HG_LANE_FN V root_of(V a)
{
  return (V)_mm512_sqrt_pd((__m512d)a);
}
HG_LANE_FN U times_32(U a, U b)
{
  return (U)_mm512_mul_epu32((__m512i)a, (__m512i)b);
}
#elif defined(__AVX2__)
HG_LANE_FN V fused(V a, V b, V c)
{
  return (V)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}
HG_LANE_FN V root_of(V a)
{
  return (V)_mm256_sqrt_pd((__m256d)a);
}
HG_LANE_FN U times_32(U a, U b)
{
  return (U)_mm256_mul_epu32((__m256i)a, (__m256i)b);
}
#else
HG_LANE_FN V fused(V a, V b, V c)
{
  V out;
  for (int i = 0; i < VL; i++) out[i] = __builtin_fma(a[i], b[i], c[i]);
  return out;
}
HG_LANE_FN V root_of(V a)
{
  V out;
  for (int i = 0; i < VL; i++) out[i] = __builtin_sqrt(a[i]);
  return out;
}
HG_LANE_FN U times_32(U a, U b)
{
  return (a & 0xffffffff) * (b & 0xffffffff);
}
#endif

HG_LANE_FN U more(V a, V b)
{
  return (U)(a > b);
}

HG_LANE_FN U below(U a, U b)
{
  return (U)(a < b);
}

HG_LANE_FN U lane_numbers(void)
{
  U u = {0};
  for (uint64_t i = 0; i < VL; i++) u[i] = i;
  return u;
}

#endif

/* a where the mask is set, else 0. */
HG_LANE_FN V only_where(U mask, V a)
{
  return real_of(mask & bits_of(a));
}

/* a where the mask is set, else b. */
HG_LANE_FN V choose(U mask, V a, V b)
{
  return real_of((mask & bits_of(a)) | (~mask & bits_of(b)));
}
#endif
