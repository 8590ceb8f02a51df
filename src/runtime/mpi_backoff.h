/* SPDX-License-Identifier: MIT */
/* Lets StarPU-MPI's progress thread back off when there is nothing to do, in programs whose ranks have no core to spare
 * for it: a program that says HG_MPI_TEST_BACKOFF gets an MPI_Test that asks MPI and then, maybe, sleeps. It is the
 * program's, and weak, so that a profiler's own wins; the library has no name of MPI. The linker must show it to
 * StarPU-MPI:
 * --export-dynamic-symbol=MPI_Test, which pkg-config gives. */
#ifndef HG_RUNTIME_MPI_BACKOFF_H
#define HG_RUNTIME_MPI_BACKOFF_H

#ifdef __cplusplus
#define HG_EXTERN_C extern "C"
extern "C" {
#else
#define HG_EXTERN_C
#endif

/** MPI_Test of an MPI_Request and an MPI_Status; the progress thread sleeps for 20 microseconds to a millisecond after
 * some fruitless ones, if it shares a core. */
int hg_mpi_test(void *request, int *flag, void *status);

/** Once, in the file of a program's main. By the linker's name, since mpi.h declares its own. */
#ifdef HG_VIRTUAL_TIME
#define HG_MPI_TEST_BACKOFF
#else
#define HG_MPI_TEST_BACKOFF                                                                                            \
  HG_EXTERN_C __attribute__((weak)) int hg_program_mpi_test(void *request, int *flag,                                  \
                                                            void *status) __asm__("MPI_Test");                         \
  HG_EXTERN_C __attribute__((weak)) int hg_program_mpi_test(void *request, int *flag, void *status)                    \
  {                                                                                                                    \
    return hg_mpi_test(request, flag, status);                                                                         \
  }
#endif

#ifdef __cplusplus
}
#endif
#endif
