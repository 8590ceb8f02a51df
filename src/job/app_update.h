/* SPDX-License-Identifier: MIT */
/* From an update of one unit to code for whole tiles. Part of job/app.h. */
#ifndef HG_JOB_APP_UPDATE_H
#define HG_JOB_APP_UPDATE_H

/* The first unit of a run on a CPU. */
HG_BOTH hg_unit hg_cpu_unit(const hg_units *g, const HG_VALUE *const *rows)
{
  hg_unit u;
  u.g = g;
  u.row = rows;
  u.high = 2 * HG_RADIUS + 1;
  u.behind = 0;
  u.near = 0;
  u.lane = 0;
  u.lanes = 1;
  u.centre = 0;
  u.i = 0;
  u.local = g->local;
  u.quantity = false;
  for (int a = 0; a < 3; a++) {
    u.stride[a] = 0;
    u.at[a] = g->at[a];
  }
  return u;
}

#if defined __x86_64__ && defined __GNUC__ && !defined __clang__ && !defined __CUDACC__ && !defined __cplusplus &&     \
    !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#define HG_CLONES __attribute__((target_clones("avx512f", "fma", "default"), optimize("O3,fp-contract=off")))
#else
#define HG_CLONES
#endif

/* Before a loop over units: no unit reads what another writes. Without this the compiler compares addresses at run
 * time, or does not vectorise where there are many rows. */
#if defined __GNUC__ && !defined __clang__ && !defined __CUDACC__
#define HG_INDEPENDENT _Pragma("GCC ivdep")
#else
#define HG_INDEPENDENT
#endif

/* Rows are copied to the stack so that the compiler sees that writing the output does not change them. */
#define HG_CPU_LOOP(units, count, is_quantity, body)                                                                   \
  const HG_VALUE *hg_rows[HG_ROWS];                                                                                    \
  for (int r = 0; r < HG_ROWS; r++) hg_rows[r] = (const HG_VALUE *)(units)->row[r];                                    \
  hg_unit unit = hg_cpu_unit(units, hg_rows);                                                                          \
  unit.quantity = is_quantity;                                                                                         \
  const hg_unit *u = &unit;                                                                                            \
  HG_INDEPENDENT for (int64_t i = 0; i < (count); i++)                                                                 \
  {                                                                                                                    \
    unit.i = i;                                                                                                        \
    body;                                                                                                              \
  }

#if defined __CUDACC__ || defined HG_CUDA_EMULATION
#include "job/app_cuda.h"
#else
#define HG_CUDA_UPDATE(name)
#define HG_CUDA_UPDATE_ARRAY(name)
#define HG_CUDA_LAUNCH(name) 0
#endif

#if HG_RADIUS > 0 && HG_RADIUS <= (HG_DIMS == 3 ? 1 : 3)
#include "job/app_lanes.h"
#else /* compilation would take minutes */
enum { HG_TOGETHER = 0, HG_PLANES = 0 };
#define HG_RUN_LANES(name)                                                                                             \
  {                                                                                                                    \
    0                                                                                                                  \
  }
#define HG_UPDATE_LANES(name)
#endif

/* Kind of number that HG_VALUE is. */
#ifdef __cplusplus
#define HG_VALUE_TYPE                                                                                                  \
  (std::is_floating_point<HG_VALUE>::value                      ? (sizeof(HG_VALUE) == 4   ? 'f'                       \
                                                                   : sizeof(HG_VALUE) == 8 ? 'd'                       \
                                                                                           : 0)                        \
   : std::is_same<HG_VALUE, bool>::value                        ? 'b'                                                  \
   : std::is_integral<HG_VALUE>::value && sizeof(HG_VALUE) <= 8 ? (std::is_signed<HG_VALUE>::value ? 'i' : 'u')        \
                                                                : 0)
#else
#define HG_VALUE_TYPE                                                                                                  \
  _Generic(*(HG_VALUE *)0, double                                                                                      \
           : 'd', float                                                                                                \
           : 'f', char                                                                                                 \
           : 'i', signed char                                                                                          \
           : 'i', short                                                                                                \
           : 'i', int                                                                                                  \
           : 'i', long                                                                                                 \
           : 'i', long long                                                                                            \
           : 'i', _Bool                                                                                                \
           : 'b', unsigned char                                                                                        \
           : 'u', unsigned short                                                                                       \
           : 'u', unsigned                                                                                             \
           : 'u', unsigned long                                                                                        \
           : 'u', unsigned long long                                                                                   \
           : 'u', default : 0)
#endif

#define HG_DESCRIBE(name, is_array, in_lanes)                                                                          \
  static const hg_update name = {#name,         HG_DIMS,                                                               \
                                 HG_RADIUS,     sizeof(HG_VALUE),                                                      \
                                 HG_VALUE_TYPE, is_array,                                                              \
                                 name##_run,    HG_CUDA_LAUNCH(name),                                                  \
                                 NULL,          NULL,                                                                  \
                                 NULL,          {0, 0},                                                                \
                                 NULL,          NULL,                                                                  \
                                 false,         0,                                                                     \
                                 NULL,          sizeof(hg_word),                                                       \
                                 HG_TOGETHER,   HG_PLANES,                                                             \
                                 in_lanes};

/** Defines an update. Its body follows; it reads the unit `u` and returns the unit's new value. */
#define HG_UPDATE(name)                                                                                                \
  HG_BOTH HG_VALUE name##_point(const hg_unit *u);                                                                     \
  HG_CLONES static void name##_run(const hg_units *units, int64_t count, void *__restrict out)                         \
  {                                                                                                                    \
    HG_VALUE *result = (HG_VALUE *)out;                                                                                \
    HG_CPU_LOOP(units, count, false, result[i] = name##_point(u))                                                      \
  }                                                                                                                    \
  HG_UPDATE_LANES(name)                                                                                                \
  HG_CUDA_UPDATE(name)                                                                                                 \
  HG_DESCRIBE(name, false, HG_RUN_LANES(name))                                                                         \
  HG_BOTH HG_VALUE name##_point(const hg_unit *u)

/** Defines an update of values of several elements. Its body follows; it reads the unit `u` and writes hg_length(u)
 * elements to `out`. */
#define HG_UPDATE_ARRAY(name)                                                                                          \
  HG_BOTH void name##_array(const hg_unit *u, HG_VALUE *out);                                                          \
  HG_CLONES static void name##_run(const hg_units *units, int64_t count, void *out){                                   \
      HG_CPU_LOOP(units, count, false,                                                                                 \
                  name##_array(u, (HG_VALUE *)out +                                                                    \
                                      ((units)->offset ? (units)->offset[unit.local + i] - (units)->offset[unit.local] \
                                                       : i)))} HG_CUDA_UPDATE_ARRAY(name) HG_DESCRIBE(name, true, {0}) \
      HG_BOTH void name##_array(const hg_unit *u, HG_VALUE *out)

/** Defines a number per unit, for reductions. Its body follows; it reads hg_value(u) (before the step) and
 * hg_value_after(u) (after it), of no other unit, and returns a double. */
#define HG_QUANTITY(name)                                                                                              \
  HG_INLINE double name##_of(const hg_unit *u);                                                                        \
  HG_CLONES static void name##_run(const hg_units *units, int64_t count, double *__restrict out)                       \
  {                                                                                                                    \
    HG_CPU_LOOP(units, count, true, out[i] = name##_of(u))                                                             \
  }                                                                                                                    \
  static const hg_quantity name = {#name, sizeof(HG_VALUE), HG_ROWS, name##_run, NULL, NULL};                          \
  HG_INLINE double name##_of(const hg_unit *u)
#endif
