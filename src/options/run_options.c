/* SPDX-License-Identifier: MIT */
/* Options of all programs that run tasks. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "options/arguments.h"
#include "result/metadata.h"

#define O hg_run_options

static hg_status show(const char *path, void *values)
{
  (void)values;
  const hg_status status = hg_metadata_show(path, stdout);
  if (status == HG_OK) exit(0);
  fprintf(stderr, "%s: %s\n", program_invocation_short_name, hg_message());
  exit(status == HG_INVALID ? 2 : 1);
}

static hg_status parse_range(const char *text, void *values)
{
  hg_picture *p = &((O *)values)->picture;
  double end[2];
  int count;
  HG_TRY(hg_parse_doubles(text, "--range", -1e300, 1e300, 2, end, &count));
  if (count != 2 || !(end[0] < end[1]))
    return hg_fail(HG_INVALID, "--range: '%s' must be two numbers, the smaller one first", text);
  p->ranged = true, p->low = end[0], p->high = end[1];
  return HG_OK;
}

static hg_status parse_trace(const char *text, void *values)
{
  ((O *)values)->trace = text ? text : "trace";
  return HG_OK;
}

static hg_status parse_phases(const char *text, void *values)
{
  O *o = values;
  o->phases = true;
  o->phases_file = text;
  return HG_OK;
}

static hg_status parse_energy(const char *text, void *values)
{
  return hg_energy_choose(text, &((O *)values)->energy);
}

const hg_option hg_run_option_list[] = {
    {"output", HG_TEXTS(O, output, outputs), "FILE",
     "Write the result: .h5, .nc, .npy, .csv, .tif, .mtx or .txt; a picture of it: .png, .svg or .pdf; or its "
     "provenance: .json; may be repeated",
     HG_SAME},
    {"picture", HG_TEXTS(O, output, outputs), "FILE", "Draw the result: .png, .svg or .pdf", HG_PICTURE},
    {"colormap", HG_ONE_OF(O, picture.map, hg_colour_map_names), NULL, "Colour map of pictures (default inferno)", 0},
    {"range", HG_ACTION(parse_range), "LO,HI",
     "Values at the two ends of the colour map (default: the smallest and the largest value)", 0},
    {"label", HG_TEXT(O, picture.label), "TEXT", "Name of the values in pictures, such as 'elevation (m)'", 0},
    {"pixels", HG_FLAG(O, picture.pixels), NULL,
     "Draw only the cells, one pixel each (more than 8192 along a side are averaged)", 0},
    {"repeat", HG_IN(O, repeat, 1, 1000000), "N", "Number of timed runs (default 1)", HG_SAME},
    {"warmup", HG_IN(O, warmup, 0, 1000000), "N", "Number of untimed runs before them (default 0)", HG_SAME},
    {"trace", HG_BY(O, trace, parse_trace), "DIR",
     "Record the last timed run in the folder DIR (default trace) for ViTE and hetgrid-trace, with a summary and "
     "pictures",
     HG_SAME | HG_VALUE_OPTIONAL},
    {"phases", HG_BY(O, phases, parse_phases), "FILE",
     "Print the time that each worker spent in each phase of the last run, or write it to a CSV file",
     HG_SAME | HG_VALUE_OPTIONAL},
    {"phases", HG_TEXT(O, phases_file), NULL, NULL, HG_SAME | HG_DERIVED},
    {"energy", HG_ACTION(parse_energy), "SOURCE,..",
     "Report joules as well as seconds, from rapl (CPU packages and memory, including everything else that runs on "
     "them), nvml (GPUs), meter:FILE (a CSV of watts) or modelled:FILE (a platform with powers); default: the "
     "available counters, the rest modelled",
     HG_VALUE_OPTIONAL},
    {"energy", HG_FLAG(O, energy.wanted), NULL, NULL, HG_SAME | HG_DERIVED},
    {"energy=SOURCE", HG_FLAG(O, energy.named), NULL, NULL, HG_SAME | HG_DERIVED},
    {"energy=rapl", HG_FLAG(O, energy.rapl), NULL, NULL, HG_SAME | HG_DERIVED},
    {"energy=nvml", HG_FLAG(O, energy.nvml), NULL, NULL, HG_SAME | HG_DERIVED},
    {"energy=meter", HG_TEXT(O, energy.meter), NULL, NULL, HG_SAME | HG_DERIVED},
    {"energy=modelled", HG_TEXT(O, energy.modelled), NULL, NULL, HG_SAME | HG_DERIVED},
    {"meter-offset", HG_IN(O, energy.meter_offset, -1e9, 1e9), "S",
     "Seconds by which the meter's clock is ahead of this machine's (default 0)", HG_SAME},
    {"show", HG_ACTION(show), "FILE", "Print the provenance of the values in a .h5, .nc, .png or .json file, and stop",
     0},
    {"csv", HG_FLAG(O, csv), NULL, "Print one header line, then one row per run", 0},
    {"quiet", HG_FLAG(O, quiet), NULL, "Print nothing but errors", 0},
    {"progress", HG_ONE_OF(O, progress, hg_progress_names), NULL, HG_HELP_PROGRESS, 0},
    {0}};

hg_status hg_run_options_check(const hg_command *command, void *options)
{
  const O *o = options;
  (void)command;
  if (o->phases && !o->phases_file && o->csv)
    return hg_fail(HG_INVALID, "--phases: prints a table of its own, so with --csv it needs a file: --phases=FILE");
  if (o->energy.meter_offset != 0 && !*o->energy.meter)
    return hg_fail(HG_INVALID, "--meter-offset: needs --energy=meter:FILE");
  return HG_OK;
}
