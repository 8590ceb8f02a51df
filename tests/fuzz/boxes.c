/* SPDX-License-Identifier: MIT */
#include "partition/boxfile.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const int64_t n[3] = {8, 6, 1};
  hg_box box[3];
  hg_boxes_parse((const char *)data, size, "fuzz", 2, n, 3, box);
  return 0;
}

#ifndef HG_LIBFUZZER
int main(void)
{
  static const char one[] = "0,0,4,6\n4,0,4,3\n4,3,4,3\n", two[] = "# x,y,w,h\n0 0 8 1\n0 1 8 1\n0 2 8 4";
  const fuzz_seed seeds[] = {{one, sizeof one - 1}, {two, sizeof two - 1}};
  return fuzz_main("the box file reader", "boxes", seeds, 2, 200000);
}
#endif
