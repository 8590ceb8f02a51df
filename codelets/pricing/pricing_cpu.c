/* SPDX-License-Identifier: MIT */
/* The table of CPU pricing kernels, chosen at run time. */
#include <string.h>

#include "codelets/isa.h"
#include "codelets/pricing/pricing_internal.h"

const hg_pricing_kernel *hg_pricing_kernel_at(int number)
{
  static const hg_pricing_kernel *const table[] = HG_ISA_TABLE(hg_pricing_isa);
  const int place = hg_isa_place(number);
  return place < 0 ? NULL : table[place];
}

const hg_pricing_kernel *hg_pricing_kernel_find(const char *name)
{
  const hg_pricing_kernel *k = NULL;
  for (int i = 0; (k = hg_pricing_kernel_at(i)); i++)
    if (strcmp(name, "auto") == 0 || strcmp(name, k->name) == 0) return k;
  return k;
}
