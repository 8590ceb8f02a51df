/* SPDX-License-Identifier: MIT */
/* Kernels of codelets/lu_kernels.h for one precision; included by lu_cpu.c with T, NAME, BLAS and LAPACK defined. */

static int NAME(panel)(int rows, int cols, void *a, int ld, int32_t *pivot)
{
  int info = LAPACK(getrf_work)(LAPACK_COL_MAJOR, rows, cols, a, ld, pivot);
  for (int c = 0; c < cols; c++) pivot[c]--;
  return info;
}

static void NAME(multiply)(int m, int n, int k, double alpha, const void *a, int lda, const void *b, int ldb, void *c,
                           int ldc)
{
  if (m > 0 && n > 0 && k > 0)
    BLAS(gemm)(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, (T)alpha, a, lda, b, ldb, 1, c, ldc);
}

static void NAME(solve_lower)(int n, int cols, const void *lower, int ldl, void *right, int ldb)
{
  const T *l = lower;
  T *b = right;
  if (n <= SMALL_TRIANGLE) {
    BLAS(trsm)(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, n, cols, 1, l, ldl, b, ldb);
    return;
  }
  const int half = (n / 2 + 15) / 16 * 16;
  NAME(solve_lower)(half, cols, l, ldl, b, ldb);
  NAME(multiply)(n - half, cols, half, -1, l + half, ldl, b, ldb, b + half, ldb);
  NAME(solve_lower)(n - half, cols, l + half + (ptrdiff_t)half * ldl, ldl, b + half, ldb);
}

static void NAME(solve_upper)(int n, int cols, const void *upper, int ldu, void *right, int ldb)
{
  const T *u = upper;
  T *b = right;
  if (n <= SMALL_TRIANGLE) {
    BLAS(trsm)(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, n, cols, 1, u, ldu, b, ldb);
    return;
  }
  const int half = (n / 2 + 15) / 16 * 16;
  NAME(solve_upper)(n - half, cols, u + half + (ptrdiff_t)half * ldu, ldu, b + half, ldb);
  NAME(multiply)(half, cols, n - half, -1, u + (ptrdiff_t)half * ldu, ldu, b + half, ldb, b, ldb);
  NAME(solve_upper)(half, cols, u, ldu, b, ldb);
}

/* One column after the other, for a few columns. */
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
  BLAS(trmm)(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, n, cols, 1, l, ldl, b, ldb);
}

static void NAME(times_upper)(int m, int n, const void *u, int ldu, void *a, int lda)
{
  BLAS(trmm)(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, m, n, 1, u, ldu, a, lda);
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
