/* SPDX-License-Identifier: MIT */
/* Conversion of rows between natural order and lane layout (codelets/units/units_lanes.h); each instruction set has
 * its own functions. */
#ifndef HG_CODELETS_UNITS_LANE_ROWS_H
#define HG_CODELETS_UNITS_LANE_ROWS_H

#include <stdint.h>

#include "codelets/units/units.h"

/** Converts rows to lane layout and back: row[vectors], flat[lanes * vectors] words. */
typedef struct hg_lane_rows {
  void (*in)(void *row, const void *flat, int64_t vectors);
  void (*out)(void *flat, const void *row, int64_t vectors);
} hg_lane_rows;
#endif
