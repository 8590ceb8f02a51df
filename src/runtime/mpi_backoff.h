/* SPDX-License-Identifier: MIT */
/* Lets StarPU-MPI's progress thread back off when there is nothing to do, in programs whose ranks have no core to
 * spare for it. A program that uses HG_MPI_TEST_BACKOFF gets an MPI_Test that calls MPI's and then may sleep. The
 * symbol is the program's, and weak, so that a profiler's own takes precedence; the library defines no name of MPI.
 * The linker must export it to StarPU-MPI with --export-dynamic-symbol=MPI_Test, which is in the flags of
 * pkg-config. */
#ifndef HG_RUNTIME_MPI_BACKOFF_H
#define HG_RUNTIME_MPI_BACKOFF_H

#ifdef __cplusplus
#define HG_EXTERN_C extern "C"
extern "C" {
#else
#define HG_EXTERN_C
#endif

/** MPI_Test of an MPI_Request and an MPI_Status. If the progress thread shares a core, it sleeps for 20 microseconds
 * to a millisecond after some fruitless calls. */
int hg_mpi_test(void *request, int *flag, void *status);

/** Use once, in the file that has main(). It sets the linker's name, since mpi.h declares MPI_Test itself. */
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
