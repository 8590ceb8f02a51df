/* SPDX-License-Identifier: MIT */
/* Capabilities instead of speeds: --factors, --links and --memories (thesis, equations 3-1 and 3-2). */
#ifndef HG_OPTIONS_FACTORS_H
#define HG_OPTIONS_FACTORS_H

#include <stdbool.h>

#include "options/option.h"

typedef struct hg_factors {
  double factor[3];            /**< weights of speed, link and memory; all 0: only speeds count */
  int factors;                 /**< number of values in --factors; 0: not given */
  const double *link, *memory; /**< [links], [memories] any unit, or NULL */
  int links, memories;
} hg_factors;

/** Option rows for a structure S with `factors` and the arrays `link` and `memory` that `factors` points to. */
#define HG_FACTOR_ROWS(S)                                                                                              \
  {"links", HG_LIST_IN(S, link, factors.links, 0, 1e300), "LIST",                                                      \
   "Communication capability of each processor, in any unit, for --factors", HG_SAME},                                 \
      {"memories", HG_LIST_IN(S, memory, factors.memories, 0, 1e300), "LIST",                                          \
       "Memory of each processor, in any unit, for --factors", HG_SAME},                                               \
  {                                                                                                                    \
    "factors", HG_LIST_IN(S, factors.factor, factors.factors, 0, 1e300), "A,B,D",                                      \
        "Divide by the capability A speed + B link + D memory (thesis, equations 3-1 and 3-2), from "                  \
        "--speeds, --links and --memories, each scaled to a sum of 1",                                                 \
        HG_SAME                                                                                                        \
  }

/** Whether --factors was given. */
bool hg_factors_given(const hg_factors *factors);

/** Replaces speeds by shares from capabilities, if factors are given. @param[in,out] speed  [parts] HG_INVALID if
 * --factors are not three or are all 0, if --links or --memories are given without them or differ in number from the
 * speeds, or as hg_cpm_shares; HG_MEMORY. */
hg_status hg_factors_weigh(const hg_factors *factors, int parts, double *speed);
#endif
