/* SPDX-License-Identifier: MIT */
#include "input/array.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  hg_array a;
  if (hg_csv_parse((const char *)data, size, "fuzz", &a) == HG_OK) hg_array_free(&a);
  return 0;
}

#ifndef HG_LIBFUZZER
int main(void)
{
  static const char one[] = "# x\n1,2,3\n4;5e3 -6\n\n7\t8,9 # end\n", two[] = "1.5,nan,-inf,0x1p-3";
  const fuzz_seed seeds[] = {{one, sizeof one - 1}, {two, sizeof two - 1}};
  return fuzz_main("the CSV reader", seeds, 2, 200000);
}
#endif
