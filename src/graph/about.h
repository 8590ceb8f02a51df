/* SPDX-License-Identifier: MIT */
/* What tasks run on. */
#ifndef HG_GRAPH_ABOUT_H
#define HG_GRAPH_ABOUT_H

#include <stdio.h>

/** Prints StarPU, MPI, CUDA and BLAS, one a line. MPI need not have been initialised. */
void hg_about(FILE *out);
#endif
