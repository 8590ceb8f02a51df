/* SPDX-License-Identifier: MIT */
/* CUDA functions of the codelets of lu_codelet.h; hg_lu_multiply_back_codelet runs only on CPUs. */
#ifndef HG_CODELETS_LU_LU_CUDA_CODELET_H
#define HG_CODELETS_LU_LU_CUDA_CODELET_H

#include <starpu.h>

#include "codelets/lu/lu_task.h"

void hg_lu_panel_cuda(void *buffer[], void *arg);
void hg_lu_column_cuda(void *buffer[], void *arg);
void hg_lu_update_cuda(void *buffer[], void *arg);
void hg_lu_products_cuda(void *buffer[], void *arg);
void hg_lu_pack_cuda(void *buffer[], void *arg);
void hg_lu_add_cuda(void *buffer[], void *arg);
void hg_lu_unscale_cuda(void *buffer[], void *arg);

/** Whether a CUDA device can run this task. */
bool hg_lu_cuda_can(const hg_lu_task *task);

/** Creates the handles of cuBLAS and cuSOLVER on all CUDA workers; once per process, before the first task. */
void hg_lu_cuda_prepare(void);
#endif
