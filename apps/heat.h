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
  hg_tiling tiling;
  hg_stencil *stencil;
  hg_progress bar;
} heat;

/** Divides the grid among all workers and cuts it into tiles: fills heat->tiling. */
hg_status heat_make_tiling(heat *heat);
#endif
