/* SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "hetgrid.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  hg_network n;
  hg_network_choice c;
  if (hg_network_parse((const char *)data, size, "fuzz", &n) != HG_OK) return 0;
  for (int i = 0; i < n.levels; i++) {
    double low, high;
    for (double k = 0; k < 1e12; k = 10 * k + 1) {
      volatile double t = hg_network_time(&n.level[i], k) + hg_network_gap(&n.level[i], k);
      (void)t;
    }
    hg_network_interval(&n.level[i], 1e6, &low, &high);
    hg_network_link(&n.level[i], 1e5);
    hg_network_fit(&n.level[i], 4);
  }
  hg_network_choose(&n, &(hg_rank_layout){.ranks = 5, .per_node = 2}, 5000, &c);
  hg_network_free(&n);
  return 0;
}

#ifndef HG_LIBFUZZER
int main(void)
{
  static const char seed[] = "{\"schema\":1,\"host\":\"h\",\"date\":\"d\",\"mpi\":\"m\",\"transport\":\"t\",\"bin"
                             "ding\":\"b\",\"other_load\":0.1,\"oversubscribed\":false,\"gpu_start\":nu"
                             "ll,\"levels\":[{\"name\":\"node\",\"from\":\"cpu\",\"to\":\"cpu\",\"pairs\":1,\"b"
                             "ytes\":[0,9,99],\"seconds\":[1e-6,2e-6,3e-6],\"low\":[1e-6,1e-6,1e-6]"
                             ",\"high\":[4e-6,4e-6,4e-6],\"samples\":[9,9,9],\"outliers\":[0,0,0],\"p"
                             "ass_gap\":[0,0,0],\"segments\":[{\"from\":0,\"latency\":1e-6,\"per_byte\""
                             ":1e-9}],\"concurrent\":[{\"pairs\":1,\"bytes\":9,\"seconds\":2e-6}],\"tra"
                             "ins\":{\"messages\":3,\"bytes\":[1,9],\"one\":[2e-6,4e-6],\"many\":[3e-6,"
                             "5e-6],\"delayed\":[9e-6,9e-6],\"delay\":[1e-6,1e-6]}}]}";
  const fuzz_seed seeds[] = {{seed, sizeof seed - 1}};
  return fuzz_main("the network reader", "networks", seeds, 1, 100000);
}
#endif
