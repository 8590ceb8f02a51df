/* SPDX-License-Identifier: MIT */
/* The adr kernels of each instruction set, for the table in adr_cpu.c. */
#ifndef HG_CODELETS_ADR_ADR_INTERNAL_H
#define HG_CODELETS_ADR_ADR_INTERNAL_H

#include "codelets/adr/adr.h"

extern const hg_adr_kernel hg_adr_isa_baseline, hg_adr_isa_avx2, hg_adr_isa_avx512;
#endif
