/* SPDX-License-Identifier: MIT */
/* FFTW in both precisions, and the functions of items on a CPU. */
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "fft.h"

hg_status fft_allocate(const char *what, size_t bytes, void **out)
{
  const size_t HUGE_PAGE = 2 << 20, room = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  if (posix_memalign(out, HUGE_PAGE, room) != 0) {
    *out = NULL;
    return hg_fail(HG_MEMORY, "%s: %zu bytes could not be allocated", what, bytes);
  }
  madvise(*out, room, MADV_HUGEPAGE); /* a hint; it may be refused */
  memset(*out, 0, room);
  return HG_OK;
}

/* Planes on which plans are tried: more than fit in caches, if there are as many. */
typedef struct fft_trial {
  char *in, *out;
  int64_t planes, in_bytes, out_bytes; /* of one */
} fft_trial;

static fft_trial fft_trial_of(const fft_shape *s, bool timed)
{
  const int64_t CACHES = 32 << 20;
  fft_trial t = {.planes = 1,
                 .in_bytes = (int64_t)fft_all_bytes(s, false) / s->n[0],
                 .out_bytes = (int64_t)fft_all_bytes(s, true) / s->n[0]};
  const int64_t larger = t.in_bytes > t.out_bytes ? t.in_bytes : t.out_bytes;
  if (timed && larger < CACHES) t.planes = CACHES / larger;
  if (t.planes > s->n[0]) t.planes = s->n[0];
  return t;
}

#define FFT(name) fftw_##name
#define FFT_OWN(name) double_##name
#define REAL double
#define LIBRARY fft_double
#include "fftw_template.h"
#undef FFT
#undef FFT_OWN
#undef REAL
#undef LIBRARY
#define FFT(name) fftwf_##name
#define FFT_OWN(name) float_##name
#define REAL float
#define LIBRARY fft_float
#include "fftw_template.h"

int64_t fft_width(const fft_shape *s, bool spectrum)
{
  return s->real && spectrum ? s->n[2] / 2 + 1 : s->n[2];
}

size_t fft_value_bytes(const fft_shape *s, bool spectrum)
{
  return (s->single ? sizeof(float) : sizeof(double)) * (s->real && !spectrum ? 1 : 2);
}

size_t fft_all_bytes(const fft_shape *s, bool after)
{
  const bool spectrum = fft_is_spectrum(s, after);
  return (size_t)(s->n[0] * s->n[1] * fft_width(s, spectrum)) * fft_value_bytes(s, spectrum);
}

double fft_points(const fft_shape *s)
{
  return (s->cube ? (double)s->n[0] : 1) * (double)s->n[1] * (double)s->n[2];
}

bool fft_planes_are_last(const fft_shape *s)
{
  return !s->cube || (s->real && s->inverse);
}

static void divide(const fft *f, void *values, size_t bytes)
{
  const int64_t count = (int64_t)(bytes / (f->options.shape.single ? sizeof(float) : sizeof(double)));
  f->library->scale(values, count, 1 / fft_points(&f->options.shape));
}

hg_status fft_do_planes(const hg_items *items)
{
  const fft *f = items->arg;
  const fft_shape *s = &f->options.shape;
  const size_t in = fft_all_bytes(s, false) / (size_t)s->n[0], out = fft_all_bytes(s, true) / (size_t)s->n[0];
  char *from = items->array[0], *to = items->array[1];
  for (int64_t i = 0; i < items->count; i++, from += in, to += out) {
    void *source = from;
    if (s->real && s->inverse) source = memcpy(f->scratch[items->worker], from, in); /* the plan overwrites its input */
    f->library->plane(&f->plans, s, source, to);
    if (s->inverse && fft_planes_are_last(s)) divide(f, to, out);
  }
  return HG_OK;
}

/* Copies columns to scratch memory, contiguously, and back, a few at a time. */
static void do_block(const fft *f, const char *from, int64_t from_stride, char *to, int64_t to_stride, int64_t wide,
                     char *block)
{
  const fft_shape *s = &f->options.shape;
  const size_t bytes = (size_t)wide * fft_value_bytes(s, true);
  for (int64_t r = 0; r < s->n[0]; r++) memcpy(block + (size_t)r * bytes, from + r * from_stride, bytes);
  f->library->columns(wide == FFT_BLOCK ? f->plans.column : f->plans.rest, block);
  if (s->inverse && !fft_planes_are_last(s)) divide(f, block, (size_t)s->n[0] * bytes);
  for (int64_t r = 0; r < s->n[0]; r++) memcpy(to + r * to_stride, block + (size_t)r * bytes, bytes);
}

hg_status fft_do_columns(const hg_items *items)
{
  const fft *f = items->arg;
  const fft_shape *s = &f->options.shape;
  const int target = s->real && s->inverse; /* array 1, else in place */
  const int64_t wide = fft_width(s, true), bytes = (int64_t)fft_value_bytes(s, true);
  for (int64_t i = 0; i < items->count; i++)
    for (int64_t x = 0; x < wide; x += FFT_BLOCK) {
      const int64_t at = (i * wide + x) * bytes, left = wide - x;
      do_block(f, (char *)items->array[0] + at, items->stride[0], (char *)items->array[target] + at,
               items->stride[target], left < FFT_BLOCK ? left : FFT_BLOCK, f->scratch[items->worker]);
    }
  return HG_OK;
}

/* --- plans --- */

static hg_status read_wisdom(const fft *f)
{
  FILE *in;
  char *text = NULL;
  size_t size = 0;
  if (!f->options.wisdom || access(f->options.wisdom, F_OK) != 0) return HG_OK;
  HG_TRY(hg_file_open(f->options.wisdom, &in));
  const bool good = getdelim(&text, &size, 0, in) > 0 && f->library->use_wisdom(text);
  fclose(in);
  free(text);
  return good ? HG_OK : hg_fail(HG_FORMAT, "%s: not FFTW wisdom of this precision", f->options.wisdom);
}

static hg_status write_wisdom(const fft *f, const char *text)
{
  char temporary[HG_PATH_MAX];
  FILE *out;
  if (!f->options.wisdom) return HG_OK;
  HG_TRY(hg_file_begin(f->options.wisdom, temporary, &out));
  fputs(text, out);
  return hg_file_end(out, temporary, f->options.wisdom, HG_OK);
}

/* Rank 0 measures; the others get its wisdom, and so have the same plans and bits. An implementation without wisdom,
 * such as MKL, makes the same plans on all ranks. */
hg_status fft_plan(fft *f)
{
  const hg_session *s = &f->context.session;
  char *wisdom = NULL;
  hg_status status = HG_OK;
  if (s->rank == 0) {
    status = read_wisdom(f);
    if (status == HG_OK) status = f->library->plan(&f->options.shape, f->options.planner, &f->plans);
    wisdom = f->library->keep_wisdom();
    if (status == HG_OK && f->options.wisdom && !wisdom)
      status = hg_fail(HG_UNSUPPORTED, "--wisdom: not supported by this implementation of FFTW's interface");
    if (status == HG_OK) status = write_wisdom(f, wisdom);
  }
  int64_t size = wisdom ? (int64_t)strlen(wisdom) + 1 : 0;
  hg_session_bcast(s, &size, sizeof size);
  if (s->rank > 0) wisdom = malloc((size_t)size + 1);
  if (size > 0) hg_session_bcast(s, wisdom, (size_t)size);
  if (s->rank > 0) {
    if (size > 0) f->library->use_wisdom(wisdom);
    status = f->library->plan(&f->options.shape, f->options.planner, &f->plans);
  }
  free(wisdom);
  return status;
}
