/* SPDX-License-Identifier: MIT */
/* Division of a grid by functional models with communication (FPMC; thesis 4.3), as repaired: FPMC-R. */
#ifndef HG_PLACEMENT_FPMC_H
#define HG_PLACEMENT_FPMC_H

#include <stdbool.h>

#include "base/box.h"
#include "model/speed.h"
#include "partition/partition.h"

/** What a division comes to. */
typedef struct hg_fpmc_result {
  double makespan;  /**< s: largest T_i(w_i, c_i), c_i the border of box i in items */
  double imbalance; /**< largest / mean time of the processors with work */
  int evaluations;  /**< partitions looked at */
} hg_fpmc_result;

/** Divides n cells so that the largest T_i(cells, border) is small. Starts from the divisions by FPM (no
 * communication), even, and CPM (speed at an even share), each with several partitioners and with the fastest m
 * processors alone for falling m; from each, solves FPM with the present borders, moves there as far as the makespan of
 * the rounded partition falls, and repeats; then rebuilds the trees. Never worse than its starting points;
 * deterministic; ends.
 * @param name  one partitioner to use, or NULL for auto (with all processors), nphp, column-based, recursive and rows
 * @param[out] box  [parts] covers the grid once
 * HG_INVALID, HG_MEMORY. */
hg_status hg_fpmc(int dims, const int64_t n[3], int parts, const hg_speed_model *model, const char *name, hg_box *box,
                  hg_fpmc_result *result);

/** FPMC as algorithm 4-1 of the thesis has it, for comparison: no better than FPM in part of all cases (fpmc_thesis.c
 * says why). @param name  the partitioner. HG_INVALID if there are fewer cells than processors; HG_MEMORY. */
hg_status hg_fpmc_thesis(int dims, const int64_t n[3], int parts, const hg_speed_model *model, const char *name,
                         hg_box *box, hg_fpmc_result *result);

/** How shares are found from speed models. */
typedef enum hg_balance {
  HG_BALANCE_EVEN,
  HG_BALANCE_CPM,
  HG_BALANCE_FPM,
  HG_BALANCE_FPMC,
  HG_BALANCE_FPMC_THESIS
} hg_balance;

/** Their names in that order, ended by NULL. */
extern const char *const hg_balance_names[];

/** The model of that name. False if there is none. */
bool hg_balance_parse(const char *name, hg_balance *out);

/** Divides by one of the simpler models and one partitioner; measures like hg_fpmc. HG_BALANCE_FPMC is hg_fpmc itself.
 */
hg_status hg_divide_by_model(hg_balance balance, int dims, const int64_t n[3], int parts, const hg_speed_model *model,
                             const char *name, hg_box *box, hg_fpmc_result *result);
#endif
