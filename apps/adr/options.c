/* SPDX-License-Identifier: MIT */
/* The command line of hetgrid-adr, and what its options may not be together. */
#include <argp.h>

#include "adr.h"
#include "base/file.h"
#include "base/text.h"
#include "base/version.h"
#include "program/exit.h"

const char *argp_program_version = "hetgrid-adr " HG_VERSION;

enum { PROBLEM = 256, SIZE, TIME, STEPS, SCHEME, TOLERANCE, HISTORY, VERIFY, GOLDEN };
enum { OVERLAP = 512, INNER, INNER_TOLERANCE, INNER_PRECISION, JACOBIAN, MAX_SWEEPS, FORCE_ASYNC };

static const struct argp_option option_list[] = {
    {NULL, 0, NULL, 0, "Problem:", 1},
    {"problem", PROBLEM, "NAME|FILE.json", 0,
     "mms: exact solution in the unit cube, conserve: periodic, the sum of both species stays, diurnal: ozone in the "
     "stratosphere, or a file that says sizes, coefficients, boundaries, reaction and initial fields (default mms)",
     0},
    {"size", SIZE, "NX[,NY,NZ]", 0, "Nodes (default 31,31,31; diurnal 10,3,10; those of the file)", 0},
    {"time", TIME, "T", 0, "End, s (default .1; diurnal 7200)", 0},
    {"steps", STEPS, "N", 0, "Time steps, equal ones; 0 writes the start (default 10; diurnal 60)", 0},
    {"scheme", SCHEME, "euler|bdf2", 0, "Implicit Euler (default), or the second-order BDF2", 0},
    {"tolerance", TOLERANCE, "E", 0, "Largest |F| / (|u_old| + 1) of a step (default 1e-8)", 0},
    {"history", HISTORY, "FILE.csv", 0, "Write a line a time step: step, time, sweeps, residual", 0},
    {"verify", VERIFY, NULL, 0, "Compare with a serial solution at the same steps (within 1000 tolerances)", 0},
    {"golden", GOLDEN, "FILE", 0, "Run the cases of a golden file and print TAP", 0},
    {NULL, 0, NULL, 0, "Solver:", 2},
    {"overlap", OVERLAP, "P", 0,
     "Planes of its neighbours that a block solves for too (default 2, if there are as many)", 0},
    {"inner", INNER, "bicgstab|bicg|global", 0,
     "Krylov method in each block, or BiCGSTAB over all of them, which then do not overlap (default bicgstab)", 0},
    {"inner-tolerance", INNER_TOLERANCE, "E", 0, "What it reduces a block's residual by in a sweep (default .1)", 0},
    {"inner-precision", INNER_PRECISION, "double|float", 0,
     "Its precision; residuals and values are always double (default: float where --inner-tolerance is >= 1e-4)", 0},
    {"jacobian", JACOBIAN, "sweep|step", 0, "When the point blocks of the Jacobian are made anew (default sweep)", 0},
    {"max-sweeps", MAX_SWEEPS, "N", 0,
     "A step that needs more is a failure; asynchronous ones are made again, synchronously (default 200)", 0},
    {"force-async", FORCE_ASYNC, NULL, 0,
     "Async: also where nothing proves that it converges; what does not is made again, synchronously", 0},
    {0}};

enum { PRECISION_OPEN = -1 };
static int precision = PRECISION_OPEN;
enum { BICGSTAB, BICG, GLOBAL };
static int chosen = BICGSTAB; /* of --inner */

static error_t parse_solver(int key, char *arg, struct argp_state *state)
{
  static const char *const inner[] = {"bicgstab", "bicg", "global", NULL}, *const jacobian[] = {"sweep", "step", NULL};
  adr_options *o = state->input;
  hg_adr_settings *s = &o->settings;
  switch (key) {
  case OVERLAP:
    s->overlap = (int)hg_arg_int(state, arg, "--overlap", 0, 1000);
    o->overlapped = true;
    break;
  case INNER: chosen = hg_arg_one_of(state, arg, "--inner", inner); break;
  case INNER_TOLERANCE: hg_arg_require(state, hg_parse_double(arg, "--inner-tolerance", 1e-14, .999, &s->inner)); break;
  case INNER_PRECISION: precision = hg_arg_one_of(state, arg, "--inner-precision", hg_precision_names); break;
  case JACOBIAN: s->once = hg_arg_one_of(state, arg, "--jacobian", jacobian); break;
  case MAX_SWEEPS: s->sweeps = hg_arg_int(state, arg, "--max-sweeps", 1, INT64_C(1) << 40); break;
  case FORCE_ASYNC:
    s->forced = true;
    o->mode.given = "--force-async";
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static void parse_size(struct argp_state *state, const char *text, int64_t size[3])
{
  int count;
  hg_arg_require(state, hg_parse_ints(text, "--size", 1, INT64_C(1) << 20, 3, size, &count));
  if (count == 1) size[1] = size[2] = size[0];
  if (count == 2) argp_failure(state, 2, 0, "--size: one number, or three");
}

static void parse_problem(struct argp_state *state, const char *text, adr_options *o)
{
  const bool is_file = hg_file_has_ending(text, ".json");
  o->problem_file = is_file ? text : NULL;
  o->problem = is_file ? 0 : hg_arg_one_of(state, text, "--problem", hg_adr_problem_names);
}

/* What the other options leave open. */
static void settle(adr_options *o)
{
  static const int64_t day[3] = {10, 3, 10};
  const bool diurnal = o->problem == 2;
  const bool open = o->size[0] == 0 && !o->problem_file;
  for (int a = 0; a < 3 && open; a++) o->size[a] = diurnal ? day[a] : 31;
  if (diurnal && !o->timed) o->settings.time = 7200;
  if (diurnal && !o->stepped) o->settings.steps = 60;
  o->settings.in_double = precision == PRECISION_OPEN ? o->settings.inner < 1e-4 : precision == 0;
  o->settings.bicg = chosen == BICG;
  o->settings.global = chosen == GLOBAL;
  if (o->settings.global && !o->overlapped) o->settings.overlap = 0;
  o->settings.async = o->mode.async;
  o->settings.eager = o->mode.eager;
  o->settings.detection = o->mode.detection;
  if (!o->grid.division.partition) o->grid.division.partition = "rows";
}

void adr_fit_overlap(adr_options *o, const int64_t n[3])
{
  for (int a = 0; a < 3 && !o->overlapped; a++)
    if (o->settings.overlap >= n[a]) o->settings.overlap = (int)n[a] - 1;
}

/* What a block a worker has no use for. */
static void check_together(struct argp_state *state, adr_options *o)
{
  const hg_grid_options *g = &o->grid;
  if (g->block) argp_failure(state, 2, 0, "--block: sweeps exchange faces each time; see --overlap");
  if (g->tile[0]) argp_failure(state, 2, 0, "--tile: a region is one block");
  if (g->models) argp_failure(state, 2, 0, "--models: not here; see --speeds tables: and --rebalance");
  if (g->network) argp_failure(state, 2, 0, "--network: not here; messages do not decide how blocks are divided");
  if (g->snapshot_every) argp_failure(state, 2, 0, "--snapshot-every: not here; --history writes a line a step");
  if (g->spacings || g->time_step > 0)
    argp_failure(state, 2, 0, "--%s: follows from the problem", g->spacings ? "spacing" : "time-step");
  hg_arg_require(state, hg_mode_check(&o->mode));
  if (o->history && o->run.repeat + o->run.warmup > 1) argp_failure(state, 2, 0, "--history: of one run");
  if (o->history && g->plan_only)
    argp_failure(state, 2, 0, "--history: %s, but --plan-only computes nothing that could be written", o->history);
  settle(o);
  hg_arg_require(state, hg_adr_settings_check(&o->settings));
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  adr_options *o = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &o->grid;
    state->child_inputs[1] = &o->run;
    state->child_inputs[2] = &o->mode;
    break;
  case ARGP_KEY_ARG: argp_error(state, "'%s': every value belongs to an option", arg); break;
  case PROBLEM: parse_problem(state, arg, o); break;
  case SIZE: parse_size(state, arg, o->size); break;
  case TIME:
    hg_arg_require(state, hg_parse_double(arg, "--time", 1e-300, 1e300, &o->settings.time));
    o->timed = true;
    break;
  case STEPS:
    o->settings.steps = hg_arg_int(state, arg, "--steps", 0, INT64_C(1) << 40);
    o->stepped = true;
    break;
  case SCHEME: o->settings.bdf2 = hg_arg_one_of(state, arg, "--scheme", hg_adr_scheme_names); break;
  case TOLERANCE: hg_arg_require(state, hg_parse_double(arg, "--tolerance", 1e-15, .1, &o->settings.tolerance)); break;
  case HISTORY: o->history = arg; break;
  case VERIFY: o->verify = true; break;
  case GOLDEN: o->golden = arg; break;
  case ARGP_KEY_END: check_together(state, o); break;
  default: return parse_solver(key, arg, state);
  }
  return 0;
}

/* What blocks are otherwise than grids, or have no use for; the latter is refused with a reason. */
static const struct argp_option grid_changes[] = {
    {"rebalance", 0, "EPS|off", 0,
     "Between time steps, divide the planes anew by measured speeds wherever a step would be shorter by more than the "
     "share EPS (default off)",
     0},
    {"tile", 0, NULL, OPTION_HIDDEN, "", 0},
    {"models", 0, NULL, OPTION_HIDDEN, "", 0},
    {"network", 0, NULL, OPTION_HIDDEN, "", 0},
    {0}};

void adr_parse(int argc, char **argv, adr_options *o)
{
  static struct argp_option grid_list[HG_OPTIONS_MAX];
  static struct argp grid;
  static const struct argp_child children[] = {{&grid, 0, "Execution:", 4},
                                               {&hg_run_argp, 0, "Results:", 5},
                                               {&hg_mode_argp, 0, "Waiting for neighbours, or not:", 3},
                                               {NULL, 0, NULL, 0}};
  static const struct argp argp = {
      option_list,
      parse,
      NULL,
      "Advection, diffusion and reaction of two species in 3-D by implicit time steps, over CPU cores, GPUs and MPI "
      "ranks: a block a worker, Newton's method by overlapping multisplitting, a Krylov method in each block.\v"
      "Outputs: .h5 files hold both species, c1 and c2, and open in ParaView by the .xmf beside them; other formats "
      "hold c1.\n\n" HG_HELP_ENVIRONMENT HG_HELP_EXIT,
      children,
      NULL,
      NULL};
  *o = (adr_options){.settings = HG_ADR_SETTINGS_DEFAULTS, .run = HG_RUN_DEFAULTS};
  grid = hg_arg_adapt(&hg_grid_argp, hg_grid_without_fields, grid_list);
  grid = hg_arg_adapt(&grid, grid_changes, grid_list);
  argp_err_exit_status = 2;
  argp_parse(&argp, argc, argv, 0, NULL, o);
}
