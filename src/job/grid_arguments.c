/* SPDX-License-Identifier: MIT */
#include "job/grid_arguments.h"

#include <string.h>

#include "base/file.h"
#include "base/text.h"

enum {
  PARTITION = 256,
  SPEEDS,
  NETWORK,
  SCHED,
  REBALANCE,
  BLOCK,
  TILE,
  CHECKPOINT,
  CHECKPOINT_EVERY,
  CHECKPOINT_MINUTES,
  RESTART,
  OBJECTIVE,
  PHASES,
  PLAN_ONLY
};

static const struct argp_option option_list[] = {
    {"partition", PARTITION, "NAME", 0,
     "How the grid is divided: a name that hetgrid-plan knows (default auto), or FILE.csv with a box a line (x,y,w,h)",
     0},
    {"speeds", SPEEDS, "LIST", 0,
     "Relative speed of each worker, or of each rank, as in 2*10,5 (default: all equal), or tables:FILE[*N][,FILE..], "
     "a measured speed table per worker; tables: alone takes what hetgrid-calibrate measured here",
     0},
    {"objective", OBJECTIVE, "GOAL", 0,
     "Which workers get work, so that time, energy or edp (their product) is least by their speeds and the powers of "
     "--energy=modelled:FILE, or of this machine by hetgrid-energy --measure (default time)",
     0},
    {"network", NETWORK, "FILE", 0,
     "Times of messages between ranks as hetgrid-network measured them, for the division and the steps per task "
     "(default: HETGRID_NETWORK)",
     0},
    {"sched", SCHED, "NAME", 0, "StarPU scheduling policy; the environment's STARPU_SCHED wins", 0},
    {"rebalance", REBALANCE, "auto|off|EPS", 0,
     "While it runs, divide the grid anew by measured speeds and move the values: where the steps left gain more than "
     "that costs and no --speeds were given (auto, the default), never, or whenever a step would be shorter by more than "
     "the share EPS",
     0},
    {"block", BLOCK, "K", 0, "Steps per task (default: chosen)", 0},
    {"tile", TILE, "W,H[,D]", 0, "Largest extents of a tile (default: chosen)", 0},
    {"checkpoint", CHECKPOINT, "FILE", 0,
     "Save all values there now and then, at the end, and when the run is interrupted (SIGINT, SIGTERM)", 0},
    {"checkpoint-every", CHECKPOINT_EVERY, "N", 0,
     "Steps between checkpoints (default 1000, without --checkpoint-minutes)", 0},
    {"checkpoint-minutes", CHECKPOINT_MINUTES, "M", 0, "Minutes between checkpoints", 0},
    {"restart", RESTART, "FILE", 0, "Go on from a checkpoint of the same problem", 0},
    {"phases", PHASES, "FILE", OPTION_ARG_OPTIONAL,
     "Print the time each worker spent in each phase, or write it to a CSV file", 0},
    {"plan-only", PLAN_ONLY, NULL, 0, "Print the regions (with --csv as a table) and stop", 0},
    {0}};

static hg_status parse_rebalance(const char *text, double *out)
{
  *out = strcmp(text, "off") == 0 ? -1 : 0;
  if (*out < 0 || strcmp(text, "auto") == 0) return HG_OK;
  return hg_parse_real(text, "--rebalance", 1e-6, 100, out);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  hg_grid_options *o = state->input;
  int count;
  switch (key) {
  case PARTITION: o->division.partition = arg; break;
  case SPEEDS: hg_arg_require(state, hg_division_speeds(arg, o->speed, &o->division)); break;
  case OBJECTIVE:
    o->division.objective = (hg_criterion)hg_arg_one_of(state, arg, "--objective", hg_criterion_names);
    break;
  case NETWORK: o->network = arg; break;
  case SCHED: o->sched = arg; break;
  case REBALANCE: hg_arg_require(state, parse_rebalance(arg, &o->rebalance)); break;
  case BLOCK: o->block = (int)hg_arg_whole(state, arg, "--block", 1, 4096); break;
  case TILE: hg_arg_require(state, hg_parse_ints(arg, "--tile", 1, INT64_C(1) << 40, 3, o->tile, &count)); break;
  case CHECKPOINT: o->checkpoint = arg; break;
  case CHECKPOINT_EVERY:
    o->checkpoint_every = hg_arg_whole(state, arg, "--checkpoint-every", 1, INT64_C(1) << 50);
    break;
  case CHECKPOINT_MINUTES:
    hg_arg_require(state, hg_parse_real(arg, "--checkpoint-minutes", 1e-3, 1e6, &o->checkpoint_seconds));
    o->checkpoint_seconds *= 60;
    break;
  case RESTART: o->restart = arg; break;
  case PHASES:
    o->phases = true;
    o->phases_file = arg;
    break;
  case PLAN_ONLY: o->plan_only = true; break;
  case ARGP_KEY_END:
    if (!o->checkpoint_every && !(o->checkpoint_seconds > 0)) o->checkpoint_every = 1000;
    if (o->rebalance > 0 && o->division.objective != HG_BY_TIME)
      argp_failure(state, 2, 0, "--rebalance: balances times, so it goes with --objective time alone");
    if (o->division.objective != HG_BY_TIME) o->rebalance = -1;
    if (o->rebalance > 0 && o->division.partition && hg_file_has_ending(o->division.partition, ".csv"))
      argp_failure(state, 2, 0, "--rebalance: the boxes of a .csv file are not divided anew");
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

const struct argp hg_grid_argp = {option_list, parse, NULL, NULL, NULL, NULL, NULL};
