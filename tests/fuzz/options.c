/* SPDX-License-Identifier: MIT */
/* Readers of text from command lines: numbers, lists, boundaries. */
#include "base/text.h"
#include "fuzz.h"
#include "input/problem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = malloc(size + 1);
  int64_t n[3];
  double x[16];
  hg_side side[3][2] = {0};
  int count;
  memcpy(text, data, size);
  text[size] = 0;
  hg_parse_ints(text, "fuzz", 1, 1000, 3, n, &count);
  hg_parse_doubles(text, "fuzz", 0, 1e6, 16, x, &count);
  hg_boundary_parse(text, 2, side);
  free(text);
  return 0;
}

#ifndef HG_LIBFUZZER
int main(void)
{
  static const char one[] = "west=fixed=1.5,east=insulated,north=periodic,south=periodic", two[] = "2*10,4*5,5*4",
                    three[] = "4000,4000,1";
  const fuzz_seed seeds[] = {{one, sizeof one - 1}, {two, sizeof two - 1}, {three, sizeof three - 1}};
  return fuzz_main("the option readers", "options", seeds, 3, 200000);
}
#endif
