/* SPDX-License-Identifier: MIT */
/* The routines of BLAS and LAPACK for one precision, and calls of them by value; included by base/blas.h with T and
 * HG_BLAS(name) defined. Matrices are stored by columns, ld.. is the distance of two columns in values; letters are
 * BLAS' own: side L R, triangle U L, transposed N T, diagonal N U (ones). */

/* Fortran's own forms; the last arguments are the lengths of the letters. */
typedef void HG_BLAS(gemm_routine)(const char *transa, const char *transb, const int *m, const int *n, const int *k,
                                   const T *alpha, const T *a, const int *lda, const T *b, const int *ldb,
                                   const T *beta, T *c, const int *ldc, size_t, size_t);
typedef void HG_BLAS(triangle_routine)(const char *side, const char *triangle, const char *transposed,
                                       const char *diagonal, const int *m, const int *n, const T *alpha, const T *a,
                                       const int *lda, T *b, const int *ldb, size_t, size_t, size_t, size_t);
typedef void HG_BLAS(gemv_routine)(const char *transposed, const int *m, const int *n, const T *alpha, const T *a,
                                   const int *lda, const T *x, const int *incx, const T *beta, T *y, const int *incy,
                                   size_t);
typedef void HG_BLAS(trsv_routine)(const char *triangle, const char *transposed, const char *diagonal, const int *n,
                                   const T *a, const int *lda, T *x, const int *incx, size_t, size_t, size_t);
typedef void HG_BLAS(getrf_routine)(const int *m, const int *n, T *a, const int *lda, int *pivot, int *info);
typedef void HG_BLAS(lacn2_routine)(const int *n, T *v, T *x, int *sign, T *estimate, int *kase, int *state);

/** The routines that compute, for this precision. */
typedef struct HG_BLAS(blas_table) {
  HG_BLAS(gemm_routine) * gemm;
  HG_BLAS(triangle_routine) * trsm, *trmm;
  HG_BLAS(gemv_routine) * gemv;
  HG_BLAS(trsv_routine) * trsv;
  HG_BLAS(getrf_routine) * getrf;
  HG_BLAS(lacn2_routine) * lacn2; /**< always the linked LAPACK's: it computes little */
} HG_BLAS(blas_table);

extern HG_BLAS(blas_table) HG_BLAS(blas);

/** C = alpha A B + beta C; C is m x n, A (transposed, if so) m x k, B k x n. */
static inline void HG_BLAS(gemm)(char transa, char transb, int m, int n, int k, T alpha, const T *a, int lda,
                                 const T *b, int ldb, T beta, T *c, int ldc)
{
  HG_BLAS(blas).gemm(&transa, &transb, &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc, 1, 1);
}

/** B = A^-1 B or B A^-1, A a triangle, B m x n. */
static inline void HG_BLAS(trsm)(char side, char triangle, char diagonal, int m, int n, const T *a, int lda, T *b,
                                 int ldb)
{
  const T one = 1;
  HG_BLAS(blas).trsm(&side, &triangle, "N", &diagonal, &m, &n, &one, a, &lda, b, &ldb, 1, 1, 1, 1);
}

/** B = A B or B A, A a triangle, B m x n. */
static inline void HG_BLAS(trmm)(char side, char triangle, char diagonal, int m, int n, const T *a, int lda, T *b,
                                 int ldb)
{
  const T one = 1;
  HG_BLAS(blas).trmm(&side, &triangle, "N", &diagonal, &m, &n, &one, a, &lda, b, &ldb, 1, 1, 1, 1);
}

/** y += alpha A x or, transposed, A^T x; A is m x n. */
static inline void HG_BLAS(gemv)(char transposed, int m, int n, T alpha, const T *a, int lda, const T *x, T *y)
{
  const T one = 1;
  const int next = 1;
  HG_BLAS(blas).gemv(&transposed, &m, &n, &alpha, a, &lda, x, &next, &one, y, &next, 1);
}

/** x = A^-1 x or, transposed, A^-T x, A a triangle n x n. */
static inline void HG_BLAS(trsv)(char triangle, char transposed, char diagonal, int n, const T *a, int lda, T *x)
{
  const int next = 1;
  HG_BLAS(blas).trsv(&triangle, &transposed, &diagonal, &n, a, &lda, x, &next, 1, 1, 1);
}

/** P A = L U in place, A m x n. @param[out] pivot  [min(m, n)] row exchanged with row i, from 1
 * @return 0, or the column, from 1, of the first pivot that is exactly zero */
static inline int HG_BLAS(getrf)(int m, int n, T *a, int lda, int *pivot)
{
  int info;
  HG_BLAS(blas).getrf(&m, &n, a, &lda, pivot, &info);
  return info;
}
