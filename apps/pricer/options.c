/* SPDX-License-Identifier: MIT */
/* The command line of hetgrid-pricer. */
#include <argp.h>

#include "base/text.h"
#include "base/version.h"
#include "partition/partition.h"
#include "pricer.h"
#include "program/exit.h"

const char *argp_program_version = "hetgrid-pricer " HG_VERSION;

enum { OPTION = 256, SPOT, STRIKE, TIME, RATE, YIELD, SIGMA, FIXINGS, PORTFOLIO };
enum { PATHS = 512, STD_ERROR, CONTROL, GREEKS, SEED, STREAM, PRECISION, DYNAMIC, GOLDEN };

static const struct argp_option option_list[] = {
    {NULL, 0, NULL, 0, "Contract:", 1},
    {"option", OPTION, "KIND", 0,
     "call, put, or asian-call, asian-put on the arithmetic mean of fixings (default call)", 0},
    {"spot", SPOT, "S", 0, "Price of the asset now (default 100)", 0},
    {"strike", STRIKE, "K", 0, "(default 100)", 0},
    {"time", TIME, "T", 0, "Years to expiry (default 1)", 0},
    {"rate", RATE, "R", 0, "Interest per year, continuously compounded (default .05)", 0},
    {"yield", YIELD, "Q", 0, "Dividends per year, likewise (default 0)", 0},
    {"sigma", SIGMA, "V", 0, "Volatility per square root of a year (default .2)", 0},
    {"fixings", FIXINGS, "M", 0, "Fixings of an Asian option, at j T / M (default 12)", 0},
    {"portfolio", PORTFOLIO, "FILE.csv", 0, "Many contracts instead, type,S,K,T,r,q,sigma[,fixings] a line", 0},
    {NULL, 0, NULL, 0, "Method:", 2},
    {"paths", PATHS, "N", 0,
     "Paths of each contract (default 2^24, of a portfolio 2^16); with --std-error at most (default 2^34 / M)", 0},
    {"std-error", STD_ERROR, "E", 0,
     "Stop at the first number of chunks of 65536 paths, in powers of two, whose standard error "
     "is at most E",
     0},
    {"tolerance", 0, NULL, OPTION_ALIAS, NULL, 0},
    {"control", CONTROL, NULL, 0, "Asian options less their geometric twins, plus the twins' closed form", 0},
    {"greeks", GREEKS, NULL, 0, "Derivatives too: delta and vega of the paths, all in closed form where there is one",
     0},
    {"seed", SEED, "K", 0, "Key of the random numbers (default 1)", 0},
    {"stream", STREAM, "X", 0,
     "Stream of the first contract; those that follow in a portfolio have the next (default 0)", 0},
    {"precision", PRECISION, "double|float", 0, "Of the arithmetic along paths; sums are double (default double)", 0},
    {"dynamic", DYNAMIC, NULL, 0,
     "Ranks take batches from one queue, smaller and smaller ones, instead of a range each beforehand", 0},
    {"golden", GOLDEN, "FILE", 0, "Run the cases of a golden file and print TAP", 0},
    {0}};

static double real(struct argp_state *state, const char *text, const char *what)
{
  double value = 0;
  hg_arg_require(state, hg_parse_double(text, what, -1e300, 1e300, &value));
  return value;
}

static const char *of_contract; /* an option that says what one contract is, if there was any */

static error_t parse_contract(int key, char *arg, struct argp_state *state)
{
  pricer_options *o = state->input;
  hg_contract *c = &o->contract;
  switch (key) {
  case OPTION: c->kind = (hg_contract_kind)hg_arg_one_of(state, arg, "--option", hg_contract_names); break;
  case SPOT: c->spot = real(state, arg, "--spot"); break;
  case STRIKE: c->strike = real(state, arg, "--strike"); break;
  case TIME: c->time = real(state, arg, "--time"); break;
  case RATE: c->rate = real(state, arg, "--rate"); break;
  case YIELD: c->yield = real(state, arg, "--yield"); break;
  case SIGMA: c->sigma = real(state, arg, "--sigma"); break;
  case FIXINGS: c->fixings = hg_arg_int(state, arg, "--fixings", 1, HG_FIXINGS_MAX); break;
  case PORTFOLIO: o->portfolio = arg; return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
  for (const struct argp_option *known = option_list; known->name || known->doc; known++)
    if (known->key == key) of_contract = known->name;
  return 0;
}

/* What this job has no use for. */
static void check_together(struct argp_state *state, pricer_options *o)
{
  const hg_grid_options *g = &o->job.grid;
  if (o->portfolio && of_contract)
    argp_failure(state, 2, 0, "--%s: contracts are those of --portfolio %s", of_contract, o->portfolio);
  if (o->wanted.std_error > 0 && (o->portfolio || o->wanted.greeks))
    argp_failure(state, 2, 0, "--std-error: for the price of one contract, without --portfolio and --greeks");
  if (o->wanted.control && (o->portfolio || !hg_contract_is_asian(&o->contract)))
    argp_failure(state, 2, 0, "--control: for one Asian option");
  if (o->wanted.control && o->wanted.greeks) argp_failure(state, 2, 0, "--control and --greeks exclude each other");
  if (o->dynamic && (g->division.speeds > 0 || g->division.tables || g->division.objective != HG_BY_TIME ||
                     g->rebalance > 0 || g->models || g->plan_only))
    argp_failure(state, 2, 0,
                 "--dynamic: who is free takes the next batch, so there is nothing for --speeds, --objective, "
                 "--rebalance, --models and --plan-only to divide");
  if (g->spacings || g->time_step > 0)
    argp_failure(state, 2, 0, "--%s: of grids in space and time, not of prices", g->spacings ? "spacing" : "time-step");
  if (g->snapshot_every > 0) argp_failure(state, 2, 0, "--snapshot-every: of values on a grid, not of prices");
  if (g->block) argp_failure(state, 2, 0, "--block: batches are --tile N chunks of 65536 paths");
  o->wanted.interruptible = g->checkpoint != NULL;
  o->restart = g->restart; /* of the book, not of the job */
  o->job.grid.restart = NULL;
  if (o->contract.fixings == 0) o->contract.fixings = hg_contract_is_asian(&o->contract) ? 12 : 1;
  if (o->wanted.paths == 0 && o->wanted.std_error == 0)
    o->wanted.paths = o->portfolio ? HG_CHUNK_PATHS : HG_PATHS_DEFAULT;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  pricer_options *o = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &o->job.grid;
    state->child_inputs[1] = &o->run;
    break;
  case ARGP_KEY_ARG: argp_error(state, "'%s': every value belongs to an option", arg); break;
  case PATHS: o->wanted.paths = hg_arg_int(state, arg, "--paths", 1, HG_PATHS_MAX); break;
  case STD_ERROR:
    hg_arg_require(state, hg_parse_double(arg, "--std-error", 1e-300, 1e300, &o->wanted.std_error));
    break;
  case CONTROL: o->wanted.control = true; break;
  case GREEKS: o->wanted.greeks = true; break;
  case SEED: o->wanted.seed = (uint64_t)hg_arg_int(state, arg, "--seed", 0, INT64_MAX); break;
  case STREAM: o->wanted.stream = (uint32_t)hg_arg_int(state, arg, "--stream", 0, UINT32_MAX - HG_PORTFOLIO_MAX); break;
  case PRECISION: o->wanted.is_float = hg_arg_one_of(state, arg, "--precision", hg_precision_names); break;
  case DYNAMIC: o->dynamic = true; break;
  case GOLDEN: o->golden = arg; break;
  case ARGP_KEY_END: check_together(state, o); break;
  default: return parse_contract(key, arg, state);
  }
  return 0;
}

/* What prices are otherwise than grids. */
static const struct argp_option grid_changes[] = {{"tile", 0, "N", 0, "Chunks of a batch at most (default: chosen)", 0},
                                                  {0}},
                                run_changes[] = {{"output", 0, "FILE.csv", 0,
                                                  "Write the prices, a line a contract; may be repeated", 0},
                                                 {0}};

void pricer_parse(int argc, char **argv, pricer_options *o)
{
  static struct argp_option grid_list[HG_OPTIONS_MAX], run_list[HG_OPTIONS_MAX];
  static struct argp grid, run;
  static const struct argp_child children[] = {
      {&grid, 0, "Execution:", 3}, {&run, 0, "Results:", 4}, {NULL, 0, NULL, 0}};
  static const struct argp argp = {
      option_list,
      parse,
      NULL,
      "Prices of European and Asian options by Monte-Carlo, over CPU cores, GPUs and MPI ranks: "
      "the same bits for every division of the work.\v" HG_HELP_ENVIRONMENT HG_HELP_EXIT
      " A price that is too far from its closed form is a failure. Outputs are .csv files, a line "
      "a contract.",
      children,
      NULL,
      NULL};
  *o = (pricer_options){.contract = {HG_CALL, 100, 100, 1, .05, 0, .2, 0}, .wanted.seed = 1, .run = HG_RUN_DEFAULTS};
  o->job.grid.division.partition = HG_PARTITION_DEFAULT;
  grid = hg_arg_adapt(&hg_grid_argp, hg_grid_without_fields, grid_list);
  grid = hg_arg_adapt(&grid, grid_changes, grid_list);
  run = hg_arg_adapt(&hg_run_argp, hg_run_without_pictures, run_list);
  run = hg_arg_adapt(&run, run_changes, run_list);
  argp_err_exit_status = 2;
  argp_parse(&argp, argc, argv, 0, NULL, o);
}
