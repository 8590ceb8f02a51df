/* SPDX-License-Identifier: MIT */
/* Dense kernels of Gaussian elimination on one processor. All matrices are stored by columns; ld is the distance
 * between columns, in values. */
#ifndef HG_CODELETS_LU_LU_KERNELS_H
#define HG_CODELETS_LU_LU_KERNELS_H

#include <stdint.h>

/** Kernels for one precision; `void *` points to double or float. */
typedef struct hg_lu_kernels {
  /** Factors a panel P A = L U of rows x cols in place, with partial pivoting.
   * @param[out] pivot  [min(rows, cols)] row exchanged with row c, counted from 0 at the panel's top
   * @return 0, or the 1-based column of the first pivot that is exactly zero; the factorisation continues */
  int (*panel)(int rows, int cols, void *a, int ld, int32_t *pivot);

  /** The same without exchanges: pivot[c] = c. */
  int (*panel_unpivoted)(int rows, int cols, void *a, int ld, int32_t *pivot);

  /** a[to[i], :] = a[from[i], :] for all i at once, rows counted from a. @param work [count] values */
  void (*permute)(int count, const int32_t *to, const int32_t *from, int cols, void *a, int ld, void *work);

  /** B = L^-1 B, L unit lower triangular n x n, B n x cols. */
  void (*solve_lower)(int n, int cols, const void *l, int ldl, void *b, int ldb);

  /** B = U^-1 B, U upper triangular. */
  void (*solve_upper)(int n, int cols, const void *u, int ldu, void *b, int ldb);

  /** C += alpha A B; C is m x n, A m x k, B k x n. */
  void (*multiply)(int m, int n, int k, double alpha, const void *a, int lda, const void *b, int ldb, void *c, int ldc);

  /** B = L B, L unit lower triangular n x n, B n x cols. */
  void (*times_lower)(int n, int cols, const void *l, int ldl, void *b, int ldb);

  /** A = A U, U upper triangular n x n, A m x n. */
  void (*times_upper)(int m, int n, const void *u, int ldu, void *a, int lda);

  /** A = A U^-1, U upper triangular n x n, A m x n. */
  void (*scale)(int m, int n, const void *u, int ldu, void *a, int lda);

  /** A = L U, with L and U the triangles stored in A, n x n, in place. @param work [n * n] values */
  void (*times_itself)(int n, void *a, int lda, void *work);

  /** to += from, rows x cols. */
  void (*add)(int rows, int cols, const void *from, int ldf, void *to, int ldt);
} hg_lu_kernels;

/** The CPU kernels with BLAS (base/blas.h), single-threaded; [0] double, [1] float. */
extern const hg_lu_kernels hg_lu_cpu[2];

/** hg_lu_kernels.panel for one instruction set: [0] double, [1] float. */
typedef struct hg_lu_panels {
  int (*factor[2])(int rows, int cols, void *a, int ld, int32_t *pivot);
} hg_lu_panels;

/** The panels that this processor can run: number 0 is the fastest; NULL after the last. */
const hg_lu_panels *hg_lu_panels_at(int number);

extern const hg_lu_panels hg_lu_panels_baseline, hg_lu_panels_avx2, hg_lu_panels_avx512;
#endif
