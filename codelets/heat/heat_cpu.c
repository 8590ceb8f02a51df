/* SPDX-License-Identifier: MIT */
/* The table of CPU heat kernels, chosen at run time. */
#include <stdatomic.h>
#include <string.h>

#include "codelets/heat/heat_internal.h"
#include "codelets/heat/heat_update.h"
#include "codelets/isa.h"

static bool named(const hg_heat_kernel *kernel, const char *name)
{
  return kernel->usable() && (strcmp(name, "auto") == 0 || strcmp(name, kernel->name) == 0);
}

static const hg_heat_isa *best_isa(void)
{
  static const hg_heat_isa *const table[] = HG_ISA_TABLE(hg_heat_isa);
  return table[hg_isa_place(0)];
}

const hg_heat_kernel *hg_heat_field_kernel(void)
{
  return &best_isa()->field;
}

/* Filled on first use, since the entries come from objects that are compiled separately. */
const hg_heat_kernel *hg_heat_kernel_list(void)
{
  static hg_heat_kernel list[8];
  static _Atomic int ready;
  if (atomic_load(&ready)) return list;
  hg_heat_kernel made[8] = {0};
  int n = 0;
#ifdef HG_HAVE_X86_ISA
  made[n] = hg_heat_isa_avx512.deep, made[n++].usable = hg_isa_has_avx512;
  made[n] = hg_heat_isa_avx2.deep, made[n++].usable = hg_isa_has_avx2;
#endif
  made[n] = hg_heat_isa_baseline.deep, made[n++].usable = hg_isa_always;
  made[n] = best_isa()->naive, made[n++].usable = hg_isa_always;
  memcpy(list, made, sizeof list);
  atomic_store(&ready, 1);
  return list;
}

const hg_heat_kernel *hg_heat_kernel_find(const char *name)
{
  for (const hg_heat_kernel *k = hg_heat_kernel_list(); name && k->name; k++)
    if (named(k, name)) return k;
  return NULL;
}
