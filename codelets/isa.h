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

/** Initialises a table of the builds of a kernel, the fastest first: stem_avx512, stem_avx2, stem_baseline. */
#ifdef HG_HAVE_X86_ISA
#define HG_ISA_TABLE(stem)                                                                                             \
  {                                                                                                                    \
    &stem##_avx512, &stem##_avx2, &stem##_baseline                                                                     \
  }
#else
#define HG_ISA_TABLE(stem)                                                                                             \
  {                                                                                                                    \
    &stem##_baseline                                                                                                   \
  }
#endif

/** Index in such a table of the number-th build, from 0, that this processor can run; -1 after the last. */
static inline int hg_isa_place(int number)
{
#ifdef HG_HAVE_X86_ISA
  const int place = number + (hg_isa_has_avx512() ? 0 : hg_isa_has_avx2() ? 1 : 2);
  return place <= 2 ? place : -1;
#else
  return number == 0 ? 0 : -1;
#endif
}
#endif
