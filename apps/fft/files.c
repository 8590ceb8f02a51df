/* SPDX-License-Identifier: MIT */
/* Complex and real arrays in NumPy's .npy files: C order, this machine's byte order, two or three dimensions. Fields
 * of real numbers in other formats, and in .npy files of other types, are converted to such a file in memory. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/npy.h"
#include "fft.h"
#include "input/grid.h"

const char *fft_type(const fft_shape *s, bool spectrum)
{
  const bool real = s->real && !spectrum;
  return s->single ? (real ? "f4" : "c8") : (real ? "f8" : "c16");
}

static hg_status check_header(const char *path, const hg_npy_header *h, const char *type)
{
  char wanted[8];
  snprintf(wanted, sizeof wanted, "'<%s'", type);
  if (strcmp(h->type, wanted) != 0)
    return hg_fail(HG_FORMAT, "%s: values are of type %s, must be %s", path, h->type, wanted);
  if (h->fortran) return hg_fail(HG_FORMAT, "%s: must be in C order", path);
  if (h->dims < 2) return hg_fail(HG_FORMAT, "%s: has 1 dimension, must have 2 or 3", path);
  for (int i = 0; i < h->dims; i++)
    if (h->shape[i] > INT32_MAX)
      return hg_fail(HG_FORMAT, "%s: an extent is %" PRId64 ", must be in 1..%d", path, h->shape[i], INT32_MAX);
  return HG_OK;
}

/* Converts real numbers to the shape's type: rounded, and complex ones with imaginary parts of 0. */
static void store(const fft_shape *s, const double *number, int64_t count, char *values)
{
  const int parts = s->real ? 1 : 2;
  for (int64_t i = 0; i < count; i++)
    if (s->single)
      ((float *)values)[parts * i] = (float)number[i];
    else
      ((double *)values)[parts * i] = number[i];
}

/* Converts a field of any format to a .npy file in memory, which munmap releases. */
static hg_status convert(const char *spec, const fft_shape *s, hg_grid_input *in, void **bytes, size_t *size)
{
  uint8_t head[HG_NPY_HEAD_MAX];
  int dims;
  int64_t n[3], shape[3];
  hg_grid_shape(in, &dims, n);
  if (dims == 0) return hg_fail(HG_INVALID, "--input: '%s' is not a file", spec);
  if (fft_is_spectrum(s, false)) return hg_fail(HG_INVALID, "%s: a spectrum is complex, must be in a .npy file", spec);
  for (int a = 0; a < dims; a++) shape[a] = n[dims - 1 - a];
  const size_t begin = hg_npy_header_write(fft_type(s, false), dims, shape, head);
  const int64_t cells = n[0] * n[1] * n[2], each = (int64_t)fft_value_bytes(s, false);
  HG_TRY(hg_memory_check(spec, n, each + (int64_t)sizeof(double)));
  *size = begin + (size_t)(cells * each);
  *bytes = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (*bytes == MAP_FAILED) return hg_fail(HG_MEMORY, "%s: no memory for %zu bytes", spec, *size);
  memcpy(*bytes, head, begin);
  double *row = malloc((size_t)n[0] * sizeof *row);
  hg_status status = row ? HG_OK : hg_fail(HG_MEMORY, "%s: no memory for a row", spec);
  for (int64_t i = 0; i < n[1] * n[2] && status == HG_OK; i++) {
    const int64_t y = i % n[1], z = i / n[1];
    status = hg_grid_read(in, n, &(hg_box){{0, y, z}, {n[0], y + 1, z + 1}}, row);
    if (status == HG_OK) store(s, row, n[0], (char *)*bytes + begin + i * n[0] * each);
  }
  free(row);
  if (status != HG_OK) munmap(*bytes, *size);
  return status;
}

/* By its first bytes, whatever its name. */
static bool is_npy(const char *path)
{
  char begin[6] = "";
  FILE *file = NULL;
  const bool read = hg_file_open(path, &file) == HG_OK && fread(begin, sizeof begin, 1, file) == 1;
  if (file) fclose(file);
  return read && memcmp(begin, "\x93NUMPY", sizeof begin) == 0;
}

/* Whether it holds values that can be used directly, or complex ones, which nothing else can read. */
static bool is_used_as_it_is(const char *path, const fft_shape *s, const void *bytes, size_t size)
{
  hg_npy_header h;
  return hg_npy_header_parse(bytes, size, path, &h) != HG_OK || fft_is_spectrum(s, false) || strchr(h.type, 'c') ||
         check_header(path, &h, fft_type(s, false)) == HG_OK;
}

static hg_status map_file(const char *path, const fft_shape *s, void **bytes, size_t *size)
{
  hg_grid_input *in;
  if (hg_file_has_ending(path, ".npy") || is_npy(path)) {
    HG_TRY(hg_file_map(path, bytes, size));
    if (is_used_as_it_is(path, s, *bytes, *size)) return HG_OK;
    munmap(*bytes, *size);
  }
  HG_TRY(hg_grid_open(path, 1, &in));
  const hg_status status = convert(path, s, in, bytes, size);
  hg_grid_close(in);
  return status;
}

/* Maps a file of this shape's type. Extents are the file's, with planes of one layer; for a real inverse, the last is
 * that of half a spectrum. */
static hg_status open_file(const char *path, const fft_shape *s, void **bytes, size_t *size, hg_npy_header *h)
{
  HG_TRY(map_file(path, s, bytes, size));
  hg_status status = hg_npy_header_parse(*bytes, *size, path, h);
  if (status == HG_OK) status = check_header(path, h, fft_type(s, fft_is_spectrum(s, false)));
  if (status != HG_OK) {
    munmap(*bytes, *size);
    *bytes = NULL;
  }
  if (status == HG_OK && h->dims == 2) {
    h->shape[2] = h->shape[1];
    h->shape[1] = h->shape[0];
    h->shape[0] = 1;
  }
  return status;
}

/* A half spectrum of w values is taken to be of 2 (w - 1) real values. */
hg_status fft_read_shape(const char *path, fft_shape *s, bool sized, bool batched)
{
  void *bytes;
  size_t size;
  hg_npy_header h;
  HG_TRY(open_file(path, s, &bytes, &size, &h));
  munmap(bytes, size);
  const int64_t *n = h.shape;
  s->flat = h.dims == 2;
  const bool half = s->real && fft_is_spectrum(s, false);
  if (!sized) {
    s->cube = !batched && n[0] > 1;
    for (int a = 0; a < 3; a++) s->n[a] = n[a];
    if (half) s->n[2] = n[2] > 1 ? 2 * (n[2] - 1) : 1;
  }
  const int64_t wanted[3] = {s->n[0], s->n[1], fft_width(s, fft_is_spectrum(s, false))};
  for (int a = 0; a < 3; a++)
    if (n[a] != wanted[a])
      return hg_fail(HG_INVALID,
                     "%s: shape is %" PRId64 ",%" PRId64 ",%" PRId64 ", must be %" PRId64 ",%" PRId64 ",%" PRId64, path,
                     n[0], n[1], n[2], wanted[0], wanted[1], wanted[2]);
  return HG_OK;
}

int64_t fft_nonfinite(const void *numbers, size_t bytes, bool single)
{
  const double *d = numbers;
  const float *f = numbers;
  const int64_t count = (int64_t)(bytes / (single ? sizeof *f : sizeof *d));
  int64_t nonfinite = 0;
  for (int64_t i = 0; single && i < count; i++) nonfinite += !(fabsf(f[i]) <= FLT_MAX);
  for (int64_t i = 0; !single && i < count; i++) nonfinite += !(fabs(d[i]) <= DBL_MAX);
  return nonfinite;
}

static hg_status check_values(const char *path, const fft_shape *s, const void *values)
{
  const size_t each = fft_value_bytes(s, fft_is_spectrum(s, false));
  const int64_t width = fft_width(s, fft_is_spectrum(s, false));
  int64_t i = 0;
  if (fft_nonfinite(values, fft_all_bytes(s, false), s->single) == 0) return HG_OK;
  while (fft_nonfinite((const char *)values + (size_t)i * each, each, s->single) == 0) i++;
  return hg_fail(HG_FORMAT,
                 "%s: the value at (%" PRId64 ", %" PRId64 ", %" PRId64 ") is infinite or not a number, must be finite",
                 path, i / width / s->n[1], i / width % s->n[1], i % width);
}

hg_status fft_map(const char *path, const fft_shape *s, void **file, size_t *size, const void **values)
{
  hg_npy_header h;
  HG_TRY(open_file(path, s, file, size, &h));
  *values = (const char *)*file + h.begin;
  const hg_status status =
      *size - h.begin == fft_all_bytes(s, false)
          ? check_values(path, s, *values)
          : hg_fail(HG_FORMAT, "%s: does not hold %zu bytes of values", path, fft_all_bytes(s, false));
  if (status == HG_OK) return HG_OK;
  munmap(*file, *size);
  *file = NULL;
  return status;
}

hg_status fft_read(const char *path, const fft_shape *s, void *values)
{
  void *file;
  size_t size;
  const void *from;
  HG_TRY(fft_map(path, s, &file, &size, &from));
  memcpy(values, from, fft_all_bytes(s, false));
  munmap(file, size);
  return HG_OK;
}
