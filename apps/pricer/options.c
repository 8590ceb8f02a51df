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
     "European, or Asian on the arithmetic mean of fixings (default call)", HG_PROBLEM},
    {"spot", HG_REAL(contract.spot), "S", "Price of the asset now (default 100)", HG_PROBLEM},
    {"strike", HG_REAL(contract.strike), "K", "(default 100)", HG_PROBLEM},
    {"time", HG_REAL(contract.time), "T", "Years to expiry (default 1)", HG_PROBLEM},
    {"rate", HG_REAL(contract.rate), "R", "Interest per year, continuously compounded (default 0.05)", HG_PROBLEM},
    {"yield", HG_REAL(contract.yield), "Q", "Dividends per year, likewise (default 0)", HG_PROBLEM},
    {"sigma", HG_REAL(contract.sigma), "V", "Volatility per square root of a year (default 0.2)", HG_PROBLEM},
    {"fixings", HG_IN(O, contract.fixings, 1, HG_FIXINGS_MAX), "M",
     "Fixings of an Asian option, at j T / M (default 12)", HG_PROBLEM},
    {"portfolio", HG_TEXT(O, portfolio), "FILE.csv", "Many contracts instead, type,S,K,T,r,q,sigma[,fixings] a line",
     HG_PROBLEM | HG_CONTENTS | HG_WHOLE},
    {.name = "input", .use = HG_ALIAS | HG_HIDDEN},
    {.help = "Method:"},
    {"paths", HG_IN(O, wanted.paths, 1, HG_PATHS_MAX), "N",
     "Paths of each contract (default 2^24, of a portfolio 2^16); with --std-error at most (default 2^34 / M)",
     HG_PROBLEM},
    {"std-error", HG_IN(O, wanted.std_error, 1e-300, 1e300), "E",
     "Stop at the first number of chunks of 65536 paths, in powers of two, whose standard error is at most E",
     HG_PROBLEM},
    {.name = "tolerance", .use = HG_ALIAS},
    {"control", HG_FLAG(O, wanted.control), NULL,
     "Asian options less their geometric twins, plus the twins' closed form", HG_PROBLEM},
    {"greeks", HG_FLAG(O, wanted.greeks), NULL,
     "Derivatives too: delta and vega of the paths, all in closed form where there is one", HG_PROBLEM},
    {"seed", HG_IN(O, wanted.seed, 0, 0x1p63), "K", "Key of the random numbers (default 1)", HG_PROBLEM},
    {"stream", HG_IN(O, wanted.stream, 0, UINT32_MAX - HG_PORTFOLIO_MAX), "X",
     "Stream of the first contract; those that follow in a portfolio have the next (default 0)", HG_PROBLEM},
    {"precision", HG_ONE_OF(O, wanted.is_float, hg_precision_names), NULL,
     "Of the arithmetic along paths; sums are double (default double)", HG_PROBLEM},
    {"dynamic", HG_FLAG(O, dynamic), NULL,
     "Ranks take batches from one queue, smaller and smaller ones, instead of a range each beforehand", HG_SAME},
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
    return hg_fail(HG_INVALID, "--%s: contracts are those of --portfolio %s", given, o->portfolio);
  if (o->wanted.std_error > 0 && (o->portfolio || o->wanted.greeks))
    return hg_fail(HG_INVALID, "--std-error: for the price of one contract, without --portfolio and --greeks");
  if (o->wanted.control && (o->portfolio || !hg_contract_is_asian(&o->contract)))
    return hg_fail(HG_INVALID, "--control: for one Asian option");
  if (o->wanted.control && o->wanted.greeks) return hg_fail(HG_INVALID, "--control and --greeks exclude each other");
  if (o->dynamic && divided)
    return hg_fail(HG_INVALID,
                   "--dynamic: who is free takes the next batch, so there is nothing for --speeds, --objective, "
                   "--rebalance, --models and --plan-only to divide");
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
    {"tile", "N", "Chunks of a batch at most (default: chosen)", NULL},
    {.name = "time-block", .refusal = "batches are --tile N chunks of 65536 paths"},
    {.name = "spacing", .refusal = "of grids in space and time, not of prices"},
    {.name = "time-step", .refusal = "of grids in space and time, not of prices"},
    {0}};
static const hg_option_change snapshot_changes[] = {
    {.name = "snapshot-every", .refusal = "of values on a grid, not of prices"}, HG_WITHOUT_SNAPSHOTS, {0}};
static const hg_option_change run_changes[] = {
    {"output", "FILE.csv", "Write the prices, a line a contract; may be repeated", NULL}, HG_RUN_WITHOUT_PICTURES, {0}};

const hg_command *pricer_parse(int argc, char **argv, pricer_options *o)
{
  static hg_command command = {
      .about = "Prices of European and Asian options by Monte-Carlo, over CPU cores, GPUs and MPI ranks: the same bits "
               "for every division of the work.",
      .notes =
          HG_HELP_ENVIRONMENT HG_HELP_EXIT " A price that is too far from its closed form is a failure. Outputs are "
                                           ".csv files, a line a contract."};
  const hg_option_set sets[] = {{NULL, option_list, o, NULL, check},
                                HG_GRID_SET(&o->job.grid, grid_changes),
                                HG_NO_SNAPSHOT_SET(snapshot_changes),
                                HG_RUN_SET(&o->run, run_changes)};
  memcpy(command.set, sets, sizeof sets);
  *o = (pricer_options){.contract = {HG_CALL, 100, 100, 1, .05, 0, .2, 0}, .wanted.seed = 1, .run = HG_RUN_DEFAULTS};
  hg_command_parse(&command, argc, argv);
  return &command;
}
