/* SPDX-License-Identifier: MIT */
/* What the per-instruction-set objects of the heat kernels share. Each is built from heat_isa.c with its own flags and
 * exports one table entry pair. */
#ifndef HG_CODELETS_HEAT_HEAT_INTERNAL_H
#define HG_CODELETS_HEAT_HEAT_INTERNAL_H

#include "base/topology.h"
#include "codelets/heat/heat_kernels.h"
#include "codelets/units/lane_rows.h"

/** Widest strip of the 2-D deep kernel, in double-precision cells. */
#define HG_STRIP_MAX 1024

/** What an update adds to the exchange with its neighbours, or that each pair of them exchanges by its own measure. */
enum { HG_HEAT_ALONE, HG_HEAT_SOURCE, HG_HEAT_FIELD };

/** Kernels of one instruction set: the deep-halo kernel, the plain sweep, that of a field of diffusivity; how rows of 8
 * and of 4 bytes an element come into lanes. */
typedef struct hg_heat_isa {
  hg_heat_kernel deep, naive, field;
  hg_lane_rows rows[2];
} hg_heat_isa;

extern const hg_heat_isa hg_heat_isa_baseline, hg_heat_isa_avx2, hg_heat_isa_avx512;
#endif
