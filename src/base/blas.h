/* SPDX-License-Identifier: MIT */
/* The BLAS and LAPACK that compute: those linked (blas_linked.c), or those of the library that HETGRID_BLAS names. All
 * calls go through one table of Fortran's routines, which is empty until hg_blas_prepare fills it; each library
 * computes with one thread, since tasks are the parallelism. */
#ifndef HG_BASE_BLAS_H
#define HG_BASE_BLAS_H

#include <stddef.h>

#include "base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define T double
#define HG_BLAS(name) hg_d##name
#include "base/blas_template.h"
#undef T
#undef HG_BLAS
#define T float
#define HG_BLAS(name) hg_s##name
#include "base/blas_template.h"
#undef T
#undef HG_BLAS

/** What libhetgrid-blas.so holds: the routines that are linked. Those programs alone load it that compute with them,
 * since OpenBLAS takes address space and starts threads as soon as it is loaded. */
typedef struct hg_blas_linked {
  hg_dblas_table in_double;
  hg_sblas_table in_float;
} hg_blas_linked;

extern const hg_blas_linked hg_blas_table;

/** For the end of a program's help. */
#define HG_HELP_BLAS                                                                                                   \
  "HETGRID_BLAS: the library of BLAS and LAPACK that computes, a path or a name such as libmkl_rt.so.2 (default: the " \
  "one that is linked).\n\n"

/** Call in main(), before threads, in programs that compute with BLAS. Loads the linked library, and takes the routines
 * from the one that HETGRID_BLAS names (a path or a name such as libmkl_rt.so.2), if it is set; the linked LAPACK stays
 * where that has none. Switches the threads of the libraries off. OpenBLAS chooses its kernels when it is loaded, and
 * releases older than the processor take very slow ones (0.3.21 on a recent Xeon: those of 2004, a fifth of the speed):
 * where the processor has AVX-512 or AVX2 and OpenBLAS chose less, starts the program again with OPENBLAS_CORETYPE set,
 * which it reads at load time. What the user has set stays.
 * @return HG_MEMORY where a limit of the address space leaves no room for a library or its buffers; HG_INVALID, naming
 * library and routine: it cannot be loaded, lacks a routine of BLAS, or counts with 64-bit integers; nothing is changed
 * then */
hg_status hg_blas_prepare(char **argv);

/** The libraries and their releases, such as "OpenBLAS 0.3.21" or "BLIS 0.9.0 with LAPACK of OpenBLAS 0.3.21": with the
 * same ones, and the same processors, results have the same bits. "" before hg_blas_prepare, as are the
 * two below. */
const char *hg_blas_name(void);

/** The same with the kernels in use, such as "OpenBLAS 0.3.21 (SkylakeX)". */
const char *hg_blas_text(void);

/** What tables of speeds are named after: OpenBLAS' kernels, such as "SkylakeX"; otherwise the library, as
 * "MKL-2025.3.0". */
const char *hg_blas_core(void);

#ifdef __cplusplus
}
#endif
#endif
