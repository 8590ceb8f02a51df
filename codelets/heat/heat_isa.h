/* SPDX-License-Identifier: MIT */
/* Vector type and fused multiply-add, for one REAL, of the instruction set this file is compiled for. Included by the
 * kernel templates with REAL_IS_FLOAT 0 or 1. Arithmetic operators work on gcc vector types; fma has no portable
 * vector form, so intrinsics are used where they exist. */
#include <math.h>
#include <string.h>
#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
#include <immintrin.h>
#endif

#undef REAL
#undef INTLANE
#undef FMA
#if REAL_IS_FLOAT
#define REAL float
#define INTLANE int32_t
#define FMA(a, b, c) __builtin_fmaf(a, b, c)
#define NAME(stem) NAME2(stem, float)
#else
#define REAL double
#define INTLANE int64_t
#define FMA(a, b, c) __builtin_fma(a, b, c)
#define NAME(stem) NAME2(stem, double)
#endif

#ifndef HG_ISA_COMMON
#define HG_ISA_COMMON
#define NAME4(stem, isa, type) stem##_##isa##_##type
#define NAME3(stem, isa, type) NAME4(stem, isa, type)
#define NAME2(stem, type) NAME3(stem, HG_ISA, type)
#if defined(__AVX512F__)
#define VBYTES 64
#elif defined(__AVX2__)
#define VBYTES 32
#else
#define VBYTES 16
#endif
#endif

#define VL ((int)(VBYTES / sizeof(REAL)))
