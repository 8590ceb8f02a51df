/* SPDX-License-Identifier: MIT */
/* What a library of linear algebra says of itself (OpenBLAS, MKL, BLIS, FlexiBLAS; others go by their file), and how
 * its threads are switched off. All is asked by name at run time, so none of them is needed to build. */
#ifndef HG_BASE_BLAS_LIBRARY_H
#define HG_BASE_BLAS_LIBRARY_H

#include <stdbool.h>

typedef struct hg_blas_library {
  bool is_openblas, by_openmp; /**< by_openmp: its threads are OpenMP's */
  const void *words;           /**< a function of it that tells; NULL if it has none */
  char name[64];               /**< library and release: "OpenBLAS 0.3.21"; one without a name: its file */
  char kernels[64];            /**< that it chose for this processor; "" if it does not tell */
} hg_blas_library;

/** @param handle  of dlopen. @param routine  that is in it or in a library that it needs; its file is the name of a
 * library that tells nothing */
void hg_blas_library_look(void *handle, const void *routine, hg_blas_library *library);

/** The same of one whose file alone may tell: not what it needs. */
void hg_blas_library_look_alone(void *handle, const void *routine, hg_blas_library *library);

/** Whether two functions are in the same file. */
bool hg_blas_same_file(const void *one, const void *other);

/** Switches off the threads of libraries that are loaded from now on, by their environment variables.
 * @return whether OpenMP's were off when the program started: its runtime, which may be loaded already (StarPU needs
 * it), read that then, and what is set by a call counts for the calling thread alone */
bool hg_blas_threads_off(void);

/** Switches off the threads of a library that is loaded; before its first call, since MKL loads its layers then.
 * @param handle  of dlopen, or RTLD_DEFAULT */
void hg_blas_library_threads_off(void *handle);
#endif
