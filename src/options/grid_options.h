/* SPDX-License-Identifier: MIT */
/* Options of all programs that run steps on a divided grid. */
#ifndef HG_OPTIONS_GRID_OPTIONS_H
#define HG_OPTIONS_GRID_OPTIONS_H

#include "options/arguments.h"
#include "division/divide.h"
#include "options/factors.h"

typedef struct hg_grid_options {
  hg_division division;
  double speed[HG_SPEEDS_MAX]; /**< array for the division */
  hg_factors factors;
  double link[HG_SPEEDS_MAX], memory[HG_SPEEDS_MAX]; /**< arrays for the factors */
  const char *network;                               /**< file of measured messages; NULL: HETGRID_NETWORK */
  const char *sched;                                 /**< StarPU policy, or NULL */
  double rebalance;                                  /**< as in hg_job */
  const char *models; /**< folder for the speeds that runs learn of their workers, or NULL */
  int block;          /**< steps per task; 0: chosen */
  int64_t tile[3];    /**< largest extents of a tile; 0: chosen */
  const char *checkpoint, *restart;
  int64_t checkpoint_every;  /**< steps; 0: not by steps */
  double checkpoint_minutes; /**< 0: not by time */
  double spacing[3];         /**< distance of cells along each axis, m, for files */
  int spacings;              /**< number given */
  double time_step;          /**< s; for files; 0: not known */
  bool plan_only;
} hg_grid_options;

/** Option rows for an hg_grid_options, their exclusions and derived values. */
extern const hg_option hg_grid_option_list[];
hg_status hg_grid_options_check(const hg_command *command, void *options);

#define HG_GRID_SET(options, changes)                                                                                  \
  {                                                                                                                    \
    "Execution:", hg_grid_option_list, options, changes, hg_grid_options_check                                         \
  }
#endif
