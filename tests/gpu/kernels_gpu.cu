/* SPDX-License-Identifier: MIT */
/* The CUDA kernels on a real device equal the serial reference bit for bit. Needs neither StarPU nor libhetgrid; without a
 * device it is skipped. By hand, from the source folder:
 *   nvcc -O2 -fmad=false -I. -Itests tests/gpu/kernels_gpu.cu codelets/heat_cuda.cu -x c codelets/heat_reference.c -o kernels_gpu */
#include "codelets/heat_cuda.h"
#include "tests/unit/heat_cases.h"

static void *to_device(const void *host, size_t bytes)
{
  void *device = nullptr;
  if (!host || cudaMalloc(&device, bytes) != cudaSuccess) return nullptr;
  cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);
  return device;
}

/* Runs one case on the device; returns the number of wrong cells. */
static int64_t run_case(heat_case *c, hg_heat_cuda_kernel kernel)
{
  size_t bytes = c->cells * case_size(c);
  void *want = expected(c), *src = to_device(c->src, bytes), *dst = to_device(c->dst, bytes), *q = to_device(c->q, bytes);
  cudaError_t error = hg_heat_cuda_advance(&c->shape, &c->coef, c->is_float, c->steps, kernel, src, dst, q, nullptr);
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  cudaMemcpy(c->dst, dst, bytes, cudaMemcpyDeviceToHost);
  cudaFree(src);
  cudaFree(dst);
  cudaFree(q);
  int64_t wrong = wrong_cells(c, want);
  free(want);
  if (error == cudaSuccess) return wrong;
  printf("# %s\n", cudaGetErrorString(error));
  return wrong + 1;
}

static void check(hg_heat_cuda_kernel kernel, const char *name, int dims, int most, int rounds)
{
  uint64_t state = 31 + (uint64_t)dims;
  int64_t wrong = 0, cells = 0;
  for (int i = 0; i < rounds; i++) {
    heat_case c = random_case(&state, dims, most);
    wrong += run_case(&c, kernel);
    cells += (int64_t)c.cells;
    free_case(&c);
  }
  tap_ok(wrong == 0, "%s %d-D: %d tiles, %lld cells, bit for bit (%lld wrong)", name, dims, rounds, (long long)cells, (long long)wrong);
}

static void check_pieces(void)
{
  enum { NX = 300, NY = 200 };
  static double tile[NX * NY], piece[40 * 50], back[NX * NY];
  for (int i = 0; i < NX * NY; i++) tile[i] = i;
  const hg_piece_cells c = {.first = 10 + NX * 150, .stride = {1, -NX, NX * NY}, .n = {40, 50, 1}};
  void *device = to_device(tile, sizeof tile), *copy = to_device(piece, sizeof piece), *empty = to_device(back, sizeof back);
  hg_piece_cuda_copy(&c, 1, 8, device, &copy, true, nullptr);
  hg_piece_cuda_copy(&c, 1, 8, empty, &copy, false, nullptr);
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

int main(void)
{
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    tap_skip("no CUDA device");
    return tap_done();
  }
  check(HG_HEAT_CUDA_ONE, "one-step", 1, 3000, 40);
  check(HG_HEAT_CUDA_ONE, "one-step", 2, 300, 60);
  check(HG_HEAT_CUDA_ONE, "one-step", 3, 40, 30);
  check(HG_HEAT_CUDA_STREAM, "streaming", 2, 60, 60);
  check(HG_HEAT_CUDA_STREAM, "streaming", 2, 1500, 20);
  check_pieces();
  return tap_done();
}
