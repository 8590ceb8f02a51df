/* SPDX-License-Identifier: MIT */
#include "program/observers.h"

#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "runtime/record.h"
#include "program/energy.h"

/* --- traces of the last run --------------------------------------------------------------------------------------- */

static void begin_trace(hg_run_context *l)
{
  if (l->options->trace && hg_context_is_last(l)) hg_record_start();
}

static void end_trace(hg_run_context *l)
{
  if (l->options->trace && hg_context_is_last(l)) hg_record_stop();
}

static hg_status describe_trace(hg_run_context *l)
{
  return l->options->trace ? l->program->describe(l, l->options->trace) : HG_OK;
}

/* Tells which files were written: no map without coordinates. */
static void print_trace(const char *folder)
{
  static const char *const name[] = {"summary.txt", "gantt.svg", "map.svg", "paje.trace"};
  char path[HG_PATH_MAX];
  const char *between = ": ";
  printf("  trace      %s", folder);
  for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
    if (hg_file_in(folder, name[i], path) != HG_OK || access(path, F_OK) != 0) continue;
    printf("%s%s", between, name[i]);
    between = ", ";
  }
  putchar('\n');
}

static hg_status convert_trace(hg_run_context *l, int ranks)
{
  const hg_run_options *o = l->options;
  if (!o->trace) return HG_OK;
  HG_TRY(hg_record_finish(o->trace, ranks));
  if (!o->quiet && !o->csv) print_trace(o->trace);
  return HG_OK;
}

static const hg_observer traces = {
    .begin = begin_trace, .end = end_trace, .finish = describe_trace, .close = convert_trace};

/* The energy observer is last, so that counters are read directly before a run. */
const hg_observer *const hg_observers[] = {&traces, &hg_energy_observer, NULL};
