/* SPDX-License-Identifier: MIT */
#include "runtime/versions.h"

#include <starpu.h>
#include <stdbool.h>
#include <string.h>

#include "base/blas.h"
#ifndef HG_VIRTUAL_TIME
#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

/* Whether StarPU-MPI can send from GPU memory without a copy in main memory. */
static bool sends_from_gpus(void)
{
#if defined STARPU_USE_CUDA && defined MPIX_CUDA_AWARE_SUPPORT
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}
#endif

static void put_mpi(FILE *out)
{
#ifdef HG_VIRTUAL_TIME
  fputs("MPI     none: ranks are simulated\n", out);
#else
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Get_library_version(text, &length);
  text[strcspn(text, ",\n")] = 0;
  fprintf(out, "MPI     %s, sends from %s\n", text, sends_from_gpus() ? "GPU memory" : "main memory only");
#endif
}

static void put_cuda(FILE *out)
{
#if defined STARPU_USE_CUDA && defined CUDART_VERSION
  fprintf(out, "CUDA    %d.%d\n", CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
#else
  fputs("CUDA    none\n", out);
#endif
}

void hg_about(FILE *out)
{
  int major, minor, release;
  starpu_get_version(&major, &minor, &release);
#ifdef STARPU_USE_FXT
  const char *traces = "with FxT";
#else
  const char *traces = "without FxT";
#endif
  fprintf(out, "StarPU  %d.%d.%d, %s\n", major, minor, release, traces);
  put_mpi(out);
  put_cuda(out);
  if (*hg_blas_text()) fprintf(out, "BLAS    %s\n", hg_blas_text());
}
