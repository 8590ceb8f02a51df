/* SPDX-License-Identifier: MIT */
/* Vectors of one instruction set, and rows in lane layout: a row of P cells is stored as nv = ceil(P/VL) vectors, with
 * lane i holding the contiguous segment i*nv .. i*nv+nv-1. Template over REAL, included by the kernels. */

typedef REAL NAME(vec) __attribute__((vector_size(VBYTES), may_alias));
typedef INTLANE NAME(lanes) __attribute__((vector_size(VBYTES)));
#define vec NAME(vec)
#define lanes NAME(lanes)

static inline vec NAME(splat)(REAL x)
{
  return x - (vec){0};
}

static inline vec NAME(vfma)(vec a, vec b, vec c)
{
#if VBYTES == 64 && REAL_IS_FLOAT
  return (vec)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif VBYTES == 64
  return (vec)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif VBYTES == 32 && REAL_IS_FLOAT
  return (vec)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#elif VBYTES == 32
  return (vec)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
  vec r;
  for (int i = 0; i < VL; i++) r[i] = FMA(a[i], b[i], c[i]);
  return r;
#endif
}

/* f(i, s) for all lanes i: an initializer, since compilers turn only that into a constant. */
#undef LANES
#define LANES_2(f, i, s) f(i, s), f(i + 1, s)
#define LANES_4(f, i, s) LANES_2(f, i, s), LANES_2(f, i + 2, s)
#define LANES_8(f, i, s) LANES_4(f, i, s), LANES_4(f, i + 4, s)
#define LANES_16(f, i, s) LANES_8(f, i, s), LANES_8(f, i + 8, s)
#if VBYTES == 64 && REAL_IS_FLOAT
#define LANES(f, s) LANES_16(f, 0, s)
#elif VBYTES == 64 || (VBYTES == 32 && REAL_IS_FLOAT)
#define LANES(f, s) LANES_8(f, 0, s)
#elif VBYTES == 32 || REAL_IS_FLOAT
#define LANES(f, s) LANES_4(f, 0, s)
#else
#define LANES(f, s) LANES_2(f, 0, s)
#endif

/* Lane i of the result is lane i-1 of v (lane 0 keeps its own): the west neighbours of a row's first vector. */
static inline vec NAME(lanes_up)(vec v)
{
#define BEFORE(i, s) ((i) > 0 ? (i) - (s) : 0)
  return __builtin_shuffle(v, (lanes){LANES(BEFORE, 1)});
#undef BEFORE
}

/* Lane i of the result is lane i+1 of v: the east neighbours of a row's last vector. */
static inline vec NAME(lanes_down)(vec v)
{
#define BEHIND(i, s) ((i) < VL - 1 ? (i) + (s) : (i))
  return __builtin_shuffle(v, (lanes){LANES(BEHIND, 1)});
#undef BEHIND
}

/* VL x VL transposition in registers by log2(VL) butterfly stages. */
static inline __attribute__((always_inline)) void NAME(transpose)(vec v[VL])
{
#define LOWER(i, s) ((i) & (s) ? VL + (i) - (s) : (i))
#define UPPER(i, s) ((i) & (s) ? VL + (i) : (i) + (s))
#define STAGE(s)                                                                                                       \
  _Pragma("GCC unroll 16") for (int i = 0; i < VL; i++)                                                                \
  {                                                                                                                    \
    if ((s) >= VL || (i & (s))) continue;                                                                              \
    const vec a = v[i], b = v[i + (s)];                                                                                \
    v[i] = __builtin_shuffle(a, b, (lanes){LANES(LOWER, s)});                                                          \
    v[i + (s)] = __builtin_shuffle(a, b, (lanes){LANES(UPPER, s)});                                                    \
  }
  STAGE(1)
  STAGE(2)
  STAGE(4)
  STAGE(8)
#undef STAGE
#undef LOWER
#undef UPPER
}

typedef REAL NAME(unaligned) __attribute__((vector_size(VBYTES), aligned(sizeof(REAL)), may_alias));

/* Copies columns j .. j+VL-1 of a row in natural order into the row in lanes, and back. */
static inline __attribute__((always_inline)) void NAME(block_in)(REAL *restrict row, const REAL *restrict flat,
                                                                 int64_t nv, int64_t j)
{
  vec v[VL];
#pragma GCC unroll 16
  for (int i = 0; i < VL; i++) v[i] = *(const NAME(unaligned) *)(flat + i * nv + j);
  NAME(transpose)(v);
#pragma GCC unroll 16
  for (int i = 0; i < VL; i++) *(vec *)(row + (j + i) * VL) = v[i];
}

static inline __attribute__((always_inline)) void NAME(block_out)(REAL *restrict flat, const REAL *restrict row,
                                                                  int64_t nv, int64_t j)
{
  vec v[VL];
#pragma GCC unroll 16
  for (int i = 0; i < VL; i++) v[i] = *(const vec *)(row + (j + i) * VL);
  NAME(transpose)(v);
#pragma GCC unroll 16
  for (int i = 0; i < VL; i++) *(NAME(unaligned) *)(flat + i * nv + j) = v[i];
}

/* row[nv] (lane layout) = flat[VL*nv] (natural order), and back. The last block begins early, so that it is a whole
 * one. */
static void NAME(row_in)(vec *restrict to, const REAL *restrict flat, int64_t nv)
{
  REAL *row = (REAL *)to;
  for (int64_t j = 0; j + VL <= nv; j += VL) NAME(block_in)(row, flat, nv, j);
  if (nv >= VL && nv % VL) NAME(block_in)(row, flat, nv, nv - VL);
  for (int64_t j = 0; nv < VL && j < nv; j++)
    for (int i = 0; i < VL; i++) row[j * VL + i] = flat[i * nv + j];
}

static void NAME(row_out)(REAL *restrict flat, const vec *restrict from, int64_t nv)
{
  const REAL *row = (const REAL *)from;
  for (int64_t j = 0; j + VL <= nv; j += VL) NAME(block_out)(flat, row, nv, j);
  if (nv >= VL && nv % VL) NAME(block_out)(flat, row, nv, nv - VL);
  for (int64_t j = 0; nv < VL && j < nv; j++)
    for (int i = 0; i < VL; i++) flat[i * nv + j] = row[j * VL + i];
}

/* The same for unit updates (units_lanes.h). */
static void NAME(words_in)(void *row, const void *flat, int64_t vectors)
{
  NAME(row_in)(row, flat, vectors);
}

static void NAME(words_out)(void *flat, const void *row, int64_t vectors)
{
  NAME(row_out)(flat, row, vectors);
}
