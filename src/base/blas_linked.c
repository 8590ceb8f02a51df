/* SPDX-License-Identifier: MIT */
/* libhetgrid-blas.so: the linked routines, by their Fortran names. */
#include "base/blas.h"

extern hg_dgemm_routine dgemm_;
extern hg_dtriangle_routine dtrsm_, dtrmm_;
extern hg_dgemv_routine dgemv_;
extern hg_dtrsv_routine dtrsv_;
extern hg_dgetrf_routine dgetrf_;
extern hg_dlacn2_routine dlacn2_;
extern hg_sgemm_routine sgemm_;
extern hg_striangle_routine strsm_, strmm_;
extern hg_sgemv_routine sgemv_;
extern hg_strsv_routine strsv_;
extern hg_sgetrf_routine sgetrf_;
extern hg_slacn2_routine slacn2_;

const hg_blas_linked hg_blas_table = {{dgemm_, dtrsm_, dtrmm_, dgemv_, dtrsv_, dgetrf_, dlacn2_},
                                      {sgemm_, strsm_, strmm_, sgemv_, strsv_, sgetrf_, slacn2_}};
