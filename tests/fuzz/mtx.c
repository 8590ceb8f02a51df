/* SPDX-License-Identifier: MIT */
#include "input/matrix.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  hg_mtx m;
  if (hg_mtx_parse((const char *)data, size, "fuzz", &m) != HG_OK) return 0;
  const int64_t stored = m.start ? m.start[m.cols] : m.rows * m.cols;
  for (int64_t i = 0; i < stored; i++)
    if (!isfinite(m.value[i]) || (m.start && (m.row[i] < 0 || m.row[i] >= m.rows))) abort();
  for (int64_t j = 0; m.start && j < m.cols; j++)
    if (m.start[j + 1] < m.start[j] || m.start[j + 1] - m.start[j] > m.rows) abort();
  hg_mtx_free(&m);
  return 0;
}

#ifndef HG_LIBFUZZER
int main(void)
{
  static const char one[] = "%%MatrixMarket matrix coordinate real symmetric\n% x\n3 3 4\n1 1 2\n2 "
                            "1 1e3\n2 2 -3\n3 3 4\n",
                    two[] = "%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n4\n",
                    three[] = "%%MatrixMarket matrix coordinate pattern general\n2 3 2\n1 1\n2 3\n";
  const fuzz_seed seeds[] = {{one, sizeof one - 1}, {two, sizeof two - 1}, {three, sizeof three - 1}};
  return fuzz_main("the Matrix Market reader", "mtx", seeds, 3, 50000);
}
#endif
