/* SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "speed/speed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  hg_speed_model m = {.kind = HG_SPEED_TABLE};
  if (hg_speed_table_parse((const char *)data, size, "fuzz", &m.table) != HG_OK) return 0;
  volatile double t = hg_speed_time(&m, 1500, 3) + hg_speed_time(&m, 1e12, 1e12);
  (void)t;
  hg_speed_table_free(&m.table);
  return 0;
}

#ifndef HG_LIBFUZZER
int main(void)
{
  static const char one[] = "# GPU\n1000,0,.5\n1000,9,.6\n2000,0,.8\n2000,9,1\n", two[] = "10,0,1\n20,0,2\n30,0,3\n";
  const fuzz_seed seeds[] = {{one, sizeof one - 1}, {two, sizeof two - 1}};
  return fuzz_main("the speed table reader", "tables", seeds, 2, 200000);
}
#endif
