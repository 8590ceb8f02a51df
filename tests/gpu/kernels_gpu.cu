/* SPDX-License-Identifier: MIT */
/* The CUDA kernels on a real device equal the serial reference bit for bit. Needs neither StarPU nor libhetgrid;
 * skipped without a device. By hand, from the source folder: nvcc -O2 -fmad=false -I. -Itests
 * tests/gpu/kernels_gpu.cu codelets/heat/heat_cuda.cu -x c codelets/heat/heat_reference.c -o kernels_gpu */
#include "codelets/heat/heat_cuda.h"
#include "codelets/halo_pieces_cuda.h"
#include "tests/unit/heat_cases.h"

static void *to_device(const void *host, size_t bytes)
{
  void *device = nullptr;
  if (!host || cudaMalloc(&device, bytes) != cudaSuccess) return nullptr;
  cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);
  return device;
}

static int run_device(heat_case *c, const void *kernel)
{
  hg_heat_cuda_kernel which = *(const hg_heat_cuda_kernel *)kernel;
  size_t bytes = c->cells * case_size(c);
  void *src = to_device(c->src, bytes), *dst = to_device(c->dst, bytes), *q = to_device(c->q, bytes);
  cudaError_t error = hg_heat_cuda_advance(&c->shape, &c->coef, c->is_float, c->steps, which, src, dst, q, nullptr);
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  cudaMemcpy(c->dst, dst, bytes, cudaMemcpyDeviceToHost);
  cudaFree(src);
  cudaFree(dst);
  cudaFree(q);
  if (error != cudaSuccess) printf("# %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}

static void check(hg_heat_cuda_kernel kernel, const char *name, int dims, int most, int rounds)
{
  check_cases(run_device, &kernel, name, dims, most, rounds);
}

static void check_pieces(void)
{
  enum { NX = 300, NY = 200 };
  static double tile[NX * NY], piece[40 * 50], back[NX * NY];
  for (int i = 0; i < NX * NY; i++) tile[i] = i;
  const hg_halo_piece_cells c = {.first = 10 + NX * 150, .stride = {1, -NX, NX * NY}, .n = {40, 50, 1}};
  void *device = to_device(tile, sizeof tile), *copy = to_device(piece, sizeof piece),
       *empty = to_device(back, sizeof back);
  hg_halo_piece_cuda_copy(&c, 1, 8, device, &copy, true, nullptr);
  hg_halo_piece_cuda_copy(&c, 1, 8, empty, &copy, false, nullptr);
  cudaMemcpy(piece, copy, sizeof piece, cudaMemcpyDeviceToHost);
  cudaMemcpy(back, empty, sizeof back, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int y = 0; y < 50; y++)
    for (int x = 0; x < 40; x++) {
      int at = 10 + x + NX * (150 - y);
      wrong += piece[x + 40 * y] != tile[at] || back[at] != tile[at];
    }
  tap_ok(wrong == 0, "pieces are packed and unpacked, mirrored (%d wrong)", wrong);
}

int main(int argc, char **argv)
{
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    tap_skip("no CUDA device");
    return tap_done();
  }
  const int share = argc > 1 && strcmp(argv[1], "quick") == 0 ? 10 : 1; /* under slow checkers */
  check(HG_HEAT_CUDA_ONE, "one-step", 1, 3000, 40 / share);
  check(HG_HEAT_CUDA_ONE, "one-step", 2, 300, 60 / share);
  check(HG_HEAT_CUDA_ONE, "one-step", 3, 40, 30 / share);
  check(HG_HEAT_CUDA_STREAM, "streaming", 2, 60, 60 / share);
  check(HG_HEAT_CUDA_STREAM, "streaming", 2, 1500, 30 / share);
  check(HG_HEAT_CUDA_STREAM, "streaming", 3, 200, 20 / share);
  check_pieces();
  return tap_done();
}
