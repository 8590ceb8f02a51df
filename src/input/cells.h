/* SPDX-License-Identifier: MIT */
/* Computing units as functions of an application see them (R. Yang's thesis, docs/PAPERS.md, 5.1), when they
 * initialise a unit and when they name its neighbours. */
#ifndef HG_INPUT_CELLS_H
#define HG_INPUT_CELLS_H

#include <stdint.h>

#include "base/box.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A unit. */
typedef struct hg_cell {
  int64_t id;     /**< x + nx (y + ny z) */
  int64_t x;      /**< column, from 0 */
  int64_t y;      /**< row */
  int64_t z;      /**< layer */
  int64_t step;   /**< the step about to be computed, from 0 */
  int64_t length; /**< elements of its value */
  int64_t n[3];   /**< extents of the grid: columns, rows, layers */
} hg_cell;

/** What the input holds for a unit. */
typedef struct hg_input {
  double number;    /**< from a field (a file or a formula), or the first number of the text; else NaN */
  const char *text; /**< the unit's line of a text file, or NULL */
} hg_input;

/** A list of neighbours under construction. */
typedef struct hg_set hg_set;

/** Adds the unit with that identifier; it may be the unit itself, and may be added twice. A wrong identifier, or more
 * neighbours than the job's limit, ends the job with an error that names unit and step. */
void hg_set_add(hg_set *set, int64_t id);

/** The boxes of a tile under construction. */
typedef struct hg_zone hg_zone;

/** Extents of the grid, [3]: columns, rows, layers. */
const int64_t *hg_zone_size(const hg_zone *zone);

/** Adds a box: x..x+nx-1, y..y+ny-1, z..z+nz-1; at most HG_ZONES_MAX. Empty ones are ignored; boxes outside the grid
 * end the job with an error that names tile and step. */
void hg_zone_add(hg_zone *zone, int64_t x, int64_t y, int64_t z, int64_t nx, int64_t ny, int64_t nz);

#ifdef __cplusplus
}
#endif
#endif
