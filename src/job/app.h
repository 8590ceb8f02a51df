/* SPDX-License-Identifier: MIT */
/* Applications of dependent computing units (R. Yang's thesis, docs/PAPERS.md, chapter 5): the only header
 * that such a program needs.
 *
 *   #define HG_VALUE double      // what a unit holds: any type of fixed size
 *   #define HG_DIMS 2            // 1, 2 or 3; without it, of any dimension
 *   #define HG_RADIUS 1          // how far hg_at reaches; without it, neighbours are stored or in zones
 *   #include <hetgrid/app.h>
 *
 *   HG_UPDATE(average)
 *   {
 *     return (hg_at(u, -1, 0) + hg_at(u, 1, 0) + hg_at(u, 0, -1) + hg_at(u, 0, 1)) / 4;
 *   }
 *
 *   int main(int argc, char **argv)
 *   {
 *     hg_job job = {.name = "average", .dims = 2, .size = {1000, 1000}, .update = &average, .steps = 100};
 *     return hg_main(argc, argv, &job);
 *   }
 *
 * A C compiler compiles the body after HG_UPDATE for CPUs, nvcc for CPUs and CUDA devices:
 *   cc -O3 app.c $(pkg-config --cflags --libs hetgrid)
 *   nvcc $(pkg-config --variable=nvccflags hetgrid) app.c $(pkg-config --cflags --libs hetgrid)
 * It must not have side effects: a unit may be computed several times. This header keeps gcc, g++ and clang from
 * contracting multiplications and additions, whatever -march says, so that tiles, CPUs and devices agree bit for bit
 * (nvcc: -fmad=false, which is in nvccflags). With -ffast-math or the parts of it that rearrange they would not agree:
 * they are refused unless HG_FAST_MATH is defined. Do not use clang's -ffp-contract=fast: a header cannot override it.
 */
#ifndef HG_JOB_APP_H
#define HG_JOB_APP_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __cplusplus
#include <type_traits>
#endif

#include "codelets/units/units.h"
#include "runtime/mpi_backoff.h"
#include "job/job.h"

#ifdef HG_VALUE

#ifndef HG_FAST_MATH
#if defined __FAST_MATH__ || defined __ASSOCIATIVE_MATH__ || defined __RECIPROCAL_MATH__
#error "with -ffast-math or parts of it results depend on how the grid is divided; define HG_FAST_MATH if that may be"
#elif defined __x86_64__ && __FLT_EVAL_METHOD__ % 16 != 0
#error "with -mfpmath=387 results depend on how the grid is divided; define HG_FAST_MATH if that may be"
#elif defined __clang__ /* has no macro for parts of -ffast-math */
#pragma clang fp reassociate(off)
#endif
#endif
#if defined __clang__
#pragma STDC FP_CONTRACT OFF
#elif defined __GNUC__ && !defined __CUDACC__
#pragma GCC optimize("fp-contract=off")
#endif

#ifndef HG_DIMS
#define HG_DIMS 0
#endif
#ifndef HG_RADIUS
#define HG_RADIUS 0
#endif

#if HG_RADIUS > 0 && (HG_DIMS < 1 || HG_DIMS > 3)
#error "HG_RADIUS needs HG_DIMS 1, 2 or 3"
#endif

#if HG_DIMS == 3
#define HG_ROWS ((2 * HG_RADIUS + 1) * (2 * HG_RADIUS + 1))
#elif HG_DIMS == 2
#define HG_ROWS (2 * HG_RADIUS + 1)
#else
#define HG_ROWS 1
#endif

#if defined __CUDA_ARCH__ || defined HG_CUDA_EMULATION
#define HG_ON_DEVICE /* in this pass of the compiler */
#endif

#if defined __CUDACC__
#define HG_BOTH static __host__ __device__ __forceinline__
#elif defined HG_CUDA_EMULATION
#define HG_BOTH static inline
#else
#define HG_BOTH static inline __attribute__((always_inline, unused))
#endif

/* For code that only CPUs run: always inlined, so that it is compiled for the instruction set of the loop around
 * it. */
#if defined __CUDACC__ || defined HG_CUDA_EMULATION
#define HG_INLINE static inline
#else
#define HG_INLINE HG_BOTH
#endif

/* A value as words, each as large as the alignment of the value (8 bytes at most). */
#if defined __cplusplus
#define HG_WORD_BYTES (alignof(HG_VALUE) < 8 ? alignof(HG_VALUE) : 8)
#else
#define HG_WORD_BYTES (_Alignof(HG_VALUE) < 8 ? _Alignof(HG_VALUE) : 8)
#endif
enum { HG_WORDS = sizeof(HG_VALUE) / HG_WORD_BYTES };
#if defined __cplusplus
typedef std::conditional<HG_WORD_BYTES == 8, uint64_t,
                         std::conditional<HG_WORD_BYTES == 4, uint32_t,
                                          std::conditional<HG_WORD_BYTES == 2, uint16_t, uint8_t>::type>::type>::type
    hg_word;
#else
typedef __typeof__(*_Generic((char (*)[HG_WORD_BYTES])0, char (*)[8]
                             : (uint64_t *)0, char (*)[4]
                             : (uint32_t *)0, char (*)[2]
                             : (uint16_t *)0, char (*)[1]
                             : (uint8_t *)0)) hg_word;
#endif

/** Makes a member of the structure that hg_job.parameters points to an option of the command line (hg_parameter). */
#ifdef __cplusplus
template <class HG_TYPE>
constexpr hg_parameter_type hg_type_of()
{
  static_assert(std::is_same<HG_TYPE, double>::value || std::is_same<HG_TYPE, float>::value ||
                    std::is_same<HG_TYPE, int>::value || std::is_same<HG_TYPE, int64_t>::value,
                "a parameter is a double, float, int or int64_t");
  return std::is_same<HG_TYPE, double>::value  ? HG_PARAMETER_DOUBLE
         : std::is_same<HG_TYPE, float>::value ? HG_PARAMETER_FLOAT
         : std::is_same<HG_TYPE, int>::value   ? HG_PARAMETER_INT
                                               : HG_PARAMETER_INT64;
}
/* clang-format off */
#define HG_PARAMETER(structure, member, least, most, help)                                                             \
  {#member, offsetof(structure, member), hg_type_of<decltype(structure::member)>(), least, most, help}
/* clang-format on */
#else
#define HG_PARAMETER(structure, member, least, most, help)                                                             \
  {                                                                                                                    \
#member, offsetof(structure, member),                                                                              \
        _Generic(((structure *)0)->member, double                                                                      \
                 : HG_PARAMETER_DOUBLE, float                                                                          \
                 : HG_PARAMETER_FLOAT, int                                                                             \
                 : HG_PARAMETER_INT, int64_t                                                                           \
                 : HG_PARAMETER_INT64),                                                                                \
        least, most, help                                                                                              \
  }
#endif

#include "job/app_unit.h"
#include "job/app_update.h"

#endif
#endif
