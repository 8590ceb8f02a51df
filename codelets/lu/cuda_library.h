/* SPDX-License-Identifier: MIT */
/* Functions of cuBLAS and cuSOLVER, which are loaded when the first of them is asked for: loading them takes a tenth of
 * a second and a fifth of a gigabyte, which programs on machines without a GPU, and those that use none, need not wait
 * for. Tests that emulate a GPU call functions of their own. C++ only. */
#ifndef HG_CODELETS_LU_CUDA_LIBRARY_H
#define HG_CODELETS_LU_CUDA_LIBRARY_H

#ifdef __CUDACC__
#include <dlfcn.h>

/** A function of a library, which stays loaded; NULL if there is none (dlerror says why). */
static inline void *hg_cuda_function(const char *library, const char *name)
{
  void *const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  return handle ? dlsym(handle, name) : nullptr;
}

#define HG_CUDA_FUNCTION(library, major, call)                                                                         \
  ([] {                                                                                                                \
    static const auto function = (decltype(&call))hg_cuda_function("lib" library ".so." #major, #call);                \
    return function;                                                                                                   \
  }())
/* Their headers give functions other names by macros, which are expanded in between. */
#define HG_CUDA_FUNCTION_NAMED(library, major, call) HG_CUDA_FUNCTION(library, major, call)
#define HG_CUBLAS(call) HG_CUDA_FUNCTION_NAMED("cublas", CUBLAS_VER_MAJOR, call)
#define HG_CUSOLVER(call) HG_CUDA_FUNCTION_NAMED("cusolver", CUSOLVER_VER_MAJOR, call)
#else
#define HG_CUBLAS(call) (&call)
#define HG_CUSOLVER(call) (&call)
#endif
#endif
