/* SPDX-License-Identifier: MIT */
/* hetgrid-energy: what runs cost in joules, and which context of use is best. */
#include "energy.h"

#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/blas.h"
#include "base/text.h"
#include "base/version.h"
#include "choose.h"
#include "runtime/versions.h"
#include "options/arguments.h"
#include "measure.h"
#include "program/exit.h"

const char *argp_program_version = "hetgrid-energy " HG_VERSION;

typedef struct options {
  const char *golden, *contexts;
  bool measure;
  choose_options choose;
  measure_options levels;
} options;

enum {
  CHOOSE = 256,
  BY,
  NODES,
  DEADLINE,
  POWER_CAP,
  EXTRAPOLATE,
  SWITCH,
  DECAY,
  MAP,
  MEASURE,
  SOURCE,
  SECONDS,
  WARM,
  REPEATS,
  METER_OFFSET,
  OUTPUT,
  CSV,
  JSON,
  PICTURE,
  GOLDEN
};

static const struct argp_option option_list[] = {
    {NULL, 0, NULL, 0, "Which context is best:", 1},
    {"choose", CHOOSE, "FILE", 0, "Contexts of use in JSON (docs/ENERGY.md): points measured, modes, powers", 0},
    {"by", BY, "time|energy|edp|ed2p", 0, "Criterion: T, E, E T or E T^2 (default edp)", 0},
    {"nodes", NODES, "A[-B]", 0, "Numbers of nodes (default 1 to as many as contexts reach)", 0},
    {"deadline", DEADLINE, "S", 0, "Only runs of at most S seconds", 0},
    {"power-cap", POWER_CAP, "W", 0, "Only runs of at most W watts", 0},
    {"extrapolate", EXTRAPOLATE, NULL, 0, "Also beyond four times the largest number of nodes measured", 0},
    {"switch", SWITCH, "whole|share", 0,
     "How the switch is charged: whole, or by the share of its nodes that are used (default whole)", 0},
    {"decay-correction", DECAY, NULL, 0,
     "Measured shares of computing become (beta + 1) / 2, for power that falls slowly", 0},
    {"map", MAP, "A,B[,A2,B2]", 0,
     "Two clusters as one, for all numbers of nodes of each; with four contexts the gain of the "
     "first pair over the second",
     0},
    {NULL, 0, NULL, 0, "Powers of this machine:", 2},
    {"measure", MEASURE, NULL, 0, "Measure what cores and GPUs draw idle, waiting and computing", 0},
    {"source", SOURCE, "NAME", 0, "rapl, nvml or meter:FILE (default: rapl for cores, nvml for GPUs)", 0},
    {"seconds", SECONDS, "S", 0, "Of each state (default 10)", 0},
    {"warm", WARM, "S", 0, "Of work before it (default 3)", 0},
    {"repeat", REPEATS, "N", 0, "Measurements of each (default 3)", 0},
    {"meter-offset", METER_OFFSET, "S", 0, "Seconds that the meter's clock is ahead", 0},
    {"output", OUTPUT, "FILE", 0, "Platform file to write (default: where --energy of all programs finds it)", 0},
    {NULL, 0, NULL, 0, "Results:", 3},
    {"csv", CSV, NULL, 0, "A row for each context and number of nodes", 0},
    {"json", JSON, NULL, 0, "The same with fits and crossings as JSON", 0},
    {"picture", PICTURE, "FILE", 0, "Draw T and E over N, or the map: .svg, .png or .pdf", 0},
    {"svg", 0, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0},
    {"golden", GOLDEN, "FILE", 0, "Run the cases of a golden file and print TAP", 0},
    {0}};

static void parse_nodes(struct argp_state *state, const char *text, choose_options *o)
{
  char first[64];
  const char *dash = strchr(text, '-');
  snprintf(first, sizeof first, "%.*s", (int)(dash ? dash - text : 60), text);
  o->first = hg_arg_int(state, first, "--nodes", 1, 1 << 16);
  o->last = dash ? hg_arg_int(state, dash + 1, "--nodes", o->first, 1 << 16) : o->first;
}

static error_t parse_measure(int key, char *arg, struct argp_state *state)
{
  measure_options *o = &((options *)state->input)->levels;
  switch (key) {
  case SOURCE: o->source = arg; break;
  case SECONDS: hg_arg_require(state, hg_parse_double(arg, "--seconds", .01, 3600, &o->seconds)); break;
  case WARM: hg_arg_require(state, hg_parse_double(arg, "--warm", 0, 3600, &o->warm)); break;
  case REPEATS: o->repeats = (int)hg_arg_int(state, arg, "--repeat", 1, 16); break;
  case METER_OFFSET: hg_arg_require(state, hg_parse_double(arg, "--meter-offset", -1e9, 1e9, &o->meter_offset)); break;
  case OUTPUT: o->output = arg; break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  static const char *const charged[] = {"whole", "share", NULL};
  options *all = state->input;
  choose_options *o = &all->choose;
  switch (key) {
  case CHOOSE: all->contexts = arg; break;
  case BY: o->by = (hg_criterion)hg_arg_one_of(state, arg, "--by", hg_criterion_names); break;
  case NODES: parse_nodes(state, arg, o); break;
  case DEADLINE: hg_arg_require(state, hg_parse_double(arg, "--deadline", 1e-9, 1e12, &o->deadline)); break;
  case POWER_CAP: hg_arg_require(state, hg_parse_double(arg, "--power-cap", 1e-9, 1e12, &o->cap)); break;
  case EXTRAPOLATE: o->rules.extrapolate = true; break;
  case SWITCH: o->rules.share_switch = hg_arg_one_of(state, arg, "--switch", charged) == 1; break;
  case DECAY: o->decay = true; break;
  case MAP: o->map = arg; break;
  case MEASURE: all->measure = true; break;
  case CSV: o->csv = true; break;
  case JSON: o->json = true; break;
  case PICTURE: o->picture = hg_arg_picture(state, arg); break;
  case GOLDEN: all->golden = arg; break;
  case ARGP_KEY_END:
    if (all->measure && all->contexts) argp_failure(state, 2, 0, "--choose and --measure exclude each other");
    if (o->csv && o->json) argp_failure(state, 2, 0, "--csv and --json exclude each other");
    break;
  case ARGP_KEY_ARG: argp_error(state, "'%s': every value belongs to an option", arg); break;
  default: return parse_measure(key, arg, state);
  }
  return 0;
}

static hg_status choose_best(const choose_options *o, const contexts *all)
{
  choice c;
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
  if (!o->contexts) return hg_fail(HG_INVALID, "one of --choose, --measure and --golden is needed");
  HG_TRY(contexts_read(o->contexts, o->choose.decay, &all));
  return o->choose.map ? choose_map(&all, &o->choose) : choose_best(&o->choose, &all);
}

int main(int argc, char **argv)
{
  static const struct argp argp = {option_list,
                                   parse,
                                   NULL,
                                   "Joules and seconds of runs on clusters: which context of use is best, and what the "
                                   "parts of this machine draw.\v" HG_HELP_BLAS HG_HELP_EXIT,
                                   NULL,
                                   NULL,
                                   NULL};
  options o = {.choose = {.by = HG_BY_EDP, .deadline = INFINITY, .cap = INFINITY},
               .levels = {.seconds = 10, .warm = 3, .repeats = 3}};
  hg_program_begin("hetgrid-energy", hg_about);
  argp_err_exit_status = 2;
  argp_parse(&argp, argc, argv, 0, NULL, &o);
  hg_program_speak();
  return hg_program_end(run(&o, argv));
}
