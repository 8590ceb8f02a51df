/* SPDX-License-Identifier: MIT */
/* The CUDA pricing kernel on a real device gives the same bits as a CPU kernel; prints its speed. Skipped without a
 * device. Needs neither StarPU nor libhetgrid. */
#include "codelets/pricing/pricing_cuda.h"
#include "tests/unit/pricing_cases.h"

enum { MOST_CHUNKS = 1 << 16 };

static void time_paths(hg_paths *row, bool is_float, hg_chunk_sums *out)
{
  const int64_t chunks = MOST_CHUNKS;
  cudaEvent_t begin, end;
  float ms = 0;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  row[0].payoff = HG_PAYOFF;
  row[0].paths = chunks * HG_CHUNK_PATHS;
  for (int i = 0; i < 3; i++) {
    cudaEventRecord(begin);
    hg_pricing_cuda_sums(row, 1, chunks, 0, chunks, is_float, out, nullptr);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
  }
  printf("# European, %s, %.3g paths: %.4g s, %.4g million paths/s\n", is_float ? "single" : "double",
         (double)row[0].paths, ms * 1e-3, (double)row[0].paths / ms * 1e-3);
}

int main()
{
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    tap_skip("no CUDA device");
    return tap_done();
  }
  hg_paths *row;
  hg_chunk_sums *out, *sums;
  cudaMallocHost(&row, CASES * sizeof *row);
  cudaMallocHost(&sums, MOST_CHUNKS * sizeof *sums);
  cudaMalloc(&out, MOST_CHUNKS * sizeof *out);
  make_cases(row);
  const int count = CASES * CASE_CHUNKS + 3;
  for (int is_float = 0; is_float < 2; is_float++) {
    cudaError_t error = hg_pricing_cuda_sums(row, CASES, CASE_CHUNKS, 0, count, is_float, out, nullptr);
    if (error == cudaSuccess) error = cudaMemcpy(sums, out, (size_t)count * sizeof *out, cudaMemcpyDeviceToHost);
    tap_ok(error == cudaSuccess, "the kernel runs: %s", cudaGetErrorString(error));
    compare_cases(row, 0, count, is_float, sums, "device");
  }
  for (int is_float = 0; is_float < 2; is_float++) time_paths(row, is_float, out);
  return tap_done();
}
