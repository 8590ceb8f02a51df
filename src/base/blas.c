/* SPDX-License-Identifier: MIT */
#include "base/blas.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/blas_library.h"
#include "base/file.h"
#include "base/log.h"

hg_dblas_table hg_dblas;
hg_sblas_table hg_sblas;

/* A routine and its entry in the table. */
typedef struct routine {
  const char *name;
  void *pointer; /* address of the pointer in the table */
} routine;

static const routine blas[] = {{"dgemm_", &hg_dblas.gemm}, {"dtrsm_", &hg_dblas.trsm}, {"dtrmm_", &hg_dblas.trmm},
                               {"dgemv_", &hg_dblas.gemv}, {"dtrsv_", &hg_dblas.trsv}, {"sgemm_", &hg_sblas.gemm},
                               {"strsm_", &hg_sblas.trsm}, {"strmm_", &hg_sblas.trmm}, {"sgemv_", &hg_sblas.gemv},
                               {"strsv_", &hg_sblas.trsv}};
static const routine lapack[] = {{"dgetrf_", &hg_dblas.getrf}, {"sgetrf_", &hg_sblas.getrf}};

enum { BLAS = sizeof blas / sizeof *blas, LAPACK = sizeof lapack / sizeof *lapack };

/* The libraries that the routines are from. */
static struct {
  bool known;
  hg_blas_library blas, lapack;
  char name[160], text[300], core[64];
} in_use;

/* The first routine that the library lacks; NULL if it has all. */
static const char *lacking(void *library, const routine *list, int count)
{
  for (int i = 0; i < count; i++)
    if (!dlsym(library, list[i].name)) return list[i].name;
  return NULL;
}

static void take(void *library, const routine *list, int count)
{
  for (int i = 0; i < count; i++) {
    void *address = dlsym(library, list[i].name);
    memcpy(list[i].pointer, &address, sizeof address);
  }
}

/* A length that is 3 as a 32-bit integer and negative as a 64-bit one; a negative length has no largest value. */
static bool counts_with_64_bits(void *library)
{
  const int64_t length = (int64_t)(UINT64_C(0xffffffff) << 32 | 3), next = 1;
  const double value[] = {1, 2, 1};
  int (*largest)(const int64_t *, const double *, const int64_t *);
  void *address = dlsym(library, "idamax_");
  if (!address) return dlsym(library, "dgemm_64_") != NULL;
  memcpy(&largest, &address, sizeof address);
  return largest(&length, value, &next) != 2;
}

/* libhetgrid-blas.so lies beside the library's file in a build folder, in a folder beside it where it is installed;
 * programs linked statically look for it in the installation folder. */
static void find_linked(char path[HG_PATH_MAX])
{
  static const char *const places[] = {"", "hetgrid/"};
  Dl_info here;
  const char *slash = dladdr(&hg_dblas, &here) ? strrchr(here.dli_fname, '/') : NULL;
  for (int i = 0; slash && i < 2; i++) {
    const int length = (int)(slash - here.dli_fname + 1);
    snprintf(path, HG_PATH_MAX, "%.*s%slibhetgrid-blas.so", length, here.dli_fname, places[i]);
    if (access(path, F_OK) == 0) return;
  }
  snprintf(path, HG_PATH_MAX, "%s/libhetgrid-blas.so", HG_PLUGINS);
}

static hg_status fail_to_load(void)
{
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    return hg_fail(HG_MEMORY, "not enough address space for BLAS: the limit is %llu kB (ulimit -v): %s",
                   (unsigned long long)limit.rlim_cur >> 10, dlerror());
  return hg_fail(HG_INVALID, "BLAS cannot be loaded: %s", dlerror());
}

/* The linked library, or one preloaded in its place. Its symbols are global, since MKL looks there when it loads its
 * parts. */
static hg_status load_linked(void)
{
  char path[HG_PATH_MAX];
  find_linked(path);
  void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  const hg_blas_linked *linked = library ? dlsym(library, "hg_blas_table") : NULL;
  if (!linked) return fail_to_load();
  hg_dblas = linked->in_double;
  hg_sblas = linked->in_float;
  hg_blas_library_threads_off(RTLD_DEFAULT);
  if (!counts_with_64_bits(RTLD_DEFAULT)) return HG_OK;
  return hg_fail(HG_INVALID, "BLAS: what is linked or preloaded counts with 64-bit integers (ILP64), must be one with "
                             "32-bit ones");
}

static hg_status check(void *library, const char *name)
{
  hg_blas_library_threads_off(library);
  if (counts_with_64_bits(library))
    return hg_fail(HG_INVALID, "HETGRID_BLAS: '%s' counts with 64-bit integers (ILP64), must be one with 32-bit ones",
                   name);
  const char *missing = lacking(library, blas, BLAS);
  return missing ? hg_fail(HG_INVALID, "HETGRID_BLAS: '%s' lacks %s, a routine of BLAS", name, missing) : HG_OK;
}

/* The library's own routines come first: those of the linked library have the same names. */
static void *open_library(const char *name)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ /* sanitizers forbid RTLD_DEEPBIND */
  return dlopen(name, RTLD_NOW | RTLD_LOCAL);
#else
  return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
#endif
}

static hg_status load(const char *name)
{
  void *library = open_library(name);
  if (!library) return hg_fail(HG_INVALID, "HETGRID_BLAS: '%s' cannot be loaded: %s", name, dlerror());
  const hg_status status = check(library, name);
  if (status != HG_OK) {
    dlclose(library);
    return status;
  }
  take(library, blas, BLAS);
  if (lacking(library, lapack, LAPACK))
    hg_log(HG_INFO, "HETGRID_BLAS: '%s' has no LAPACK; panels are factored by the linked one", name);
  else
    take(library, lapack, LAPACK);
  return HG_OK;
}

static const void *address_of(const routine *r)
{
  const void *address;
  memcpy(&address, r->pointer, sizeof address);
  return address;
}

/* Finds the library of a routine in the table; a preloaded one comes before the linked one. */
static void look_at(const void *address, void (*ask)(void *, const void *, hg_blas_library *), hg_blas_library *library)
{
  Dl_info file;
  void *handle = dladdr(address, &file) ? dlopen(file.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  ask(handle ? handle : RTLD_DEFAULT, address, library);
  if (handle) dlclose(handle);
}

static void look_at_both(void)
{
  const void *gemm = address_of(&blas[0]), *getrf = address_of(&lapack[0]);
  look_at(gemm, hg_blas_library_look, &in_use.blas);
  if (hg_blas_same_file(gemm, getrf))
    in_use.lapack = in_use.blas;
  else
    look_at(getrf, hg_blas_library_look_alone, &in_use.lapack);
}

static void put_text(char *out, size_t size, const hg_blas_library *l, const char *before)
{
  const bool tells = *l->kernels;
  snprintf(out, size, "%s%s%s%s%s", before, l->name, tells ? " (" : "", l->kernels, tells ? ")" : "");
}

/* OpenBLAS' tables are named after its kernels; file names have no blanks. */
static void put_core(const hg_blas_library *l, char *core, size_t size)
{
  snprintf(core, size, "%s", l->is_openblas ? l->kernels : l->name);
  for (char *at = core; *at; at++)
    if (*at == ' ' || *at == '/') *at = '-';
}

static void look(void)
{
  if (in_use.known || !hg_dblas.gemm) return;
  in_use.known = true;
  look_at_both();
  const bool both = strcmp(in_use.blas.name, in_use.lapack.name) == 0;
  snprintf(in_use.name, sizeof in_use.name, "%s%s%s", in_use.blas.name, both ? "" : " with LAPACK of ",
           both ? "" : in_use.lapack.name);
  put_text(in_use.text, sizeof in_use.text, &in_use.blas, "");
  const size_t end = strlen(in_use.text);
  if (!both) put_text(in_use.text + end, sizeof in_use.text - end, &in_use.lapack, " with LAPACK of ");
  put_core(&in_use.blas, in_use.core, sizeof in_use.core);
}

const char *hg_blas_name(void)
{
  look();
  return in_use.name;
}

const char *hg_blas_text(void)
{
  look();
  return in_use.text;
}

const char *hg_blas_core(void)
{
  look();
  return in_use.core;
}

#ifdef __x86_64__
static bool among(const char *name, const char *const *list)
{
  for (; *list; list++)
    if (strcmp(name, *list) == 0) return true;
  return false;
}

/* The best core type for this processor, or NULL if OpenBLAS' choice is as good. */
static const char *better_core(const hg_blas_library *l)
{
  static const char *const avx512[] = {"SkylakeX", "Cooperlake", "Sapphirerapids", "SapphireRapids", NULL};
  static const char *const avx2[] = {"Haswell", "Zen", NULL};
  if (!l->is_openblas || among(l->kernels, avx512)) return NULL;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw"))
    return "SkylakeX";
  if (among(l->kernels, avx2)) return NULL;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "Haswell" : NULL;
}
#else
static const char *better_core(const hg_blas_library *l)
{
  (void)l;
  return NULL;
}
#endif

static bool set_better_core(const hg_blas_library *l)
{
  const char *core = better_core(l);
  if (!core) return false;
  hg_log(HG_INFO, "OpenBLAS chose the kernels of %s; starting again with OPENBLAS_CORETYPE=%s", l->kernels, core);
  setenv("OPENBLAS_CORETYPE", core, 1);
  return true;
}

/* Starts the program again, for variables that libraries read when they are loaded. */
static void start_again(char **argv)
{
  execv("/proc/self/exe", argv);
  hg_log(HG_WARN, "could not start again; set OPENBLAS_CORETYPE=SkylakeX or Haswell, and OMP_NUM_THREADS=1: linear "
                  "algebra is slow now");
}

/* OpenBLAS maps a thread's buffer at its first product, retries for ever if that fails, and keeps the buffer. Under a
 * limit of the address space (ulimit -v) all buffers are therefore mapped now, while there is room. */
static hg_status map_buffers(void)
{
  enum { BUFFERS = 64 };
  const size_t room = (size_t)256 << 20; /* larger than any buffer */
  void *(*get)(int), (*put)(void *), *buffer[BUFFERS];
  void *found[] = {dlsym(RTLD_DEFAULT, "blas_memory_alloc"), dlsym(RTLD_DEFAULT, "blas_memory_free")};
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || !found[0] || !found[1]) return HG_OK;
  memcpy(&get, &found[0], sizeof get);
  memcpy(&put, &found[1], sizeof put);
  const long cores = sysconf(_SC_NPROCESSORS_ONLN), wanted = cores + 1 < BUFFERS ? cores + 1 : BUFFERS;
  long count = 0;
  for (bool fits = true; count < wanted && fits; count += fits) {
    void *probe = mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    fits = probe != MAP_FAILED && munmap(probe, room) == 0;
    if (fits) buffer[count] = get(0);
  }
  for (long i = 0; i < count; i++) put(buffer[i]);
  return count == wanted ? HG_OK
                         : hg_fail(HG_MEMORY,
                                   "not enough address space for OpenBLAS on %ld cores: the limit is %llu kB "
                                   "(ulimit -v)",
                                   cores, (unsigned long long)limit.rlim_cur >> 10);
}

hg_status hg_blas_prepare(char **argv)
{
  const char *name = getenv("HETGRID_BLAS");
  const bool openmp_is_off = hg_blas_threads_off();
  HG_TRY(load_linked());
  if (name && *name) HG_TRY(load(name));
  look();
  const bool better =
      !getenv("OPENBLAS_CORETYPE") && (set_better_core(&in_use.blas) || set_better_core(&in_use.lapack));
  if (better || (!openmp_is_off && (in_use.blas.by_openmp || in_use.lapack.by_openmp))) start_again(argv);
  return map_buffers();
}
