/* SPDX-License-Identifier: MIT */
/* Applications of dependent computing units (thesis chapter 5): the only header such a program needs.
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
 * The body after HG_UPDATE is compiled for CPUs by a C compiler, for CPUs and CUDA devices by nvcc:
 *   cc -O3 app.c $(pkg-config --cflags --libs hetgrid)
 *   nvcc $(pkg-config --variable=nvccflags hetgrid) app.c $(pkg-config --cflags --libs hetgrid)
 * It must not have side effects: a unit may be computed several times. From this header on, multiplication and addition
 * are not contracted by gcc, g++ and clang, whatever -march says, so that tiles, CPUs and devices agree bit for bit
 * (nvcc: -fmad=false, which nvccflags has). -ffast-math, with which they do not, is refused unless HG_FAST_MATH is
 * defined; clang's -ffp-contract=fast goes past what a header can say, and is not to be used. */
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
#include "runtime/mpi_nap.h"
#include "job/job.h"

#ifdef HG_VALUE

#if defined __FAST_MATH__ && !defined HG_FAST_MATH
#error "with -ffast-math results depend on how the grid is divided; define HG_FAST_MATH if that may be"
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

/* What only CPUs run; always inlined, or it would not be compiled for the instruction set of the loop around it. */
#if defined __CUDACC__ || defined HG_CUDA_EMULATION
#define HG_INLINE static inline
#else
#define HG_INLINE HG_BOTH
#endif

/* A value as words: as large as it is aligned. */
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

/** The unit an update computes; only for the functions below. */
typedef struct hg_unit {
  const hg_units *g;          /**< what it may read */
  const HG_VALUE *const *row; /**< CPU: rows around; of two units one behind the other, those around both */
  int high;                   /**< CPU: rows of a dz in `row` */
  int behind;                 /**< CPU: rows from the first of the units computed at once to this one */
  const hg_word *near;        /**< CPU, in lanes: [rows around][units along x][words][lanes], or NULL */
  int lane, lanes;            /**< CPU, in lanes: of the unit; how many */
  const HG_VALUE *centre;     /**< CUDA: its own value */
  int64_t stride[3];          /**< CUDA: distance of neighbours in values */
  int64_t i;                  /**< CPU: number in the run; CUDA: 0 */
  int64_t at[3];              /**< place of unit 0 of the run; CUDA: of the unit */
  int64_t local;              /**< its position among the values of the tile */
} hg_unit;

/* --- what and where ---------------------------------------------------------------------------------------------- */

HG_BOTH int64_t hg_fold(int64_t i, int64_t n)
{
  return i < 0 ? i + n : i >= n ? i - n : i;
}

/** Column, row, layer of the unit, from 0. */
HG_BOTH int64_t hg_x(const hg_unit *u)
{
  return hg_fold(u->at[0] + u->i, u->g->n[0]);
}
HG_BOTH int64_t hg_y(const hg_unit *u)
{
  return hg_fold(u->at[1], u->g->n[1]);
}
HG_BOTH int64_t hg_z(const hg_unit *u)
{
  return hg_fold(u->at[2], u->g->n[2]);
}

/** Extent of the grid along an axis, 0: x. */
HG_BOTH int64_t hg_extent(const hg_unit *u, int axis)
{
  return u->g->n[axis];
}

/** Identifier of the unit: x + nx (y + ny z). */
HG_BOTH int64_t hg_id(const hg_unit *u)
{
  return hg_x(u) + u->g->n[0] * (hg_y(u) + u->g->n[1] * hg_z(u));
}

/** Number of the step that is computed, from 0. */
HG_BOTH int64_t hg_step(const hg_unit *u)
{
  return u->g->step;
}

/** The job's parameters as they were when the step was submitted. */
HG_BOTH const void *hg_parameters(const hg_unit *u)
{
  return u->g->parameters;
}

/** A member of the structure that hg_job.parameters points to as an option of the command line (hg_parameter). */
#ifdef __cplusplus
template <class T>
constexpr hg_parameter_type hg_type_of()
{
  static_assert(std::is_same<T, double>::value || std::is_same<T, float>::value || std::is_same<T, int>::value ||
                    std::is_same<T, int64_t>::value,
                "a parameter is a double, float, int or int64_t");
  return std::is_same<T, double>::value  ? HG_PARAMETER_DOUBLE
         : std::is_same<T, float>::value ? HG_PARAMETER_FLOAT
         : std::is_same<T, int>::value   ? HG_PARAMETER_INT
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

/* --- random numbers ---------------------------------------------------------------------------------------------- */

/* A step of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
HG_BOTH uint64_t hg_mix(uint64_t state, uint64_t key)
{
  uint64_t z = state + (key + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/** A number of [0, 1) by position: the same for the same identifier, step and key, unrelated for others. For `init`,
 * which has no step, any step below 0 serves. */
HG_BOTH double hg_random_at(int64_t id, int64_t step, int64_t key)
{
  return (double)(hg_mix(hg_mix(hg_mix(0, (uint64_t)key), (uint64_t)step), (uint64_t)id) >> 11) * 0x1p-53;
}

/** A number of [0, 1) for the unit in this step; `key` tells several of them apart, or runs (by a parameter of the
 * job). Updates must not keep a state of their own: a unit may be computed several times, and anywhere. */
HG_BOTH double hg_random(const hg_unit *u, int64_t key)
{
  return hg_random_at(hg_id(u), hg_step(u), key);
}

/* --- errors ------------------------------------------------------------------------------------------------------ */

/* The first one of a worker is kept; the step goes on, the job ends. */
HG_BOTH void hg_note_fault(const hg_unit *u, int kind, int64_t value, int64_t bound)
{
  hg_fault *f = u->g->fault;
#ifdef HG_ON_DEVICE
  if (atomicCAS_system(&f->kind, HG_FAULT_NONE, kind) != HG_FAULT_NONE) return;
#else
  if (f->kind != HG_FAULT_NONE) return;
  f->kind = kind;
#endif
  f->unit = hg_id(u);
  f->step = u->g->step;
  f->value = value;
  f->bound = bound;
}

/** Ends the job on all ranks with an error that names the unit, the step and `code`. The value returned is ignored. */
HG_BOTH void hg_stop(const hg_unit *u, int64_t code)
{
  hg_note_fault(u, HG_FAULT_USER, code, 0);
}

/* --- values in a stencil, and the unit's own -----------------------------------------------------------------------
 */

/* A value that stands in for what an update may not read. */
HG_BOTH HG_VALUE hg_nothing(void)
{
  HG_VALUE v;
  memset(&v, 0, sizeof v);
  return v;
}

HG_BOTH HG_VALUE hg_at_offset(const hg_unit *u, int dx, int dy, int dz)
{
  const int far = dx < -HG_RADIUS   ? dx
                  : dx > HG_RADIUS  ? dx
                  : dy < -HG_RADIUS ? dy
                  : dy > HG_RADIUS  ? dy
                  : dz < -HG_RADIUS ? dz
                  : dz > HG_RADIUS  ? dz
                                    : 0;
  if (far != 0) {
    hg_note_fault(u, HG_FAULT_OFFSET, far, HG_RADIUS);
    return hg_nothing();
  }
#ifdef HG_ON_DEVICE
  return u->centre[dx + dy * u->stride[1] + dz * u->stride[2]];
#else
#if HG_DIMS == 3
  const int row = (dz + HG_RADIUS) * u->high + dy + HG_RADIUS + u->behind;
#elif HG_DIMS == 2
  const int row = dy + HG_RADIUS + u->behind;
#else
  const int row = 0;
#endif
  if (!u->near) return u->row[row][u->i + dx];
  HG_VALUE v;
  for (int w = 0; w < HG_WORDS; w++)
    memcpy((char *)&v + w * (int)sizeof(hg_word),
           u->near + ((row * (2 * HG_RADIUS + 1) + dx + HG_RADIUS) * HG_WORDS + w) * u->lanes + u->lane,
           sizeof(hg_word));
  return v;
#endif
}

/** The value before the step of the unit that lies dx columns (dy rows, dz layers) from this one. */
#if HG_DIMS == 1
HG_BOTH HG_VALUE hg_at(const hg_unit *u, int dx)
{
  return hg_at_offset(u, dx, 0, 0);
}
#elif HG_DIMS == 2
HG_BOTH HG_VALUE hg_at(const hg_unit *u, int dx, int dy)
{
  return hg_at_offset(u, dx, dy, 0);
}
#elif HG_DIMS == 3
HG_BOTH HG_VALUE hg_at(const hg_unit *u, int dx, int dy, int dz)
{
  return hg_at_offset(u, dx, dy, dz);
}
#endif

/** The unit's own value before the step. */
HG_BOTH HG_VALUE hg_value(const hg_unit *u)
{
  return hg_at_offset(u, 0, 0, 0);
}

/** In a quantity: the unit's value after the step. */
HG_BOTH HG_VALUE hg_new(const hg_unit *u)
{
  return ((const HG_VALUE *)u->g->after)[u->i];
}

/* --- stored neighbours and zones --------------------------------------------------------------------------------- */

/* First element of the value at a position among those of the tile. */
HG_BOTH const HG_VALUE *hg_element(const hg_unit *u, int64_t position)
{
  return (const HG_VALUE *)u->g->values + (u->g->offset ? u->g->offset[position] : position);
}

HG_BOTH int64_t hg_elements(const hg_unit *u, int64_t position)
{
  return u->g->offset ? u->g->offset[position + 1] - u->g->offset[position] : 1;
}

/** Number of neighbours that the job stored for the unit. */
HG_BOTH int64_t hg_neighbours(const hg_unit *u)
{
  const int64_t l = u->local + u->i;
  return u->g->start ? u->g->start[l + 1] - u->g->start[l] : 0;
}

/* Position of neighbour j, -1 if there is none. */
HG_BOTH int64_t hg_neighbour_position(const hg_unit *u, int64_t j)
{
  const int64_t count = hg_neighbours(u);
  if (j >= 0 && j < count) return u->g->member[u->g->start[u->local + u->i] + j];
  hg_note_fault(u, HG_FAULT_NEIGHBOUR, j, count);
  return -1;
}

/** The value before the step of the unit's neighbour j, in the order in which they were added, from 0. */
HG_BOTH HG_VALUE hg_neighbour(const hg_unit *u, int64_t j)
{
  const int64_t p = hg_neighbour_position(u, j);
  return p < 0 ? hg_nothing() : *hg_element(u, p);
}

/** Elements of the unit's own value, of neighbour j's; how many there are. For values of variable size. */
HG_BOTH const HG_VALUE *hg_values(const hg_unit *u)
{
  return hg_element(u, u->local + u->i);
}
HG_BOTH int64_t hg_length(const hg_unit *u)
{
  return hg_elements(u, u->local + u->i);
}
HG_BOTH const HG_VALUE *hg_neighbour_values(const hg_unit *u, int64_t j)
{
  const int64_t p = hg_neighbour_position(u, j);
  return hg_element(u, p < 0 ? u->local + u->i : p);
}
HG_BOTH int64_t hg_neighbour_length(const hg_unit *u, int64_t j)
{
  const int64_t p = hg_neighbour_position(u, j);
  return p < 0 ? 0 : hg_elements(u, p);
}

/* Identifier of the unit at a position among the values of the tile. */
HG_BOTH int64_t hg_identifier(const hg_unit *u, int64_t p)
{
  const hg_units *g = u->g;
  const int64_t own = g->own[0] * g->own[1] * g->own[2];
  if (p >= own) return g->ghost[p - own];
  const int64_t x = g->lo[0] + p % g->own[0], y = g->lo[1] + p / g->own[0] % g->own[1],
                z = g->lo[2] + p / g->own[0] / g->own[1];
  return x + g->n[0] * (y + g->n[1] * z);
}

/** Identifier of neighbour j. */
HG_BOTH int64_t hg_neighbour_id(const hg_unit *u, int64_t j)
{
  const int64_t p = hg_neighbour_position(u, j);
  return p < 0 ? -1 : hg_identifier(u, p);
}

HG_BOTH bool hg_in_box(const int64_t lo[3], const int64_t n[3], int64_t x, int64_t y, int64_t z)
{
  return x >= lo[0] && x < lo[0] + n[0] && y >= lo[1] && y < lo[1] + n[1] && z >= lo[2] && z < lo[2] + n[2];
}

/** The value before the step of any unit of the tile or of its zones. */
HG_BOTH HG_VALUE hg_get(const hg_unit *u, int64_t x, int64_t y, int64_t z)
{
  const hg_units *g = u->g;
  if (hg_in_box(g->lo, g->own, x, y, z))
    return *hg_element(u, x - g->lo[0] + g->own[0] * (y - g->lo[1] + g->own[1] * (z - g->lo[2])));
  for (int b = 0; b < g->zones; b++) {
    const hg_zone_box *box = &g->zone[b];
    if (hg_in_box(box->lo, box->n, x, y, z))
      return *hg_element(
          u, g->member[box->first + x - box->lo[0] + box->n[0] * (y - box->lo[1] + box->n[1] * (z - box->lo[2]))]);
  }
  hg_note_fault(u, HG_FAULT_ZONE, x + g->n[0] * (y + g->n[1] * z), 0);
  return hg_nothing();
}

/* --- from one function to code for whole tiles ---------------------------------------------------------------------
 */

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

/* Before a loop over units: what one writes no other reads, so the compiler need not compare addresses at run time (of
 * many rows it would not, and give up vectors). */
#if defined __GNUC__ && !defined __clang__ && !defined __CUDACC__
#define HG_INDEPENDENT _Pragma("GCC ivdep")
#else
#define HG_INDEPENDENT
#endif

/* Rows are copied to the stack so that the compiler sees that writing the output does not change them. */
#define HG_CPU_LOOP(units, count, body)                                                                                \
  const HG_VALUE *hg_rows[HG_ROWS];                                                                                    \
  for (int r = 0; r < HG_ROWS; r++) hg_rows[r] = (const HG_VALUE *)(units)->row[r];                                    \
  hg_unit unit = hg_cpu_unit(units, hg_rows);                                                                          \
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
#else /* compiling it would take minutes */
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
  (std::is_floating_point<HG_VALUE>::value ? (sizeof(HG_VALUE) == 4   ? 'f'                                            \
                                              : sizeof(HG_VALUE) == 8 ? 'd'                                            \
                                                                      : 0)                                             \
   : std::is_integral<HG_VALUE>::value     ? (std::is_signed<HG_VALUE>::value ? 'i' : 'u')                             \
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
           : 'u', unsigned char                                                                                        \
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

/** Defines an update: what follows is its body; it reads the unit `u` and returns the unit's new value. */
#define HG_UPDATE(name)                                                                                                \
  HG_BOTH HG_VALUE name##_point(const hg_unit *u);                                                                     \
  HG_CLONES static void name##_run(const hg_units *units, int64_t count, void *__restrict out)                         \
  {                                                                                                                    \
    HG_VALUE *result = (HG_VALUE *)out;                                                                                \
    HG_CPU_LOOP(units, count, result[i] = name##_point(u))                                                             \
  }                                                                                                                    \
  HG_UPDATE_LANES(name)                                                                                                \
  HG_CUDA_UPDATE(name)                                                                                                 \
  HG_DESCRIBE(name, false, HG_RUN_LANES(name))                                                                         \
  HG_BOTH HG_VALUE name##_point(const hg_unit *u)

/** Defines an update of values of several elements: what follows is its body; it reads the unit `u` and writes
 * hg_length(u) elements to `out`. */
#define HG_UPDATE_ARRAY(name)                                                                                          \
  HG_BOTH void name##_array(const hg_unit *u, HG_VALUE *out);                                                          \
  HG_CLONES static void name##_run(const hg_units *units, int64_t count, void *out){                                   \
      HG_CPU_LOOP(units, count,                                                                                        \
                  name##_array(u, (HG_VALUE *)out +                                                                    \
                                      ((units)->offset ? (units)->offset[unit.local + i] - (units)->offset[unit.local] \
                                                       : i)))} HG_CUDA_UPDATE_ARRAY(name) HG_DESCRIBE(name, true, {0}) \
      HG_BOTH void name##_array(const hg_unit *u, HG_VALUE *out)

/** Defines a number per unit, for reductions: what follows is its body; it reads hg_value(u) (before the step) and
 * hg_new(u) (after it) and returns a double. */
#define HG_QUANTITY(name)                                                                                              \
  HG_INLINE double name##_of(const hg_unit *u);                                                                        \
  HG_CLONES static void name##_run(const hg_units *units, int64_t count, double *__restrict out)                       \
  {                                                                                                                    \
    HG_CPU_LOOP(units, count, out[i] = name##_of(u))                                                                   \
  }                                                                                                                    \
  static const hg_quantity name = {#name, sizeof(HG_VALUE), HG_ROWS, name##_run, NULL, NULL};                          \
  HG_INLINE double name##_of(const hg_unit *u)

#endif
#endif
