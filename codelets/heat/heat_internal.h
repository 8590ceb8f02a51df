/* SPDX-License-Identifier: MIT */
/* Shared by the heat kernels' objects for the instruction sets. Each is built from heat_isa.c with its own flags and
 * exports one pair of table entries. */
#ifndef HG_CODELETS_HEAT_HEAT_INTERNAL_H
#define HG_CODELETS_HEAT_HEAT_INTERNAL_H

#include "base/topology.h"
#include "codelets/heat/heat_kernels.h"
#include "codelets/units/lane_rows.h"

/** Widest strip of the 2-D deep kernel, in double-precision cells. */
#define HG_STRIP_MAX 1024

/** What an update does besides the exchange with neighbours: nothing, add a source, or use a conductance per pair of
 * cells. */
enum { HG_HEAT_ALONE, HG_HEAT_SOURCE, HG_HEAT_FIELD };

/** Kernels of one instruction set: the deep-halo kernel, the plain sweep, the kernel for a field of diffusivity; and
 * the conversion of rows with elements of 8 and of 4 bytes to lane layout. */
typedef struct hg_heat_isa {
  hg_heat_kernel deep, naive, field;
  hg_lane_rows rows[2];
} hg_heat_isa;

extern const hg_heat_isa hg_heat_isa_baseline, hg_heat_isa_avx2, hg_heat_isa_avx512;
#endif
