/* SPDX-License-Identifier: MIT */
/* The updates of rows in lane layout, in 1-D and 2-D; included by heat_deep_template.h, whose names it uses. */

#undef ROWS
#define ROWS 4 /* advanced together */

/* Rows in one update: in[0..rows+1] are the rows y-1 .. y+rows of the previous level. Row y+i of the next level goes
 * into in[i] (1-D: in[1]): each vector is read before it is overwritten. q are the source rows. In a field q are the
 * conductances between each cell of a row and the next one, and down[0..rows] (2-D) those between the rows y-1 ..
 * y+rows. */
typedef struct NAME(rowset) {
  vec *const *in, *const *q, *const *down;
  int kind;
} NAME(rowset);

/* Copies of what `set` points to, in registers: otherwise it would be read again after each store. */
typedef struct NAME(rows) {
  vec *in[ROWS + 2], *q[ROWS], *down[ROWS + 1];
} NAME(rows);

/* Vector j of each row in a field: what a cell gains from the east and from the south, those neighbours lose. w: what
 * came from the west. */
static inline __attribute__((always_inline)) void NAME(exchange_column)(const int rows, const int dims,
                                                                        const NAME(rows) * s, int64_t j,
                                                                        vec *restrict w, vec *restrict c,
                                                                        const vec *last)
{
  vec next[ROWS], above = c[0], south = c[0]; /* read at once: 6 % faster with AVX-512 */
#pragma GCC unroll 8
  for (int i = 0; i < rows; i++) next[i] = last ? last[i] : s->in[i + 1][j + 1];
  if (dims > 1) above = s->down[0][j] * (c[0] - s->in[0][j]), south = s->in[rows + 1][j];
#pragma GCC unroll 8
  for (int i = 0; i < rows; i++) {
    const vec here = c[i], east = s->q[i][j] * (next[i] - here);
    vec r = here + (east - w[i]);
    if (dims > 1) {
      const vec below = s->down[i + 1][j] * ((i + 1 < rows ? c[i + 1] : south) - here);
      r = r + (below - above);
      above = below;
    }
    s->in[dims > 1 ? i : i + 1][j] = r;
    w[i] = east;
  }
#pragma GCC unroll 8
  for (int i = 0; i < rows; i++) c[i] = next[i];
}

/* Vector j of each row: w and c are its west neighbour and its own value, and become those of the next vector; `last`
 * has the east neighbours of the last vector. Each value is read where it is used, to keep few in registers: compilers
 * do not move reads across stores. */
static inline __attribute__((always_inline)) void NAME(advance_column)(const int rows, const int dims, const int kind,
                                                                       const NAME(coefs) * k, const NAME(rows) * s,
                                                                       int64_t j, vec *restrict w, vec *restrict c,
                                                                       const vec *last)
{
  if (kind == HG_HEAT_FIELD) NAME(exchange_column)(rows, dims, s, j, w, c, last);
#pragma GCC unroll 8
  for (int i = 0; i < rows && kind != HG_HEAT_FIELD; i++) {
    const vec here = c[i], east = last ? last[i] : s->in[i + 1][j + 1];
    vec r = NAME(vfma)(k->ax, w[i] + east, k->c0 * here);
    if (dims > 1) {
      const vec north = i > 0 ? w[i - 1] : s->in[0][j], south = i + 1 < rows ? c[i + 1] : s->in[rows + 1][j];
      r = NAME(vfma)(k->ay, north + south, r);
    }
    if (kind == HG_HEAT_SOURCE) r = r + s->q[i][j];
    s->in[dims > 1 ? i : i + 1][j] = r;
    w[i] = here;
    c[i] = east;
  }
}

/* Advances `rows` neighbouring rows of nv vectors by one level. */
static inline __attribute__((always_inline)) void NAME(advance_rows)(const int rows, const int dims, const int kind,
                                                                     const NAME(coefs) * coefs,
                                                                     const NAME(rowset) * set, int64_t nv)
{
  const NAME(coefs) k = *coefs;
  NAME(rows) s;
  vec w[ROWS], c[ROWS], first[ROWS];
#pragma GCC unroll 8
  for (int i = 0; i < rows + 2; i++) s.in[i] = set->in[i];
#pragma GCC unroll 8
  for (int i = 0; i < rows && kind != HG_HEAT_ALONE; i++) s.q[i] = set->q[i];
  for (int i = 0; i < (dims > 1 && kind == HG_HEAT_FIELD ? rows + 1 : 0); i++) s.down[i] = set->down[i];
#pragma GCC unroll 8
  for (int i = 0; i < rows; i++) {
    c[i] = s.in[i + 1][0];
    w[i] = NAME(lanes_up)(s.in[i + 1][nv - 1]);
    if (kind == HG_HEAT_FIELD) w[i] = NAME(lanes_up)(s.q[i][nv - 1]) * (c[i] - w[i]);
    first[i] = NAME(lanes_down)(c[i]);
  }
#pragma GCC unroll 2
  for (int64_t j = 0; j < nv - 1; j++) NAME(advance_column)(rows, dims, kind, &k, &s, j, w, c, NULL);
  NAME(advance_column)(rows, dims, kind, &k, &s, nv - 1, w, c, first);
}

#define ADVANCE(rows, dims)                                                                                            \
  static void NAME(advance_##rows##_##dims)(const NAME(coefs) * k, const NAME(rowset) * s, int64_t nv)                 \
  {                                                                                                                    \
    if (s->kind == HG_HEAT_FIELD)                                                                                      \
      NAME(advance_rows)(rows, dims, HG_HEAT_FIELD, k, s, nv);                                                         \
    else if (s->kind == HG_HEAT_SOURCE)                                                                                \
      NAME(advance_rows)(rows, dims, HG_HEAT_SOURCE, k, s, nv);                                                        \
    else                                                                                                               \
      NAME(advance_rows)(rows, dims, HG_HEAT_ALONE, k, s, nv);                                                         \
  }
ADVANCE(1, 1)
ADVANCE(1, 2)
ADVANCE(4, 2)
