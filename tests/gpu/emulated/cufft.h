/* SPDX-License-Identifier: MIT */
/* The cuFFT functions that codelets/fft/fft_cuda.cu calls, by the sum that defines a transform. C++ only. */
#ifndef HG_TESTS_GPU_EMULATED_CUFFT_H
#define HG_TESTS_GPU_EMULATED_CUFFT_H

#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

#include "cuda_runtime_api.h"

enum cufftResult { CUFFT_SUCCESS, CUFFT_INVALID_PLAN, CUFFT_INVALID_SIZE = 8 };
enum cufftType {
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_C2C = 0x29,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c,
  CUFFT_Z2Z = 0x69
};
enum { CUFFT_FORWARD = -1, CUFFT_INVERSE = 1 };
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef std::complex<float> cufftComplex;
typedef std::complex<double> cufftDoubleComplex;

struct emulated_plan {
  int rank = 0, n[2] = {1, 1}, batch = 0, type = 0;
  bool rows = false; /* with strides */
  int stride_in = 1, distance_in = 0, stride_out = 1, distance_out = 0;
  void *work = nullptr;
  size_t bytes = 0;
};
typedef emulated_plan *cufftHandle;

inline cufftResult cufftCreate(cufftHandle *handle)
{
  *handle = new emulated_plan;
  return CUFFT_SUCCESS;
}

inline cufftResult cufftDestroy(cufftHandle handle)
{
  delete handle;
  return CUFFT_SUCCESS;
}

inline cufftResult cufftSetAutoAllocation(cufftHandle, int)
{
  return CUFFT_SUCCESS;
}

inline cufftResult cufftMakePlanMany(cufftHandle p, int rank, int *n, int *embed_in, int stride_in, int distance_in,
                                     int *embed_out, int stride_out, int distance_out, cufftType type, int batch,
                                     size_t *bytes)
{
  if (rank < 1 || rank > 2 || batch < 1 || (embed_in == nullptr) != (embed_out == nullptr)) return CUFFT_INVALID_SIZE;
  p->rank = rank;
  for (int a = 0; a < rank; a++) p->n[2 - rank + a] = n[a];
  p->batch = batch;
  p->type = type;
  p->rows = embed_in != nullptr;
  p->stride_in = stride_in, p->distance_in = distance_in;
  p->stride_out = stride_out, p->distance_out = distance_out;
  p->bytes = *bytes = 16 * (size_t)batch;
  return CUFFT_SUCCESS;
}

/* Writes to scratch memory, which must therefore exist. */
inline cufftResult cufftSetWorkArea(cufftHandle p, void *area)
{
  p->work = area;
  return CUFFT_SUCCESS;
}

inline cufftResult cufftSetStream(cufftHandle, cudaStream_t)
{
  return CUFFT_SUCCESS;
}

namespace emulate
{
typedef std::complex<double> number;

/* One whole complex transform of n0 x n1; half spectra are completed before it and cut after it. */
inline std::vector<number> transform(const emulated_plan *p, const std::vector<number> &x, int way)
{
  const int n0 = p->n[0], n1 = p->n[1];
  std::vector<number> y((size_t)n0 * n1);
  for (int k0 = 0; k0 < n0; k0++)
    for (int k1 = 0; k1 < n1; k1++)
      for (int j0 = 0; j0 < n0; j0++)
        for (int j1 = 0; j1 < n1; j1++)
          y[k0 * n1 + k1] += x[j0 * n1 + j1] *
                             std::polar(1., way * 2 * M_PI * (double(j0 * k0 % n0) / n0 + double(j1 * k1 % n1) / n1));
  return y;
}

template <typename In, typename Out>
cufftResult run(const emulated_plan *p, int type, const In *in, Out *out, int way, bool half_in, bool half_out)
{
  if (p->type != type || !p->work) return CUFFT_INVALID_PLAN;
  std::memset(p->work, 0xff, p->bytes);
  const int n0 = p->n[0], n1 = p->n[1], wide_in = half_in ? n1 / 2 + 1 : n1, wide_out = half_out ? n1 / 2 + 1 : n1;
  for (int b = 0; b < p->batch; b++) {
    std::vector<number> x((size_t)n0 * n1);
    for (int r = 0; r < n0; r++)
      for (int c = 0; c < n1; c++) {
        const bool mirrored = c >= wide_in;
        const int row = mirrored ? (n0 - r) % n0 : r, column = mirrored ? n1 - c : c;
        const size_t at = p->rows ? (size_t)column * p->stride_in + (size_t)b * p->distance_in
                                  : ((size_t)b * n0 + row) * wide_in + column;
        x[r * n1 + c] = mirrored ? std::conj(number(in[at])) : number(in[at]);
      }
    const std::vector<number> y = transform(p, x, way);
    for (int r = 0; r < n0; r++)
      for (int c = 0; c < wide_out; c++) {
        const size_t at =
            p->rows ? (size_t)c * p->stride_out + (size_t)b * p->distance_out : ((size_t)b * n0 + r) * wide_out + c;
        if constexpr (std::is_floating_point<Out>::value)
          out[at] = (Out)y[r * n1 + c].real();
        else
          out[at] = Out(y[r * n1 + c]);
      }
  }
  return CUFFT_SUCCESS;
}
} // namespace emulate

inline cufftResult cufftExecC2C(cufftHandle p, cufftComplex *in, cufftComplex *out, int way)
{
  return emulate::run(p, CUFFT_C2C, in, out, way, false, false);
}

inline cufftResult cufftExecZ2Z(cufftHandle p, cufftDoubleComplex *in, cufftDoubleComplex *out, int way)
{
  return emulate::run(p, CUFFT_Z2Z, in, out, way, false, false);
}

inline cufftResult cufftExecR2C(cufftHandle p, cufftReal *in, cufftComplex *out)
{
  return emulate::run(p, CUFFT_R2C, in, out, CUFFT_FORWARD, false, true);
}

inline cufftResult cufftExecD2Z(cufftHandle p, cufftDoubleReal *in, cufftDoubleComplex *out)
{
  return emulate::run(p, CUFFT_D2Z, in, out, CUFFT_FORWARD, false, true);
}

inline cufftResult cufftExecC2R(cufftHandle p, cufftComplex *in, cufftReal *out)
{
  return emulate::run(p, CUFFT_C2R, in, out, CUFFT_INVERSE, true, false);
}

inline cufftResult cufftExecZ2D(cufftHandle p, cufftDoubleComplex *in, cufftDoubleReal *out)
{
  return emulate::run(p, CUFFT_Z2D, in, out, CUFFT_INVERSE, true, false);
}
#endif
