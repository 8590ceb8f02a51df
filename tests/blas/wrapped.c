/* SPDX-License-Identifier: MIT */
/* A library for HETGRID_BLAS that forwards calls to the linked one and counts them; the counts are in the file
 * HG_BLAS_COUNTS when the program has ended. It claims to be BLIS 9.9. Without -DWITH_LAPACK it has BLAS only and seems
 * to use OpenMP threads. With HG_BLAS_WRONG the first value of each product is too large by 1. */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BLAS_ROUTINES(X)                                                                                               \
  X(dgemm_) X(sgemm_) X(dtrsm_) X(strsm_) X(dtrmm_) X(strmm_) X(dgemv_) X(sgemv_) X(dtrsv_) X(strsv_)
#ifdef WITH_LAPACK
#define ROUTINES(X) BLAS_ROUTINES(X) X(dgetrf_) X(sgetrf_)
#else
#define ROUTINES(X) BLAS_ROUTINES(X)
int omp_get_max_threads(void);
int omp_get_max_threads(void)
{
  return 2;
}
#endif

static void *linked(const char *name)
{
  void *program = dlopen(NULL, RTLD_LAZY), *address = program ? dlsym(program, name) : NULL;
  if (!address) abort();
  dlclose(program);
  return address;
}

#define WRAP(name, parameters, arguments, ...)                                                                         \
  static atomic_long name##calls;                                                                                      \
  void name parameters;                                                                                                \
  void name parameters                                                                                                 \
  {                                                                                                                    \
    name##calls++;                                                                                                     \
    ((void(*) parameters)linked(#name)) arguments;                                                                     \
    __VA_ARGS__;                                                                                                       \
  }

/* All arguments are addresses, followed by the lengths of the character arguments. */
typedef const void *at;
#define PRODUCT(name, T)                                                                                               \
  WRAP(name, (at a, at b, at m, at n, at k, at x, at p, at i, at q, at j, at y, at r, at l, size_t s, size_t t),       \
       (a, b, m, n, k, x, p, i, q, j, y, r, l, s, t), if (getenv("HG_BLAS_WRONG"))((T *)(uintptr_t)r)[0] += 1)
#define TRIANGLE(name)                                                                                                 \
  WRAP(name,                                                                                                           \
       (at a, at b, at c, at d, at m, at n, at x, at p, at i, at q, at j, size_t s, size_t t, size_t u, size_t v),     \
       (a, b, c, d, m, n, x, p, i, q, j, s, t, u, v))
#define VECTOR(name)                                                                                                   \
  WRAP(name, (at a, at m, at n, at x, at p, at i, at q, at j, at y, at r, at l, size_t s),                             \
       (a, m, n, x, p, i, q, j, y, r, l, s))
#define SOLUTION(name)                                                                                                 \
  WRAP(name, (at a, at b, at c, at n, at p, at i, at q, at j, size_t s, size_t t, size_t u),                           \
       (a, b, c, n, p, i, q, j, s, t, u))
#define FACTORS(name) WRAP(name, (at m, at n, at p, at i, at q, at r), (m, n, p, i, q, r))
PRODUCT(dgemm_, double)
PRODUCT(sgemm_, float)
TRIANGLE(dtrsm_)
TRIANGLE(strsm_)
TRIANGLE(dtrmm_)
TRIANGLE(strmm_)
VECTOR(dgemv_)
VECTOR(sgemv_)
SOLUTION(dtrsv_)
SOLUTION(strsv_)
#ifdef WITH_LAPACK
FACTORS(dgetrf_)
FACTORS(sgetrf_)
#endif

int idamax_(const int *n, const double *x, const int *step);
int idamax_(const int *n, const double *x, const int *step)
{
  return ((int (*)(const int *, const double *, const int *))linked("idamax_"))(n, x, step);
}

const char *bli_info_get_version_str(void);
const char *bli_info_get_version_str(void)
{
  return "9.9";
}

static int64_t threads;
void bli_thread_set_num_threads(int64_t count);
void bli_thread_set_num_threads(int64_t count)
{
  threads = count;
}

/* Each load of the library adds a line to HG_BLAS_LOADS: the current OMP_NUM_THREADS. */
__attribute__((constructor)) static void note_loading(void)
{
  const char *path = getenv("HG_BLAS_LOADS"), *openmp = getenv("OMP_NUM_THREADS");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (!file) return;
  fprintf(file, "%s\n", openmp ? openmp : "not set");
  fclose(file);
}

__attribute__((destructor)) static void write_counts(void)
{
  const char *path = getenv("HG_BLAS_COUNTS");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
#define X(name) fprintf(file, "%s %ld\n", #name, (long)name##calls);
  ROUTINES(X)
  fprintf(file, "threads %lld\n", (long long)threads);
  fclose(file);
}
