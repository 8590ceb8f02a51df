/* SPDX-License-Identifier: MIT */
/* BLAS and LAPACK: those linked (blas_linked.c), or those of the library that HETGRID_BLAS names. All calls go through
 * one table of Fortran's routines, which is empty until hg_blas_prepare fills it. Each library uses one thread, since
 * the parallelism is that of tasks. */
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

/** The contents of libhetgrid-blas.so: the routines that are linked. Only programs that compute with them load it,
 * since OpenBLAS takes address space and starts threads as soon as it is loaded. */
typedef struct hg_blas_linked {
  hg_dblas_table in_double;
  hg_sblas_table in_float;
} hg_blas_linked;

extern const hg_blas_linked hg_blas_table;

/** Text for the end of a program's help. */
#define HG_HELP_BLAS                                                                                                   \
  "HETGRID_BLAS: the library of BLAS and LAPACK that computes, a path or a name such as libmkl_rt.so.2 (default: the " \
  "one that is linked).\n\n"

/** Call in main(), before threads, in programs that compute with BLAS. Loads the linked library, and takes the
 * routines from the one that HETGRID_BLAS names (a path or a name such as libmkl_rt.so.2), if it is set; if that has
 * no LAPACK, the linked one is used. Switches off the libraries' threads. OpenBLAS chooses its kernels when it is
 * loaded, and releases older than the processor choose very slow ones (0.3.21 on a recent Xeon: those of 2004, a fifth
 * of the speed). Where the processor has AVX-512 or AVX2 and OpenBLAS chose less, this starts the program again with
 * OPENBLAS_CORETYPE set, which OpenBLAS reads at load time. A value set by the user stays.
 * @return HG_MEMORY where a limit of the address space leaves no room for a library or its buffers; HG_INVALID, naming
 * library and routine, if a library cannot be loaded, lacks a routine of BLAS, or has 64-bit integers; nothing is
 * changed then */
hg_status hg_blas_prepare(char **argv);

/** The libraries and their releases, such as "OpenBLAS 0.3.21" or "BLIS 0.9.0 with LAPACK of OpenBLAS 0.3.21": the
 * same libraries on the same processors give the same bits. "" before hg_blas_prepare, as are the two below. */
const char *hg_blas_name(void);

/** The same with the kernels in use, such as "OpenBLAS 0.3.21 (SkylakeX)". */
const char *hg_blas_text(void);

/** The name in files of speed tables: OpenBLAS' kernels, such as "SkylakeX"; otherwise the library, as
 * "MKL-2025.3.0". */
const char *hg_blas_core(void);

#ifdef __cplusplus
}
#endif
#endif
