/* SPDX-License-Identifier: MIT */
#include "base/blas_library.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Looks up a function: ISO C has no conversion from the pointer to data that dlsym returns. */
#define LOOK_UP(handle, symbol, function)                                                                              \
  do {                                                                                                                 \
    void *address = dlsym(handle, symbol);                                                                             \
    memcpy(&(function), &address, sizeof address);                                                                     \
  } while (0)

/* "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..."; releases before 0.3.3 omit the first two words. */
static bool is_openblas(void *handle, hg_blas_library *l)
{
  const char *(*config)(void), *(*core)(void);
  char release[32] = "";
  LOOK_UP(handle, "openblas_get_config", config);
  LOOK_UP(handle, "openblas_get_corename", core);
  if (!config || !core) return false;
  sscanf(config(), "OpenBLAS %31s", release);
  memcpy(&l->words, &config, sizeof l->words);
  snprintf(l->name, sizeof l->name, "OpenBLAS%s%s", *release ? " " : "", release);
  snprintf(l->kernels, sizeof l->kernels, "%s", core());
  return l->is_openblas = true;
}

/* "Intel(R) Advanced Vector Extensions 512 (Intel(R) AVX-512) enabled processors": what is in brackets. */
static void put_instructions(const char *processor, char *out, size_t size)
{
  static const char before[] = "(Intel(R) ";
  const char *name = strstr(processor, before);
  if (name)
    snprintf(out, size, "%.*s", (int)strcspn(name + sizeof before - 1, ")"), name + sizeof before - 1);
  else
    snprintf(out, size, "%s", processor);
}

static bool is_mkl(void *handle, hg_blas_library *l)
{
  struct {
    int major, minor, update;
    const char *status, *build, *processor, *platform;
  } v;
  void (*version)(void *);
  LOOK_UP(handle, "MKL_Get_Version", version);
  if (!version) return false;
  version(&v);
  memcpy(&l->words, &version, sizeof l->words);
  snprintf(l->name, sizeof l->name, "MKL %d.%d.%d", v.major, v.minor, v.update);
  put_instructions(v.processor ? v.processor : "", l->kernels, sizeof l->kernels);
  return true;
}

static bool is_blis(void *handle, hg_blas_library *l)
{
  const char *(*version)(void), *(*arch)(int);
  int (*query)(void);
  LOOK_UP(handle, "bli_info_get_version_str", version);
  LOOK_UP(handle, "bli_arch_string", arch);
  LOOK_UP(handle, "bli_arch_query_id", query);
  if (!version) return false;
  memcpy(&l->words, &version, sizeof l->words);
  snprintf(l->name, sizeof l->name, "BLIS %.40s", version());
  if (arch && query) snprintf(l->kernels, sizeof l->kernels, "%s", arch(query()));
  return true;
}

static bool is_flexiblas(void *handle, hg_blas_library *l)
{
  void (*version)(int *, int *, int *);
  int (*backend)(char *, size_t), number[3];
  LOOK_UP(handle, "flexiblas_get_version", version);
  LOOK_UP(handle, "flexiblas_current_backend", backend);
  if (!version) return false;
  memcpy(&l->words, &version, sizeof l->words);
  version(&number[0], &number[1], &number[2]);
  snprintf(l->name, sizeof l->name, "FlexiBLAS %d.%d.%d", number[0], number[1], number[2]);
  if (backend) backend(l->kernels, sizeof l->kernels);
  return true;
}

static void name_by_file(const void *routine, hg_blas_library *l)
{
  Dl_info file;
  char *path = dladdr(routine, &file) ? realpath(file.dli_fname, NULL) : NULL,
       *slash = path ? strrchr(path, '/') : NULL;
  *l = (hg_blas_library){.by_openmp = l->by_openmp};
  snprintf(l->name, sizeof l->name, "%s", slash ? slash + 1 : "unknown");
  free(path);
}

bool hg_blas_same_file(const void *one, const void *other)
{
  Dl_info a, b;
  return dladdr(one, &a) && dladdr(other, &b) && a.dli_fbase == b.dli_fbase;
}

void hg_blas_library_look(void *handle, const void *routine, hg_blas_library *l)
{
  *l = (hg_blas_library){.by_openmp = dlsym(handle, "omp_get_max_threads") != NULL};
  if (!is_flexiblas(handle, l) && !is_mkl(handle, l) && !is_openblas(handle, l) && !is_blis(handle, l))
    name_by_file(routine, l);
}

void hg_blas_library_look_alone(void *handle, const void *routine, hg_blas_library *l)
{
  hg_blas_library_look(handle, routine, l);
  if (!hg_blas_same_file(l->words, routine)) name_by_file(routine, l);
}

bool hg_blas_threads_off(void)
{
  static const char *const name[] = {"OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "OMP_NUM_THREADS"};
  const char *openmp = getenv("OMP_NUM_THREADS");
  const bool were_off = openmp && strcmp(openmp, "1") == 0;
  for (size_t i = 0; i < sizeof name / sizeof *name; i++) setenv(name[i], "1", 1);
  return were_off;
}

void hg_blas_library_threads_off(void *handle)
{
  enum { MKL_SEQUENTIAL = 1 };
  static const char *const name[] = {"openblas_set_num_threads", "MKL_Set_Num_Threads", "flexiblas_set_num_threads"};
  int (*layer)(int);
  void (*set)(int), (*set_long)(int64_t);
  LOOK_UP(handle, "MKL_Set_Threading_Layer", layer);
  if (layer) layer(MKL_SEQUENTIAL);
  for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
    LOOK_UP(handle, name[i], set);
    if (set) set(1);
  }
  LOOK_UP(handle, "bli_thread_set_num_threads", set_long);
  if (set_long) set_long(1);
}
