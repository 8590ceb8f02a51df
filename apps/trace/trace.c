/* SPDX-License-Identifier: MIT */
/* hetgrid-trace: what a recorded run says. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/version.h"
#include "options/arguments.h"
#include "program/exit.h"
#include "traces/chrome.h"
#include "traces/draw.h"
#include "traces/report.h"
#include "traces/summary.h"
#include "traces/trace.h"

const char *argp_program_version = "hetgrid-trace " HG_VERSION;

typedef struct options {
  const char *folder, *picture, *map, *chrome, *other;
  bool csv;
} options;

enum { CSV = 256, PICTURE, MAP, CHROME, DIFF };

static const struct argp_option option_list[] = {
    {"csv", CSV, NULL, 0, "Print section,item,quantity,value (SI units) instead of a text", 0},
    {"picture", PICTURE, "FILE", 0, "Draw a Gantt chart, a row per worker: .svg, .png or .pdf", 0},
    {"svg", 0, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0},
    {"map", MAP, "FILE", 0, "Draw which worker wrote which tile", 0},
    {"chrome", CHROME, "FILE", 0, "Write all events as JSON, for Perfetto (ui.perfetto.dev) and chrome://tracing", 0},
    {"diff", DIFF, "DIR2", 0, "Compare with another run", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;
  switch (key) {
  case CSV: o->csv = true; break;
  case PICTURE: o->picture = hg_arg_picture(state, arg); break;
  case MAP: o->map = hg_arg_picture(state, arg); break;
  case CHROME: o->chrome = arg; break;
  case DIFF: o->other = arg; break;
  case ARGP_KEY_ARG:
    if (o->folder) argp_error(state, "'%s': one folder only; a second one is compared with --diff", arg);
    o->folder = arg;
    break;
  case ARGP_KEY_END:
    if (!o->folder) argp_error(state, "a folder is missing, as --trace=DIR of the programs writes it");
    if (o->csv && o->other) argp_failure(state, 2, 0, "--csv and --diff exclude each other");
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
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

/* Pictures may lie in the trace's folder; what is read may not be replaced. */
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
  static const struct argp argp = {
      option_list,
      parse,
      "DIR",
      "Tells where the time of a recorded run went: per worker, per kind of task, over which links, on which chain of "
      "tasks, and in which waits.\v"
      "DIR is what hetgrid-heat --trace=DIR or hetgrid-elimination --trace=DIR wrote, or any folder with the output of "
      "starpu_fxt_tool. Exit status: 0 success, 1 failure, 2 wrong usage.",
      NULL,
      NULL,
      NULL};
  options o = {0};
  hg_trace trace;
  hg_trace_summary summary;
  hg_program_begin("hetgrid-trace", NULL);
  argp_err_exit_status = 2;
  argp_parse(&argp, argc, argv, 0, NULL, &o);
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
  if (status != HG_OK) fprintf(stderr, "hetgrid-trace: %s\n", hg_message());
  return status == HG_OK ? 0 : status == HG_INVALID ? 2 : 1;
}
