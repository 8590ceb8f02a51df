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

/* X,Y:W,H */
static hg_status parse_box(const char *text, void *values)
{
  char first[100];
  hg_box *box = &((O *)values)->snapshot_box;
  const char *colon = strchr(text, ':');
  int64_t lo[3] = {0, 0, 0}, extent[3] = {1, 1, 1};
  int counts[2];
  if (!colon || colon - text >= (ptrdiff_t)sizeof first)
    return hg_fail(HG_INVALID, "--snapshot-box: '%s', must be X,Y[,Z]:W,H[,D]", text);
  snprintf(first, sizeof first, "%.*s", (int)(colon - text), text);
  HG_TRY(hg_parse_ints(first, "--snapshot-box", 0, INT64_C(1) << 40, 3, lo, &counts[0]));
  HG_TRY(hg_parse_ints(colon + 1, "--snapshot-box", 1, INT64_C(1) << 40, 3, extent, &counts[1]));
  if (counts[0] != counts[1])
    return hg_fail(HG_INVALID, "--snapshot-box: '%s' has %d and %d numbers, must be as many", text, counts[0],
                   counts[1]);
  for (int a = 0; a < 3; a++) box->lo[a] = lo[a], box->hi[a] = lo[a] + extent[a];
  return HG_OK;
}

static hg_status parse_stride(const char *text, void *values)
{
  int64_t *stride = ((O *)values)->snapshot_stride;
  int count;
  HG_TRY(hg_parse_ints(text, "--snapshot-stride", 1, INT64_C(1) << 40, 3, stride, &count));
  for (int a = count; a < 3; a++) stride[a] = count == 1 ? stride[0] : 1;
  return HG_OK;
}

const hg_option hg_grid_option_list[] = {
    {"partition", HG_TEXT(O, division.partition), "NAME",
     "How the grid is divided: a name that hetgrid-plan knows (default auto), or FILE.csv with a box a line (x,y,w,h)",
     HG_SAME},
    {"speeds", HG_LIST_BY(O, speed, division.speeds, parse_speeds), "LIST",
     "Relative speed of each worker, or of each rank, as in 2*10,5 (default: all equal), or tables:FILE[*N][,FILE..], "
     "a measured speed table per worker; tables: alone takes what hetgrid-calibrate measured here",
     HG_SAME},
    {"speeds tables:", HG_TEXT(O, division.tables), NULL, NULL, HG_SAME | HG_DERIVED},
    HG_FACTOR_ROWS(O),
    {"objective", HG_ONE_OF(O, division.objective, hg_criterion_names), NULL,
     "Which workers get work, so that time, energy or edp (their product) is least by their speeds and the powers of "
     "--energy=modelled:FILE, or of this machine by hetgrid-energy --measure (default time)",
     HG_SAME},
    {"network", HG_TEXT(O, network), "FILE",
     "Times of messages between ranks as hetgrid-network measured them, for the division and the steps per task "
     "(default: HETGRID_NETWORK)",
     0},
    {"sched", HG_CHECKED_TEXT(O, sched, hg_policy_check), "NAME", HG_HELP_SCHED, 0},
    {"rebalance", HG_BY(O, rebalance, parse_rebalance), "auto|off|EPS",
     "While it runs, repartition by measured speeds and move the values: where the steps left gain more than that "
     "costs and --speeds gave no numbers (auto, the default), never, or whenever a step would be shorter by more than "
     "the share EPS",
     HG_SAME},
    {"models", HG_TEXT(O, models), "DIR",
     "Start from worker speeds saved by earlier runs with the same number of ranks, and save what this one learns",
     HG_SAME | HG_PRESENCE},
    {"time-block", HG_IN(O, block, 1, 4096), "K", "Steps per task (default: chosen)", HG_SAME},
    {.name = "block", .use = HG_ALIAS | HG_HIDDEN},
    {"tile", HG_ALL_IN(O, tile, 1, 1LL << 40), "W,H[,D]", "Largest extents of a tile (default: chosen)", HG_SAME},
    {"checkpoint", HG_TEXT(O, checkpoint), "FILE",
     "Write checkpoints to FILE, at the end too, and when the run is interrupted (SIGINT, SIGTERM, SIGHUP, or SIGUSR1, "
     "SIGUSR2, SIGXCPU of queue systems)",
     HG_SAME},
    {"checkpoint-every", HG_IN(O, checkpoint_every, 1, 1LL << 50), "N",
     "Steps between checkpoints (default 1000, without --checkpoint-minutes)", HG_SAME},
    {"checkpoint-minutes", HG_IN(O, checkpoint_minutes, 1e-3, 1e6), "M", "Minutes between checkpoints", HG_SAME},
    {"restart", HG_TEXT(O, restart), "FILE", "Go on from a checkpoint of the same problem", HG_SAME | HG_CONTENTS},
    {"spacing", HG_ACTION(parse_spacing), "DX[,DY[,DZ]]",
     "Distance of cells in metres, stored in files' metadata; one number serves all axes (default: not known)", 0},
    {"time-step", HG_IN(O, time_step, 1e-300, 1e300), "DT",
     "Seconds of a step, stored in files' metadata (default: not known)", 0},
    {"snapshot-every", HG_IN(O, snapshot_every, 1, 1LL << 50), "N",
     "Write the values before the first step and after every Nth, as a series that ParaView plays: NAME.xmf", 0},
    {"snapshot", HG_TEXT(O, snapshot), "NAME", "Of that series: NAME.STEP.h5 and NAME.xmf (default: the program's job)",
     0},
    {"snapshot-box", HG_ACTION(parse_box), "X,Y[,Z]:W,H[,D]", "Only these cells: the first one, and the extents", 0},
    {"snapshot-stride", HG_ACTION(parse_stride), "SX[,SY[,SZ]]",
     "Subsampling stride along each axis; one number serves all axes (default 1)", 0},
    {"snapshot-png", HG_FLAG(O, snapshot_png), NULL, "A picture of each too: NAME.STEP.png", 0},
    {"plan-only", HG_FLAG(O, plan_only), NULL, "Print the regions (with --csv as a table) and stop", HG_SAME},
    {0}};

static hg_status check_models(const O *o, bool has_boxes)
{
  if (!o->models) return HG_OK;
  if (o->division.speeds > 0 || o->division.tables || o->division.objective != HG_BY_TIME)
    return hg_fail(HG_INVALID, "--models: learnt speeds divide, so --speeds and --objective have no use");
  return has_boxes ? hg_fail(HG_INVALID, "--models: the boxes of a .csv file follow no speeds") : HG_OK;
}

static hg_status check_rebalance(const O *o, bool has_boxes)
{
  if (!(o->rebalance > 0)) return HG_OK;
  if (o->division.objective != HG_BY_TIME)
    return hg_fail(HG_INVALID, "--rebalance: balances times, so it goes with --objective time alone");
  return has_boxes ? hg_fail(HG_INVALID, "--rebalance: the boxes of a .csv file are not divided anew") : HG_OK;
}

hg_status hg_grid_options_check(const hg_command *command, void *options)
{
  O *o = options;
  (void)command;
  const bool has_boxes = o->division.partition && hg_file_has_ending(o->division.partition, ".csv");
  o->factors.link = o->link;
  o->factors.memory = o->memory;
  HG_TRY(hg_factors_weigh(&o->factors, o->division.speeds, o->speed));
  if (!o->checkpoint && (o->checkpoint_every || o->checkpoint_minutes > 0))
    return hg_fail(HG_INVALID, "--checkpoint-%s: needs --checkpoint FILE", o->checkpoint_every ? "every" : "minutes");
  if (!o->checkpoint_every && !(o->checkpoint_minutes > 0)) o->checkpoint_every = 1000;
  HG_TRY(check_models(o, has_boxes));
  HG_TRY(check_rebalance(o, has_boxes));
  if (o->division.objective != HG_BY_TIME) o->rebalance = -1;
  return HG_OK;
}
