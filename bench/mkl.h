/* SPDX-License-Identifier: MIT */
/* Opens MKL if MKL_RT names its libmkl_rt.so: a peer that is never needed to build. */
#ifndef BENCH_MKL_H
#define BENCH_MKL_H

#include <dlfcn.h>
#include <stdlib.h>

/* A routine of MKL with so many threads; NULL if there is none (see dlerror). */
static void *mkl_routine(const char *name, int threads)
{
  void *library = dlopen(getenv("MKL_RT") ? getenv("MKL_RT") : "libmkl_rt.so", RTLD_NOW | RTLD_LOCAL);
  if (!library) return NULL;
  void (*set)(int) = (void (*)(int))dlsym(library, "MKL_Set_Num_Threads");
  if (set) set(threads);
  return dlsym(library, name);
}

#endif
