/* SPDX-License-Identifier: MIT */
#include "codelets/lu_kernels.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* Triangular solves run at a third of the speed of a product; larger ones are cut in halves, which leaves products. */
enum { SMALL_TRIANGLE = 64, SMALL_PANEL = 16 };

#define T double
#define NAME(name) name##_double
#define BLAS(name) cblas_d##name
#define LAPACK(name) LAPACKE_d##name
#include "codelets/lu_cpu_template.h"
#undef T
#undef NAME
#undef BLAS
#undef LAPACK
#define T float
#define NAME(name) name##_float
#define BLAS(name) cblas_s##name
#define LAPACK(name) LAPACKE_s##name
#include "codelets/lu_cpu_template.h"

#define KERNELS(type)                                                                                                  \
  {                                                                                                                    \
    panel_##type, panel_unpivoted_##type, permute_##type, solve_lower_##type, solve_upper_##type, multiply_##type,     \
        times_lower_##type, times_upper_##type, times_itself_##type, add_##type                                        \
  }

const hg_lu_kernels hg_lu_cpu[2] = {KERNELS(double), KERNELS(float)};
