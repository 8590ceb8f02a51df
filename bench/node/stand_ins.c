/* SPDX-License-Identifier: MIT
 * What programs ask of libraries over CUDA and of StarPU's helpers for them: nothing is computed, so that each call
 * succeeds; and threads are bound to cores that need not exist. */
int hwloc_set_cpubind(void);
int hwloc_set_cpubind(void)
{
  return 0;
}

#define DOES_NOTHING(name)                                                                                             \
  int name(void);                                                                                                      \
  int name(void)                                                                                                       \
  {                                                                                                                    \
    return 0;                                                                                                          \
  }
DOES_NOTHING(starpu_cublas_init)
DOES_NOTHING(starpu_cublas_shutdown)
DOES_NOTHING(starpu_cublas_set_stream)
DOES_NOTHING(starpu_cublas_get_local_handle)
DOES_NOTHING(starpu_cusolver_init)
DOES_NOTHING(starpu_cusolver_shutdown)
DOES_NOTHING(starpu_cusolverDn_get_local_handle)
DOES_NOTHING(cusolverDnSpotrf_bufferSize)
DOES_NOTHING(cusolverDnSgetrf_bufferSize)
DOES_NOTHING(cublasIsamax_v2)
DOES_NOTHING(cublasSgemm_v2)
DOES_NOTHING(cublasSger_v2)
DOES_NOTHING(cublasSscal_v2)
DOES_NOTHING(cublasSswap_v2)
DOES_NOTHING(cublasSsyrk_v2)
DOES_NOTHING(cublasStrsm_v2)
DOES_NOTHING(cuda_life_update_host)
DOES_NOTHING(cuda_shadow_host)
DOES_NOTHING(cusolverDnSgetrf)
DOES_NOTHING(cusolverDnSpotrf)
DOES_NOTHING(starpu_cusolver_report_error)
DOES_NOTHING(starpu_cublas_report_error)
