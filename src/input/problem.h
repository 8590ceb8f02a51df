/* SPDX-License-Identifier: MIT */
/* The heat problem: what to compute, without how. */
#ifndef HG_INPUT_PROBLEM_H
#define HG_INPUT_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "input/domain.h"

typedef enum hg_precision { HG_DOUBLE, HG_FLOAT } hg_precision;

/** Bytes of one value. */
static inline int64_t hg_precision_bytes(hg_precision p)
{
  return p == HG_DOUBLE ? 8 : 4;
}

/** One side of the grid. */
typedef struct hg_side {
  hg_boundary kind;
  bool has_value; /**< fixed sides only: the side starts at `value` instead of its initial cells */
  double value;   /**< temperature */
} hg_side;

/** Explicit heat transfer on a uniform grid (thesis eq. 2-2). */
typedef struct hg_heat_problem {
  int dims;               /**< 1..3 */
  int64_t n[3];           /**< columns, rows, layers; >= 1; 1 beyond dims */
  hg_precision precision; /**< of the state and the arithmetic */
  double alpha[3];        /**< diffusivity * dt / dx^2 per axis, dimensionless, >= 0; 0 beyond dims */
  hg_side side[3][2];     /**< [axis][0: west/north/up, 1: east/south/down] */
  int64_t steps;          /**< time steps at most, >= 0 */
  double tolerance;       /**< stop when no cell changes by more per step; 0: never */
  int64_t check_every;    /**< steps between two checks of the tolerance, >= 1 */
  bool allow_unstable;    /**< run although ax+ay+az > 1/2 */
} hg_heat_problem;

/** The grid of a problem; a step reaches one cell. */
hg_domain hg_heat_domain(const hg_heat_problem *problem);

/** Checks sizes, coefficients and boundaries. HG_INVALID with the offending value and its bound. */
hg_status hg_heat_problem_check(const hg_heat_problem *problem);

/** Parses `fixed[=V]|insulated|periodic` for all sides, or a list `west=..,east=..,north=..,south=..,up=..,down=..`;
 * sides not named keep what they are. HG_INVALID for unknown words or sides that the grid does not have. */
hg_status hg_boundary_parse(const char *text, int dims, hg_side side[3][2]);

/** "fixed", "insulated", "periodic". */
const char *hg_boundary_name(hg_boundary kind);

/** "west" .. "down". */
const char *hg_side_name(int axis, int high);
#endif
