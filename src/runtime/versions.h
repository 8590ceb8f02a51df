/* SPDX-License-Identifier: MIT */
/* The software that tasks run on. */
#ifndef HG_RUNTIME_VERSIONS_H
#define HG_RUNTIME_VERSIONS_H

#include <stdio.h>

/** Prints the versions of StarPU, MPI, CUDA and BLAS, one per line. MPI need not have been initialised. */
void hg_about(FILE *out);
#endif
