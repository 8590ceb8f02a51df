/* SPDX-License-Identifier: MIT */
/* OpenBLAS, made to use the kernels that fit this processor. */
#ifndef HG_BASE_BLAS_H
#define HG_BASE_BLAS_H

/** Call first in main(). OpenBLAS chooses its kernels when it is loaded, and releases older than the processor take
 * very slow ones (0.3.21 on a recent Xeon: those of 2004, a fifth of the speed). Where the processor has AVX-512 or
 * AVX2 and OpenBLAS chose less, starts the program again with OPENBLAS_CORETYPE set, which it reads at load time.
 * What the user has set stays. OpenBLAS' own threads are switched off: tasks are the parallelism. */
void hg_blas_prepare(char **argv);

/** Name of the kernels in use, such as "SkylakeX". */
const char *hg_blas_core(void);

/** The library, its release and how it was built, as it says itself. */
const char *hg_blas_config(void);
#endif
