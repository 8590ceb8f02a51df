/* SPDX-License-Identifier: MIT */
/* hetgrid-simulate: the programs on machines that are only described. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "base/text.h"
#include "base/version.h"
#include "options/arguments.h"
#include "program/exit.h"
#include "simulate.h"
#include "async.h"
#include "draw.h"

const char *argp_program_version = "hetgrid-simulate " HG_VERSION;

typedef struct options {
  const char *platform, *devices, *picture, *progress, *chapter;
  simulate_case common;
  int64_t size[SIMULATE_SIZES][2];
  int sizes;
  const char *partition[SIMULATE_LIST], *model[SIMULATE_LIST], *sched[SIMULATE_LIST];
  int partitions, models, scheds;
  int first, count; /* nodes; count 0: all */
  bool csv, thesis, cooperative, show, predict;
  simulate_modes modes;        /* of iterations; none: the programs are run */
  const char *only_iterations; /* an option of theirs that was given, or NULL */
  const char *sized;           /* --size or --sizes, if it was given */
  bool stepped;                /* --steps was given */
} options;

enum {
  PLATFORM = 256,
  APP,
  SIZE,
  SIZES,
  STEPS,
  BLOCK,
  NB,
  PRECISION,
  PARTITION,
  MODEL,
  SCHED,
  NODES,
  DEVICES,
  TRACE,
  CSV,
  PICTURE,
  SHOW,
  PREDICT,
  THESIS,
  COOPERATIVE,
  PROGRESS,
  MODE,
  DELAY,
  SLOWER,
  STOP
};

static const struct argp_option option_list[] = {
    {NULL, 0, NULL, 0, "Machine:", 1},
    {"platform", PLATFORM, "FILE|NAME", 0,
     "A description (see docs/SIMULATION.md), or one of thesis, thesis-rows, thesis-32+32, h200-node, mixed-64, hcl "
     "(default "
     "thesis; pricer: h200-node)",
     0},
    {"nodes", NODES, "A[-B]", 0, "Only nodes A to B, from 0 (default all)", 0},
    {"devices", DEVICES, "LIST", 0, "Only processors with these names", 0},
    {"show", SHOW, NULL, 0, "Print the machine and stop", 0},
    {NULL, 0, NULL, 0, "What runs; lists give every combination:", 2},
    {"app", APP, "NAME", 0,
     "Program: heat, elimination, jacobi, pricer, adr (default heat); without adr=NODES/S that goes by heat's bytes",
     0},
    {"size", SIZE, "NX,NY", 0, "Columns and rows (heat, jacobi); elimination, adr: one number", 0},
    {"sizes", SIZES, "N,N,..", 0, "Squares of these sides (default 1600,3200,6400); pricer: as many paths; adr: cubes",
     0},
    {"steps", STEPS, "N", 0, "Time steps of heat (default 100)", 0},
    {"block", BLOCK, "K", 0, "Time steps per task (default 10)", 0},
    {"nb", NB, "NB", 0, "Rows and columns of a tile of elimination (default: what should take least time)", 0},
    {"precision", PRECISION, "double|float", 0,
     "Single precision takes half the time of the description (default double)", 0},
    {"partition", PARTITION, "LIST", 0, "Partitioners that hetgrid-plan knows (default auto)", 0},
    {"model", MODEL, "LIST", 0,
     "How speeds are looked at: even, cpm, fpm, fpmc (default fpmc, which leaves out nodes that only delay an "
     "elimination)",
     0},
    {"sched", SCHED, "LIST", 0, "StarPU's policies or ours (default hetgrid)", 0},
    {"predict-only", PREDICT, NULL, 0, "Heat by the analytic model alone, for machines too large to simulate", 0},
    {NULL, 0, NULL, 0, "Iterations of jacobi and adr that wait for their neighbours, or do not (docs/ASYNC.md):", 3},
    {"mode", MODE, "LIST", 0,
     "sync, async: relaxation (default 100 x 100), or 5 time steps of .02 s (31^3), by slabs, with real values and the "
     "programs' own detection; tasks and messages take what the description says, without StarPU and SimGrid",
     0},
    {"delay", DELAY, "S,..", 0, "With --mode: s beside the network's latency, of messages between nodes (default 0)",
     0},
    {"slower", SLOWER, "F,..", 0, "With --mode: the last node takes F times as long as it is said (default 1)", 0},
    {"stop", STOP, "E", 0,
     "With --mode: |f + lap u| at the end (jacobi, default 20), or |F| / (|u_old| + 1) of a step (adr, 1e-8)", 0},
    {NULL, 0, NULL, 0, "Results:", 4},
    {"csv", CSV, NULL, 0, "One header line, then one row a run", 0},
    {"picture", PICTURE, "FILE", 0, "Draw speed over size, a line for each combination: .svg, .png or .pdf", 0},
    {"svg", 0, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0},
    {"trace", TRACE, "DIR", 0, "Record the last run there, for hetgrid-trace", 0},
    {"thesis", THESIS, "CHAPTER", OPTION_ARG_OPTIONAL,
     "Repeat the experiments of the thesis; prints a report in Markdown: all of it, or paper, communication, balance, "
     "adding or large",
     0},
    {"cooperative", COOPERATIVE, NULL, 0,
     "Repeat the experiments of the papers on division by learnt speeds; prints a report in Markdown; with --picture "
     "FILE.svg the passes of a GPU and a core go to FILE-core-100.svg, .. 300, 600",
     0},
    {"progress", PROGRESS, "auto|on|off", 0, "Progress bar (default auto: on a terminal)", 0},
    {0}};

/* Splits "a,b,c" in place. */
static int split(struct argp_state *state, char *text, const char *what, const char **list, int most)
{
  int count = 0;
  for (char *word = strsep(&text, ","); word; word = strsep(&text, ",")) {
    if (count == most) argp_failure(state, 2, 0, "%s: more than %d names", what, most);
    list[count++] = word;
  }
  return count;
}

/* Each of the two would replace the other. */
static void begin_sizes(struct argp_state *state, options *o, const char *option)
{
  if (o->sized && strcmp(o->sized, option) != 0) argp_failure(state, 2, 0, "--size and --sizes exclude each other");
  o->sized = option;
}

static void parse_sizes(struct argp_state *state, const char *text, options *o)
{
  int64_t side[SIMULATE_SIZES];
  begin_sizes(state, o, "--sizes");
  hg_arg_require(state, hg_parse_ints(text, "--sizes", 1, 1 << 24, SIMULATE_SIZES, side, &o->sizes));
  for (int i = 0; i < o->sizes; i++) o->size[i][0] = o->size[i][1] = side[i];
}

static void parse_size(struct argp_state *state, const char *text, options *o)
{
  int count;
  begin_sizes(state, o, "--size");
  o->sizes = 1;
  hg_arg_require(state, hg_parse_ints(text, "--size", 1, 1 << 24, 2, o->size[0], &count));
  if (count == 1) o->size[0][1] = o->size[0][0];
}

static void parse_nodes(struct argp_state *state, const char *text, options *o)
{
  int last;
  char end;
  int read = sscanf(text, "%d-%d%c", &o->first, &last, &end);
  if (read == 1 && strchr(text, '-') == NULL) last = o->first;
  if (read < 1 || read > 2 || o->first < 0 || last < o->first || last >= HG_PLATFORM_NODES)
    argp_failure(state, 2, 0, "--nodes: '%s', must be A or A-B with A <= B, from 0", text);
  o->count = last - o->first + 1;
}

static void parse_modes(struct argp_state *state, char *text, simulate_modes *m)
{
  static const char *const known[] = {"sync", "async", NULL};
  m->modes = split(state, text, "--mode", m->mode, SIMULATE_LIST);
  for (int i = 0; i < m->modes; i++) hg_arg_one_of(state, m->mode[i], "--mode", known);
}

static error_t parse_iterations(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;
  simulate_modes *m = &o->modes;
  switch (key) {
  case MODE: parse_modes(state, arg, m); break;
  case DELAY:
    hg_arg_require(state, hg_parse_doubles(arg, "--delay", 0, 1e6, SIMULATE_LIST, m->delay, &m->delays));
    o->only_iterations = "--delay";
    break;
  case SLOWER:
    hg_arg_require(state, hg_parse_doubles(arg, "--slower", 1e-6, 1e6, SIMULATE_LIST, m->slower, &m->slowers));
    o->only_iterations = "--slower";
    break;
  case STOP:
    hg_arg_require(state, hg_parse_double(arg, "--stop", 1e-300, 1e300, &m->tolerance));
    o->only_iterations = "--stop";
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

/* Matrices are square, and cubes have one side; so are the grids of iterations. */
static void settle_size(struct argp_state *state, const options *o)
{
  const program_entry *app = o->common.app;
  const bool square = !app->batch && (!app->grid || o->modes.modes > 0);
  if (square && o->size[0][0] != o->size[0][1])
    argp_failure(state, 2, 0, "--size: %" PRId64 ",%" PRId64 ", must be one number for %s%s", o->size[0][0],
                 o->size[0][1], app->name, o->modes.modes > 0 ? " with --mode" : "");
}

/* What iterations by slabs are not, or are only; they compute, so they are small unless more is asked for. */
static void settle_iterations(struct argp_state *state, options *o)
{
  const program_entry *app = o->common.app;
  if (o->modes.modes == 0 && o->only_iterations) argp_failure(state, 2, 0, "%s: only with --mode", o->only_iterations);
  if (o->modes.modes == 0) return;
  if (strcmp(app->name, "jacobi") != 0 && strcmp(app->name, "adr") != 0)
    argp_failure(state, 2, 0, "--mode: of jacobi and adr only, not of %s", app->name);
  if (o->common.trace || o->predict) argp_failure(state, 2, 0, "--mode: excludes --trace and --predict-only");
  if (!o->sized) o->sizes = 1, o->size[0][0] = o->size[0][1] = app->cube ? 31 : 100;
  if (!o->stepped) o->common.steps = 5;
}

static error_t parse_run(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;
  switch (key) {
  case APP:
    o->common.app = program_find(arg);
    if (!o->common.app) argp_failure(state, 2, 0, "--app: '%s' is unknown; known:%s", arg, program_names());
    break;
  case SIZE: parse_size(state, arg, o); break;
  case SIZES: parse_sizes(state, arg, o); break;
  case STEPS:
    o->common.steps = hg_arg_int(state, arg, "--steps", 1, 1000000);
    o->stepped = true;
    break;
  case BLOCK: o->common.block = (int)hg_arg_int(state, arg, "--block", 1, 4096); break;
  case NB: o->common.nb = (int)hg_arg_int(state, arg, "--nb", 1, 4096); break;
  case PRECISION: o->common.single = hg_arg_one_of(state, arg, "--precision", hg_precision_names) == 1; break;
  case PARTITION: o->partitions = split(state, arg, "--partition", o->partition, SIMULATE_LIST); break;
  case MODEL: o->models = split(state, arg, "--model", o->model, SIMULATE_LIST); break;
  case SCHED: o->scheds = split(state, arg, "--sched", o->sched, SIMULATE_LIST); break;
  default: return parse_iterations(key, arg, state);
  }
  return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;
  switch (key) {
  case PLATFORM: o->platform = arg; break;
  case NODES: parse_nodes(state, arg, o); break;
  case DEVICES: o->devices = arg; break;
  case SHOW: o->show = true; break;
  case PREDICT: o->predict = true; break;
  case CSV: o->csv = true; break;
  case PICTURE: o->picture = hg_arg_picture(state, arg); break;
  case TRACE: o->common.trace = arg; break;
  case THESIS:
    o->thesis = true;
    o->chapter = arg;
    break;
  case COOPERATIVE: o->cooperative = true; break;
  case PROGRESS: o->progress = hg_progress_names[hg_arg_one_of(state, arg, "--progress", hg_progress_names)]; break;
  case ARGP_KEY_ARG: argp_error(state, "'%s': every value belongs to an option", arg); break;
  case ARGP_KEY_END:
    if (o->predict && (!o->common.app->grid || o->picture || o->common.trace))
      argp_failure(state, 2, 0, "--predict-only: is for grids, and excludes --picture and --trace");
    if ((o->thesis || o->cooperative) && (o->csv || o->common.trace))
      argp_failure(state, 2, 0, "--thesis, --cooperative: print a report; --csv and --trace are of runs");
    if (o->thesis && o->picture) argp_failure(state, 2, 0, "--thesis: prints a report; --picture is of runs");
    if (o->thesis && o->cooperative) argp_failure(state, 2, 0, "--thesis and --cooperative exclude each other");
    if (!o->platform) o->platform = o->common.app->batch ? "h200-node" : "thesis"; /* the thesis prices nothing */
    settle_size(state, o);
    settle_iterations(state, o);
    break;
  default: return parse_run(key, arg, state);
  }
  return 0;
}

static hg_status predict(const simulate_machine *m, const simulate_case *c, double *seconds)
{
  hg_box *box = malloc((size_t)m->platform.nodes * HG_PLATFORM_WORKERS * sizeof *box);
  if (!box) return hg_fail(HG_MEMORY, "no memory for %d nodes", m->platform.nodes);
  const hg_status status = simulate_divide(&m->platform, c, box, seconds);
  free(box);
  return status;
}

/* Every combination, sizes last, so that a line of the chart is made of neighbours. */
static hg_status run_all(const options *o, const simulate_machine *m, simulate_chart *chart)
{
  const bool grid = o->common.app->grid;
  const int partitions = grid ? o->partitions : 1, all = partitions * o->models * o->scheds * o->sizes;
  hg_progress bar;
  if (!o->csv) simulate_say_network(&m->platform);
  hg_progress_begin(&bar, o->progress, "simulate", all);
  hg_status status = HG_OK;
  for (int i = 0; i < all && status == HG_OK; i++) {
    const int series = i / o->sizes, s = i % o->sizes;
    simulate_case c = o->common;
    simulate_outcome r;
    memcpy(c.size, o->size[s], sizeof c.size);
    c.partition = o->partition[series / o->scheds / o->models];
    c.model = o->model[series / o->scheds % o->models];
    c.sched = o->sched[series % o->scheds];
    if (i < all - 1) c.trace = NULL;
    r = (simulate_outcome){
        .seconds = NAN, .rate = NAN, .bytes = NAN, .imbalance = NAN, .sched = "-", .joules = NAN, .edp = NAN};
    status = o->predict ? predict(m, &c, &r.predicted) : simulate_run(m, &c, &r);
    if (status == HG_OK && i == 0) simulate_print_header(o->csv, o->predict);
    if (status == HG_OK) simulate_print_row(m, &c, &r, o->csv, o->predict);
    if (status == HG_OK && !o->predict) simulate_chart_add(chart, series, &c, &r);
    hg_progress_update(&bar, i + 1);
  }
  hg_progress_end(&bar);
  return status;
}

/* Nothing of it is SimGrid's, so no files are written for it. */
static hg_status iterate(const options *o)
{
  hg_platform p;
  simulate_case common = o->common;
  common.model = o->model[0];
  HG_TRY(hg_platform_find(o->platform, &p));
  hg_status status = hg_platform_select(&p, o->first, o->count ? o->count : p.nodes - o->first, o->devices);
  if (status == HG_OK) status = simulate_async(&p, &common, o->sizes, o->size, &o->modes, o->csv, o->picture);
  hg_platform_free(&p);
  return status;
}

static hg_status simulate(const options *o)
{
  hg_platform platform;
  simulate_machine machine;
  simulate_chart chart = {.series = 0};
  HG_TRY(hg_platform_find(o->platform, &platform));
  HG_TRY(simulate_open(&platform, o->first, o->count, o->devices, &machine));
  hg_status status = HG_OK;
  if (o->show)
    simulate_show(&machine.platform);
  else
    status = run_all(o, &machine, &chart);
  if (status == HG_OK && o->picture && !o->show) status = simulate_chart_draw(o->picture, &machine.platform, &chart);
  if (status == HG_OK && o->common.trace && !o->show && !o->csv) printf("trace of the last run: %s\n", o->common.trace);
  simulate_close(&machine);
  return status;
}

int main(int argc, char **argv)
{
  static const struct argp argp = {
      option_list,
      parse,
      NULL,
      "Runs the programs on a machine that is only described: the programs' own tasks, partitions and "
      "policies, StarPU's own decisions and transfers, in virtual time (SimGrid); or iterations that wait and that do "
      "not, event by event.\v"
      "Speeds come from the description. Exit status: 0 success, 1 failure, 2 wrong usage.",
      NULL,
      NULL,
      NULL};
  options o = {.progress = "auto",
               .common = {.app = program_table, .steps = 100, .block = 10},
               .sizes = 3,
               .size = {{1600, 1600}, {3200, 3200}, {6400, 6400}},
               .partition = {"auto"},
               .partitions = 1,
               .model = {"fpmc"},
               .models = 1,
               .sched = {"hetgrid"},
               .scheds = 1,
               .modes = {.delays = 1, .slower = {1}, .slowers = 1}};
  hg_program_begin("hetgrid-simulate", NULL);
  argp_err_exit_status = 2;
  argp_parse(&argp, argc, argv, 0, NULL, &o);
  const hg_status status = o.thesis                   ? simulate_thesis(o.chapter, stdout)
                           : o.cooperative            ? simulate_cooperative(stdout, o.picture)
                           : o.modes.modes && !o.show ? iterate(&o)
                                                      : simulate(&o);
  if (status != HG_OK) fprintf(stderr, "hetgrid-simulate: %s\n", hg_message());
  return status == HG_OK ? 0 : status == HG_INVALID || status == HG_FORMAT ? 2 : 1;
}
