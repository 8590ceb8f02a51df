/* SPDX-License-Identifier: MIT */
/* Panels for one instruction set. Built once per set with -DHG_ISA=baseline|avx2|avx512 and the matching compiler
 * flags; lu_cpu.c chooses among them at run time. */
#include <float.h>
#include <stddef.h>

#include "codelets/lu/lu_kernels.h"

/* A product's block in registers: ROWS vectors of WIDTH bytes by COLUMNS. */
#ifdef __AVX512F__
enum { WIDTH = 64, ROWS = 3, COLUMNS = 8 };
#elif defined __AVX2__
enum { WIDTH = 32, ROWS = 3, COLUMNS = 4 };
#else
enum { WIDTH = 16, ROWS = 2, COLUMNS = 4 };
#endif

/* Columns that are factored one by one, and columns of the widest panel with our own products: they are too narrow for
 * BLAS, which would spend its time on packing. */
enum { BASE = 8, OWN = 128 };

/* Columns in the left half of a panel. */
#define HALF(n) (((n) / 2 + BASE - 1) / BASE * BASE)

#define T double
#define INTEGER int64_t
#define MAGNITUDE INT64_MAX
#define SAFE DBL_MIN
#define KERNELS (&hg_lu_cpu[0])
#define NAME(name) name##_double
#include "codelets/lu/lu_panel_template.h"
#undef T
#undef INTEGER
#undef MAGNITUDE
#undef SAFE
#undef KERNELS
#undef NAME
#define T float
#define INTEGER int32_t
#define MAGNITUDE INT32_MAX
#define SAFE FLT_MIN
#define KERNELS (&hg_lu_cpu[1])
#define NAME(name) name##_float
#include "codelets/lu/lu_panel_template.h"

#define TABLE2(isa) const hg_lu_panels hg_lu_panels_##isa = {{panel_double, panel_float}};
#define TABLE(isa) TABLE2(isa)
TABLE(HG_ISA)
