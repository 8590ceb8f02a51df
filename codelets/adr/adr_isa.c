/* SPDX-License-Identifier: MIT */
/* The adr kernels for one instruction set. Built once per set with -DHG_ISA=baseline|avx2|avx512
 * and the matching compiler flags; adr_cpu.c chooses among them at run time. */
#include <math.h>
#include <string.h>

#include "codelets/adr/adr_internal.h"
#include "codelets/adr/adr_krylov.h"
#include "codelets/adr/adr_point.h"

/* Points of a row whose ratios are stored at a time. */
enum { CHUNK = 256 };

/* Sets a state's ghosts along periodic axes within the block; corners are not needed. */
static void wrap_state(const hg_adr_block *b, double *u)
{
  for (int a = 0; a < 3; a++) {
    if (!b->wrap[a]) continue;
    const int64_t step = b->stride[a], last = (b->n[a] - 1) * step;
    const int o = a == 0 ? 1 : 0, i = a == 2 ? 1 : 2;
    for (int s = 0; s < 2; s++)
      for (int64_t k = 0; k < b->n[i]; k++)
        for (int64_t j = 0; j < b->n[o]; j++) {
          double *at = u + s * b->field + b->origin + k * b->stride[i] + j * b->stride[o];
          at[-step] = at[last];
          at[last + step] = at[0];
        }
  }
}

#define PASTE3(a, b, c) a##_##b##_##c
#define PASTE(a, b, c) PASTE3(a, b, c)
#define NAME(stem) PASTE(stem, real, REAL)
#define NAME3(stem, reaction) PASTE(stem, reaction, REAL)

#define REAL double
#include "codelets/adr/adr_real.h"
#undef REAL
#define REAL float
#include "codelets/adr/adr_real.h"
#undef REAL

#define TABLE2(isa)                                                                                                    \
  const hg_adr_kernel hg_adr_isa_##isa = {.name = #isa,                                                                \
                                          .residual = {residual_of_double, residual_of_float},                         \
                                          .solve = {solve_real_double, solve_real_float},                              \
                                          .pass = {pass_real_double, pass_real_float}};
#define TABLE(isa) TABLE2(isa)
TABLE(HG_ISA)
