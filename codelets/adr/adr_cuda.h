/* SPDX-License-Identifier: MIT */
/* The adr kernels on CUDA devices, with the same bits as on CPUs. All pointers except those to blocks and steps are to
 * device memory, laid out as on the CPU (adr.h), so that a block may change devices between any two tasks. */
#ifndef HG_CODELETS_ADR_ADR_CUDA_H
#define HG_CODELETS_ADR_ADR_CUDA_H

#include "codelets/adr/adr.h"
#include "codelets/adr/adr_krylov.h"
#include "codelets/cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Like hg_adr_begin. Asynchronous on `stream`. */
cudaError_t hg_adr_cuda_begin(const hg_adr_block *block, bool first, bool bdf2, double *u, double *old, double *before,
                              hg_adr_outcome *outcome, cudaStream_t stream);

/** Like hg_adr_kernel.residual. Asynchronous on `stream`. @param is_float  precision of `work` */
cudaError_t hg_adr_cuda_residual(const hg_adr_block *block, const hg_adr_step *step, bool is_float,
                                 const double *tables, const double *u, const double *old, bool fresh, void *work,
                                 hg_adr_outcome *outcome, cudaStream_t stream);

/** Like hg_adr_kernel.solve, where outcome->residual is above the tolerance and nothing has failed. Returns when
 * finished: the host checks after every second iteration whether to go on. @param[out] iterations  of this solve */
cudaError_t hg_adr_cuda_solve(const hg_adr_block *block, const hg_adr_step *step, bool is_float, const double *tables,
                              double *u, void *work, hg_adr_outcome *outcome, int *iterations, cudaStream_t stream);

/** Like hg_adr_kernel.pass, but `sum` is also device memory. Asynchronous on `stream`. */
cudaError_t hg_adr_cuda_pass(const hg_adr_block *block, const hg_adr_step *step, bool is_float, hg_adr_pass pass,
                             const hg_adr_krylov *it, const double *tables, double *u, void *work,
                             hg_adr_outcome *outcome, double *sum, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
