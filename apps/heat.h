/* SPDX-License-Identifier: MIT */
#ifndef HG_APPS_HEAT_H
#define HG_APPS_HEAT_H

#include "heat_options.h"

/** Everything a run owns. */
typedef struct heat {
  heat_options options;
  hg_heat_problem problem;
  hg_grid_input *init, *source, *restart;
  hg_checkpoint start; /* step the run starts from, identity of the problem */
  const hg_heat_kernel *kernel;
  hg_session session;
  bool session_open;
  hg_tiling *tiling;
  hg_heat_graph *graph;
  int moves; /* times that the grid was divided anew */
  hg_progress bar;
} heat;

/** Divides the grid among all workers and cuts it into tiles.
 * @param speed  [all workers] measured, or NULL: as the options say */
hg_status heat_make_tiling(const heat *heat, const double *speed, hg_tiling *tiling);

/** Measures what all workers have done since the last call; if their times lie apart by more than --rebalance allows,
 * the grid is divided by the measured speeds and the state moves. Collective. */
hg_status heat_rebalance(heat *heat);
#endif
