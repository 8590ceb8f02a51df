/* SPDX-License-Identifier: MIT */
#include "input/array.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  hg_array a;
  if (hg_npy_parse(data, size, "fuzz", &a) != HG_OK) return 0;
  const int64_t first[3] = {0}, last[3] = {a.n[0] - 1, a.n[1] - 1, a.n[2] - 1};
  volatile double sum = hg_array_get(&a, first) + hg_array_get(&a, last);
  (void)sum;
  hg_array_free(&a);
  return 0;
}

#ifndef HG_LIBFUZZER
#define HEADER(v, text) "\x93NUMPY" v "\x46\0" text
static const char one[] =
    HEADER("\1\0", "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }         \n") "0123456789abcdef012345678"
                                                                                             "9abcdef0123456789abcdef";
static const char two[] =
    HEADER("\1\0", "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 2, 2), }       \n") "0123456789abcdef";

int main(void)
{
  const fuzz_seed seeds[] = {{one, sizeof one - 1}, {two, sizeof two - 1}};
  return fuzz_main("the .npy reader", "npy", seeds, 2, 200000);
}
#endif
