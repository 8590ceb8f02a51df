/* SPDX-License-Identifier: MIT */
/* The kernels of Gaussian elimination by BLAS and LAPACK, one template for both precisions. */
#include "codelets/lu/lu_kernels.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/blas.h"
#include "codelets/isa.h"

/* Rows of a triangle that is solved in registers, and columns of the right-hand side at a time. OpenBLAS solves at a
 * tenth of the speed of a product; larger triangles are halved recursively, which turns most work into products. */
enum { BASE = 16, BASE_COLUMNS = 8, SMALL_PANEL = 16 };

/* One version per instruction set, chosen when the program starts. */
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define VECTOR_CLONES __attribute__((target_clones("avx512f", "fma", "default"), optimize("O3")))
#else
#define VECTOR_CLONES
#endif

const hg_lu_panels *hg_lu_panels_at(int number)
{
  static const hg_lu_panels *const table[] = HG_ISA_TABLE(hg_lu_panels);
  const int place = hg_isa_place(number);
  return place < 0 ? NULL : table[place];
}

#define T double
#define NAME(name) name##_double
#define BLAS(name) hg_d##name
#include "codelets/lu/lu_cpu_template.h"
#undef T
#undef NAME
#undef BLAS
#define T float
#define NAME(name) name##_float
#define BLAS(name) hg_s##name
#include "codelets/lu/lu_cpu_template.h"

#define KERNELS(type)                                                                                                  \
  {                                                                                                                    \
    panel_##type, panel_unpivoted_##type, permute_##type, solve_lower_##type, solve_upper_##type, multiply_##type,     \
        times_lower_##type, times_upper_##type, scale_##type, times_itself_##type, add_##type                          \
  }

const hg_lu_kernels hg_lu_cpu[2] = {KERNELS(double), KERNELS(float)};
