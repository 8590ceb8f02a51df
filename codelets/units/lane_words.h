/* SPDX-License-Identifier: MIT */
/* Conversion of rows of words of any size to lane layout and back. */
#ifndef HG_CODELETS_UNITS_LANE_WORDS_H
#define HG_CODELETS_UNITS_LANE_WORDS_H

#include "codelets/units/lane_rows.h"

/** The functions of an instruction set for words of 8, 4, 2 or 1 bytes. */
const hg_lane_rows *hg_lane_rows_of(hg_lane_set set, int word_bytes);
#endif
