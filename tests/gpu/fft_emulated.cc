/* SPDX-License-Identifier: MIT */
/* The launchers of hetgrid-fft on an emulated cuFFT make the right transforms: planes and columns, both directions,
 * both precisions, real and complex. */
#include "codelets/fft/fft_cuda.cu"

#include "tap.h"

typedef std::complex<double> number;

template <typename T>
static std::vector<T> randoms(size_t count)
{
  uint64_t state = 7;
  std::vector<T> x(count);
  for (T &v : x) v = (T)((double)(tap_random(&state) >> 11) * 0x1p-52 - 1);
  return x;
}

template <typename T>
static void there_and_back(int n2, int n3, int count, bool real)
{
  const bool single = sizeof(T) == 4;
  const size_t values = (size_t)count * n2 * n3 * (real ? 1 : 2), half = (size_t)count * n2 * (n3 / 2 + 1) * 2;
  const std::vector<T> x = randoms<T>(values);
  std::vector<T> y(real ? half : values), z(values);
  hg_fft_cuda *f = hg_fft_cuda_make();
  const hg_fft_kind forward = {single, real, false}, inverse = {single, real, true};
  int error = hg_fft_cuda_planes(f, forward, n2, n3, count, NULL, NULL, 1, nullptr);
  error += hg_fft_cuda_planes(f, forward, n2, n3, count, x.data(), y.data(), 1, nullptr);
  /* the sum of a plane is its bin 0 */
  double off = 0, sum = 0;
  const size_t plane = values / (size_t)count;
  for (int b = 0; b < count; b++, sum = 0) {
    for (size_t i = 0; i < plane; i += real ? 1 : 2) sum += (double)x[b * plane + i];
    off = std::fmax(off, std::fabs((double)y[b * (y.size() / (size_t)count)] - sum));
  }
  error += hg_fft_cuda_planes(f, inverse, n2, n3, count, y.data(), z.data(), 1. / n2 / n3, nullptr);
  for (size_t i = 0; i < values; i++) off = std::fmax(off, std::fabs((double)z[i] - (double)x[i]));
  tap_ok(error == 0 && off < (single ? 1e-4 : 1e-12), "%d planes of %d x %d, %s, %s (off by %.2g)", count, n2, n3,
         single ? "float" : "double", real ? "real" : "complex", off);
  tap_ok(f->plans == (real ? 2 : 1), "... with a plan for each kind");
  hg_fft_cuda_free(f);
}

/* Columns with gaps between rows, against the sum; values in the gaps do not change. */
static void columns(bool in_place)
{
  const int n = 6, wide = 5, from = 7, to = in_place ? 7 : 9;
  const std::vector<double> values = randoms<double>((size_t)2 * n * from);
  const number *x = (const number *)values.data();
  std::vector<number> a(x, x + n * from), b((size_t)n * to, number(-3, 4));
  std::vector<number> &out = in_place ? a : b;
  hg_fft_cuda *f = hg_fft_cuda_make();
  const hg_fft_kind kind = {false, false, true};
  const int error = hg_fft_cuda_columns(f, kind, n, wide, from, to, a.data(), out.data(), 1. / 3, nullptr);
  double off = 0;
  for (int c = 0; c < to; c++)
    for (int k = 0; k < n; k++) {
      number wanted = c < wide ? 0 : in_place ? x[k * from + c] : number(-3, 4);
      for (int r = 0; r < n && c < wide; r++)
        wanted += x[r * from + c] * std::polar(1., 2 * M_PI * (r * k % n) / n) / 3.;
      off = std::fmax(off, std::abs(out[(size_t)(k * to + c)] - wanted));
    }
  tap_ok(error == 0 && off < 1e-12, "columns %s (off by %.2g)", in_place ? "in place" : "elsewhere", off);
  hg_fft_cuda_free(f);
}

static void many_plans()
{
  hg_fft_cuda *f = hg_fft_cuda_make();
  const hg_fft_kind kind = {false, false, false};
  int error = 0;
  for (int count = 1; count <= 60; count++) error += hg_fft_cuda_planes(f, kind, 2, 3, count, NULL, NULL, 1, nullptr);
  const std::vector<double> x = randoms<double>(12);
  std::vector<double> y(12);
  error += hg_fft_cuda_planes(f, kind, 2, 3, 1, x.data(), y.data(), 1, nullptr);
  double sum = 0;
  for (int i = 0; i < 12; i += 2) sum += x[(size_t)i];
  tap_ok(error == 0 && std::fabs(y[0] - sum) < 1e-12, "more counts than plans are kept for");
  tap_ok(hg_fft_cuda_planes(f, kind, 2, 3, 0, NULL, NULL, 1, nullptr) < 0, "an error of cuFFT is reported");
  hg_fft_cuda_free(f);
}

int main()
{
  for (int real = 0; real < 2; real++) {
    there_and_back<double>(8, 6, 3, real);
    there_and_back<float>(8, 6, 3, real);
    there_and_back<double>(5, 7, 2, real);
    there_and_back<double>(1, 1, 1, real);
  }
  columns(false);
  columns(true);
  many_plans();
  return tap_done();
}
