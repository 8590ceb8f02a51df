/* SPDX-License-Identifier: MIT */
/* What a BLAS library tells of itself (OpenBLAS, MKL, BLIS, FlexiBLAS; others go by their file), and how its threads
 * are switched off. Functions are looked up by name at run time, so none of the libraries is needed to build. */
#ifndef HG_BASE_BLAS_LIBRARY_H
#define HG_BASE_BLAS_LIBRARY_H

#include <stdbool.h>

typedef struct hg_blas_library {
  bool is_openblas, by_openmp; /**< by_openmp: its threads are OpenMP's */
  const void *words;           /**< its function that describes it; NULL if it has none */
  char name[64];               /**< library and release: "OpenBLAS 0.3.21"; its file if it tells no name */
  char kernels[64];            /**< the ones it chose for this processor; "" if it does not tell */
} hg_blas_library;

/** @param handle  of dlopen. @param routine  in it or in a library that it needs; if the library tells no name, that
 * file is its name */
void hg_blas_library_look(void *handle, const void *routine, hg_blas_library *library);

/** The same, but asks this file alone and not the libraries it needs. */
void hg_blas_library_look_alone(void *handle, const void *routine, hg_blas_library *library);

/** Whether two functions lie in the same file. */
bool hg_blas_same_file(const void *one, const void *other);

/** Switches off the threads of libraries that are loaded from now on, by their environment variables.
 * @return whether OpenMP's were off when the program started. Its runtime may be loaded already (StarPU needs it) and
 * has then read its variables; calls to it affect the calling thread alone */
bool hg_blas_threads_off(void);

/** Switches off the threads of a loaded library. To be called before the library's first use, when MKL loads its
 * layers.
 * @param handle  of dlopen, or RTLD_DEFAULT */
void hg_blas_library_threads_off(void *handle);
#endif
