/* SPDX-License-Identifier: MIT */
/* The cuBLAS and cuSOLVER functions that codelets/lu/lu_cuda.cu calls, by BLAS and LAPACK. C++ only. */
#ifndef HG_TESTS_GPU_EMULATED_CUBLAS_V2_H
#define HG_TESTS_GPU_EMULATED_CUBLAS_V2_H

#include "base/blas.h"

typedef void *cublasHandle_t;
typedef void *cusolverDnHandle_t;
enum cublasStatus_t { CUBLAS_STATUS_SUCCESS };
enum cusolverStatus_t { CUSOLVER_STATUS_SUCCESS };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER = 'L', CUBLAS_FILL_MODE_UPPER = 'U' };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT = 'N', CUBLAS_DIAG_UNIT = 'U' };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT = 'L', CUBLAS_SIDE_RIGHT = 'R' };
enum { CUBLAS_OP_N };

inline cublasStatus_t cublasCreate(cublasHandle_t *handle)
{
  *handle = nullptr;
  return CUBLAS_STATUS_SUCCESS;
}

inline cublasStatus_t cublasDestroy(cublasHandle_t)
{
  return CUBLAS_STATUS_SUCCESS;
}

inline cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle)
{
  *handle = nullptr;
  return CUSOLVER_STATUS_SUCCESS;
}

inline cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t)
{
  return CUSOLVER_STATUS_SUCCESS;
}

inline cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t, cudaStream_t)
{
  return CUSOLVER_STATUS_SUCCESS;
}

inline cublasStatus_t cublasSetStream(cublasHandle_t, cudaStream_t)
{
  return CUBLAS_STATUS_SUCCESS;
}

#define HG_EMULATE_BLAS(T, cuda, c)                                                                                    \
  inline cublasStatus_t cublas##cuda##trsm(cublasHandle_t, int, cublasFillMode_t fill, int, cublasDiagType_t diagonal, \
                                           int m, int n, const T *, const T *a, int lda, T *b, int ldb)                \
  {                                                                                                                    \
    hg_##c##trsm('L', (char)fill, (char)diagonal, m, n, a, lda, b, ldb);                                               \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  inline cublasStatus_t cublas##cuda##trmm(cublasHandle_t, cublasSideMode_t side, cublasFillMode_t fill, int,          \
                                           cublasDiagType_t diagonal, int m, int n, const T *, const T *a, int lda,    \
                                           const T *, int, T *b, int ldb)                                              \
  {                                                                                                                    \
    hg_##c##trmm((char)side, (char)fill, (char)diagonal, m, n, a, lda, b, ldb);                                        \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  inline cublasStatus_t cublas##cuda##gemm(cublasHandle_t, int, int, int m, int n, int k, const T *alpha, const T *a,  \
                                           int lda, const T *b, int ldb, const T *beta, T *to, int ldc)                \
  {                                                                                                                    \
    hg_##c##gemm('N', 'N', m, n, k, *alpha, a, lda, b, ldb, *beta, to, ldc);                                           \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  inline cublasStatus_t cublas##cuda##gemmBatched(cublasHandle_t handle, int opa, int opb, int m, int n, int k,        \
                                                  const T *alpha, const T *const a[], int lda, const T *const b[],     \
                                                  int ldb, const T *beta, T *const to[], int ldc, int count)           \
  {                                                                                                                    \
    for (int i = 0; i < count; i++)                                                                                    \
      cublas##cuda##gemm(handle, opa, opb, m, n, k, alpha, a[i], lda, b[i], ldb, beta, to[i], ldc);                    \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  inline cusolverStatus_t cusolverDn##cuda##getrf_bufferSize(cusolverDnHandle_t, int m, int n, T *, int, int *size)    \
  {                                                                                                                    \
    *size = m + n;                                                                                                     \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  inline cusolverStatus_t cusolverDn##cuda##getrf(cusolverDnHandle_t, int m, int n, T *a, int lda, T *work,            \
                                                  int *pivot, int *info)                                               \
  {                                                                                                                    \
    for (int i = 0; i < m + n; i++) work[i] = (T)NAN; /* it is scratch */                                              \
    if (pivot) {                                                                                                       \
      *info = hg_##c##getrf(m, n, a, lda, pivot);                                                                      \
      return CUSOLVER_STATUS_SUCCESS;                                                                                  \
    }                                                                                                                  \
    *info = 0;                                                                                                         \
    for (int k = 0; k < n; k++) {                                                                                      \
      if (a[k + (size_t)k * lda] == 0 && !*info) *info = k + 1;                                                        \
      for (int i = k + 1; i < m; i++) a[i + (size_t)k * lda] /= a[k + (size_t)k * lda];                                \
      for (int j = k + 1; j < n; j++)                                                                                  \
        for (int i = k + 1; i < m; i++) a[i + (size_t)j * lda] -= a[i + (size_t)k * lda] * a[k + (size_t)j * lda];     \
    }                                                                                                                  \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }

HG_EMULATE_BLAS(double, D, d)
HG_EMULATE_BLAS(float, S, s)
#endif
