/* SPDX-License-Identifier: MIT */
#include "base/blas.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"

const char *hg_blas_core(void)
{
  return openblas_get_corename();
}

const char *hg_blas_config(void)
{
  return openblas_get_config();
}

#ifdef __x86_64__
static int among(const char *name, const char *const *list)
{
  for (; *list; list++)
    if (strcmp(name, *list) == 0) return 1;
  return 0;
}

/* The core type this processor deserves, or NULL if OpenBLAS' choice is as good. */
static const char *better_core(void)
{
  static const char *const avx512[] = {"SkylakeX", "Cooperlake", "Sapphirerapids", "SapphireRapids", NULL};
  static const char *const avx2[] = {"Haswell", "Zen", NULL};
  const char *core = hg_blas_core();
  if (among(core, avx512)) return NULL;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw"))
    return "SkylakeX";
  if (among(core, avx2)) return NULL;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "Haswell" : NULL;
}
#else
static const char *better_core(void)
{
  return NULL;
}
#endif

void hg_blas_prepare(char **argv)
{
  const char *core = getenv("OPENBLAS_CORETYPE") ? NULL : better_core();
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  if (core) {
    hg_log(HG_INFO, "OpenBLAS chose the kernels of %s; starting again with OPENBLAS_CORETYPE=%s", hg_blas_core(), core);
    setenv("OPENBLAS_CORETYPE", core, 1);
    execv("/proc/self/exe", argv);
    hg_log(HG_WARN, "could not start again; set OPENBLAS_CORETYPE=%s, linear algebra is slow now", core);
  }
  openblas_set_num_threads(1);
}
