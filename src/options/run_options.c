/* SPDX-License-Identifier: MIT */
/* The options of all programs that run tasks. */
#include <stdlib.h>

#include "base/text.h"
#include "options/arguments.h"
#include "result/metadata.h"

enum {
  OUTPUT = 256,
  COLORMAP,
  RANGE,
  LABEL,
  PIXELS,
  SHOW,
  TRACE,
  PHASES,
  REPEAT,
  WARMUP,
  CSV,
  QUIET,
  PROGRESS,
  ENERGY,
  METER_OFFSET
};

static const struct argp_option run_list[] = {
    {"output", OUTPUT, "FILE", 0,
     "Write the result: .h5, .npy, .csv, .mtx or .txt; a picture of it: .png, .svg or .pdf; or where it comes from: "
     ".json; may be repeated",
     0},
    {"colormap", COLORMAP, "NAME", 0,
     "Colours of pictures: inferno (default), viridis, cividis, grey, blues or redblue", 0},
    {"range", RANGE, "LO,HI", 0, "Values at the ends of the colours (default: the smallest and the largest)", 0},
    {"label", LABEL, "TEXT", 0, "What pictures call the values, such as 'elevation (m)'", 0},
    {"pixels", PIXELS, NULL, 0,
     "Pictures of nothing but the cells, a pixel each (of more than 8192 along a side, means)", 0},
    {"show", SHOW, "FILE", 0, "Print where the values of a .h5, .png or .json file come from, and stop", 0},
    {"repeat", REPEAT, "N", 0, "Timed runs (default 1)", 0},
    {"warmup", WARMUP, "N", 0, "Runs before them (default 0)", 0},
    {"trace", TRACE, "DIR", OPTION_ARG_OPTIONAL,
     "Record the last timed run to DIR (default trace): for ViTE and hetgrid-trace, with a summary and pictures", 0},
    {"phases", PHASES, "FILE", OPTION_ARG_OPTIONAL,
     "Print the time each worker spent in each phase of the last run, or write it to a CSV file", 0},
    {"energy", ENERGY, "SOURCE,..", OPTION_ARG_OPTIONAL,
     "Joules beside seconds, from rapl (processor packages and memory, of all that runs on them), nvml (GPUs), "
     "meter:FILE "
     "(a CSV of watts) or modelled:FILE (a platform with powers); default: the counters there are, the rest modelled",
     0},
    {"meter-offset", METER_OFFSET, "S", 0, "Seconds that the meter's clock is ahead of this machine's (default 0)", 0},
    {"csv", CSV, NULL, 0, "One header line, then one row a run", 0},
    {"quiet", QUIET, NULL, 0, "Print nothing but errors", 0},
    {"progress", PROGRESS, "auto|on|off", 0, "Progress bar (default auto: on a terminal)", 0},
    {0}};

static void show(struct argp_state *state, const char *path)
{
  const hg_status status = hg_metadata_show(path, stdout);
  if (status != HG_OK) argp_failure(state, status == HG_INVALID ? 2 : 1, 0, "%s", hg_message());
  exit(0);
}

static hg_status parse_range(const char *text, hg_picture *p)
{
  double end[2];
  int count;
  HG_TRY(hg_parse_doubles(text, "--range", -1e300, 1e300, 2, end, &count));
  if (count != 2 || !(end[0] < end[1]))
    return hg_fail(HG_INVALID, "--range: '%s' must be two numbers, the smaller one first", text);
  p->ranged = true, p->low = end[0], p->high = end[1];
  return HG_OK;
}

static error_t parse_run(int key, char *arg, struct argp_state *state)
{
  hg_run_options *o = state->input;
  switch (key) {
  case OUTPUT:
    if (o->outputs == HG_OUTPUTS_MAX) argp_failure(state, 2, 0, "--output: more than %d files", HG_OUTPUTS_MAX);
    o->output[o->outputs++] = arg;
    break;
  case COLORMAP: o->picture.map = (hg_colour_map)hg_arg_one_of(state, arg, "--colormap", hg_colour_map_names); break;
  case RANGE: hg_arg_require(state, parse_range(arg, &o->picture)); break;
  case LABEL: o->picture.label = arg; break;
  case PIXELS: o->picture.pixels = true; break;
  case SHOW: show(state, arg); break;
  case TRACE: o->trace = arg ? arg : "trace"; break;
  case PHASES:
    o->phases = true;
    o->phases_file = arg;
    break;
  case REPEAT: o->repeat = (int)hg_arg_int(state, arg, "--repeat", 1, 1000000); break;
  case WARMUP: o->warmup = (int)hg_arg_int(state, arg, "--warmup", 0, 1000000); break;
  case ENERGY: hg_arg_require(state, hg_energy_choose(arg, &o->energy)); break;
  case METER_OFFSET:
    hg_arg_require(state, hg_parse_double(arg, "--meter-offset", -1e9, 1e9, &o->energy.meter_offset));
    break;
  case CSV: o->csv = true; break;
  case QUIET: o->quiet = true; break;
  case PROGRESS: o->progress = hg_progress_names[hg_arg_one_of(state, arg, "--progress", hg_progress_names)]; break;
  case ARGP_KEY_END:
    if (o->phases && !o->phases_file && o->csv)
      argp_failure(state, 2, 0, "--phases: prints a table of its own; with --csv it needs a file, as --phases=FILE");
    if (o->energy.meter_offset != 0 && !*o->energy.meter)
      argp_failure(state, 2, 0, "--meter-offset: needs --energy=meter:FILE");
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

const struct argp_option hg_run_without_pictures[] = {{"colormap", 0, NULL, 0, NULL, 0},
                                                      {"range", 0, NULL, 0, NULL, 0},
                                                      {"label", 0, NULL, 0, NULL, 0},
                                                      {"pixels", 0, NULL, 0, NULL, 0},
                                                      {0}};

const struct argp hg_run_argp = {run_list, parse_run, NULL, NULL, NULL, NULL, NULL};
