/* SPDX-License-Identifier: MIT */
/* Values read are finite, and equal after they are written and read again. */
#include "input/array.h"

#include "fuzz.h"

static void check_again(const hg_array *a)
{
  const double *value = (const double *)a->data;
  const int64_t count = a->n[0] * a->n[1];
  char *text = malloc((size_t)count * 32 + 1), *p = text;
  for (int64_t i = 0; i < count; i++) {
    if (!isfinite(value[i])) abort();
    p += sprintf(p, "%.17g%c", value[i], (i + 1) % a->n[0] ? ',' : '\n');
  }
  hg_array again;
  if (hg_csv_parse(text, (size_t)(p - text), "again", &again) != HG_OK) abort();
  if (again.n[0] != a->n[0] || again.n[1] != a->n[1]) abort();
  if (memcmp(again.data, value, (size_t)count * sizeof *value) != 0) abort();
  hg_array_free(&again);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  hg_array a;
  if (hg_asc_parse((const char *)data, size, "fuzz", &a, NULL) == HG_OK) hg_array_free(&a);
  if (hg_csv_parse((const char *)data, size, "fuzz", &a) != HG_OK) return 0;
  check_again(&a);
  hg_array_free(&a);
  return 0;
}

#ifndef HG_LIBFUZZER
int main(void)
{
  static const char one[] = "# x\n1,2,3\n4,5e3 ,-6\n\n7,\t8,9 # end\n", two[] = "1.5;nan;-inf;0x1p-3;1D-3";
  const fuzz_seed seeds[] = {{one, sizeof one - 1}, {two, sizeof two - 1}};
  return fuzz_main("the CSV reader", "csv", seeds, 2, 200000);
}
#endif
