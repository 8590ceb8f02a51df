/* SPDX-License-Identifier: MIT */
#include "options/grid_options.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "options/policy_option.h"

#define O hg_grid_options

static hg_status parse_speeds(const char *text, void *values)
{
  O *o = values;
  return hg_division_speeds(text, o->speed, &o->division);
}

static hg_status parse_rebalance(const char *text, void *values)
{
  double *out = &((O *)values)->rebalance;
  *out = strcmp(text, "off") == 0 ? -1 : 0;
  if (*out < 0 || strcmp(text, "auto") == 0) return HG_OK;
  if (hg_parse_double(text, "--rebalance", 1e-6, 100, out) == HG_OK) return HG_OK;
  return hg_fail(HG_INVALID, "--rebalance: '%s', must be auto, off or a number in 1e-06..100", text);
}

static hg_status parse_spacing(const char *text, void *values)
{
  O *o = values;
  HG_TRY(hg_parse_doubles(text, "--spacing", 1e-300, 1e300, 3, o->spacing, &o->spacings));
  for (int a = o->spacings; a < 3; a++) o->spacing[a] = o->spacing[o->spacings - 1];
  return HG_OK;
}

const hg_option hg_grid_option_list[] = {
    {"partition", HG_TEXT(O, division.partition), "NAME",
     "How to divide the grid: a partitioner that hetgrid-plan knows (default auto), or FILE.csv with one box per line "
     "(x,y,w,h)",
     HG_SAME},
    {"speeds", HG_LIST_BY(O, speed, division.speeds, parse_speeds), "LIST",
     "Relative speed of each worker, or of each rank, as SPEED[*COUNT]: 2*10,5 means ten of speed 2 and one of 5 "
     "(default: all equal); or tables:FILE[*COUNT][,FILE..], a measured speed table per worker; tables: alone uses "
     "what hetgrid-calibrate measured on this machine",
     HG_SAME},
    {"speeds tables:", HG_TEXT(O, division.tables), NULL, NULL, HG_SAME | HG_DERIVED},
    HG_FACTOR_ROWS(O),
    {"objective", HG_ONE_OF(O, division.objective, hg_criterion_names), NULL,
     "Give work to the workers that minimise time, energy, edp (energy x time) or ed2p (energy x time^2), by their "
     "speeds and the powers of --energy=modelled:FILE, or else those that hetgrid-energy --measure found on this "
     "machine (default time)",
     HG_SAME},
    {"network", HG_TEXT(O, network), "FILE",
     "Message times between ranks as measured by hetgrid-network, for choosing the division and the steps per task "
     "(default: HETGRID_NETWORK)",
     0},
    {"sched", HG_CHECKED_TEXT(O, sched, hg_policy_check), "NAME", HG_HELP_SCHED, 0},
    {"rebalance", HG_BY(O, rebalance, parse_rebalance), "auto|off|EPS",
     "Repartition during the run by measured speeds, and move the data. auto: if the remaining steps gain more than "
     "the move costs, and --speeds gave no numbers (default); off: never; EPS: if a step becomes shorter by more than "
     "the fraction EPS",
     HG_SAME},
    {"models", HG_TEXT(O, models), "DIR",
     "Start from worker speeds that earlier runs with the same number of ranks saved in DIR, and save those that this "
     "run learns",
     HG_SAME | HG_PRESENCE},
    {"time-block", HG_IN(O, block, 1, 4096), "K", "Time steps per task (default: chosen automatically)", HG_SAME},
    {.name = "block", .use = HG_ALIAS | HG_HIDDEN},
    {"tile", HG_ALL_IN(O, tile, 1, 1LL << 40), "W,H[,D]",
     "Largest extents of a tile in cells (default: chosen automatically)", HG_SAME},
    {"checkpoint", HG_TEXT(O, checkpoint), "FILE",
     "Write checkpoints to FILE during the run, at its end, and when a signal interrupts it (SIGINT, SIGTERM, SIGHUP, "
     "or SIGUSR1, SIGUSR2, SIGXCPU from batch systems)",
     HG_SAME},
    {"checkpoint-every", HG_IN(O, checkpoint_every, 1, 1LL << 50), "N",
     "Steps between checkpoints (default 1000, unless --checkpoint-minutes is given)", HG_SAME},
    {"checkpoint-minutes", HG_IN(O, checkpoint_minutes, 1e-3, 1e6), "M", "Minutes between checkpoints", HG_SAME},
    {"restart", HG_TEXT(O, restart), "FILE", "Continue from a checkpoint of the same problem", HG_SAME | HG_CONTENTS},
    {"spacing", HG_ACTION(parse_spacing), "DX[,DY[,DZ]]",
     "Distance between cells in metres, stored in the metadata of files; one number applies to all axes (default: "
     "unknown)",
     0},
    {"time-step", HG_IN(O, time_step, 1e-300, 1e300), "DT",
     "Length of a time step in seconds, stored in the metadata of files (default: unknown)", 0},
    {"plan-only", HG_FLAG(O, plan_only), NULL, "Print the regions (with --csv as a table) and stop", HG_SAME},
    {0}};

static hg_status check_models(const O *o, bool has_boxes)
{
  if (!o->models) return HG_OK;
  if (o->division.speeds > 0 || o->division.tables || o->division.objective != HG_BY_TIME)
    return hg_fail(HG_INVALID, "--models: excludes --speeds and --objective, as the grid is divided by learnt speeds");
  return has_boxes ? hg_fail(HG_INVALID, "--models: excludes --partition FILE.csv, whose boxes do not depend on speeds")
                   : HG_OK;
}

static hg_status check_rebalance(const hg_command *command, const O *o, bool has_boxes)
{
  if (!(o->rebalance > 0) || !hg_option_given(command, "rebalance")) return HG_OK;
  if (o->division.objective != HG_BY_TIME)
    return hg_fail(HG_INVALID, "--rebalance: needs --objective time, as it balances times");
  return has_boxes ? hg_fail(HG_INVALID, "--rebalance: the boxes of a .csv file are not rebalanced") : HG_OK;
}

hg_status hg_grid_options_check(const hg_command *command, void *options)
{
  O *o = options;
  const bool has_boxes = o->division.partition && hg_file_has_ending(o->division.partition, ".csv");
  o->factors.link = o->link;
  o->factors.memory = o->memory;
  HG_TRY(hg_factors_weigh(&o->factors, o->division.speeds, o->speed));
  if (!o->checkpoint && (o->checkpoint_every || o->checkpoint_minutes > 0))
    return hg_fail(HG_INVALID, "--checkpoint-%s: needs --checkpoint FILE", o->checkpoint_every ? "every" : "minutes");
  if (!o->checkpoint_every && !(o->checkpoint_minutes > 0)) o->checkpoint_every = 1000;
  HG_TRY(check_models(o, has_boxes));
  HG_TRY(check_rebalance(command, o, has_boxes));
  if (o->division.objective != HG_BY_TIME) o->rebalance = -1;
  return HG_OK;
}
