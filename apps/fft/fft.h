/* SPDX-License-Identifier: MIT */
#ifndef HG_APPS_FFT_H
#define HG_APPS_FFT_H

#include "program/divisible_program.h"

enum { FFT_BLOCK = 16 }; /* columns that are transformed at once along the first axis */

/** The transform: of `n[0]` planes of n[1] x n[2], and with `cube` also along the first axis. */
typedef struct fft_shape {
  int64_t n[3];
  bool cube, real, inverse, single;
  bool flat; /* one plane, from a file of two dimensions: so is the result */
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
  int64_t rows, bytes, stride; /**< in memory: this many rows of this many bytes; bytes between rows */
  int64_t at, pitch;           /**< in the array: byte offset of the first row; bytes between rows */
} fft_rows;

/** FFTW plans in one precision, shared by all workers. */
typedef struct fft_plans {
  void *plane;  /**< one plane, or NULL */
  void *column; /**< FFT_BLOCK contiguous columns of n[0], in place */
  void *rest;   /**< the remaining columns */
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
  /** Transforms everything at once with separate, unmeasured plans, for --verify. May overwrite `in`. HG_MEMORY. */
  hg_status (*direct)(const fft_shape *shape, void *in, void *out);
} fft_library;

extern const fft_library fft_double, fft_float;

typedef struct fft {
  hg_divisible_context context;
  fft_options options;
  const fft_library *library;
  fft_plans plans;
  void *in, *middle, *out; /**< of a single rank; middle: between the stages of a real inverse cube, else NULL */
  size_t in_bytes, out_bytes;
  void **scratch;           /**< [workers] */
  struct hg_fft_cuda **gpu; /**< [workers] plans of GPUs */
  int workers;
  bool loaded, gathered; /**< slabs of several ranks are filled; rank 0 has gathered all */
} fft;

/** Zeroed memory for values and for making plans, in huge pages if available: the columns of a plane are on as many
 * pages as it has rows, and a plan measured on small pages would be tuned for those. Free with free(). HG_MEMORY
 * naming `what`. */
hg_status fft_allocate(const char *what, size_t bytes, void **out);

/** Number of values of a plane, and of all: before and after. A value is complex or real. */
int64_t fft_width(const fft_shape *shape, bool spectrum);
size_t fft_value_bytes(const fft_shape *shape, bool spectrum);
size_t fft_all_bytes(const fft_shape *shape, bool after);

/** Whether the array before or after is the spectrum. */
static inline bool fft_is_spectrum(const fft_shape *shape, bool after)
{
  return shape->inverse != after;
}

/** The product of the transformed extents. */
double fft_points(const fft_shape *shape);

/** The functions of items: planes, and rows of columns along the first axis. */
hg_status fft_do_planes(const hg_items *items);
hg_status fft_do_columns(const hg_items *items);

/** Whether planes are the last stage, in which inverse transforms are normalised. */
bool fft_planes_are_last(const fft_shape *shape);

#ifdef HG_HAVE_CUDA
/** The same on GPUs, and their plans; call `fft_cuda_end` when StarPU no longer uses them. */
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

/** Makes plans, the same on all ranks, using a wisdom file. Collective. HG_RUNTIME, HG_IO, HG_FORMAT. */
hg_status fft_plan(fft *f);

/** A .npy file of complex or real numbers in C order. `fft_read_shape` sets the size or checks it; `fft_map` maps the
 * values, until munmap(file, size). HG_FORMAT. */
hg_status fft_read_shape(const char *path, fft_shape *shape, bool sized, bool batched);
hg_status fft_read(const char *path, const fft_shape *shape, void *values);
hg_status fft_map(const char *path, const fft_shape *shape, void **file, size_t *size, const void **values);

/** NumPy's name of the type of values, without byte order. */
const char *fft_type(const fft_shape *shape, bool spectrum);

/** Random values in -1..1, the same for every division; a half spectrum is derived from such values, and only as a
 * whole. HG_MEMORY. */
hg_status fft_fill(const fft *f, void *values);
void fft_fill_rows(const fft *f, const fft_rows *rows);

/** For several ranks: loads the values for the first pass; transposes between the stages of a cube; gathers values and
 * transform on rank 0. Collective. */
hg_status fft_load_slabs(fft *f);
hg_status fft_transpose(fft *f);
hg_status fft_gather_whole(fft *f);

/** Count of numbers (a complex value has two) that are infinite or NaN. */
int64_t fft_nonfinite(const void *numbers, size_t bytes, bool single);

/** Checks that all of the transform is finite. Collective. HG_MISMATCH with the count of numbers that are not. */
hg_status fft_check(fft *f);

/** Writes the transform to a .npy file, each rank its part. Collective. HG_IO. */
hg_status fft_write(fft *f, const char *path);

/** Checks the result against a single FFTW transform, sums, Parseval's identity, the inverse transform and an impulse.
 * On rank 0. HG_MISMATCH naming the check and the error. */
hg_status fft_verify(fft *f);

void fft_parse(int argc, char **argv, fft *f);
hg_status fft_golden(const char *path);
#endif
