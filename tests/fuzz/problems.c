/* SPDX-License-Identifier: MIT */
/* The reader of adr problems. Tables can be made of all problems that it accepts. */
#include <stdlib.h>

#include "adr/problem_file.h"
#include "fuzz.h"

static void fill_tables(const hg_adr_problem *p)
{
  enum { MOST = 1000 };
  const int64_t first[3] = {0};
  hg_adr_block b = {.hi = {1, 1, 1}};
  for (int a = 0; a < 3; a++) b.n[a] = p->n[a] < MOST ? p->n[a] : MOST;
  double *tables = malloc((size_t)hg_adr_table_at(&b, 3, 0) * sizeof *tables);
  hg_adr_fill_tables(p, &b, first, tables);
  for (int64_t i = 0; i < hg_adr_table_at(&b, 3, 0); i++)
    if (!isfinite(tables[i])) abort();
  free(tables);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static char initial[2][HG_PATH_MAX];
  const int64_t as_is[3] = {0};
  hg_adr_problem p;
  if (hg_adr_problem_parse((const char *)data, size, "fuzz/in.json", as_is, &p, initial) == HG_OK) fill_tables(&p);
  return 0;
}

#ifndef HG_LIBFUZZER
int main(void)
{
  static const char plume[] =
      "{\"size\": [4, 5, 6], \"length\": [2, 2, 1], \"origin\": 0, \"a\": [1, 0, 0], \"D\": [0.01, 0.02, 0.5],\n"
      " \"growth\": 0.1, \"boundary\": [\"periodic\", \"fixed\", \"mirror\"], \"outside\": [0, 1],\n"
      " \"reaction\": \"diurnal\", \"initial\": [1e6, \"c.h5:c2\"]}",
                    known[] = "{\"size\":3,\"a\":1,\"D\":1,\"boundary\":\"fixed\",\"reaction\":\"mms\"}";
  const fuzz_seed seeds[] = {{plume, sizeof plume - 1}, {known, sizeof known - 1}};
  return fuzz_main("the reader of adr problems", "problems", seeds, 2, 20000);
}
#endif
