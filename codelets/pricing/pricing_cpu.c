/* SPDX-License-Identifier: MIT */
/* The table of CPU pricing kernels, chosen at run time. */
#include <string.h>

#include "codelets/isa.h"
#include "codelets/pricing/pricing_internal.h"

typedef struct entry {
  const hg_pricing_kernel *kernel;
  bool (*usable)(void);
} entry;

static const entry *entries(void)
{
  static const entry list[] = {
#ifdef HG_HAVE_X86_ISA
      {&hg_pricing_isa_avx512, hg_isa_has_avx512},
      {&hg_pricing_isa_avx2, hg_isa_has_avx2},
#endif
      {&hg_pricing_isa_baseline, hg_isa_always},
      {NULL, NULL}};
  return list;
}

const hg_pricing_kernel *hg_pricing_kernel_at(int number)
{
  const entry *e = entries();
  for (; e->kernel; e++)
    if (e->usable() && number-- == 0) return e->kernel;
  return NULL;
}

const hg_pricing_kernel *hg_pricing_kernel_find(const char *name)
{
  const hg_pricing_kernel *k = NULL;
  for (int i = 0; (k = hg_pricing_kernel_at(i)); i++)
    if (strcmp(name, "auto") == 0 || strcmp(name, k->name) == 0) return k;
  return k;
}
