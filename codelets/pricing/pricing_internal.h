/* SPDX-License-Identifier: MIT */
/* The pricing kernels of all instruction sets, each built from pricing_isa.c. Internal to this folder. */
#ifndef HG_CODELETS_PRICING_PRICING_INTERNAL_H
#define HG_CODELETS_PRICING_PRICING_INTERNAL_H

#include "codelets/pricing/pricing.h"

extern const hg_pricing_functions hg_pricing_double_baseline, hg_pricing_double_avx2, hg_pricing_double_avx512,
    hg_pricing_float_baseline, hg_pricing_float_avx2, hg_pricing_float_avx512;
extern const hg_pricing_kernel hg_pricing_isa_baseline, hg_pricing_isa_avx2, hg_pricing_isa_avx512;
#endif
