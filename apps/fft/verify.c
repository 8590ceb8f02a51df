/* SPDX-License-Identifier: MIT */
/* Checks of a Fourier transform's result that do not rely on the program that computed it. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "fft.h"

static double number(const fft_shape *s, const void *values, int64_t i)
{
  return s->single ? (double)((const float *)values)[i] : ((const double *)values)[i];
}

static int64_t numbers(const fft_shape *s, bool after)
{
  return (int64_t)(fft_all_bytes(s, after) / (s->single ? sizeof(float) : sizeof(double)));
}

static void put(const fft_shape *s, void *values, int64_t i, double x)
{
  if (s->single)
    ((float *)values)[i] = (float)x;
  else
    ((double *)values)[i] = x;
}

/* Half a spectrum belongs to real values only if its ends are symmetric, so it is made from real values. */
static hg_status fill_half(const fft *f, void *values)
{
  fft_shape forward = f->options.shape;
  forward.inverse = false;
  const size_t bytes = fft_all_bytes(&forward, false);
  void *real;
  HG_TRY(hg_allocate("random values", bytes, &real));
  for (int64_t i = 0; i < numbers(&forward, false); i++)
    put(&forward, real, i, 2 * hg_random_unit(f->options.seed, (uint64_t)i) - 1);
  const hg_status status = f->library->direct(&forward, real, values);
  free(real);
  return status;
}

void fft_fill_rows(const fft *f, const fft_rows *rows)
{
  const fft_shape *s = &f->options.shape;
  const int64_t size = s->single ? sizeof(float) : sizeof(double);
  for (int64_t r = 0; r < rows->rows; r++) {
    const int64_t first = (rows->at + r * rows->pitch) / size;
    for (int64_t i = 0; i < rows->bytes / size; i++)
      put(s, rows->base + r * rows->stride, i, 2 * hg_random_unit(f->options.seed, (uint64_t)(first + i)) - 1);
  }
}

hg_status fft_fill(const fft *f, void *values)
{
  const fft_shape *s = &f->options.shape;
  if (s->real && s->inverse) return fill_half(f, values);
  fft_fill_rows(f, &(fft_rows){.base = values, .rows = 1, .bytes = (int64_t)f->in_bytes});
  return HG_OK;
}

/* 4 eps log2 n, relative to the largest number. */
static double bound_of(const fft_shape *s)
{
  return 4 * (s->single ? FLT_EPSILON : DBL_EPSILON) * fmax(1, log2(fft_points(s)));
}

/* Below this number, errors are compared with it instead of with the largest number: each of n additions may be off by
 * the smallest subnormal number, which is epsilon times the smallest normal one. */
static double least(const fft_shape *s)
{
  return fft_points(s) * (s->single ? (double)FLT_MIN : DBL_MIN);
}

/* A NaN is the worst. */
static double worse(double a, double b)
{
  return b <= a ? a : isfinite(b) ? b : INFINITY;
}

/* Largest difference, relative to the largest number of the second. */
static double distance(const fft_shape *s, bool after, const void *got, const void *wanted, double by)
{
  double off = 0, largest = least(s);
  for (int64_t i = 0; i < numbers(s, after); i++) {
    const double w = number(s, wanted, i) * by, d = fabs(number(s, got, i) - w);
    largest = fmax(largest, fabs(w));
    off = worse(off, d);
  }
  return off / largest;
}

static hg_status check_error(const char *what, double off, double bound)
{
  if (off <= bound) return HG_OK;
  return hg_fail(HG_MISMATCH, "verify: %s: the relative error is %.3g, must be <= %.3g", what, off, bound);
}

static hg_status check_direct(const fft *f, void *in, void *out)
{
  const fft_shape *s = &f->options.shape;
  memcpy(in, f->in, f->in_bytes);
  HG_TRY(f->library->direct(s, in, out));
  return check_error("direct FFTW", distance(s, true, f->out, out, s->inverse ? 1 / fft_points(s) : 1), bound_of(s));
}

/* Transforms the result back, overwriting it. */
static hg_status check_back(const fft *f, void *in, void *out)
{
  const fft_shape *s = &f->options.shape;
  fft_shape back = *s;
  back.inverse = !s->inverse;
  memcpy(out, f->out, f->out_bytes);
  HG_TRY(f->library->direct(&back, out, in));
  return check_error("round trip", distance(s, false, in, f->in, s->inverse ? 1 : fft_points(s)), 2 * bound_of(s));
}

/* Sum of squares of plane p (of everything, for a cube): inner bins of half a spectrum count twice. The sum may be
 * out of the range of doubles. */
static long double power(const fft_shape *s, bool after, const void *values, int64_t p)
{
  const bool spectrum = fft_is_spectrum(s, after), half = s->real && spectrum;
  const int64_t wide = fft_width(s, spectrum), parts = s->real && !spectrum ? 1 : 2,
                rows = s->n[1] * (s->cube ? s->n[0] : 1), last = s->n[2] % 2 ? -1 : wide - 1;
  long double sum = 0;
  for (int64_t r = 0; r < rows; r++) {
    long double row = 0; /* limits rounding errors */
    for (int64_t x = 0; x < wide * parts; x++) {
      const long double v = number(s, values, (p * s->n[1] + r) * wide * parts + x);
      const int64_t bin = x / parts;
      row += (half && bin != 0 && bin != last ? 2 : 1) * v * v;
    }
    sum += row;
  }
  return sum;
}

static hg_status check_parseval(const fft *f)
{
  const fft_shape *s = &f->options.shape;
  double worst = 0;
  for (int64_t p = 0; p < (s->cube ? 1 : s->n[0]); p++) {
    const long double before = power(s, false, f->in, p), after = power(s, true, f->out, p),
                      wanted = s->inverse ? before / fft_points(s) : before * fft_points(s);
    worst = worse(worst, (double)(fabsl(after - wanted) / fmaxl(wanted, (long double)least(s) * least(s))));
  }
  return check_error("Parseval's identity", worst, fmax(8 * bound_of(s), 1e-12));
}

/* Compares some numbers of a complex result with the defining sum. */
static hg_status check_sums(const fft *f)
{
  const fft_shape *s = &f->options.shape;
  enum { BINS = 4 };
  double largest = least(s), off = 0;
  if (s->real && s->inverse) return HG_OK; /* the other checks suffice */
  const int64_t wide = fft_width(s, true), parts = s->real ? 1 : 2, n3 = s->n[2];
  for (int b = 0; b < BINS; b++) {
    const int64_t k[3] = {(int64_t)(hg_random_bits(9, (uint64_t)(3 * b)) % (uint64_t)s->n[0]),
                          (int64_t)(hg_random_bits(9, (uint64_t)(3 * b + 1)) % (uint64_t)s->n[1]),
                          (int64_t)(hg_random_bits(9, (uint64_t)(3 * b + 2)) % (uint64_t)wide)};
    const int64_t first = s->cube ? 0 : k[0], planes = s->cube ? s->n[0] : 1;
    double re = 0, im = 0;
    for (int64_t i = 0; i < planes * s->n[1] * n3; i++) {
      const int64_t at = (first * s->n[1] * n3 + i) * parts, z = i / n3 / s->n[1];
      /* removes whole turns before anything is rounded */
      const double turn = (double)(i % n3 * k[2] % n3) / (double)n3 +
                          (double)(i / n3 % s->n[1] * k[1] % s->n[1]) / (double)s->n[1] +
                          (s->cube ? (double)(z * k[0] % s->n[0]) / (double)s->n[0] : 0);
      const double c = cos(2 * M_PI * turn), q = (s->inverse ? 1 : -1) * sin(2 * M_PI * turn);
      const double x = number(s, f->in, at), y = parts == 2 ? number(s, f->in, at + 1) : 0;
      re += x * c - y * q;
      im += x * q + y * c;
    }
    const double by = s->inverse ? 1 / fft_points(s) : 1;
    const int64_t at = 2 * ((k[0] * s->n[1] + k[1]) * wide + k[2]);
    off = worse(off, fabs(number(s, f->out, at) - re * by));
    off = worse(off, fabs(number(s, f->out, at + 1) - im * by));
  }
  for (int64_t i = 0; i < numbers(s, true); i++) largest = fmax(largest, fabs(number(s, f->out, i)));
  /* the sum of n numbers in double precision itself has an error of about eps sqrt n */
  return check_error("defining sums", off / largest, bound_of(s) + 4 * DBL_EPSILON * sqrt(fft_points(s)));
}

/* One plane with a 1 at its origin: its transform is the same number everywhere. */
static hg_status check_impulse(fft *f)
{
  fft_shape *s = &f->options.shape;
  const size_t in_bytes = f->in_bytes / (size_t)s->n[0], out_bytes = f->out_bytes / (size_t)s->n[0];
  void *in, *out;
  double off = 0;
  if (s->cube) return HG_OK; /* its planes are not transformed alone */
  HG_TRY(hg_allocate("an impulse", in_bytes, &in));
  hg_status status = hg_allocate("an impulse", out_bytes, &out);
  if (status == HG_OK) {
    void *array[2] = {in, out};
    const hg_items items = {.count = 1, .array = array, .arg = f};
    const bool complex_out = !s->real || !s->inverse;
    put(s, in, 0, 1);
    status = fft_do_planes(&items);
    const int64_t all = numbers(s, true) / s->n[0];
    const double wanted = s->inverse ? 1 / fft_points(s) : 1;
    for (int64_t i = 0; i < all && !(s->real && s->inverse); i++)
      off = worse(off, fabs(number(s, out, i) - (complex_out && i % 2 ? 0 : wanted)));
    if (status == HG_OK) status = check_error("an impulse", off / wanted, bound_of(s));
    free(out);
  }
  free(in);
  return status;
}

hg_status fft_verify(fft *f)
{
  void *in, *out;
  HG_TRY(hg_allocate("verification", f->in_bytes, &in));
  hg_status status = hg_allocate("verification", f->out_bytes, &out);
  if (status == HG_OK) {
    status = check_direct(f, in, out);
    if (status == HG_OK) status = check_back(f, in, out);
    if (status == HG_OK) status = check_parseval(f);
    if (status == HG_OK) status = check_sums(f);
    if (status == HG_OK) status = check_impulse(f);
    free(out);
  }
  free(in);
  return status;
}
