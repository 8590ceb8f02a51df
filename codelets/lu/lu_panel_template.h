/* SPDX-License-Identifier: MIT */
/* Panels with partial pivoting for one precision; included by lu_panel.c with T, INTEGER (of the same width),
 * MAGNITUDE (its largest value), SAFE (the least number whose reciprocal is finite), KERNELS and NAME defined. The
 * left half is factored, then the right half is updated and factored (Toledo 1997). Blocks of eight columns are
 * factored column by column, in one pass each. */

#define LANES (WIDTH / (int)sizeof(T))

typedef T NAME(vector) __attribute__((vector_size(WIDTH), aligned(sizeof(T)), may_alias));
typedef INTEGER NAME(integers) __attribute__((vector_size(WIDTH), aligned(sizeof(T)), may_alias));

/* Rows of c -= a b: `height` vectors by `width` columns; of the last vector, only the lanes from `fresh` on. */
static inline __attribute__((always_inline)) void NAME(tile)(int height, int width, int fresh, int k,
                                                             const T *restrict a, int lda, const T *restrict b, int ldb,
                                                             T *restrict c, int ldc)
{
  NAME(vector) sum[COLUMNS][ROWS], x[ROWS];
#pragma GCC unroll 8
  for (int j = 0; j < width; j++)
#pragma GCC unroll 4
    for (int r = 0; r < height; r++) sum[j][r] = *(const NAME(vector) *)(c + (ptrdiff_t)j * ldc + r * LANES);
  for (int p = 0; p < k; p++) {
#pragma GCC unroll 4
    for (int r = 0; r < height; r++) x[r] = *(const NAME(vector) *)(a + (ptrdiff_t)p * lda + r * LANES);
#pragma GCC unroll 8
    for (int j = 0; j < width; j++) {
      const T factor = b[p + (ptrdiff_t)j * ldb];
#pragma GCC unroll 4
      for (int r = 0; r < height; r++) sum[j][r] -= x[r] * factor;
    }
  }
#pragma GCC unroll 8
  for (int j = 0; j < width; j++) {
    T *to = c + (ptrdiff_t)j * ldc;
#pragma GCC unroll 4
    for (int r = 0; r < height; r++)
      if (fresh == 0)
        *(NAME(vector) *)(to + r * LANES) = sum[j][r];
      else
        for (int l = fresh; l < LANES; l++) to[l] = sum[j][r][l];
  }
}

/* Blocks of COLUMNS columns while there are so many, then single columns. */
static inline __attribute__((always_inline)) void NAME(tiles)(int height, int fresh, int n, int k, const T *a, int lda,
                                                              const T *b, int ldb, T *c, int ldc)
{
  int j = 0;
  for (; j + COLUMNS <= n; j += COLUMNS)
    NAME(tile)(height, COLUMNS, fresh, k, a, lda, b + (ptrdiff_t)j * ldb, ldb, c + (ptrdiff_t)j * ldc, ldc);
  for (; j < n; j++) NAME(tile)(height, 1, fresh, k, a, lda, b + (ptrdiff_t)j * ldb, ldb, c + (ptrdiff_t)j * ldc, ldc);
}

/* c -= a b. The last rows are covered by a whole vector, some of whose lanes were already computed. */
static void NAME(subtract)(int m, int n, int k, const T *a, int lda, const T *b, int ldb, T *c, int ldc)
{
  int i = 0;
  for (; i + ROWS * LANES <= m; i += ROWS * LANES) NAME(tiles)(ROWS, 0, n, k, a + i, lda, b, ldb, c + i, ldc);
  for (; i + LANES <= m; i += LANES) NAME(tiles)(1, 0, n, k, a + i, lda, b, ldb, c + i, ldc);
  if (i < m && m >= LANES) {
    const int last = m - LANES;
    NAME(tiles)(1, i - last, n, k, a + last, lda, b, ldb, c + last, ldc);
    return;
  }
  for (int j = 0; j < n; j++)
    for (int p = 0; p < k; p++)
      for (int r = i; r < m; r++) c[r + (ptrdiff_t)j * ldc] -= a[r + (ptrdiff_t)p * lda] * b[p + (ptrdiff_t)j * ldb];
}

/* The position of the largest magnitude; of equal ones, the first. */
typedef struct NAME(peak) {
  NAME(vector) largest;
  NAME(integers) row;
} NAME(peak);

static inline int NAME(place)(const NAME(peak) * peak, int first, T *largest)
{
  int place = first;
  *largest = 0;
  for (int l = 0; l < LANES; l++)
    if (peak->largest[l] > *largest || (peak->largest[l] == *largest && peak->row[l] < place))
      *largest = peak->largest[l], place = (int)peak->row[l];
  return place;
}

/* Updates column c: subtracts the previous columns, the last of which must first be multiplied by `scale`.
 * @return the row of its largest element */
static inline __attribute__((always_inline)) int NAME(column)(int m, int c, T *restrict a, int ld, T scale)
{
  T *x = a + (ptrdiff_t)c * ld, *before = x - (c > 0 ? ld : 0), factor[BASE] = {0}, largest;
  NAME(integers) row;
  for (int p = 0; p < c; p++) {
    factor[p] = x[p];
    for (int r = p + 1; r < c; r++) x[r] -= a[r + (ptrdiff_t)p * ld] * factor[p];
  }
  for (int l = 0; l < LANES; l++) row[l] = c + l;
  NAME(peak) peak = {{0}, row};
  int i = c;
  for (; i + LANES <= m; i += LANES) {
    NAME(vector) v = *(const NAME(vector) *)(x + i);
#pragma GCC unroll 8
    for (int p = 0; p < c - 1; p++) v -= *(const NAME(vector) *)(a + (ptrdiff_t)p * ld + i) * factor[p];
    if (c > 0) {
      const NAME(vector) scaled = *(const NAME(vector) *)(before + i) * scale;
      *(NAME(vector) *)(before + i) = scaled;
      v -= scaled * factor[c - 1];
      *(NAME(vector) *)(x + i) = v;
    }
    const NAME(integers) bits = (NAME(integers))v & MAGNITUDE, larger = (NAME(vector))bits > peak.largest;
    peak.largest = (NAME(vector))((bits & larger) | ((NAME(integers))peak.largest & ~larger));
    peak.row = (row & larger) | (peak.row & ~larger);
    row += LANES;
  }
  int place = NAME(place)(&peak, c, &largest);
  for (; i < m; i++) {
    for (int p = 0; p < c - 1; p++) x[i] -= a[(ptrdiff_t)p * ld + i] * factor[p];
    if (c > 0) x[i] -= (before[i] *= scale) * factor[c - 1];
    if ((x[i] < 0 ? -x[i] : x[i]) > largest) largest = x[i] < 0 ? -x[i] : x[i], place = i;
  }
  return place;
}

/* Exchanges rows according to the pivots. */
static void NAME(exchange)(int count, const int32_t *pivot, int n, T *a, int ld)
{
  for (int j = 0; j < n; j++)
    for (int i = 0; i < count; i++) {
      T *x = a + (ptrdiff_t)j * ld, value = x[i];
      x[i] = x[pivot[i]];
      x[pivot[i]] = value;
    }
}

static int NAME(narrow)(int m, int n, T *a, int ld, int32_t *pivot)
{
  int info = 0;
  T scale = 1;
  for (int c = 0; c < n; c++) {
    T *diagonal = a + c + (ptrdiff_t)c * ld;
    switch (c) {
    case 0: pivot[c] = NAME(column)(m, 0, a, ld, scale); break;
    case 1: pivot[c] = NAME(column)(m, 1, a, ld, scale); break;
    case 2: pivot[c] = NAME(column)(m, 2, a, ld, scale); break;
    case 3: pivot[c] = NAME(column)(m, 3, a, ld, scale); break;
    case 4: pivot[c] = NAME(column)(m, 4, a, ld, scale); break;
    case 5: pivot[c] = NAME(column)(m, 5, a, ld, scale); break;
    case 6: pivot[c] = NAME(column)(m, 6, a, ld, scale); break;
    default: pivot[c] = NAME(column)(m, 7, a, ld, scale);
    }
    const int32_t below = pivot[c] - c;
    NAME(exchange)(1, &below, n, a + c, ld);
    if (*diagonal == 0 && info == 0) info = c + 1;
    scale = *diagonal == 0 ? 1 : 1 / *diagonal;
    if (*diagonal != 0 && *diagonal > -SAFE && *diagonal < SAFE) { /* the reciprocal may be infinite */
      for (int i = 1; i < m - c; i++) diagonal[i] /= *diagonal;
      scale = 1;
    }
  }
  T *last = a + (ptrdiff_t)(n - 1) * ld;
  for (int i = n; i < m; i++) last[i] *= scale;
  return info;
}

/* Solves with a unit lower triangle, for the right half of a panel: n is a multiple of BASE. */
static void NAME(solve)(int n, int cols, const T *l, int ldl, T *b, int ldb)
{
  if (n > BASE) {
    const int half = HALF(n);
    NAME(solve)(half, cols, l, ldl, b, ldb);
    NAME(subtract)(n - half, cols, half, l + half, ldl, b, ldb, b + half, ldb);
    NAME(solve)(n - half, cols, l + half + (ptrdiff_t)half * ldl, ldl, b + half, ldb);
    return;
  }
  typedef T eight __attribute__((vector_size(BASE * sizeof(T)), aligned(sizeof(T)), may_alias));
  eight column[BASE];
  for (int k = 0; k < BASE; k++)
    for (int i = 0; i < BASE; i++) column[k][i] = i > k ? l[i + (ptrdiff_t)k * ldl] : 0;
  for (int j = 0; j < cols; j++) {
    eight *to = (eight *)(b + (ptrdiff_t)j * ldb), x = *to;
#pragma GCC unroll 8
    for (int k = 0; k < BASE - 1; k++) {
      const T value = x[k];
      x -= column[k] * value;
    }
    *to = x;
  }
}

/* Requires m >= n. BLAS computes the products of wide panels. */
static int NAME(factor)(int m, int n, T *a, int ld, int32_t *pivot)
{
  if (n <= BASE) return NAME(narrow)(m, n, a, ld, pivot);
  const int half = HALF(n), rest = n - half;
  T *right = a + (ptrdiff_t)half * ld;
  const int left_info = NAME(factor)(m, half, a, ld, pivot);
  NAME(exchange)(half, pivot, rest, right, ld);
  if (n <= OWN) {
    NAME(solve)(half, rest, a, ld, right, ld);
    NAME(subtract)(m - half, rest, half, a + half, ld, right, ld, right + half, ld);
  } else {
    KERNELS->solve_lower(half, rest, a, ld, right, ld);
    KERNELS->multiply(m - half, rest, half, -1, a + half, ld, right, ld, right + half, ld);
  }
  const int right_info = NAME(factor)(m - half, rest, right + half, ld, pivot + half);
  NAME(exchange)(rest, pivot + half, half, a + half, ld);
  for (int i = half; i < n; i++) pivot[i] += half;
  return left_info ? left_info : right_info ? right_info + half : 0;
}

static int NAME(panel)(int rows, int cols, void *values, int ld, int32_t *pivot)
{
  T *a = values, *right = a + (ptrdiff_t)rows * ld;
  if (rows >= cols) return NAME(factor)(rows, cols, a, ld, pivot);
  const int info = NAME(factor)(rows, rows, a, ld, pivot);
  NAME(exchange)(rows, pivot, cols - rows, right, ld);
  KERNELS->solve_lower(rows, cols - rows, a, ld, right, ld);
  return info;
}

#undef LANES
