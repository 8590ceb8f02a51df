/* SPDX-License-Identifier: MIT */
#include "program/observers.h"

#include <stdio.h>

#include "graph/record.h"
#include "program/energy.h"

/* --- traces of the last run --------------------------------------------------------------------------------------- */

static void begin_trace(hg_life *l)
{
  if (l->options->trace && hg_life_is_last(l)) hg_record_start();
}

static void end_trace(hg_life *l)
{
  if (l->options->trace && hg_life_is_last(l)) hg_record_stop();
}

static hg_status describe_trace(hg_life *l)
{
  return l->options->trace ? l->program->describe(l, l->options->trace) : HG_OK;
}

static hg_status convert_trace(hg_life *l, int ranks)
{
  const hg_run_options *o = l->options;
  if (!o->trace) return HG_OK;
  HG_TRY(hg_record_finish(o->trace, ranks));
  if (!o->quiet && !o->csv) printf("  trace      %s: summary.txt, gantt.svg, map.svg, paje.trace\n", o->trace);
  return HG_OK;
}

static const hg_observer traces = {
    .begin = begin_trace, .end = end_trace, .finish = describe_trace, .close = convert_trace};

/* Counters are read last before a run. */
const hg_observer *const hg_observers[] = {&traces, &hg_energy_observer, NULL};
