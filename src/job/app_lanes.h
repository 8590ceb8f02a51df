/* SPDX-License-Identifier: MIT */
/* The part of app.h, which includes this file, that computes rows in lanes (codelets/units/units_lanes.h): HG_PLANES
 * planes of HG_TOGETHER rows together, one vector of each row at a time. The units' own values stay in registers from
 * one vector to the next, so that an average of four neighbours takes 1.5 loads per vector. Results overwrite the
 * first of the rows around them; the overwritten values that are still needed stay in registers too.
 *
 * The update is compiled as a loop over the lanes of vectors in small arrays; where compilers can vectorise it, no
 * arrays remain. Rows are written as words, which cannot alias parameters that are doubles, so these stay in registers
 * too. A value of several words (a structure) is stored as a vector of first words, one of second words, and so on;
 * each member of a structure is thus a vector. */
#ifndef HG_JOB_APP_LANES_H
#define HG_JOB_APP_LANES_H

/* Rows per plane, and planes, that are computed together; rows around them, in a plane and in total; units along x
 * that an update reads. */
enum {
  HG_TOGETHER = HG_DIMS == 1   ? 1
                : HG_DIMS == 2 ? 4
                               : 2,
  HG_PLANES = HG_DIMS == 3 ? 2 : 1,
  HG_NEAR_ROWS = HG_DIMS > 1 ? HG_TOGETHER + 2 * HG_RADIUS : 1,
  HG_NEAR = HG_NEAR_ROWS * (HG_DIMS == 3 ? HG_PLANES + 2 * HG_RADIUS : 1),
  HG_REACH = 2 * HG_RADIUS + 1,
  HG_AROUND_Y = HG_DIMS > 1 ? HG_RADIUS : 0,
  HG_AROUND_Z = HG_DIMS > 2 ? HG_RADIUS : 0
};

/* Index, among the rows around them, of row t of those computed together. */
#define HG_OWN(t) (((t) / HG_TOGETHER + HG_AROUND_Z) * HG_NEAR_ROWS + (t) % HG_TOGETHER + HG_AROUND_Y)

/* Index of the row that its result overwrites. */
#define HG_OUT(t) ((t) / HG_TOGETHER * HG_NEAR_ROWS + (t) % HG_TOGETHER)

/* Which of the rows computed together row n is; -1: none of them. */
#define HG_WHICH(n)                                                                                                    \
  ((n) / HG_NEAR_ROWS < HG_AROUND_Z || (n) / HG_NEAR_ROWS >= HG_AROUND_Z + HG_PLANES ||                                \
           (n) % HG_NEAR_ROWS < HG_AROUND_Y || (n) % HG_NEAR_ROWS >= HG_AROUND_Y + HG_TOGETHER                         \
       ? -1                                                                                                            \
       : ((n) / HG_NEAR_ROWS - HG_AROUND_Z) * HG_TOGETHER + (n) % HG_NEAR_ROWS - HG_AROUND_Y)

/* Whether row n is overwritten without being one of the rows computed together. */
#define HG_LOST(n) (HG_WHICH(n) < 0 && (n) / HG_NEAR_ROWS < HG_PLANES && (n) % HG_NEAR_ROWS < HG_TOGETHER)

/* Lane l of `to` is lane from[l] of v followed by `other`. */
#if defined __GNUC__ && !defined __clang__ && !defined __CUDACC__
#define HG_UNROLL _Pragma("GCC unroll 64")
#define HG_NOT_UNROLLED _Pragma("GCC unroll 1")
#define HG_SHUFFLE(to, v, other, from) (to) = __builtin_shuffle(v, other, from)
#else
#define HG_UNROLL
#define HG_NOT_UNROLLED
#define HG_SHUFFLE(to, v, other, from)                                                                                 \
  for (int l = 0; l < HG_LANES; l++) (to)[l] = from[l] < HG_LANES ? (v)[from[l]] : (other)[from[l] - HG_LANES]
#endif

/* Unit of lane l of vector j; lanes beyond the ends of the row compute its first or last unit again. */
HG_INLINE int64_t hg_lane_place(const hg_lanes *rows, int64_t j, int64_t l)
{
  const int64_t x = l * rows->vectors + j;
  return x < rows->first ? rows->first : x > rows->last ? rows->last : x;
}

/* Writes the vectors beside both ends of a row: each lane gets the end of the lane before it, or the beginning of the
 * next one; beyond the outermost lanes their own units are repeated. */
#define HG_SURROUND(row, vectors)                                                                                      \
  do {                                                                                                                 \
    hg_vector *const end = row + vectors * HG_WORDS;                                                                   \
    hg_mask up, down;                                                                                                  \
    HG_UNROLL for (int l = 0; l < HG_LANES; l++)                                                                       \
    {                                                                                                                  \
      up[l] = (hg_word)(l > 0 ? l - 1 : HG_LANES);                                                                     \
      down[l] = (hg_word)(l + 1 < HG_LANES ? l + 1 : 2 * HG_LANES - 1);                                                \
    }                                                                                                                  \
    HG_UNROLL for (int i = 0; i < HG_RADIUS * HG_WORDS; i++)                                                           \
    {                                                                                                                  \
      const int w = i % HG_WORDS;                                                                                      \
      HG_SHUFFLE(row[i - HG_RADIUS * HG_WORDS], end[i - HG_RADIUS * HG_WORDS], row[w], up);                            \
      HG_SHUFFLE(end[i], row[i], end[w - HG_WORDS], down);                                                             \
    }                                                                                                                  \
  } while (0)

#define HG_LANES_OF(name, isa, bytes, target)                                                                          \
  target static void name##_lanes_##isa(const hg_units *units, const hg_lanes *rows)                                   \
  {                                                                                                                    \
    enum { HG_LANES = bytes / sizeof(hg_word), HG_OWN_ROWS = HG_TOGETHER * HG_PLANES };                                \
    typedef hg_word hg_vector __attribute__((vector_size(bytes)));                                                     \
    typedef hg_word hg_mask __attribute__((vector_size(bytes)));                                                       \
    hg_vector *row[HG_NEAR], kept[HG_OWN_ROWS][HG_REACH][HG_WORDS], lost[HG_NEAR][HG_RADIUS][HG_WORDS];                \
    const int64_t vectors = rows->vectors;                                                                             \
    HG_UNROLL for (int n = 0; n < HG_NEAR; n++)                                                                        \
    {                                                                                                                  \
      row[n] = (hg_vector *)rows->row[n];                                                                              \
      if (HG_LOST(n)) {                                                                                                \
        HG_UNROLL for (int i = 0; i < HG_RADIUS; i++) HG_UNROLL for (int w = 0; w < HG_WORDS; w++) lost[n][i][w] =     \
            row[n][(i - HG_RADIUS) * HG_WORDS + w];                                                                    \
      }                                                                                                                \
    }                                                                                                                  \
    HG_UNROLL for (int t = 0; t < HG_OWN_ROWS; t++)                                                                    \
    {                                                                                                                  \
      HG_UNROLL for (int i = 0; i < HG_REACH - 1; i++) HG_UNROLL for (int w = 0; w < HG_WORDS; w++)                    \
          kept[t][i + 1][w] = row[HG_OWN(t)][(i - HG_RADIUS) * HG_WORDS + w];                                          \
    }                                                                                                                  \
    hg_unit unit = hg_cpu_unit(units, 0);                                                                              \
    unit.high = HG_NEAR_ROWS;                                                                                          \
    unit.lanes = HG_LANES;                                                                                             \
    HG_NOT_UNROLLED for (int64_t j = 0; j < vectors; j++)                                                              \
    {                                                                                                                  \
      __attribute__((aligned(bytes))) hg_word near[HG_NEAR][HG_REACH][HG_WORDS][HG_LANES];                             \
      __attribute__((aligned(bytes))) hg_word result[HG_OWN_ROWS][HG_WORDS][HG_LANES];                                 \
      HG_UNROLL for (int t = 0; t < HG_OWN_ROWS; t++)                                                                  \
      {                                                                                                                \
        HG_UNROLL for (int w = 0; w < HG_WORDS; w++)                                                                   \
        {                                                                                                              \
          HG_UNROLL for (int i = 0; i < HG_REACH - 1; i++) kept[t][i][w] = kept[t][i + 1][w];                          \
          kept[t][HG_REACH - 1][w] = row[HG_OWN(t)][(j + HG_RADIUS) * HG_WORDS + w];                                   \
        }                                                                                                              \
      }                                                                                                                \
      HG_UNROLL for (int n = 0; n < HG_NEAR; n++) HG_UNROLL for (int w = 0; w < HG_WORDS; w++)                         \
      {                                                                                                                \
        HG_UNROLL for (int i = 0; i < HG_REACH; i++) * (hg_vector *)near[n][i][w] =                                    \
            HG_WHICH(n) >= 0              ? kept[HG_WHICH(n) < 0 ? 0 : HG_WHICH(n)][i][w]                              \
            : HG_LOST(n) && i < HG_RADIUS ? lost[n][i < HG_RADIUS ? i : 0][w]                                          \
                                          : row[n][(j + i - HG_RADIUS) * HG_WORDS + w];                                \
        if (HG_LOST(n)) {                                                                                              \
          HG_UNROLL for (int i = 0; i < HG_RADIUS; i++) lost[n][i][w] = *(hg_vector *)near[n][i + 1][w];               \
        }                                                                                                              \
      }                                                                                                                \
      unit.near = &near[0][0][0][0];                                                                                   \
      HG_UNROLL for (int t = 0; t < HG_OWN_ROWS; t++)                                                                  \
      {                                                                                                                \
        unit.behind = HG_OWN(t) - HG_OWN(0);                                                                           \
        unit.at[1] = units->at[1] + t % HG_TOGETHER;                                                                   \
        unit.at[2] = units->at[2] + t / HG_TOGETHER;                                                                   \
        HG_INDEPENDENT for (int l = 0; l < HG_LANES; l++)                                                              \
        {                                                                                                              \
          unit.lane = l;                                                                                               \
          unit.at[0] = units->at[0] + hg_lane_place(rows, j, l);                                                       \
          const HG_VALUE value = name##_point(&unit);                                                                  \
          for (int w = 0; w < HG_WORDS; w++)                                                                           \
            memcpy(&result[t][w][l], (const char *)&value + w * (int)sizeof(hg_word), sizeof(hg_word));                \
        }                                                                                                              \
      }                                                                                                                \
      HG_UNROLL for (int t = 0; t < HG_OWN_ROWS; t++) HG_UNROLL for (int w = 0; w < HG_WORDS; w++)                     \
          row[HG_OUT(t)][j * HG_WORDS + w] = *(hg_vector *)result[t][w];                                               \
    }                                                                                                                  \
    HG_UNROLL for (int t = 0; t < HG_OWN_ROWS; t++) HG_SURROUND(row[HG_OUT(t)], vectors);                              \
  }

#if defined __clang__
#define HG_LANES_CODE(...) __VA_ARGS__
#else
#define HG_LANES_CODE(...) __attribute__((optimize("O3,fp-contract=off"))) __VA_ARGS__
#endif

/* For values of more words the gain is not worth the time of compilation. */
enum { HG_MOST_WORDS = 8 };

#if defined __x86_64__
#define HG_UPDATE_LANES(name)                                                                                          \
  HG_LANES_OF(name, baseline, 16, HG_LANES_CODE())                                                                     \
  HG_LANES_OF(name, avx2, 32, HG_LANES_CODE(__attribute__((target("avx2,fma")))))                                      \
  HG_LANES_OF(name, avx512, 64, HG_LANES_CODE(__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,fma")))))
#define HG_RUN_LANES(name)                                                                                             \
  {                                                                                                                    \
    HG_RUN_IN(name, baseline), HG_RUN_IN(name, avx2), HG_RUN_IN(name, avx512)                                          \
  }
#else
#define HG_UPDATE_LANES(name) HG_LANES_OF(name, baseline, 16, HG_LANES_CODE())
#define HG_RUN_LANES(name)                                                                                             \
  {                                                                                                                    \
    HG_RUN_IN(name, baseline), NULL, NULL                                                                              \
  }
#endif
#define HG_RUN_IN(name, isa) ((int)HG_WORDS <= HG_MOST_WORDS ? name##_lanes_##isa : NULL)
#endif
