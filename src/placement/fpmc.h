/* SPDX-License-Identifier: MIT */
/* Division of a grid by functional models with communication (FPMC; thesis 4.3), as repaired: FPMC-R. */
#ifndef HG_PLACEMENT_FPMC_H
#define HG_PLACEMENT_FPMC_H

#include <stdbool.h>

#include "base/box.h"
#include "partition/partition.h"
#include "placement/machine.h"

/** Divides n cells so that hg_machine_time is small. It compares all candidates: shares by FPM (no communication),
 * even, and CPM (speed at an even share), for all processors, for the fastest m with falling m, and for the fastest m
 * nodes, each by several partitioners, flat and level by level. From the best of them it repeatedly solves FPM with
 * the present borders and links and moves there as far as the time of the rounded partition falls; then it rebuilds
 * the trees. Never worse than any candidate; deterministic; terminates.
 * @param name  one partitioner to use, or NULL for auto (with all processors), nphp, column-based, recursive and rows
 * @param[out] box  [parts] covers the grid once
 * HG_INVALID, HG_MEMORY. */
hg_status hg_fpmc(int dims, const int64_t n[3], const hg_machine *machine, const char *name, hg_box *box,
                  hg_fpmc_result *result);

/** FPMC by algorithm 4-1 of the thesis, without periodic axes, for comparison: in some cases no better than FPM
 * (fpmc_thesis.c explains why). @param name  the partitioner. HG_INVALID if there are fewer cells than processors;
 * HG_MEMORY. */
hg_status hg_fpmc_thesis(int dims, const int64_t n[3], int parts, const hg_speed_model *model, const char *name,
                         hg_box *box, hg_fpmc_result *result);

/** Names of the models, in the order of hg_balance, ended by NULL. */
extern const char *const hg_balance_names[];

/** The model of that name. False if there is none. */
bool hg_balance_parse(const char *name, hg_balance *out);

/** Divides by one of the simpler models and one partitioner; evaluates like hg_fpmc. HG_BALANCE_FPMC is hg_fpmc
 * itself. */
hg_status hg_divide_by_model(hg_balance balance, int dims, const int64_t n[3], const hg_machine *machine,
                             const char *name, hg_box *box, hg_fpmc_result *result);
#endif
