/* SPDX-License-Identifier: MIT */
/* The types and operations of the pricing kernels, for one precision of the paths: V, real numbers in the lanes of a
 * register; B, their bits and masks; D, double precision, and U, unsigned 64-bit words, in as many lanes; and
 * operations without a portable form. In C the lanes are those of the instruction set the file is compiled for; in C++
 * and CUDA there is one lane.
 *
 * Included with REAL_IS_FLOAT 0 or 1: in C once per file; in C++ once for each precision, in its own namespace, after
 * the following headers. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#undef V_OF
#undef U_OF
#undef B_OF

#ifdef __cplusplus

#undef HG_LANE_FN
#undef VL
#define HG_LANE_FN static __device__ __forceinline__
#define VL 1
#define V_OF(c) ((V)(c))
#define U_OF(c) ((uint64_t)(c))
#define B_OF(c) ((B)(c))
typedef double D;
typedef uint64_t U;
#if REAL_IS_FLOAT
typedef float V;
typedef uint32_t B;
#else
typedef double V;
typedef uint64_t B;
#endif

HG_LANE_FN D double_of(U u)
{
  D d;
  memcpy(&d, &u, sizeof d);
  return d;
}

HG_LANE_FN B bits_of(V v)
{
  B b;
  memcpy(&b, &v, sizeof b);
  return b;
}

HG_LANE_FN V real_of(B b)
{
  V v;
  memcpy(&v, &b, sizeof v);
  return v;
}

HG_LANE_FN V narrow(D d)
{
  return (V)d;
}

HG_LANE_FN D wide(V v)
{
  return v;
}

HG_LANE_FN D fused_wide(D a, D b, D c)
{
  return fma(a, b, c);
}

HG_LANE_FN V fused(V a, V b, V c)
{
#if REAL_IS_FLOAT
  return fmaf(a, b, c);
#else
  return fma(a, b, c);
#endif
}

HG_LANE_FN V root_of(V a)
{
#if REAL_IS_FLOAT
  return sqrtf(a);
#else
  return sqrt(a);
#endif
}

/* Products of the low halves. */
HG_LANE_FN U times_32(U a, U b)
{
  return (a & 0xffffffff) * (b & 0xffffffff);
}

/* All bits set where a > b. */
HG_LANE_FN B more(V a, V b)
{
  return a > b ? ~B_OF(0) : 0;
}

HG_LANE_FN B below(U a, U b)
{
  return a < b ? ~B_OF(0) : 0;
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
typedef double D __attribute__((vector_size(8 * VL)));
typedef uint64_t U __attribute__((vector_size(8 * VL)));
#if REAL_IS_FLOAT
typedef float V __attribute__((vector_size(4 * VL)));
typedef uint32_t B __attribute__((vector_size(4 * VL)));
#define V_OF(c) ((V){0} + (float)(c))
#define B_OF(c) ((B){0} + (uint32_t)(c))
#else
typedef D V;
typedef U B;
#define V_OF(c) ((V){0} + (c))
#define B_OF(c) ((B){0} + (uint64_t)(c))
#endif
#define U_OF(c) ((U){0} + (uint64_t)(c))

HG_LANE_FN D double_of(U u)
{
  return (D)u;
}

HG_LANE_FN B bits_of(V v)
{
  return (B)v;
}

HG_LANE_FN V real_of(B b)
{
  return (V)b;
}

HG_LANE_FN V narrow(D d)
{
  return __builtin_convertvector(d, V);
}

HG_LANE_FN D wide(V v)
{
  return __builtin_convertvector(v, D);
}

#if defined(__AVX512F__)
HG_LANE_FN D fused_wide(D a, D b, D c)
{
  return (D)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}
HG_LANE_FN U times_32(U a, U b)
{
  return (U)_mm512_mul_epu32((__m512i)a, (__m512i)b);
}
#elif defined(__AVX2__)
HG_LANE_FN D fused_wide(D a, D b, D c)
{
  return (D)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}
HG_LANE_FN U times_32(U a, U b)
{
  return (U)_mm256_mul_epu32((__m256i)a, (__m256i)b);
}
#else
HG_LANE_FN D fused_wide(D a, D b, D c)
{
  D out;
  for (int i = 0; i < VL; i++) out[i] = __builtin_fma(a[i], b[i], c[i]);
  return out;
}
HG_LANE_FN U times_32(U a, U b)
{
  return (a & 0xffffffff) * (b & 0xffffffff);
}
#endif

#if REAL_IS_FLOAT && defined(__AVX512F__)
HG_LANE_FN V fused(V a, V b, V c)
{
  return (V)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}
HG_LANE_FN V root_of(V a)
{
  return (V)_mm256_sqrt_ps((__m256)a);
}
#elif REAL_IS_FLOAT && defined(__AVX2__)
HG_LANE_FN V fused(V a, V b, V c)
{
  return (V)_mm_fmadd_ps((__m128)a, (__m128)b, (__m128)c);
}
HG_LANE_FN V root_of(V a)
{
  return (V)_mm_sqrt_ps((__m128)a);
}
#elif REAL_IS_FLOAT
HG_LANE_FN V fused(V a, V b, V c)
{
  V out;
  for (int i = 0; i < VL; i++) out[i] = __builtin_fmaf(a[i], b[i], c[i]);
  return out;
}
HG_LANE_FN V root_of(V a)
{
  V out;
  for (int i = 0; i < VL; i++) out[i] = __builtin_sqrtf(a[i]);
  return out;
}
#else
HG_LANE_FN V fused(V a, V b, V c)
{
  return fused_wide(a, b, c);
}
#if defined(__AVX512F__)
HG_LANE_FN V root_of(V a)
{
  return (V)_mm512_sqrt_pd((__m512d)a);
}
#elif defined(__AVX2__)
HG_LANE_FN V root_of(V a)
{
  return (V)_mm256_sqrt_pd((__m256d)a);
}
#else
HG_LANE_FN V root_of(V a)
{
  V out;
  for (int i = 0; i < VL; i++) out[i] = __builtin_sqrt(a[i]);
  return out;
}
#endif
#endif

HG_LANE_FN B more(V a, V b)
{
  return (B)(a > b);
}

HG_LANE_FN B below(U a, U b)
{
  return __builtin_convertvector((U)(a < b), B);
}

HG_LANE_FN U lane_numbers(void)
{
  U u = {0};
  for (uint64_t i = 0; i < VL; i++) u[i] = i;
  return u;
}

#endif

/* a where the mask is set, else 0. */
HG_LANE_FN V only_where(B mask, V a)
{
  return real_of(mask & bits_of(a));
}

/* a where the mask is set, else b. */
HG_LANE_FN V choose(B mask, V a, V b)
{
  return real_of((mask & bits_of(a)) | (~mask & bits_of(b)));
}
