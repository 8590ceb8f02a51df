/* SPDX-License-Identifier: MIT */
/* Precision of a grid's numbers, and its boundary conditions. */
#ifndef HG_INPUT_PROBLEM_H
#define HG_INPUT_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "input/domain.h"

typedef enum hg_precision { HG_DOUBLE, HG_FLOAT } hg_precision;

/** Names of the precisions for --precision, ended by NULL. */
extern const char *const hg_precision_names[];

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
  const char
      *times; /**< fixed sides only: a file of times and values that it follows, within the parsed text; or NULL */
  int times_length; /**< characters of its name */
  double flux;      /**< insulated sides only: inflow through them, temperature * m/s */
} hg_side;

/** Parses `fixed[=V|=FILE]|insulated|flux=Q|periodic`, FILE a .csv or .npy, for all sides, or a list `west=..,east=..,
 * north=..,south=..,up=..,down=..`; sides not named stay as they are. HG_INVALID for unknown words, and for sides that
 * do not exist or are named twice. */
hg_status hg_boundary_parse(const char *text, int dims, hg_side side[3][2]);

/** Whether a side follows a file; false if the text cannot be parsed. */
bool hg_boundary_follows(const char *text);

/** HG_INVALID if a side is periodic and the opposite one is not. */
hg_status hg_boundary_check(int dims, const hg_side side[3][2]);
#endif
