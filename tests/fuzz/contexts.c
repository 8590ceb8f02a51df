/* SPDX-License-Identifier: MIT */
#include "apps/energy/contexts.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static contexts all;
  const hg_estimate_rules rules = {.extrapolate = true};
  hg_run_estimate run;
  if (contexts_parse((const char *)data, size, "fuzz", size % 2, &all) != HG_OK) return 0;
  for (int i = 0; i < all.count; i++) {
    const hg_use_context *a = &all.context[i], *b = &all.context[0];
    hg_use_context_at(a, 3, &rules, &run);
    hg_use_context_hybrid(a, 2, b, 1, &rules, &run);
    hg_use_context_crossing(a, b, HG_BY_TIME, &rules);
    hg_use_context_crossing(a, b, HG_BY_ENERGY, &rules);
  }
  return 0;
}

#ifndef HG_LIBFUZZER
int main(void)
{
  static const char one[] =
      "{\"contexts\": [{\"name\": \"a\", \"points\": [[1, 9], [2, 5, 70]], \"mode\": \"sync\", \"beta\": .5, "
      "\"base\": 9, \"units\": [{\"count\": 2, \"full\": 3, \"wait\": 1, \"idle\": 0}], \"switch\": 4, "
      "\"N_max\": 8}, {\"name\": \"b\", \"points\": [[2, 9, 80]], \"s\": .5}], \"error\": .04}",
                    two[] = "{\"contexts\": [{\"name\": \"a\", \"points\": [[1, 9, 1], [2, 5, 1]]}]}";
  const fuzz_seed seeds[] = {{one, sizeof one - 1}, {two, sizeof two - 1}};
  return fuzz_main("the reader of contexts", "contexts", seeds, 2, 100000);
}
#endif
