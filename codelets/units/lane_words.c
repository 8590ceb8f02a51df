/* SPDX-License-Identifier: MIT */
#include "codelets/units/lane_words.h"

#include "codelets/heat/heat_internal.h"

/* Words of 1 and 2 bytes, for any instruction set. Squares with a side of as many words as fit in 16 bytes are
 * transposed: each round interleaves every row with the one half a square further on. */
#define NARROW(TYPE, SIDE)                                                                                             \
  typedef TYPE TYPE##_side __attribute__((vector_size(16), may_alias));                                                \
  typedef TYPE TYPE##_unaligned __attribute__((vector_size(16), aligned(1), may_alias));                               \
  static inline __attribute__((always_inline)) void square_##TYPE(const TYPE *from, int64_t from_pitch, TYPE *to,      \
                                                                  int64_t to_pitch)                                    \
  {                                                                                                                    \
    TYPE##_side v[2][SIDE], low, high;                                                                                 \
    for (int e = 0; e < SIDE; e++) {                                                                                   \
      low[e] = (TYPE)(e / 2 + e % 2 * SIDE);                                                                           \
      high[e] = (TYPE)(SIDE / 2 + e / 2 + e % 2 * SIDE);                                                               \
    }                                                                                                                  \
    int now = 0;                                                                                                       \
    _Pragma("GCC unroll 16") for (int i = 0; i < SIDE; i++) v[0][i] =                                                  \
        *(const TYPE##_unaligned *)(from + i * from_pitch);                                                            \
    _Pragma("GCC unroll 4") for (int round = 1; round < SIDE; round *= 2, now = !now)                                  \
    {                                                                                                                  \
      _Pragma("GCC unroll 8") for (int i = 0; i < SIDE / 2; i++)                                                       \
      {                                                                                                                \
        v[!now][2 * i] = __builtin_shuffle(v[now][i], v[now][i + SIDE / 2], low);                                      \
        v[!now][2 * i + 1] = __builtin_shuffle(v[now][i], v[now][i + SIDE / 2], high);                                 \
      }                                                                                                                \
    }                                                                                                                  \
    _Pragma("GCC unroll 16") for (int i = 0; i < SIDE; i++) * (TYPE##_unaligned *)(to + i * to_pitch) = v[now][i];     \
  }                                                                                                                    \
  static void in_##TYPE(TYPE *row, const TYPE *flat, int64_t vectors, int lanes)                                       \
  {                                                                                                                    \
    for (int64_t j = 0; j < vectors; j += SIDE)                                                                        \
      for (int64_t l = 0, at = j + SIDE <= vectors ? j : vectors - SIDE; at >= 0 && l < lanes; l += SIDE)              \
        square_##TYPE(flat + l * vectors + at, vectors, row + at * lanes + l, lanes);                                  \
    for (int64_t j = 0; vectors < SIDE && j < vectors; j++)                                                            \
      for (int64_t l = 0; l < lanes; l++) row[j * lanes + l] = flat[l * vectors + j];                                  \
  }                                                                                                                    \
  static void out_##TYPE(TYPE *flat, const TYPE *row, int64_t vectors, int lanes)                                      \
  {                                                                                                                    \
    for (int64_t j = 0; j < vectors; j += SIDE)                                                                        \
      for (int64_t l = 0, at = j + SIDE <= vectors ? j : vectors - SIDE; at >= 0 && l < lanes; l += SIDE)              \
        square_##TYPE(row + at * lanes + l, lanes, flat + l * vectors + at, vectors);                                  \
    for (int64_t j = 0; vectors < SIDE && j < vectors; j++)                                                            \
      for (int64_t l = 0; l < lanes; l++) flat[l * vectors + j] = row[j * lanes + l];                                  \
  }
NARROW(uint8_t, 16)
NARROW(uint16_t, 8)

#define ROWS(TYPE, set)                                                                                                \
  static void in_##TYPE##_##set(void *row, const void *flat, int64_t vectors)                                          \
  {                                                                                                                    \
    in_##TYPE(row, flat, vectors, (16 << (set)) / (int)sizeof(TYPE));                                                  \
  }                                                                                                                    \
  static void out_##TYPE##_##set(void *flat, const void *row, int64_t vectors)                                         \
  {                                                                                                                    \
    out_##TYPE(flat, row, vectors, (16 << (set)) / (int)sizeof(TYPE));                                                 \
  }
ROWS(uint8_t, 0)
ROWS(uint8_t, 1)
ROWS(uint8_t, 2)
ROWS(uint16_t, 0)
ROWS(uint16_t, 1)
ROWS(uint16_t, 2)

const hg_lane_rows *hg_lane_rows_of(hg_lane_set set, int word_bytes)
{
  static const hg_lane_rows bytes[] = {{in_uint8_t_0, out_uint8_t_0},
                                       {in_uint8_t_1, out_uint8_t_1},
                                       {in_uint8_t_2, out_uint8_t_2}},
                            shorts[] = {{in_uint16_t_0, out_uint16_t_0},
                                        {in_uint16_t_1, out_uint16_t_1},
                                        {in_uint16_t_2, out_uint16_t_2}};
#ifdef HG_HAVE_X86_ISA
  static const hg_heat_isa *const isa[] = {&hg_heat_isa_baseline, &hg_heat_isa_avx2, &hg_heat_isa_avx512};
#else
  static const hg_heat_isa *const isa[] = {&hg_heat_isa_baseline, &hg_heat_isa_baseline, &hg_heat_isa_baseline};
#endif
  return word_bytes == 1 ? &bytes[set] : word_bytes == 2 ? &shorts[set] : &isa[set]->rows[word_bytes == 4];
}
