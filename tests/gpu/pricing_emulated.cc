/* SPDX-License-Identifier: MIT */
/* The CUDA pricing kernel, emulated by fibres on the CPU, gives the same bits as the CPU kernels. */
#include "codelets/pricing/pricing_cuda.cu"

#include "tests/unit/pricing_cases.h"

int main()
{
  static hg_paths row[CASES];
  static hg_chunk_sums out[4];
  make_cases(row);
  for (int i = 0; i < CASES; i++) { /* the last chunks, which are short, and a full one */
    const int first = i * CASE_CHUNKS + (i != 3), count = i == CASES - 1 ? 2 : 1;
    for (int is_float = 0; is_float < 2; is_float++) {
      hg_pricing_cuda_sums(row, CASES, CASE_CHUNKS, first, count, is_float, out, nullptr);
      compare_cases(row, first, count, is_float, out, "emulated");
    }
  }
  return tap_done();
}
