/* SPDX-License-Identifier: MIT */
/* hetgrid-energy: the energy of runs, and which context of use is best. */
#include "energy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/blas.h"
#include "base/text.h"
#include "choose.h"
#include "control.h"
#include "runtime/versions.h"
#include "options/option.h"
#include "measure.h"
#include "program/exit.h"

typedef struct options {
  const char *golden, *contexts;
  bool measure;
  choose_options choose;
  control_options control;
  measure_options levels;
} options;

#define O options

static hg_status parse_nodes(const char *text, void *values)
{
  choose_options *o = &((O *)values)->choose;
  int64_t nodes[2];
  HG_TRY(hg_parse_range(text, "--nodes", 1, 1 << 16, nodes));
  o->first = nodes[0];
  o->last = nodes[1];
  return HG_OK;
}

static const char *const charged[] = {"whole", "share", NULL};

static const hg_option option_list[] = {
    {.help = "Choosing the best context:"},
    {"choose", HG_TEXT(O, contexts), "FILE",
     "JSON file of contexts of use (docs/ENERGY.md): measured points, modes, powers", 0},
    {"objective", HG_ONE_OF(O, choose.by, hg_criterion_names), NULL,
     "Minimise time T, energy E, edp (E T) or ed2p (E T^2) (default edp)", 0},
    {.name = "by", .use = HG_ALIAS | HG_HIDDEN},
    {"nodes", HG_ACTION(parse_nodes), "A[-B]", "Range of node counts (default: 1 to the largest of the contexts)", 0},
    {"deadline", HG_IN(O, choose.deadline, 1e-9, 1e12), "S", "Accept only runs of at most S seconds", 0},
    {"power-cap", HG_IN(O, choose.cap, 1e-9, 1e12), "W", "Accept only runs of at most W watts", 0},
    {"extrapolate", HG_FLAG(O, choose.rules.extrapolate), NULL,
     "Extrapolate beyond four times the largest measured number of nodes", 0},
    {"switch", HG_ONE_OF(O, choose.rules.share_switch, charged), NULL,
     "Charge the whole switch, or the share of its nodes that are used (default whole)", 0},
    {"decay-correction", HG_FLAG(O, choose.decay), NULL,
     "Replace each measured share of computing time, beta, by (beta + 1) / 2, for machines whose power decays slowly",
     0},
    {.help = "Choosing by short tests of a command, and running it:"},
    {"run", HG_TEXT(O, control.command), "COMMAND",
     "Test the command for a few steps on cores, GPUs and both, synchronously and asynchronously, on 1 rank and more; "
     "then run it in the best way by --objective, within --deadline and --power-cap (docs/ENERGY.md)",
     0},
    {"launcher", HG_TEXT(O, control.launcher), "WORDS",
     "Command that starts ranks, to which their number is appended (default 'mpirun -n'). --nodes limits this number "
     "(default: the cores of this machine)",
     0},
    {"energy", HG_TEXT(O, control.energy), "SOURCE,..",
     "Source of joules, passed to the command as --energy (default: counters; if there are none, choose by time)", 0},
    {"unit", HG_TEXT(O, control.unit), "NAME",
     "Option of the command to which its work is proportional (default steps, paths or iterations)", 0},
    {"budget", HG_IN(O, control.budget, .01, 1e6), "PERCENT",
     "Largest cost of the tests, in percent of the cost of the best run (default 25)", 0},
    {"relearn", HG_FLAG(O, control.relearn), NULL, "Ignore the results of earlier tests of the command", 0},
    {"plan-only", HG_FLAG(O, control.plan_only), NULL, "Test and choose, but do not run", 0},
    {.help = "Two clusters together:"},
    {"map", HG_TEXT(O, choose.map), "A,B[,A2,B2]",
     "Evaluate two clusters used as one, for all node counts of each; with four contexts, the gain of the first pair "
     "over the second",
     0},
    {.help = "Powers of this machine:"},
    {"measure", HG_FLAG(O, measure), NULL,
     "Measure the power that cores and GPUs draw when idle, waiting and computing", 0},
    {"source", HG_TEXT(O, levels.source), "NAME", "rapl, nvml or meter:FILE (default: rapl for cores, nvml for GPUs)",
     0},
    {"seconds", HG_IN(O, levels.seconds, .01, 3600), "S", "Duration of each measurement in seconds (default 10)", 0},
    {"warm", HG_IN(O, levels.warm, 0, 3600), "S",
     "Duration of the warm-up before each measurement in seconds (default 3)", 0},
    {"repeat", HG_IN(O, levels.repeats, 1, 16), "N", "Measurements of each state (default 3)", 0},
    {"meter-offset", HG_IN(O, levels.meter_offset, -1e9, 1e9), "S",
     "Seconds by which the meter's clock is ahead of this machine's (default 0)", 0},
    {"output", HG_TEXT(O, levels.output), "FILE",
     "Platform file to write (default: where the --energy option of all programs finds it)", 0},
    {.help = "Results:"},
    {"csv", HG_FLAG(O, choose.csv), NULL, "Print one CSV row per context and number of nodes", 0},
    {"json", HG_FLAG(O, choose.json), NULL, "Print the same as JSON, with fits and crossings", 0},
    {"picture", HG_TEXT(O, choose.picture), "FILE", "Plot T and E against N, or draw the map: .svg, .png or .pdf",
     HG_PICTURE},
    {.name = "svg", .use = HG_ALIAS | HG_HIDDEN},
    {"golden", HG_TEXT(O, golden), "FILE", "Run the cases of a golden file and print TAP", HG_HIDDEN},
    {0}};

/* Refuses options that the chosen task does not use. */
static hg_status check_uses(const hg_command *command, const options *o)
{
  static const char *const run[] = {"launcher", "energy", "unit", "budget", "relearn", "plan-only", NULL},
                           *const measure[] = {"source", "seconds", "warm", "repeat", "meter-offset", "output", NULL},
                           *const chosen[] = {"objective",   "nodes",  "deadline",         "power-cap",
                                              "extrapolate", "switch", "decay-correction", "map",
                                              "csv",         "json",   "picture",          NULL},
                           *const run_none[] = {"json", "picture", "map", "decay-correction", NULL},
                           *const map_none[] = {"deadline", "power-cap", "json", NULL};
  const struct {
    bool used;
    const char *const *name, *where;
  } list[] = {{o->control.command, run, "only with --run"},
              {o->measure, measure, "only with --measure"},
              {!o->measure, chosen, "not with --measure"},
              {!o->control.command, run_none, "only with --choose"},
              {!o->choose.map, map_none, "not with --map"}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    const char *given = list[i].used ? NULL : hg_option_first(command, list[i].name);
    if (given) return hg_fail(HG_INVALID, "--%s: %s", given, list[i].where);
  }
  return HG_OK;
}

static hg_status check(const hg_command *command, void *values)
{
  O *o = values;
  if (o->measure + !!o->contexts + !!o->control.command > 1)
    return hg_fail(HG_INVALID, "--choose, --run and --measure exclude each other");
  HG_TRY(check_uses(command, o));
  if (o->control.command && o->choose.csv && !o->control.plan_only)
    return hg_fail(HG_INVALID, "--csv: with --run it needs --plan-only");
  if (hg_option_given(command, "launcher") && o->choose.last == 0)
    return hg_fail(HG_INVALID, "--launcher: needs --nodes, the number of ranks allowed");
  o->control.by_default = !hg_option_given(command, "objective");
  return o->choose.csv && o->choose.json ? hg_fail(HG_INVALID, "--csv and --json exclude each other") : HG_OK;
}

static hg_status choose_best(const choose_options *o, const contexts *all)
{
  choice c;
  choose_warn(all);
  hg_status status = choose(all, o, &c);
  if (status == HG_OK) choose_print(&c, o);
  if (status == HG_OK && o->picture) status = choose_draw(&c, o);
  free(c.list);
  return status;
}

static hg_status run(const options *o, char **argv)
{
  static contexts all;
  if (o->golden) return energy_golden(o->golden);
  if (o->measure) HG_TRY(hg_blas_prepare(argv));
  if (o->measure) return measure(&o->levels);
  if (!o->contexts) return hg_fail(HG_INVALID, "one of --choose, --run and --measure is needed");
  HG_TRY(contexts_read(o->contexts, o->choose.decay, &all));
  return o->choose.map ? choose_map(&all, &o->choose) : choose_best(&o->choose, &all);
}

int main(int argc, char **argv)
{
  options o = {.choose = {.by = HG_BY_EDP, .deadline = INFINITY, .cap = INFINITY},
               .control = {.launcher = "mpirun -n", .budget = CONTROL_BUDGET},
               .levels = {.seconds = 10, .warm = 3, .repeats = 3}};
  hg_command command = {.about = "Energy and time of runs on clusters: which context of use is best, and how much "
                                 "power the parts of this machine draw.",
                        .notes = HG_HELP_BLAS HG_HELP_EXIT,
                        .set = {{NULL, option_list, &o, NULL, check}}};
  hg_program_begin("hetgrid-energy", hg_about);
  hg_command_parse(&command, argc, argv);
  hg_program_enable_output();
  return o.control.command ? control_run(&o.control, &o.choose) : hg_program_end(run(&o, argv));
}
