/* SPDX-License-Identifier: MIT */
/* Which builds of a kernel this processor can run. */
#ifndef HG_CODELETS_ISA_H
#define HG_CODELETS_ISA_H

#include <stdbool.h>

static inline bool hg_isa_always(void)
{
  return true;
}

#ifdef HG_HAVE_X86_ISA
static inline bool hg_isa_has_avx2(void)
{
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static inline bool hg_isa_has_avx512(void)
{
  return hg_isa_has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
}
#endif
#endif
