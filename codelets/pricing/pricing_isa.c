/* SPDX-License-Identifier: MIT */
/* The pricing kernels of one instruction set. Built once per set with -DHG_ISA=baseline|avx2|avx512
 * and the matching compiler flags, with pricing_isa_float.c; pricing_cpu.c chooses among them at run time. */
#define REAL_IS_FLOAT 0
#include "codelets/pricing/pricing_chunks_template.h"

FUNCTIONS(HG_ISA, double)

static void philox_one(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
  U word[4];
  for (int i = 0; i < 4; i++) word[i] = U_OF(counter[i]);
  philox(word, key[0], key[1]);
  for (int i = 0; i < 4; i++) out[i] = (uint32_t)word[i][0];
}

#define TABLE2(isa)                                                                                                    \
  const hg_pricing_kernel hg_pricing_isa_##isa = {                                                                     \
      #isa, {&hg_pricing_double_##isa, &hg_pricing_float_##isa}, philox_one};
#define TABLE(isa) TABLE2(isa)
TABLE(HG_ISA)
