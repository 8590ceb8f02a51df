/* SPDX-License-Identifier: MIT */
/* The command line of hetgrid-network. */
#include <argp.h>
#include <string.h>

#include "options/arguments.h"
#include "network.h"

const char *argp_program_version = "hetgrid-network " HG_VERSION;

enum {
  SHOW = 256,
  PREDICT,
  VALIDATE,
  PRINTED,
  TABLES,
  RULES,
  GOLDEN,
  NETWORK,
  OUTPUT,
  LEVELS,
  MAX_BYTES,
  BUDGET,
  PASSES,
  PAUSE,
  QUICK,
  OVERSUBSCRIBED,
  BOUND,
  FROM,
  TO,
  FIRST,
  RANKS,
  PER_NODE,
  BYTES,
  MESSAGES,
  SIZE,
  COMPUTE,
  CSV,
  JSON,
  PICTURE,
  QUIET,
  PROGRESS
};

static const struct argp_option option_list[] = {
    {NULL, 0, NULL, 0, "Measuring (mpirun -n 2 or more; one rank: GPUs only):", 1},
    {"levels", LEVELS, "LIST", 0,
     "Levels to measure: numa, node, network, h2d, d2h, d2d; h2d-pageable, h2d-both and so on "
     "are part of h2d "
     "(default: all there are)",
     0},
    {"max-bytes", MAX_BYTES, "N", 0, "Largest message (default 2^24)", 0},
    {"budget", BUDGET, "SECONDS", 0, "Time to spend, about (default 60)", 0},
    {"passes", PASSES, "N", 0, "Whole passes over all sizes, 2 to 16 (default 3, with --quick 2)", 0},
    {"pause", PAUSE, "SECONDS", 0,
     "Wait between passes, beside the budget, so that intervals cover times that change by the minute (default 0)", 0},
    {"quick", QUICK, NULL, 0, "Fewer sizes, two passes instead of three, a tenth of the time", 0},
    {"oversubscribed", OVERSUBSCRIBED, NULL, 0, "Allow more ranks than cores; marks the file", 0},
    {"output", OUTPUT, "FILE", 0, "The file (default: named after host, MPI and transport, in the folder of tables)",
     0},
    {NULL, 0, NULL, 0, "Instead of measuring:", 2},
    {"network", NETWORK, "FILE", 0, "The file that is used (default: HETGRID_NETWORK, else this machine's)", 0},
    {"show", SHOW, NULL, 0, "Print the file", 0},
    {"predict", PREDICT, "WHAT", 0, "p2p, stream, bcast or matmul", 0},
    {"validate", VALIDATE, NULL, 0, "Measure fresh sizes and broadcasts, and compare them with the file", 0},
    {"bound", BOUND, "E", 0, "With --validate: exit 1 if a median error is larger (default .05)", 0},
    {"printed", PRINTED, NULL, 0, "Evaluate the formulas and tables of the mHLogGP paper", 0},
    {"tables", TABLES, NULL, 0, "Print tables 1 to 4 of that paper for this machine", 0},
    {"openmpi-rules", RULES, "FILE", 0,
     "Write a rules file for Open MPI's broadcasts among 2 to --ranks ranks (--mca "
     "coll_tuned_use_dynamic_rules 1 "
     "--mca coll_tuned_dynamic_rules_filename FILE)",
     0},
    {"golden", GOLDEN, "FILE", 0, "Run the cases of a golden file and print TAP", 0},
    {NULL, 0, NULL, 0, "What is predicted:", 3},
    {"from", FROM, "cpu|gpu", 0, "Where messages come from (default cpu)", 0},
    {"to", TO, "cpu|gpu", 0, "Where they go (default cpu)", 0},
    {"first", FIRST, NULL, 0, "The receiving GPU is to be started", 0},
    {"ranks", RANKS, "P", 0, "Ranks (default 2)", 0},
    {"per-node", PER_NODE, "N", 0, "Ranks of a node (default: all)", 0},
    {"bytes", BYTES, "LIST", 0, "Sizes of messages (default 1,1024,1048576)", 0},
    {"messages", MESSAGES, "M", 0, "Messages of a stream (default 10)", 0},
    {"size", SIZE, "LIST", 0, "Sides of the matrices (default 1024,4096)", 0},
    {"compute", COMPUTE, "FLOP/S|FILE", 0,
     "Speed of a worker of matmul: a number, or a table of hetgrid-calibrate --app elimination", 0},
    {NULL, 0, NULL, 0, "Results:", 4},
    {"csv", CSV, NULL, 0, "Print rows level,from,to,bytes,seconds,low,high,samples,pass_gap,status", 0},
    {"json", JSON, NULL, 0, "Print the file as it is", 0},
    {"picture", PICTURE, "FILE", 0,
     "Draw each level (NAME-LEVEL.svg of NAME.svg, also .png and .pdf) and the choice of broadcasts "
     "(NAME-broadcast.svg)",
     0},
    {"svg", 0, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0},
    {"quiet", QUIET, NULL, 0, "Print nothing but errors", 0},
    {"progress", PROGRESS, "auto|on|off", 0, "Progress bar (default auto: on a terminal)", 0},
    {0}};

static const char *const operations[] = {"p2p", "stream", "bcast", "matmul", NULL}, *const ends[] = {"cpu", "gpu",
                                                                                                     NULL};

static error_t parse_prediction(int key, char *arg, struct argp_state *state)
{
  network_options *o = state->input;
  switch (key) {
  case FROM: o->from_gpu = hg_arg_one_of(state, arg, "--from", ends) == 1; break;
  case TO: o->to_gpu = hg_arg_one_of(state, arg, "--to", ends) == 1; break;
  case FIRST: o->first = true; break;
  case RANKS: o->group.ranks = (int)hg_arg_int(state, arg, "--ranks", 1, HG_GROUP_MOST); break;
  case PER_NODE: o->group.per_node = (int)hg_arg_int(state, arg, "--per-node", 1, HG_GROUP_MOST); break;
  case BYTES:
    hg_arg_require(state, hg_parse_ints(arg, "--bytes", 0, INT64_C(1) << 40, NETWORK_SIZES, o->bytes, &o->sizes));
    break;
  case MESSAGES: o->messages = (int)hg_arg_int(state, arg, "--messages", 1, 1000000000); break;
  case SIZE: hg_arg_require(state, hg_parse_ints(arg, "--size", 1, 1 << 24, NETWORK_SIZES, o->side, &o->sides)); break;
  case COMPUTE: o->compute = arg; break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static error_t parse_measuring(int key, char *arg, struct argp_state *state)
{
  network_options *o = state->input;
  switch (key) {
  case LEVELS: o->plan.levels = arg; break;
  case MAX_BYTES: o->plan.max_bytes = (double)hg_arg_int(state, arg, "--max-bytes", 1, INT64_C(1) << 34); break;
  case BUDGET: hg_arg_require(state, hg_parse_double(arg, "--budget", .1, 1e7, &o->plan.budget)); break;
  case PASSES: o->plan.passes = (int)hg_arg_int(state, arg, "--passes", 2, HG_SURVEY_PASSES); break;
  case PAUSE: hg_arg_require(state, hg_parse_double(arg, "--pause", 0, 86400, &o->plan.pause)); break;
  case QUICK: o->plan.quick = true; break;
  case OVERSUBSCRIBED: o->plan.oversubscribed = true; break;
  case OUTPUT: o->output = arg; break;
  case BOUND: hg_arg_require(state, hg_parse_double(arg, "--bound", 1e-6, 1e6, &o->bound)); break;
  case PROGRESS:
    o->plan.progress = hg_progress_names[hg_arg_one_of(state, arg, "--progress", hg_progress_names)];
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static void set_mode(struct argp_state *state, network_mode mode)
{
  network_options *o = state->input;
  if (o->mode != NETWORK_MEASURE && o->mode != mode)
    argp_error(state, "--show, --predict, --validate, --printed, --tables, --openmpi-rules, --golden: one at a "
                      "time");
  o->mode = mode;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  network_options *o = state->input;
  if (parse_prediction(key, arg, state) == 0 || parse_measuring(key, arg, state) == 0) return 0;
  switch (key) {
  case SHOW: set_mode(state, NETWORK_SHOW); break;
  case PREDICT:
    set_mode(state, NETWORK_PREDICT);
    o->operation = (network_operation)hg_arg_one_of(state, arg, "--predict", operations);
    break;
  case VALIDATE: set_mode(state, NETWORK_VALIDATE); break;
  case PRINTED: set_mode(state, NETWORK_PRINTED); break;
  case TABLES: set_mode(state, NETWORK_TABLES); break;
  case RULES:
    set_mode(state, NETWORK_RULES);
    o->rules = arg;
    break;
  case GOLDEN:
    set_mode(state, NETWORK_GOLDEN);
    o->golden = arg;
    break;
  case NETWORK: o->network = arg; break;
  case CSV: o->csv = true; break;
  case JSON: o->json = true; break;
  case PICTURE: o->picture = hg_arg_picture(state, arg); break;
  case QUIET: o->quiet = true; break;
  case ARGP_KEY_END:
    if (o->csv && o->json) argp_failure(state, 2, 0, "--csv and --json exclude each other");
    break;
  case ARGP_KEY_ARG: argp_error(state, "'%s': every value belongs to an option", arg); break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

void network_parse(int argc, char **argv, network_options *o)
{
  static const struct argp argp = {
      option_list,
      parse,
      NULL,
      "Measures what messages between processors and GPUs cost, and predicts with it: messages, "
      "streams, "
      "broadcasts.\v"
      "mpirun -n 2 hetgrid-network measures; HETGRID_NETWORK=FILE or --network FILE gives the "
      "file to the other "
      "programs. An interrupted measurement goes on with the next call. Exit status: 0 success, "
      "1 failure, 2 wrong "
      "usage.",
      NULL,
      NULL,
      NULL};
  *o = (network_options){.plan = {.max_bytes = 1 << 24, .budget = 60, .progress = "auto"},
                         .group = {2, 0},
                         .messages = 10,
                         .bytes = {1, 1024, 1 << 20},
                         .sizes = 3,
                         .side = {1024, 4096},
                         .sides = 2,
                         .bound = .05};
  argp_err_exit_status = 2;
  argp_parse(&argp, argc, argv, 0, NULL, o);
  if (o->plan.quick) o->plan.budget /= 10;
}
