/* SPDX-License-Identifier: MIT
 * Functions of CUDA libraries and of StarPU's helpers for them: they compute nothing, and each call succeeds. Also
 * binds threads to cores that need not exist. */
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

/* CUDA libraries that are loaded on demand are replaced by this one. */
void *dlopen(const char *file, int flags)
{
  static void *(*open)(const char *, int);
  Dl_info self;
  if (!open) open = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
  const bool of_cuda = file && (strncmp(file, "libcu", 5) == 0 || strncmp(file, "libnv", 5) == 0);
  if (of_cuda && dladdr((void *)&dlopen, &self)) file = self.dli_fname;
  return open(file, flags);
}

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
DOES_NOTHING(cublasCreate_v2)
DOES_NOTHING(cublasDestroy_v2)
DOES_NOTHING(cublasDgemm_v2)
DOES_NOTHING(cublasDgemmBatched)
DOES_NOTHING(cublasDtrmm_v2)
DOES_NOTHING(cublasDtrsm_v2)
DOES_NOTHING(cublasSetStream_v2)
DOES_NOTHING(cublasSgemmBatched)
DOES_NOTHING(cublasStrmm_v2)
DOES_NOTHING(cusolverDnCreate)
DOES_NOTHING(cusolverDnDestroy)
DOES_NOTHING(cusolverDnDgetrf)
DOES_NOTHING(cusolverDnDgetrf_bufferSize)
DOES_NOTHING(cusolverDnSetStream)
DOES_NOTHING(cufftPlanMany)
DOES_NOTHING(cufftCreate)
DOES_NOTHING(cufftSetStream)
DOES_NOTHING(cufftDestroy)
DOES_NOTHING(cufftExecZ2Z)
DOES_NOTHING(cufftExecC2C)
DOES_NOTHING(cufftExecC2R)
DOES_NOTHING(cufftExecR2C)
DOES_NOTHING(cufftExecD2Z)
DOES_NOTHING(cufftExecZ2D)
DOES_NOTHING(cufftSetAutoAllocation)
DOES_NOTHING(cufftSetWorkArea)

/* a plan that needs no memory */
int cufftMakePlanMany(int plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride,
                      int odist, int type, int batch, size_t *room);
int cufftMakePlanMany(int plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride,
                      int odist, int type, int batch, size_t *room)
{
  (void)plan, (void)rank, (void)n, (void)inembed, (void)istride, (void)idist, (void)onembed, (void)ostride;
  (void)odist, (void)type, (void)batch;
  *room = 0;
  return 0;
}
