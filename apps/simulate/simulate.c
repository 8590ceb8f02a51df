/* SPDX-License-Identifier: MIT */
/* hetgrid-simulate: runs the programs on machines that are only described. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "base/text.h"
#include "energy/power.h"
#include "options/arguments.h"
#include "program/exit.h"
#include "simulate.h"
#include "async.h"
#include "draw.h"

typedef struct options {
  const char *platform, *devices, *picture, *chapter;
  hg_progress_mode progress;
  simulate_case common;
  int64_t size[SIMULATE_SIZES][2];
  int sizes;
  const char *partition[SIMULATE_LIST], *model[SIMULATE_LIST], *sched[SIMULATE_LIST];
  int partitions, models, scheds;
  int first, count; /* nodes; count 0: all */
  bool csv, thesis, cooperative, show, predict;
  simulate_modes modes; /* for iterations; none: the programs are run */
} options;

#define O options

static hg_status parse_sizes(const char *text, void *values)
{
  O *o = values;
  int64_t side[SIMULATE_SIZES];
  HG_TRY(hg_parse_ints(text, "--sizes", 1, 1 << 24, SIMULATE_SIZES, side, &o->sizes));
  for (int i = 0; i < o->sizes; i++) o->size[i][0] = o->size[i][1] = side[i];
  return HG_OK;
}

static hg_status parse_size(const char *text, void *values)
{
  O *o = values;
  int count;
  o->sizes = 1;
  HG_TRY(hg_parse_ints(text, "--size", 1, 1 << 24, 2, o->size[0], &count));
  if (count == 1) o->size[0][1] = 0;
  return HG_OK;
}

static hg_status parse_nodes(const char *text, void *values)
{
  O *o = values;
  int64_t node[2];
  HG_TRY(hg_parse_range(text, "--nodes", 0, HG_PLATFORM_NODES - 1, node));
  o->first = (int)node[0];
  o->count = (int)(node[1] - node[0] + 1);
  return HG_OK;
}

static hg_status parse_app(const char *text, void *values)
{
  const program_entry *app = program_find(text);
  if (!app) return hg_fail(HG_INVALID, "--app: '%s' is unknown; known:%s", text, program_names());
  ((O *)values)->common.app = app;
  return HG_OK;
}

static hg_status parse_thesis(const char *text, void *values)
{
  O *o = values;
  o->thesis = true;
  o->chapter = text;
  return HG_OK;
}

static const hg_option option_list[] = {
    {.help = "Machine:"},
    {"platform", HG_TEXT(O, platform), "FILE|NAME",
     "A platform file (docs/SIMULATION.md), or one of thesis, thesis-rows, thesis-32+32, h100-node, h200-node, "
     "mixed-64, hcl (default thesis; pricer: h200-node)",
     0},
    {"nodes", HG_ACTION(parse_nodes), "A[-B]", "Use only nodes A to B, numbered from 0 (default all)", 0},
    {"devices", HG_TEXT(O, devices), "LIST", "Use only processors with these names (default all)", 0},
    {"show", HG_FLAG(O, show), NULL, "Print the machine and stop", 0},
    {.help = "What to run; lists give every combination:"},
    {"app", HG_ACTION(parse_app), "NAME",
     "Program: heat, elimination, matmul, jacobi, pricer, adr (default heat). If the platform has no adr=NODES/S, the "
     "speed of adr follows from that of heat by bytes moved",
     0},
    {"size", HG_ACTION(parse_size), "NX,NY", "Columns and rows (heat, jacobi); one number for the other programs", 0},
    {"sizes", HG_ACTION(parse_sizes), "N,N,..",
     "Sides of square grids or matrices (default 1600,3200,6400); pricer: N x N paths; adr: sides of cubes "
     "(default 31)",
     0},
    {"steps", HG_IN(O, common.steps, 1, 1000000), "N",
     "Time steps of heat and adr, sweeps of jacobi (default 100; adr with --mode: 5)", 0},
    {"time-block", HG_IN(O, common.block, 1, 4096), "K", "Time steps per task (default 10)", 0},
    {.name = "block", .use = HG_ALIAS | HG_HIDDEN},
    {"nb", HG_IN(O, common.nb, 1, 4096), "NB",
     "Rows and columns of a tile of elimination (default: predicted to be the fastest)", 0},
    {"precision", HG_ONE_OF(O, common.single, hg_precision_names), NULL,
     "float takes half the times that the platform file gives (default double)", 0},
    {"partition", HG_TEXTS(O, partition, partitions), "LIST",
     "Partitioners that hetgrid-plan knows (default auto); matmul: rows means slices of rows", HG_COMMAS},
    {"model", HG_TEXTS(O, model, models), "LIST",
     "Models of speed: even, cpm, fpm, fpmc (default fpmc, which leaves out nodes that would only slow down an "
     "elimination or a matrix product)",
     HG_COMMAS},
    {"sched", HG_TEXTS(O, sched, scheds), "LIST", "Scheduling policies of StarPU or hetgrid (default hetgrid)",
     HG_COMMAS},
    {"predict-only", HG_FLAG(O, predict), NULL,
     "Only evaluate the analytic model, for machines too large to simulate (heat and jacobi)", 0},
    {.help = "Synchronous and asynchronous iterations of jacobi and adr (docs/ASYNC.md):"},
    {"mode", HG_TEXTS(O, modes.mode, modes.modes), "LIST",
     "sync, async: iterate with real values and the programs' own detection, divided into slabs: relaxation (default "
     "100 x 100) or 5 time steps of 0.02 s (31^3). The platform file gives the times of tasks and messages, without "
     "StarPU and SimGrid",
     HG_COMMAS},
    {"delay", HG_LIST_IN(O, modes.delay, modes.delays, 0, 1e6), "S,..",
     "With --mode: seconds added to the latency of messages between nodes (default 0)", 0},
    {"slower", HG_LIST_IN(O, modes.slower, modes.slowers, 1e-6, 1e6), "F,..",
     "With --mode: the last node is slower by the factor F than the platform file says (default 1)", 0},
    {"tolerance", HG_IN(O, modes.tolerance, 1e-300, 1e300), "E",
     "With --mode: stop at this |f + lap u| (jacobi, default 20), or |F| / (|u_old| + 1) of a step (adr, default 1e-8)",
     0},
    {.name = "stop", .use = HG_ALIAS | HG_HIDDEN},
    {.help = "Results:"},
    {"csv", HG_FLAG(O, csv), NULL, "Print one header line, then one row per run", 0},
    {"picture", HG_TEXT(O, picture), "FILE", "Plot speed against size, one line per combination: .svg, .png or .pdf",
     HG_PICTURE},
    {.name = "svg", .use = HG_ALIAS | HG_HIDDEN},
    {"trace", HG_TEXT(O, common.trace), "DIR", "Record the last run in the folder DIR, for hetgrid-trace", 0},
    {"thesis", HG_ACTION(parse_thesis), "CHAPTER",
     "Repeat the experiments of the thesis and print a report in Markdown: all of them, or only paper, communication, "
     "balance, adding or large",
     HG_VALUE_OPTIONAL},
    {"cooperative", HG_FLAG(O, cooperative), NULL,
     "Repeat the experiments of the papers on division by learnt speeds and print a report in Markdown; --picture "
     "FILE.svg draws the passes of a GPU and a core as FILE-core-100.svg, FILE-core-300.svg and FILE-core-600.svg",
     0},
    {"progress", HG_ONE_OF(O, progress, hg_progress_names), NULL, HG_HELP_PROGRESS, 0},
    {0}};

/* Rejects options that the program does not have. */
static hg_status check_unused(const hg_command *command, const options *o)
{
  const program_kind kind = o->common.app->kind;
  const struct {
    const char *name;
    bool used;
  } list[] = {{"steps", kind == PROGRAM_GRID || kind == PROGRAM_CUBE},
              {"time-block", kind == PROGRAM_GRID},
              {"nb", kind == PROGRAM_SOLVER || kind == PROGRAM_PRODUCT},
              {"partition", o->modes.modes == 0 && (kind == PROGRAM_GRID || kind == PROGRAM_PRODUCT)},
              {"sched", o->modes.modes == 0 && !o->predict}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (!list[i].used && hg_option_given(command, list[i].name))
      return hg_fail(HG_INVALID, "--%s: has no effect on %s%s", list[i].name, o->common.app->name,
                     o->predict           ? " with --predict-only"
                     : o->modes.modes > 0 ? " with --mode"
                                          : "");
  return HG_OK;
}

/* Matrices are square, and cubes have one side; the same holds for the grids of iterations. */
static hg_status check_size(const hg_command *command, const options *o)
{
  const program_entry *app = o->common.app;
  const bool square = app->kind != PROGRAM_BATCH && (app->kind != PROGRAM_GRID || o->modes.modes > 0);
  if (hg_option_given(command, "size") && hg_option_given(command, "sizes"))
    return hg_fail(HG_INVALID, "--size and --sizes exclude each other");
  if (!square || o->size[0][0] == o->size[0][1]) return HG_OK;
  return hg_fail(HG_INVALID, "--size: %" PRId64 ",%" PRId64 ", must be one number for %s%s", o->size[0][0],
                 o->size[0][1], app->name, o->modes.modes > 0 ? " with --mode" : "");
}

/* The picture shows the time of async over that of sync, by delays on a logarithmic axis. */
static hg_status check_crossover(const simulate_modes *m)
{
  bool mode[2] = {false, false}, late = false;
  for (int i = 0; i < m->modes; i++) mode[strcmp(m->mode[i], "async") == 0] = true;
  for (int i = 0; i < m->delays; i++) late |= m->delay[i] > 0;
  if (mode[0] && mode[1] && late) return HG_OK;
  return hg_fail(HG_INVALID, "--picture: shows async over sync by delays; needs --mode sync,async and a --delay > 0");
}

/* Checks options for iterations by slabs. These really compute, so they are small unless a larger size is given. */
static hg_status settle_iterations(const hg_command *command, options *o)
{
  static const char *const own[] = {"delay", "slower", "tolerance", NULL};
  const program_entry *app = o->common.app;
  const char *only = hg_option_first(command, own);
  for (int i = 0; i < o->modes.modes; i++)
    if (strcmp(o->modes.mode[i], "sync") != 0 && strcmp(o->modes.mode[i], "async") != 0)
      return hg_fail(HG_INVALID, "--mode: '%s' is unknown; known: sync async", o->modes.mode[i]);
  if (o->modes.modes == 0) return only ? hg_fail(HG_INVALID, "--%s: only with --mode", only) : HG_OK;
  if (strcmp(app->name, "jacobi") != 0 && strcmp(app->name, "adr") != 0)
    return hg_fail(HG_INVALID, "--mode: only for jacobi and adr, not for %s", app->name);
  if (o->common.trace || o->predict) return hg_fail(HG_INVALID, "--mode: excludes --trace and --predict-only");
  if (o->common.single)
    return hg_fail(HG_INVALID, "--mode: excludes --precision float, as it computes in double precision");
  if (o->models > 1) return hg_fail(HG_INVALID, "--mode: takes one --model, not %d", o->models);
  if (o->picture) HG_TRY(check_crossover(&o->modes));
  if (!hg_option_given(command, "steps")) o->common.steps = 5;
  return HG_OK;
}

/* Not all programs look at more than whether it is even. */
static hg_status check_models(const options *o)
{
  hg_balance balance;
  for (int i = 0; i < o->models; i++) HG_TRY(simulate_balance(&(simulate_case){.model = o->model[i]}, &balance));
  return HG_OK;
}

/* For cubes, and for iterations, which really compute. */
static void choose_small_size(O *o)
{
  const bool cube = o->common.app->kind == PROGRAM_CUBE;
  if (cube || o->modes.modes > 0) o->sizes = 1, o->size[0][0] = o->size[0][1] = cube ? 31 : 100;
}

static hg_status check(const hg_command *command, void *values)
{
  O *o = values;
  if (!hg_option_given(command, "size") && !hg_option_given(command, "sizes")) choose_small_size(o);
  if (o->size[0][1] == 0) o->size[0][1] = o->common.app->kind == PROGRAM_BATCH ? 1 : o->size[0][0];
  HG_TRY(check_unused(command, o));
  HG_TRY(check_models(o));
  if (o->predict && (o->common.app->kind != PROGRAM_GRID || o->picture || o->common.trace))
    return hg_fail(HG_INVALID, "--predict-only: only for heat and jacobi, and excludes --picture and --trace");
  if ((o->thesis || o->cooperative) && (o->csv || o->common.trace))
    return hg_fail(HG_INVALID, "--thesis and --cooperative: exclude --csv and --trace, as they print a report");
  if (o->thesis && o->picture) return hg_fail(HG_INVALID, "--thesis: excludes --picture, as it prints a report");
  if (o->thesis && o->cooperative) return hg_fail(HG_INVALID, "--thesis and --cooperative exclude each other");
  if (!o->platform)
    o->platform = o->common.app->kind == PROGRAM_BATCH ? "h200-node" : "thesis"; /* the thesis prices nothing */
  HG_TRY(check_size(command, o));
  return settle_iterations(command, o);
}

static hg_status predict(const simulate_machine *m, const simulate_case *c, double *seconds)
{
  hg_box *box = malloc((size_t)m->platform.nodes * HG_PLATFORM_WORKERS * sizeof *box);
  if (!box) return hg_fail(HG_MEMORY, "no memory for %d nodes", m->platform.nodes);
  const hg_status status = simulate_divide(&m->platform, c, box, seconds);
  free(box);
  return status;
}

/* Runs every combination, with sizes varying slowest, so that a line of the chart joins neighbouring sizes. */
static hg_status run_all(const options *o, const simulate_machine *m, simulate_chart *chart)
{
  const bool grid = o->common.app->kind == PROGRAM_GRID || o->common.app->kind == PROGRAM_PRODUCT;
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

/* This does not use SimGrid, so no files are written for it. */
static hg_status iterate(const options *o)
{
  hg_platform p;
  simulate_case common = o->common;
  common.model = o->model[0];
  HG_TRY(hg_platform_find(o->platform, &p));
  hg_status status = hg_platform_select(&p, o->first, o->count ? o->count : p.nodes - o->first, o->devices);
  if (status == HG_OK) hg_power_of_kernels(&p, o->common.app->kernels);
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
  options o = {.common = {.app = program_table, .steps = 100, .block = 10},
               .sizes = 3,
               .size = {{1600, 1600}, {3200, 3200}, {6400, 6400}},
               .partition = {"auto"},
               .partitions = 1,
               .model = {"fpmc"},
               .models = 1,
               .sched = {"hetgrid"},
               .scheds = 1,
               .modes = {.delays = 1, .slower = {1}, .slowers = 1}};
  hg_command command = {
      .about = "Runs the programs on a simulated machine given by a platform file: their own tasks, partitions and "
               "policies, with StarPU's decisions and transfers, in virtual time (SimGrid); or synchronous and "
               "asynchronous iterations, event by event.",
      .notes = "Speeds come from the platform file. Exit status: 0 success, 1 failure, 2 wrong usage.",
      .set = {{NULL, option_list, &o, NULL, check}}};
  hg_program_begin("hetgrid-simulate", NULL);
  hg_command_parse(&command, argc, argv);
  const hg_status status = o.thesis                   ? simulate_thesis(o.chapter, stdout)
                           : o.cooperative            ? simulate_cooperative(stdout, o.picture)
                           : o.modes.modes && !o.show ? iterate(&o)
                                                      : simulate(&o);
  return hg_program_end(status);
}
