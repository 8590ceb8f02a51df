/* SPDX-License-Identifier: MIT */
/* Kernels of codelets/lu/lu_kernels.h for one precision; included by lu_cpu.c with T, NAME and BLAS defined. */

static int NAME(panel)(int rows, int cols, void *a, int ld, int32_t *pivot)
{
  return hg_lu_panels_at(0)->factor[sizeof(T) == sizeof(float)](rows, cols, a, ld, pivot);
}

static void NAME(multiply)(int m, int n, int k, double alpha, const void *a, int lda, const void *b, int ldb, void *c,
                           int ldc)
{
  if (m > 0 && n > 0 && k > 0) BLAS(gemm)('N', 'N', m, n, k, (T)alpha, a, lda, b, ldb, 1, c, ldc);
}

/* A triangle of BASE rows and some columns of the right-hand side, in registers: row k of the solution is broadcast to
 * a vector and subtracted from the rows that depend on it. */
#define VECTORS (BASE * (int)sizeof(T) / (int)sizeof(NAME(vector)))
#define LANES ((int)(sizeof(NAME(vector)) / sizeof(T)))

typedef T NAME(vector) __attribute__((vector_size(64), aligned(sizeof(T)), may_alias));

/* l holds the triangle by columns, with zeros where there is nothing to subtract; scale is 1 / the diagonal. */
static inline __attribute__((always_inline)) void NAME(solve_columns)(const T *restrict l, const T *restrict scale,
                                                                      bool upper, T *restrict b, int ldb, int count)
{
  NAME(vector) x[BASE_COLUMNS][VECTORS];
#pragma GCC unroll 16
  for (int j = 0; j < BASE_COLUMNS; j++)
#pragma GCC unroll 16
    for (int v = 0; v < VECTORS; v++)
      x[j][v] = *(const NAME(vector) *)(b + (ptrdiff_t)(j < count ? j : 0) * ldb + v * LANES);
#pragma GCC unroll 16
  for (int step = 0; step < BASE; step++) {
    const int k = upper ? BASE - 1 - step : step;
    const NAME(vector) *column = (const NAME(vector) *)(l + k * BASE);
#pragma GCC unroll 16
    for (int j = 0; j < BASE_COLUMNS; j++) {
      T value = x[j][k / LANES][k % LANES];
      if (upper) x[j][k / LANES][k % LANES] = value *= scale[k];
#pragma GCC unroll 16
      for (int v = 0; v < VECTORS; v++)
        if (upper ? v <= k / LANES : v >= k / LANES) x[j][v] -= column[v] * value;
    }
  }
#pragma GCC unroll 16
  for (int j = 0; j < BASE_COLUMNS; j++)
#pragma GCC unroll 16
    for (int v = 0; v < VECTORS; v++)
      if (j < count) *(NAME(vector) *)(b + (ptrdiff_t)j * ldb + v * LANES) = x[j][v];
}

VECTOR_CLONES
static void NAME(solve_base)(int cols, const T *restrict l, const T *restrict scale, bool upper, T *restrict b, int ldb)
{
  for (int c = 0; c < cols; c += BASE_COLUMNS) {
    const int count = cols - c < BASE_COLUMNS ? cols - c : BASE_COLUMNS;
    if (upper)
      NAME(solve_columns)(l, scale, true, b + (ptrdiff_t)c * ldb, ldb, count);
    else
      NAME(solve_columns)(l, scale, false, b + (ptrdiff_t)c * ldb, ldb, count);
  }
}

/* Stores the off-diagonal part of a triangle and the inverses of its diagonal. */
static void NAME(pack_triangle)(const T *a, int lda, bool upper, T *packed, T *scale)
{
  for (int k = 0; k < BASE; k++) {
    for (int i = 0; i < BASE; i++) packed[i + k * BASE] = (upper ? i < k : i > k) ? a[i + (ptrdiff_t)k * lda] : 0;
    scale[k] = upper ? 1 / a[k + (ptrdiff_t)k * lda] : 1;
  }
}

static void NAME(solve_small)(int n, int cols, const T *a, int lda, bool upper, T *b, int ldb)
{
  T packed[BASE * BASE], scale[BASE];
  if (n == BASE) {
    NAME(pack_triangle)(a, lda, upper, packed, scale);
    NAME(solve_base)(cols, packed, scale, upper, b, ldb);
  } else
    BLAS(trsm)('L', upper ? 'U' : 'L', upper ? 'N' : 'U', n, cols, a, lda, b, ldb);
}

/* Rows of the first half: a multiple of BASE. */
static int NAME(half)(int n)
{
  return (n / 2 + BASE - 1) / BASE * BASE;
}

static void NAME(solve_lower)(int n, int cols, const void *lower, int ldl, void *right, int ldb)
{
  const T *l = lower;
  T *b = right;
  if (n <= BASE) {
    NAME(solve_small)(n, cols, l, ldl, false, b, ldb);
    return;
  }
  const int half = NAME(half)(n);
  NAME(solve_lower)(half, cols, l, ldl, b, ldb);
  NAME(multiply)(n - half, cols, half, -1, l + half, ldl, b, ldb, b + half, ldb);
  NAME(solve_lower)(n - half, cols, l + half + (ptrdiff_t)half * ldl, ldl, b + half, ldb);
}

static void NAME(solve_upper)(int n, int cols, const void *upper, int ldu, void *right, int ldb)
{
  const T *u = upper;
  T *b = right;
  if (n <= BASE) {
    NAME(solve_small)(n, cols, u, ldu, true, b, ldb);
    return;
  }
  const int half = NAME(half)(n);
  NAME(solve_upper)(n - half, cols, u + half + (ptrdiff_t)half * ldu, ldu, b + half, ldb);
  NAME(multiply)(half, cols, n - half, -1, u + (ptrdiff_t)half * ldu, ldu, b + half, ldb, b, ldb);
  NAME(solve_upper)(half, cols, u, ldu, b, ldb);
}

#undef VECTORS
#undef LANES

/* Column by column, for narrow panels. */
static int NAME(small_unpivoted)(int rows, int cols, T *a, int ld)
{
  int info = 0;
  for (int c = 0; c < cols; c++) {
    T *column = a + (ptrdiff_t)c * ld;
    if (column[c] == 0) {
      if (!info) info = c + 1;
      continue;
    }
    for (int i = c + 1; i < rows; i++) column[i] /= column[c];
    for (int j = c + 1; j < cols; j++) {
      T *other = a + (ptrdiff_t)j * ld, factor = other[c];
      for (int i = c + 1; i < rows; i++) other[i] -= column[i] * factor;
    }
  }
  return info;
}

static int NAME(unpivoted)(int rows, int cols, T *a, int ld)
{
  if (cols <= SMALL_PANEL) return NAME(small_unpivoted)(rows, cols, a, ld);
  const int half = cols / 2;
  T *right = a + (ptrdiff_t)half * ld;
  int left_info = NAME(unpivoted)(rows, half, a, ld);
  NAME(solve_lower)(half, cols - half, a, ld, right, ld);
  NAME(multiply)(rows - half, cols - half, half, -1, a + half, ld, right, ld, right + half, ld);
  int right_info = NAME(unpivoted)(rows - half, cols - half, right + half, ld);
  return left_info ? left_info : right_info ? right_info + half : 0;
}

static int NAME(panel_unpivoted)(int rows, int cols, void *a, int ld, int32_t *pivot)
{
  for (int c = 0; c < cols; c++) pivot[c] = c;
  return NAME(unpivoted)(rows, cols, a, ld);
}

static void NAME(permute)(int count, const int32_t *restrict to, const int32_t *restrict from, int cols, void *matrix,
                          int ld, void *scratch)
{
  T *restrict work = scratch;
  for (int c = 0; c < cols; c++) {
    T *a = (T *)matrix + (ptrdiff_t)c * ld;
    for (int i = 0; i < count; i++) work[i] = a[from[i]];
    for (int i = 0; i < count; i++) a[to[i]] = work[i];
  }
}

static void NAME(times_lower)(int n, int cols, const void *l, int ldl, void *b, int ldb)
{
  BLAS(trmm)('L', 'L', 'U', n, cols, l, ldl, b, ldb);
}

static void NAME(times_upper)(int m, int n, const void *u, int ldu, void *a, int lda)
{
  BLAS(trmm)('R', 'U', 'N', m, n, u, ldu, a, lda);
}

/* Recursive halving turns most of the work into products, which are faster than triangular solves. */
static void NAME(scale)(int m, int n, const void *upper, int ldu, void *matrix, int lda)
{
  const T *u = upper;
  T *a = matrix;
  if (n <= BASE) {
    BLAS(trsm)('R', 'U', 'N', m, n, u, ldu, a, lda);
    return;
  }
  const int half = NAME(half)(n);
  T *right = a + (ptrdiff_t)half * lda;
  NAME(scale)(m, half, u, ldu, a, lda);
  NAME(multiply)(m, n - half, half, -1, a, lda, u + (ptrdiff_t)half * ldu, ldu, right, lda);
  NAME(scale)(m, n - half, u + half + (ptrdiff_t)half * ldu, ldu, right, lda);
}

static void NAME(times_itself)(int n, void *matrix, int lda, void *scratch)
{
  T *a = matrix, *lower = scratch;
  for (int c = 0; c < n; c++)
    for (int i = 0; i < n; i++) {
      T *value = a + i + (ptrdiff_t)c * lda;
      lower[i + (ptrdiff_t)c * n] = i > c ? *value : (T)(i == c);
      if (i > c) *value = 0;
    }
  NAME(times_lower)(n, n, lower, n, a, lda);
}

static void NAME(add)(int rows, int cols, const void *from, int ldf, void *to, int ldt)
{
  for (int c = 0; c < cols; c++) {
    const T *x = (const T *)from + (ptrdiff_t)c * ldf;
    T *y = (T *)to + (ptrdiff_t)c * ldt;
    for (int i = 0; i < rows; i++) y[i] += x[i];
  }
}
