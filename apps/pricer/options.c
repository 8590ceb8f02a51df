/* SPDX-License-Identifier: MIT */
/* The command line of hetgrid-pricer. */
#include <string.h>

#include "pricer.h"
#include "job/snapshot_options.h"
#include "program/exit.h"

#define O pricer_options
#define HG_REAL(f) HG_IN(O, f, -1e300, 1e300)

static const hg_option option_list[] = {
    {.help = "Contract:"},
    {"option", HG_ONE_OF(O, contract.kind, hg_contract_names), NULL,
     "Kind of option: European, or Asian on the arithmetic mean of the fixings (default call)", HG_PROBLEM},
    {"spot", HG_REAL(contract.spot), "S", "Price of the asset now (default 100)", HG_PROBLEM},
    {"strike", HG_REAL(contract.strike), "K", "Strike price (default 100)", HG_PROBLEM},
    {"time", HG_REAL(contract.time), "T", "Years to expiry (default 1)", HG_PROBLEM},
    {"rate", HG_REAL(contract.rate), "R", "Interest rate per year, continuously compounded (default 0.05)", HG_PROBLEM},
    {"yield", HG_REAL(contract.yield), "Q", "Dividend yield per year, continuously compounded (default 0)", HG_PROBLEM},
    {"sigma", HG_REAL(contract.sigma), "V", "Volatility per square root of a year (default 0.2)", HG_PROBLEM},
    {"fixings", HG_IN(O, contract.fixings, 1, HG_FIXINGS_MAX), "M",
     "Number of fixings of an Asian option, at times j T / M (default 12)", HG_PROBLEM},
    {"portfolio", HG_TEXT(O, portfolio), "FILE.csv",
     "Price many contracts instead, one per line: type,S,K,T,r,q,sigma[,fixings]", HG_PROBLEM | HG_CONTENTS | HG_WHOLE},
    {.name = "input", .use = HG_ALIAS | HG_HIDDEN},
    {.help = "Method:"},
    {"paths", HG_IN(O, wanted.paths, 1, HG_PATHS_MAX), "N",
     "Number of paths of each contract (default 2^24; portfolio: 2^16); with --std-error the largest number (default "
     "2^34 / M)",
     HG_PROBLEM},
    {"std-error", HG_IN(O, wanted.std_error, 1e-300, 1e300), "E",
     "Stop when the standard error is at most E; checked when the number of chunks of 65536 paths is a power of two",
     HG_PROBLEM},
    {.name = "tolerance", .use = HG_ALIAS},
    {"control", HG_FLAG(O, wanted.control), NULL,
     "Control variate for Asian options: the option on the geometric mean, whose price has a closed form", HG_PROBLEM},
    {"greeks", HG_FLAG(O, wanted.greeks), NULL,
     "Also compute derivatives: delta and vega by paths, and all of them in closed form where there is one",
     HG_PROBLEM},
    {"seed", HG_IN(O, wanted.seed, 0, 0x1p63), "K", "Key of the random numbers (default 1)", HG_PROBLEM},
    {"stream", HG_IN(O, wanted.stream, 0, UINT32_MAX - HG_PORTFOLIO_MAX), "X",
     "Random stream of the first contract; further contracts of a portfolio use the next streams (default 0)",
     HG_PROBLEM},
    {"precision", HG_ONE_OF(O, wanted.is_float, hg_precision_names), NULL,
     "Precision of the arithmetic along paths; sums are always double (default double)", HG_PROBLEM},
    {"dynamic", HG_FLAG(O, dynamic), NULL,
     "Guided self-scheduling: ranks take batches of decreasing size from one queue, instead of a fixed range each",
     HG_SAME},
    {"golden", HG_TEXT(O, golden), "FILE", "Run the cases of a golden file and print TAP", HG_HIDDEN},
    {"restart", HG_TEXT(O, restart), NULL, NULL, HG_SAME | HG_CONTENTS | HG_DERIVED},
    {0}};

/* Rejects options that this job has no use for. */
static hg_status check_together(const hg_command *command, const pricer_options *o)
{
  static const char *const of_contract[] = {"option", "spot",  "strike",  "time", "rate",
                                            "yield",  "sigma", "fixings", NULL},
                           *const dividing[] = {"speeds", "models", "plan-only", NULL};
  const hg_grid_options *g = &o->job.grid;
  const char *given = hg_option_first(command, of_contract);
  const bool divided = hg_option_first(command, dividing) || g->division.objective != HG_BY_TIME || g->rebalance > 0;
  if (o->portfolio && given)
    return hg_fail(HG_INVALID, "--%s: excludes --portfolio %s, which lists the contracts", given, o->portfolio);
  if (o->wanted.std_error > 0 && (o->portfolio || o->wanted.greeks))
    return hg_fail(HG_INVALID, "--std-error: only for the price of one contract, without --portfolio and --greeks");
  if (o->wanted.control && (o->portfolio || !hg_contract_is_asian(&o->contract)))
    return hg_fail(HG_INVALID, "--control: only for one Asian option, without --portfolio");
  if (o->wanted.control && o->wanted.greeks) return hg_fail(HG_INVALID, "--control and --greeks exclude each other");
  if (o->dynamic && divided)
    return hg_fail(HG_INVALID,
                   "--dynamic: excludes --speeds, --objective, --rebalance, --models and --plan-only, as ranks take "
                   "batches from a queue and nothing is divided beforehand");
  return HG_OK;
}

static hg_status check(const hg_command *command, void *values)
{
  pricer_options *o = values;
  hg_grid_options *g = &o->job.grid;
  HG_TRY(check_together(command, o));
  o->wanted.interruptible = g->checkpoint != NULL;
  o->restart = g->restart; /* for the portfolio, not for the job */
  g->restart = NULL;
  if (o->dynamic) g->rebalance = -1;
  if (o->contract.fixings == 0) o->contract.fixings = hg_contract_is_asian(&o->contract) ? 12 : 1;
  if (o->wanted.paths == 0 && o->wanted.std_error == 0)
    o->wanted.paths = o->portfolio ? HG_CHUNK_PATHS : HG_PATHS_DEFAULT;
  return HG_OK;
}

/* Changes to the options of grids: what is different for prices. */
static const hg_option_change grid_changes[] = {
    {"tile", "N", "Largest number of chunks in a batch (default: chosen automatically)", NULL},
    {.name = "time-block", .refusal = "not supported; --tile N sets the chunks of 65536 paths in a batch"},
    {.name = "spacing", .refusal = "not supported for prices, which are not on a grid"},
    {.name = "time-step", .refusal = "not supported for prices, which are not on a grid"},
    {0}};
static const hg_option_change snapshot_changes[] = {
    {.name = "snapshot-every", .refusal = "not supported for prices, which are no values on a grid"},
    HG_WITHOUT_SNAPSHOTS,
    {0}};
static const hg_option_change run_changes[] = {
    {"output", "FILE.csv", "Write the prices, one line per contract; may be repeated", NULL},
    HG_RUN_WITHOUT_PICTURES,
    {0}};

const hg_command *pricer_parse(int argc, char **argv, pricer_options *o)
{
  static hg_command command = {
      .about = "Prices European and Asian options by Monte Carlo simulation on CPU cores, GPUs and MPI ranks: the "
               "same bits for every division of the work.",
      .notes = HG_HELP_ENVIRONMENT HG_HELP_EXIT " A price too far from its closed form counts as failure. Outputs are "
                                                ".csv files with one line per contract."};
  const hg_option_set sets[] = {{NULL, option_list, o, NULL, check},
                                HG_GRID_SET(&o->job.grid, grid_changes),
                                HG_NO_SNAPSHOT_SET(snapshot_changes),
                                HG_RUN_SET(&o->run, run_changes)};
  memcpy(command.set, sets, sizeof sets);
  *o = (pricer_options){.contract = {HG_CALL, 100, 100, 1, .05, 0, .2, 0}, .wanted.seed = 1, .run = HG_RUN_DEFAULTS};
  hg_command_parse(&command, argc, argv);
  return &command;
}
