/* SPDX-License-Identifier: MIT */
#include "options/grid_options.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "options/policy_option.h"

enum {
  PARTITION = 256,
  SPEEDS,
  LINKS,
  MEMORIES,
  FACTORS,
  NETWORK,
  SCHED,
  REBALANCE,
  MODELS,
  BLOCK,
  TILE,
  CHECKPOINT,
  CHECKPOINT_EVERY,
  CHECKPOINT_MINUTES,
  RESTART,
  OBJECTIVE,
  SPACING,
  TIME_STEP,
  SNAPSHOT,
  SNAPSHOT_EVERY,
  SNAPSHOT_BOX,
  SNAPSHOT_STRIDE,
  SNAPSHOT_PNG,
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
    {"factors", FACTORS, "A,B,D", 0,
     "Divide by capability A speed + B link + D memory, each as a share of its sum (thesis, equations 3-1 and 3-2), of "
     "--speeds, --links and --memories",
     0},
    {"links", LINKS, "LIST", 0, "Communication of each worker or rank, any unit, for --factors", 0},
    {"memories", MEMORIES, "LIST", 0, "Memory of each worker or rank, any unit, for --factors", 0},
    {"objective", OBJECTIVE, "GOAL", 0,
     "Which workers get work, so that time, energy or edp (their product) is least by their speeds and the powers of "
     "--energy=modelled:FILE, or of this machine by hetgrid-energy --measure (default time)",
     0},
    {"network", NETWORK, "FILE", 0,
     "Times of messages between ranks as hetgrid-network measured them, for the division and the steps per task "
     "(default: HETGRID_NETWORK)",
     0},
    {"sched", SCHED, "NAME", 0, HG_HELP_SCHED, 0},
    {"rebalance", REBALANCE, "auto|off|EPS", 0,
     "While it runs, divide the grid anew by measured speeds and move the values: where the steps left gain more than "
     "that costs and --speeds gave no numbers (auto, the default), never, or whenever a step would be shorter by "
     "more than the share EPS",
     0},
    {"models", MODELS, "DIR", 0,
     "Begin divided by the workers' speeds as earlier runs on as many ranks learnt them, and keep what this one learns",
     0},
    {"block", BLOCK, "K", 0, "Steps per task (default: chosen)", 0},
    {"tile", TILE, "W,H[,D]", 0, "Largest extents of a tile (default: chosen)", 0},
    {"checkpoint", CHECKPOINT, "FILE", 0,
     "Save all values there now and then, at the end, and when the run is interrupted (SIGINT, SIGTERM, SIGHUP, "
     "or SIGUSR1, SIGUSR2, SIGXCPU of queue systems)",
     0},
    {"checkpoint-every", CHECKPOINT_EVERY, "N", 0,
     "Steps between checkpoints (default 1000, without --checkpoint-minutes)", 0},
    {"checkpoint-minutes", CHECKPOINT_MINUTES, "M", 0, "Minutes between checkpoints", 0},
    {"restart", RESTART, "FILE", 0, "Go on from a checkpoint of the same problem", 0},
    {"spacing", SPACING, "DX[,DY[,DZ]]", 0,
     "Distance of cells in metres, which files tell; one number serves all axes (default: not known)", 0},
    {"time-step", TIME_STEP, "DT", 0, "Seconds of a step, which files tell (default: not known)", 0},
    {"snapshot-every", SNAPSHOT_EVERY, "N", 0,
     "Write the values before the first step and after every Nth, as a series that ParaView plays: NAME.xmf", 0},
    {"snapshot", SNAPSHOT, "NAME", 0, "Of that series: NAME.STEP.h5 and NAME.xmf (default: the program's job)", 0},
    {"snapshot-box", SNAPSHOT_BOX, "X,Y[,Z]:W,H[,D]", 0, "Only these cells: the first one, and the extents", 0},
    {"snapshot-stride", SNAPSHOT_STRIDE, "SX[,SY[,SZ]]", 0,
     "Only every how many-th cell of each axis; one number serves all axes (default 1)", 0},
    {"snapshot-png", SNAPSHOT_PNG, NULL, 0, "A picture of each too: NAME.STEP.png", 0},
    {"plan-only", PLAN_ONLY, NULL, 0, "Print the regions (with --csv as a table) and stop", 0},
    {0}};

static hg_status parse_rebalance(const char *text, double *out)
{
  *out = strcmp(text, "off") == 0 ? -1 : 0;
  if (*out < 0 || strcmp(text, "auto") == 0) return HG_OK;
  if (hg_parse_double(text, "--rebalance", 1e-6, 100, out) == HG_OK) return HG_OK;
  return hg_fail(HG_INVALID, "--rebalance: '%s', must be auto, off or a number in 1e-06..100", text);
}

/* X,Y:W,H */
static hg_status parse_box(const char *text, hg_box *box)
{
  char first[100];
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

static hg_status parse_stride(const char *text, int64_t stride[3])
{
  int count;
  HG_TRY(hg_parse_ints(text, "--snapshot-stride", 1, INT64_C(1) << 40, 3, stride, &count));
  for (int a = count; a < 3; a++) stride[a] = count == 1 ? stride[0] : 1;
  return HG_OK;
}

static error_t parse_snapshot(int key, char *arg, struct argp_state *state)
{
  hg_grid_options *o = state->input;
  switch (key) {
  case SNAPSHOT: o->snapshot = arg; break;
  case SNAPSHOT_EVERY: o->snapshot_every = hg_arg_int(state, arg, "--snapshot-every", 1, INT64_C(1) << 50); break;
  case SNAPSHOT_BOX: hg_arg_require(state, parse_box(arg, &o->snapshot_box)); break;
  case SNAPSHOT_STRIDE: hg_arg_require(state, parse_stride(arg, o->snapshot_stride)); break;
  case SNAPSHOT_PNG: o->snapshot_png = true; break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static error_t parse_capability(int key, char *arg, struct argp_state *state)
{
  static double link[HG_SPEEDS_MAX], memory[HG_SPEEDS_MAX];
  hg_factors *f = &((hg_grid_options *)state->input)->factors;
  int count;
  switch (key) {
  case LINKS:
    f->link = link;
    hg_arg_require(state, hg_parse_doubles(arg, "--links", 0, 1e300, HG_SPEEDS_MAX, link, &f->links));
    break;
  case MEMORIES:
    f->memory = memory;
    hg_arg_require(state, hg_parse_doubles(arg, "--memories", 0, 1e300, HG_SPEEDS_MAX, memory, &f->memories));
    break;
  case FACTORS:
    hg_arg_require(state, hg_parse_doubles(arg, "--factors", 0, 1e300, 3, f->factor, &count));
    if (count != 3) argp_failure(state, 2, 0, "--factors: %d numbers, must be 3 (of speed, link and memory)", count);
    if (!(f->factor[0] + f->factor[1] + f->factor[2] > 0)) argp_failure(state, 2, 0, "--factors: all are 0");
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
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
  case SCHED: o->sched = hg_arg_policy(state, arg); break;
  case REBALANCE: hg_arg_require(state, parse_rebalance(arg, &o->rebalance)); break;
  case MODELS: o->models = arg; break;
  case BLOCK: o->block = (int)hg_arg_int(state, arg, "--block", 1, 4096); break;
  case TILE: hg_arg_require(state, hg_parse_ints(arg, "--tile", 1, INT64_C(1) << 40, 3, o->tile, &count)); break;
  case CHECKPOINT: o->checkpoint = arg; break;
  case CHECKPOINT_EVERY: o->checkpoint_every = hg_arg_int(state, arg, "--checkpoint-every", 1, INT64_C(1) << 50); break;
  case CHECKPOINT_MINUTES:
    hg_arg_require(state, hg_parse_double(arg, "--checkpoint-minutes", 1e-3, 1e6, &o->checkpoint_seconds));
    o->checkpoint_seconds *= 60;
    break;
  case RESTART: o->restart = arg; break;
  case SPACING:
    hg_arg_require(state, hg_parse_doubles(arg, "--spacing", 1e-300, 1e300, 3, o->spacing, &o->spacings));
    for (int a = o->spacings; a < 3; a++) o->spacing[a] = o->spacing[o->spacings - 1];
    break;
  case TIME_STEP: hg_arg_require(state, hg_parse_double(arg, "--time-step", 1e-300, 1e300, &o->time_step)); break;
  case PLAN_ONLY: o->plan_only = true; break;
  case ARGP_KEY_END:
    hg_arg_require(state, hg_factors_weigh(&o->factors, o->division.speeds, o->speed));
    if (!o->checkpoint && (o->checkpoint_every || o->checkpoint_seconds > 0))
      argp_failure(state, 2, 0, "--checkpoint-%s: needs --checkpoint FILE", o->checkpoint_every ? "every" : "minutes");
    if (!o->checkpoint_every && !(o->checkpoint_seconds > 0)) o->checkpoint_every = 1000;
    if (o->rebalance > 0 && o->division.objective != HG_BY_TIME)
      argp_failure(state, 2, 0, "--rebalance: balances times, so it goes with --objective time alone");
    if (o->models && (o->division.speeds > 0 || o->division.tables || o->division.objective != HG_BY_TIME))
      argp_failure(state, 2, 0, "--models: learnt speeds divide, so --speeds and --objective have no use");
    if (o->models && o->division.partition && hg_file_has_ending(o->division.partition, ".csv"))
      argp_failure(state, 2, 0, "--models: the boxes of a .csv file follow no speeds");
    if (o->division.objective != HG_BY_TIME) o->rebalance = -1;
    if (o->rebalance > 0 && o->division.partition && hg_file_has_ending(o->division.partition, ".csv"))
      argp_failure(state, 2, 0, "--rebalance: the boxes of a .csv file are not divided anew");
    break;
  default: return parse_capability(key, arg, state) == 0 ? 0 : parse_snapshot(key, arg, state);
  }
  return 0;
}

const struct argp_option hg_grid_without_fields[] = {{"block", 0, NULL, OPTION_HIDDEN, "", 0},
                                                     {"spacing", 0, NULL, OPTION_HIDDEN, "", 0},
                                                     {"time-step", 0, NULL, OPTION_HIDDEN, "", 0},
                                                     {"snapshot", 0, NULL, 0, NULL, 0},
                                                     {"snapshot-every", 0, NULL, OPTION_HIDDEN, "", 0},
                                                     {"snapshot-box", 0, NULL, 0, NULL, 0},
                                                     {"snapshot-stride", 0, NULL, 0, NULL, 0},
                                                     {"snapshot-png", 0, NULL, 0, NULL, 0},
                                                     {0}};

const struct argp hg_grid_argp = {option_list, parse, NULL, NULL, NULL, NULL, NULL};
