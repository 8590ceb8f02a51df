/* SPDX-License-Identifier: MIT */
/* What tasks run on. */
#ifndef HG_RUNTIME_VERSIONS_H
#define HG_RUNTIME_VERSIONS_H

#include <stdio.h>

/** Prints StarPU, MPI, CUDA and BLAS, one a line. MPI need not have been initialised. */
void hg_about(FILE *out);
#endif
