/* SPDX-License-Identifier: MIT */
/* hetgrid-trace: analyses a recorded run. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "options/option.h"
#include "program/exit.h"
#include "traces/chrome.h"
#include "traces/draw.h"
#include "traces/report.h"
#include "traces/summary.h"
#include "traces/trace.h"

typedef struct options {
  const char *folder, *picture, *map, *chrome, *other;
  bool csv;
} options;

static const hg_option option_list[] = {
    {"csv", HG_FLAG(options, csv), NULL, "Print CSV rows section,item,quantity,value (SI units) instead of text", 0},
    {"picture", HG_TEXT(options, picture), "FILE", "Draw a Gantt chart with one row per worker: .svg, .png or .pdf",
     HG_PICTURE},
    {.name = "svg", .use = HG_ALIAS | HG_HIDDEN},
    {"map", HG_TEXT(options, map), "FILE", "Draw a map of which worker wrote which tile: .svg, .png or .pdf",
     HG_PICTURE},
    {"chrome", HG_TEXT(options, chrome), "FILE",
     "Write all events as JSON for Perfetto (ui.perfetto.dev) and chrome://tracing", 0},
    {"diff", HG_TEXT(options, other), "DIR2", "Compare with the run recorded in DIR2", 0},
    {0}};

static hg_status check(const hg_command *command, void *values)
{
  const options *o = values;
  (void)command;
  if (!o->folder)
    return hg_fail(HG_INVALID, "the folder of a trace is missing; --trace=DIR of the programs writes one");
  if (o->csv && o->other) return hg_fail(HG_INVALID, "--csv and --diff exclude each other");
  return HG_OK;
}

static hg_status compare(const options *o, const hg_trace *trace, const hg_trace_summary *summary)
{
  hg_trace other;
  hg_trace_summary sums;
  HG_TRY(hg_trace_read(o->other, &other));
  hg_status status = hg_trace_summarise(&other, &sums);
  if (status == HG_OK) {
    hg_trace_compare(stdout, trace, summary, &other, &sums);
    hg_trace_summary_free(&sums);
  }
  hg_trace_free(&other);
  return status;
}

/* Pictures may be in the trace's folder, but must not replace its input files. */
static hg_status check_files(const options *o)
{
  HG_TRY(hg_files_apart("--picture", o->picture, "--map", o->map));
  HG_TRY(hg_files_apart("--chrome", o->chrome, "--picture", o->picture));
  HG_TRY(hg_files_apart("--chrome", o->chrome, "--map", o->map));
  const bool kept = o->chrome && access(o->chrome, F_OK) == 0 && !hg_file_has_ending(o->chrome, ".json");
  if (kept && hg_file_is_in(o->chrome, o->folder))
    return hg_fail(HG_INVALID, "--chrome: %s is a file of the trace", o->chrome);
  return HG_OK;
}

static hg_status show(const options *o, const hg_trace *trace, const hg_trace_summary *summary)
{
  if (o->picture) HG_TRY(hg_trace_draw(o->picture, hg_trace_draw_gantt, trace, summary));
  if (o->map) HG_TRY(hg_trace_draw(o->map, hg_trace_draw_map, trace, summary));
  if (o->chrome) HG_TRY(hg_trace_write(o->chrome, hg_trace_write_chrome, trace, summary));
  if (o->other) return compare(o, trace, summary);
  if (o->csv)
    hg_trace_summary_csv(stdout, trace, summary);
  else if (!o->picture && !o->map && !o->chrome)
    hg_trace_summary_print(stdout, trace, summary);
  return fflush(stdout) == 0 ? HG_OK : hg_fail(HG_IO, "standard output: %s", strerror(errno));
}

int main(int argc, char **argv)
{
  options o = {0};
  hg_command command = {
      .about = "Shows where the time of a recorded run went: per worker, per kind of task, per link, on the critical "
               "path, and in waits.",
      .notes = "DIR is a folder that hetgrid-heat --trace=DIR or another program wrote, or any folder with the "
               "output of starpu_fxt_tool. Exit status: 0 success, 1 failure, 2 wrong usage.",
      .operand = "DIR",
      .word = &o.folder,
      .set = {{NULL, option_list, &o, NULL, check}}};
  hg_trace trace;
  hg_trace_summary summary;
  hg_program_begin("hetgrid-trace", NULL);
  hg_command_parse(&command, argc, argv);
  hg_status status = check_files(&o);
  if (status == HG_OK) status = hg_trace_read(o.folder, &trace);
  if (status == HG_OK) {
    status = hg_trace_summarise(&trace, &summary);
    if (status == HG_OK) {
      status = show(&o, &trace, &summary);
      hg_trace_summary_free(&summary);
    }
    hg_trace_free(&trace);
  }
  return hg_program_end(status);
}
