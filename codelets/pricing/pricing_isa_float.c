/* SPDX-License-Identifier: MIT */
/* The pricing kernels of one instruction set in single precision: a separate file, since the lanes differ. */
#define REAL_IS_FLOAT 1
#include "codelets/pricing/pricing_chunks_template.h"

FUNCTIONS(HG_ISA, float)
