/* SPDX-License-Identifier: MIT */
/* Functions of cuBLAS and cuSOLVER. The libraries are loaded when the first of their functions is requested: loading
 * takes 0.1 s and 0.2 GB, which programs on machines without a GPU, and those that use none, avoid. Tests that emulate
 * a GPU call their own functions. C++ only. */
#ifndef HG_CODELETS_LU_CUDA_LIBRARY_H
#define HG_CODELETS_LU_CUDA_LIBRARY_H

#ifdef __CUDACC__
#include <dlfcn.h>

/** A function of a library, which stays loaded; NULL if it is missing (dlerror says why). */
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
/* The libraries' headers rename functions by macros, which this level expands. */
#define HG_CUDA_FUNCTION_NAMED(library, major, call) HG_CUDA_FUNCTION(library, major, call)
#define HG_CUBLAS(call) HG_CUDA_FUNCTION_NAMED("cublas", CUBLAS_VER_MAJOR, call)
#define HG_CUSOLVER(call) HG_CUDA_FUNCTION_NAMED("cusolver", CUSOLVER_VER_MAJOR, call)
#else
#define HG_CUBLAS(call) (&call)
#define HG_CUSOLVER(call) (&call)
#endif
#endif
