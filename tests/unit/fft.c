/* SPDX-License-Identifier: MIT */
/* hetgrid-fft --verify gets wrong results just inside and just beyond the bound of each of its checks; an emulated
 * library makes the earlier checks pass. */
#include "fft/fft.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "tap.h"

enum { PLANES = 3, ROWS = 8, COLUMNS = 16, POINTS = ROWS * COLUMNS, ALL = PLANES * POINTS };

/* 4 eps log2 n, of the largest number. */
static const double BOUND = 4 * DBL_EPSILON * 7;

/* Functions that the emulated library uses instead of forward and backward transforms; NULL: the right ones. */
static const void *claimed[2];
static bool impulse_is_wrong;
static double impulse_error;

static hg_status lie(const fft_shape *s, void *in, void *out)
{
  if (!claimed[s->inverse]) return fft_double.direct(s, in, out);
  memcpy(out, claimed[s->inverse], fft_all_bytes(s, true));
  return HG_OK;
}

static void lie_of_plane(const fft_plans *plans, const fft_shape *s, void *in, void *out)
{
  fft_double.plane(plans, s, in, out);
  if (impulse_is_wrong) ((double *)out)[10] += impulse_error;
}

static double largest(const double *value)
{
  double most = 0;
  for (int i = 0; i < 2 * ALL; i++) most = fmax(most, fabs(value[i]));
  return most;
}

static void expect(fft *f, const char *found, const char *name)
{
  hg_clear_message();
  const hg_status status = fft_verify(f);
  if (found)
    tap_ok(status == HG_MISMATCH && strstr(hg_message(), found), "%s is caught: %s", name, hg_message());
  else
    tap_ok(status == HG_OK, "%s passes %s", name, hg_message());
}

/* Rotates all numbers by a quarter turn: they keep their magnitude. */
static void turn(double *value)
{
  for (int i = 0; i < ALL; i++) {
    const double re = value[2 * i];
    value[2 * i] = -value[2 * i + 1];
    value[2 * i + 1] = re;
  }
}

static void wrong_results(fft *f, double *right)
{
  double *out = f->out, back[2 * ALL];
  const double most = largest(right);
  expect(f, NULL, "the right result");
  out[20] += .5 * BOUND * most;
  expect(f, NULL, "a number that is off by half the bound");
  out[20] = right[20] + 1.5 * BOUND * most;
  expect(f, "direct FFTW", "one that is off by one and a half");
  claimed[0] = out;
  out[20] = right[20] + 40 * BOUND * most * sqrt(POINTS);
  expect(f, "round trip", "... that the direct transform has too, by more");
  for (int i = 0; i < 2 * ALL; i++) back[i] = ((double *)f->in)[i] * POINTS, out[i] = right[i] * (1 + 1e-14);
  claimed[1] = back;
  expect(f, NULL, "a transform that is too large by 1e-14, which FFTW claims in both directions,");
  for (int i = 0; i < 2 * ALL; i++) out[i] = right[i] * (1 + 1e-12);
  expect(f, "Parseval", "... by 1e-12");
  memcpy(out, right, f->out_bytes);
  turn(out);
  expect(f, "defining sums", "one that is turned");
  memcpy(out, right, f->out_bytes);
  claimed[0] = claimed[1] = NULL;
  impulse_is_wrong = true;
  impulse_error = .5 * BOUND;
  expect(f, NULL, "a plane of ones except for half the bound");
  impulse_error = 1.5 * BOUND;
  expect(f, "an impulse", "... for one and a half");
  impulse_error = NAN;
  expect(f, "an impulse", "... for one that is no number");
}

int main(void)
{
  static fft_library library;
  fft f = {.options = {.shape = {.n = {PLANES, ROWS, COLUMNS}}, .seed = 5}, .library = &library};
  double in[2 * ALL], out[2 * ALL], right[2 * ALL];
  library = fft_double;
  library.direct = lie;
  library.plane = lie_of_plane;
  f.in = in, f.out = out;
  f.in_bytes = f.out_bytes = sizeof in;
  void *array[2] = {in, out};
  if (!tap_ok(fft_fill(&f, in) == HG_OK && library.plan(&f.options.shape, FFT_ESTIMATE, &f.plans) == HG_OK &&
                  fft_do_planes(&(hg_items){.count = PLANES, .array = array, .arg = &f}) == HG_OK,
              "%d planes are transformed", PLANES))
    return tap_done();
  memcpy(right, out, sizeof right);
  wrong_results(&f, right);
  library.free(&f.plans);
  return tap_done();
}
