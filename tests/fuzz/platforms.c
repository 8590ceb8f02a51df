/* SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "hetgrid.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  hg_platform p;
  char *text = malloc(size + 1);
  memcpy(text, data, size);
  text[size] = '\0';
  if (hg_platform_parse(text, "fuzz", "/nowhere", &p) == HG_OK) {
    for (int n = 0; n < p.nodes; n++)
      for (int w = 0; w < p.node[n].workers; w++) {
        const hg_device *d = &p.device[p.node[n].device[w]];
        hg_platform_heat_time(d, 1e6, 10, 1e3);
        hg_platform_update_time(d, 1e3, 1e3, 256);
        hg_platform_panel_time(d, 256, 1e6);
      }
    hg_platform_select(&p, 0, 1, NULL);
    hg_platform_free(&p);
  }
  free(text);
  return 0;
}

#ifndef HG_LIBFUZZER
int main(void)
{
  static const char one[] =
      "# c\ndevice core cpu heat=1e9 heat_item=1e-9 update=1e10 panel=5e9 start=2e-6 full=9 wait=8 idle=1 full_heat=8.5\n"
      "device g cuda memory=3e9 to=6e9 from=6e9 latency=1e-5 heat=7e9 heat_memory=1e6 heat_rest=.5 heat_sharp=3\n"
      "node 2*core*3,g base=50\nnode g\nnetwork bandwidth=1e9 latency=1e-6 backbone=1e10 switch=30\n",
                    two[] = "device t cpu heat_table=x update_table=y panel=1\nnode t*64\n";
  const fuzz_seed seeds[] = {{one, sizeof one - 1}, {two, sizeof two - 1}};
  return fuzz_main("the platform reader", "platforms", seeds, 2, 100000);
}
#endif
