/* SPDX-License-Identifier: MIT */
#ifndef HG_APPS_FFT_H
#define HG_APPS_FFT_H

#include "program/divisible_program.h"

enum { FFT_BLOCK = 16 }; /* columns that are transformed at once along the first axis */

/** What is transformed: `n[0]` planes of n[1] x n[2], and with `cube` along the first axis too. */
typedef struct fft_shape {
  int64_t n[3];
  bool cube, real, inverse, single;
} fft_shape;

typedef enum fft_planner { FFT_ESTIMATE, FFT_MEASURE, FFT_PATIENT } fft_planner;

typedef struct fft_options {
  fft_shape shape;
  bool sized; /* the size was given */
  bool batched;
  const char *input, *wisdom, *golden;
  uint64_t seed;
  fft_planner planner;
  bool verify;
} fft_options;

/** Where a rank's values are, in memory and in the whole array. */
typedef struct fft_rows {
  char *base;
  int64_t rows, bytes, stride; /**< in memory: so many rows of so many bytes, bytes from row to row */
  int64_t at, pitch;           /**< in the array: byte of the first, bytes from row to row */
} fft_rows;

/** Plans of FFTW in one precision; they serve all workers. */
typedef struct fft_plans {
  void *plane;  /**< one plane, or NULL */
  void *column; /**< FFT_BLOCK columns of n[0] behind each other, in place */
  void *rest;   /**< the columns that are left over */
} fft_plans;

/** FFTW in double or single precision. */
typedef struct fft_library {
  const char *name;
  /** Makes the plans. HG_RUNTIME. One thread at a time. */
  hg_status (*plan)(const fft_shape *shape, fft_planner planner, fft_plans *out);
  void (*free)(fft_plans *plans);
  void (*plane)(const fft_plans *plans, const fft_shape *shape, void *in, void *out);
  void (*columns)(void *plan, void *block);
  void (*scale)(void *values, int64_t count, double by); /**< reals */
  char *(*keep_wisdom)(void);                            /**< to be freed */
  bool (*use_wisdom)(const char *text);
  /** All of it at once by plans of its own that are not measured, for --verify. `in` may be
   * overwritten. HG_MEMORY. */
  hg_status (*direct)(const fft_shape *shape, void *in, void *out);
} fft_library;

extern const fft_library fft_double, fft_float;

typedef struct fft {
  hg_divisible_context context;
  fft_options options;
  const fft_library *library;
  fft_plans plans;
  void *in, *middle, *out; /**< of one rank; middle: between the stages of a real cube inverted, else NULL */
  size_t in_bytes, out_bytes;
  void **scratch;           /**< [workers] */
  struct hg_fft_cuda **gpu; /**< [workers] plans of GPUs */
  int workers;
  bool loaded, gathered; /**< the slabs of several ranks have their values; rank 0 has all of them */
} fft;

/** Zeroed memory as all values and plans have it, in huge pages where the system gives them: the columns of a plane are
 * on as many pages as it has rows, and a plan that is measured on small ones is made for those. Free with free().
 * HG_MEMORY naming `what`. */
hg_status fft_allocate(const char *what, size_t bytes, void **out);

/** Values of a plane, and of all: before and after. A value is complex or real. */
int64_t fft_width(const fft_shape *shape, bool spectrum);
size_t fft_value_bytes(const fft_shape *shape, bool spectrum);
size_t fft_all_bytes(const fft_shape *shape, bool after);

/** Whether what lies there is the spectrum. */
static inline bool fft_is_spectrum(const fft_shape *shape, bool after)
{
  return shape->inverse != after;
}

/** The product of the extents that are transformed. */
double fft_points(const fft_shape *shape);

/** The functions of the items: planes, and rows of columns along the first axis. */
hg_status fft_do_planes(const hg_items *items);
hg_status fft_do_columns(const hg_items *items);

/** Whether planes are the last stage, in which inverse transforms divide. */
bool fft_planes_are_last(const fft_shape *shape);

#ifdef HG_HAVE_CUDA
/** The same on GPUs, and their plans; `fft_cuda_end` when StarPU has stopped using them. */
hg_status fft_cuda_planes(const hg_items *items);
hg_status fft_cuda_columns(const hg_items *items);
hg_status fft_prepare_planes(const hg_items *items);
hg_status fft_prepare_columns(const hg_items *items);
void fft_cuda_end(fft *f);
#else
#define fft_cuda_planes NULL
#define fft_cuda_columns NULL
#define fft_prepare_planes NULL
#define fft_prepare_columns NULL
static inline void fft_cuda_end(fft *f)
{
  (void)f;
}
#endif

/** Plans, the same on all ranks, with the wisdom of a file. Collective. HG_RUNTIME, HG_IO,
 * HG_FORMAT. */
hg_status fft_plan(fft *f);

/** A .npy file of complex or real numbers, C order. `fft_read_shape` sets the size, or compares it; `fft_map` finds
 * the values in it, until munmap(file, size). HG_FORMAT. */
hg_status fft_read_shape(const char *path, fft_shape *shape, bool sized, bool batched);
hg_status fft_read(const char *path, const fft_shape *shape, void *values);
hg_status fft_map(const char *path, const fft_shape *shape, void **file, size_t *size, const void **values);

/** NumPy's name of a value's type, without its byte order. */
const char *fft_type(const fft_shape *shape, bool spectrum);

/** Random values in -1..1, the same for every division; half a spectrum is that of such, and only made as a whole.
 * HG_MEMORY. */
hg_status fft_fill(const fft *f, void *values);
void fft_fill_rows(const fft *f, const fft_rows *rows);

/** Several ranks: the values that the first pass begins with; the transposition between the stages of a cube; values
 * and transform on rank 0. Collective. */
hg_status fft_load_slabs(fft *f);
hg_status fft_transpose(fft *f);
hg_status fft_gather_whole(fft *f);

/** Numbers, of which a complex value has two, that are infinite or none. */
int64_t fft_nonfinite(const void *numbers, size_t bytes, bool single);

/** Whether all of the transform is finite. Collective. HG_MISMATCH saying how many numbers are not. */
hg_status fft_check(fft *f);

/** Writes the transform to a .npy file, each rank what it has. Collective. HG_IO. */
hg_status fft_write(fft *f, const char *path);

/** Compares the result with FFTW at once, sums, Parseval's identity, the way back and an impulse.
 * On rank 0. HG_MISMATCH naming which and by how much. */
hg_status fft_verify(fft *f);

void fft_parse(int argc, char **argv, fft *f);
hg_status fft_golden(const char *path);
#endif
