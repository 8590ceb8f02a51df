/* SPDX-License-Identifier: MIT */
#include "codelets/fft/fft_cuda.h"

#include <cufft.h>
#include <stdlib.h>

#include "codelets/cuda.h"

/* A plan is for one number of transforms. A share in streams needs few; the oldest plan is replaced. */
enum { PLANS = 48, THREADS = 256, BLOCKS = 1024 };

namespace fft
{
/* What distinguishes plans. */
struct key {
  int rank, n[2], batch, type;
  int stride_in, stride_out; /* 0: contiguous */
};

struct plan {
  key made;
  cufftHandle handle;
};

static bool alike(const key &a, const key &b)
{
  return a.rank == b.rank && a.n[0] == b.n[0] && a.n[1] == b.n[1] && a.batch == b.batch && a.type == b.type &&
         a.stride_in == b.stride_in && a.stride_out == b.stride_out;
}

template <typename T>
__global__ void scale_rows(T *x, int64_t rows, int64_t width, int64_t stride, T by)
{
  const int64_t step = (int64_t)gridDim.x * THREADS;
  for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < rows * width; i += step)
    x[i / width * stride + i % width] *= by;
}

static int blocks_for(int64_t count)
{
  const int64_t blocks = (count + THREADS - 1) / THREADS;
  return (int)(blocks < BLOCKS ? blocks : (int64_t)BLOCKS);
}

/* `rows` rows of `width` reals, `stride` apart. */
static int scale(bool single, void *x, int64_t rows, int64_t width, int64_t stride, double by, cudaStream_t stream)
{
  if (by == 1 || rows * width == 0) return 0;
  const int blocks = blocks_for(rows * width);
  if (single)
    HG_LAUNCH(scale_rows<float>, dim3(blocks), dim3(THREADS), stream, (float *)x, rows, width, stride, (float)by);
  else
    HG_LAUNCH(scale_rows<double>, dim3(blocks), dim3(THREADS), stream, (double *)x, rows, width, stride, by);
  return cudaGetLastError();
}

static cufftType type_of(hg_fft_kind k)
{
  if (!k.real) return k.single ? CUFFT_C2C : CUFFT_Z2Z;
  if (k.inverse) return k.single ? CUFFT_C2R : CUFFT_Z2D;
  return k.single ? CUFFT_R2C : CUFFT_D2Z;
}

static int execute(cufftHandle p, cufftType type, bool inverse, const void *in, void *out)
{
  void *from = const_cast<void *>(in);
  const int way = inverse ? CUFFT_INVERSE : CUFFT_FORWARD;
  switch (type) {
  case CUFFT_C2C: return -cufftExecC2C(p, (cufftComplex *)from, (cufftComplex *)out, way);
  case CUFFT_Z2Z: return -cufftExecZ2Z(p, (cufftDoubleComplex *)from, (cufftDoubleComplex *)out, way);
  case CUFFT_R2C: return -cufftExecR2C(p, (cufftReal *)from, (cufftComplex *)out);
  case CUFFT_D2Z: return -cufftExecD2Z(p, (cufftDoubleReal *)from, (cufftDoubleComplex *)out);
  case CUFFT_C2R: return -cufftExecC2R(p, (cufftComplex *)from, (cufftReal *)out);
  default: return -cufftExecZ2D(p, (cufftDoubleComplex *)from, (cufftDoubleReal *)out);
  }
}
} // namespace fft

struct hg_fft_cuda {
  fft::plan plan[PLANS];
  int plans, oldest;
  void *work;
  size_t bytes;
};

namespace fft
{
/* All plans share one block of scratch memory, since those of a device run one after another on its stream. */
static int grow(hg_fft_cuda *f, size_t bytes)
{
  if (bytes <= f->bytes) return 0;
  if (f->work) cudaFree(f->work);
  f->work = NULL;
  f->bytes = 0;
  const int error = cudaMalloc(&f->work, bytes);
  if (error == cudaSuccess) f->bytes = bytes;
  for (int i = 0; i < f->plans && error == cudaSuccess; i++) cufftSetWorkArea(f->plan[i].handle, f->work);
  return error;
}

static int make(const key &k, cufftHandle *handle, size_t *bytes)
{
  int n[2] = {k.n[0], k.n[1]}, *embed = k.stride_in ? n : NULL;
  cufftResult error = cufftCreate(handle);
  if (error != CUFFT_SUCCESS) return -error;
  error = cufftSetAutoAllocation(*handle, 0);
  if (error == CUFFT_SUCCESS)
    error = cufftMakePlanMany(*handle, k.rank, n, embed, k.stride_in, 1, embed, k.stride_out, 1, (cufftType)k.type,
                              k.batch, bytes);
  if (error != CUFFT_SUCCESS) cufftDestroy(*handle);
  return -error;
}

/* Finds the plan, or creates it. */
static int find(hg_fft_cuda *f, const key &k, cufftHandle *out)
{
  size_t bytes = 0;
  for (int i = 0; i < f->plans; i++)
    if (alike(f->plan[i].made, k)) return *out = f->plan[i].handle, 0;
  int error = make(k, out, &bytes);
  if (error) return error;
  int at = f->plans;
  if (f->plans == PLANS) {
    at = f->oldest++ % PLANS;
    cufftDestroy(f->plan[at].handle);
  } else {
    f->plans++;
  }
  f->plan[at] = {k, *out};
  error = grow(f, bytes);
  return error ? error : -cufftSetWorkArea(*out, f->work);
}

static int transform(hg_fft_cuda *f, const key &k, bool inverse, const void *in, void *out, void *stream)
{
  cufftHandle p;
  int error = find(f, k, &p);
  if (error || !in) return error;
  error = -cufftSetStream(p, (cudaStream_t)stream);
  return error ? error : execute(p, (cufftType)k.type, inverse, in, out);
}
} // namespace fft

extern "C" hg_fft_cuda *hg_fft_cuda_make(void)
{
  return (hg_fft_cuda *)calloc(1, sizeof(hg_fft_cuda));
}

extern "C" void hg_fft_cuda_free(hg_fft_cuda *f)
{
  if (!f) return;
  for (int i = 0; i < f->plans; i++) cufftDestroy(f->plan[i].handle);
  if (f->work) cudaFree(f->work);
  free(f);
}

extern "C" int hg_fft_cuda_planes(hg_fft_cuda *f, hg_fft_kind kind, int64_t n2, int64_t n3, int64_t count,
                                  const void *in, void *out, double by, void *stream)
{
  const fft::key k = {2, {(int)n2, (int)n3}, (int)count, fft::type_of(kind), 0, 0};
  const int error = fft::transform(f, k, kind.inverse, in, out, stream);
  if (error || !in) return error;
  const int64_t row = !kind.real ? 2 * n3 : kind.inverse ? n3 : 2 * (n3 / 2 + 1);
  return fft::scale(kind.single, out, 1, count * n2 * row, 0, by, (cudaStream_t)stream);
}

extern "C" int hg_fft_cuda_columns(hg_fft_cuda *f, hg_fft_kind kind, int64_t n, int64_t wide, int64_t stride_in,
                                   int64_t stride_out, const void *in, void *out, double by, void *stream)
{
  const fft::key k = {1, {(int)n, 1}, (int)wide, kind.single ? CUFFT_C2C : CUFFT_Z2Z, (int)stride_in, (int)stride_out};
  const int error = fft::transform(f, k, kind.inverse, in, out, stream);
  if (error || !in) return error;
  return fft::scale(kind.single, out, n, 2 * wide, 2 * stride_out, by, (cudaStream_t)stream);
}
