/* SPDX-License-Identifier: MIT */
/* hetgrid-calibrate: measures how fast this machine's workers are as a function of work and exchange, and keeps the
 * tables where hetgrid-heat and hetgrid-plan find them. */
#include "calibrate.h"
#include "apps/programs/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/gpu/gpu.h"
#include "runtime/versions.h"
#include "runtime/worker_list.h"
#include "options/arguments.h"
#include "program/exit.h"

const char *argp_program_version = "hetgrid-calibrate " HG_VERSION;

enum {
  APP = 256,
  WORKERS,
  PRECISION,
  MAX_ERROR,
  MAX_CELLS,
  CORES,
  BLOCK,
  COMMUNICATION,
  NETWORK,
  BUDGET,
  OUTPUT,
  ENERGY,
  PLATFORM,
  SHOW,
  PICTURE,
  QUIET,
  PROGRESS
};

enum { MOST_KINDS = 64 };

static const char ALL[] = "all";

typedef struct options {
  bool show;
  const char *kernels; /* NULL: none was named */
  hg_precision precision;
  calibrate_options measure;
  const char *workers, *output, *picture, *platform;
  int kinds, kind[MOST_KINDS]; /* the GPU's number, or CALIBRATE_CPU */
  bool again;                  /* measured before on one core at a time */
} options;

static const struct argp_option option_list[] = {
    {"app", APP, "NAME", 0,
     "Whose kernels to measure: heat, elimination, jacobi (heat's), pricer, adr, or all (heat, elimination, pricer) "
     "(default heat)",
     0},
    {"workers", WORKERS, "LIST", 0,
     "Kinds of workers: cpu, cuda, or one GPU as cuda:N, separated by commas (default: all there are, GPUs of a model "
     "once)",
     0},
    {"precision", PRECISION, "double|float", 0, "Of the arithmetic (default double)", 0},
    {"max-error", MAX_ERROR, "E", 0, "Largest relative error of straight lines between the points (default .05)", 0},
    {"max-cells", MAX_CELLS, "N", 0, "Largest work measured (default 16000000; on a GPU 2^28 or what fits)", 0},
    {"cores", CORES, "N", 0,
     "Measure a processor core while N - 1 others do the same, as they share memory in a run (default 1, with "
     "--platform 1 and then all); the table is another one, its device's name ends in -N-cores",
     0},
    {"block", BLOCK, "K", 0,
     "Steps of a task of heat (default: as many as a run would choose); the table is another one, its device's name "
     "ends in -K-steps, and serves runs with that --block",
     0},
    {"communication", COMMUNICATION, NULL, 0, "Measure the exchange at several sizes (default: at one)", 0},
    {"network", NETWORK, "FILE", 0,
     "Take the exchange from times of messages as hetgrid-network measured them (default: HETGRID_NETWORK; without "
     "either it is measured)",
     0},
    {"budget", BUDGET, "SECONDS", 0,
     "Refine the table for so long at most, but measure its first points however long they take; the next call goes on "
     "where this one stopped; what looks disturbed is measured again in the first half only (default 600)",
     0},
    {"output", OUTPUT, "DIR", 0, "Folder of the table (default $HETGRID_TABLES, else the user's data folder)", 0},
    {"energy", ENERGY, "SOURCE", OPTION_ARG_OPTIONAL,
     "Measure what the workers draw while they run the kernels, by rapl, nvml or meter:FILE (default: rapl for cores, "
     "nvml for GPUs), and add that to the powers that hetgrid-energy --measure has found; no table is measured",
     0},
    {"platform", PLATFORM, "FILE", 0,
     "Describe this machine for hetgrid-simulate: processors by hwloc, speeds by the tables that are there, messages "
     "by the network file, panels and the like measured now; with --app its tables are measured before",
     0},
    {"show", SHOW, NULL, 0, "Print the table that is there; measure nothing", 0},
    {"picture", PICTURE, "FILE", 0, "Draw speed over work: .svg, .png or .pdf", 0},
    {"svg", 0, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0},
    {"quiet", QUIET, NULL, 0, "Print nothing but errors", 0},
    {"progress", PROGRESS, "auto|on|off", 0, "Progress (default auto: on a terminal)", 0},
    {0}};

static void parse_app(const struct argp_state *state, const char *arg, options *o)
{
  const program_entry *app = program_find(arg);
  if (!app && strcmp(arg, ALL) != 0)
    argp_failure(state, 2, 0, "--app: '%s' is unknown; known:%s %s", arg, program_names(), ALL);
  o->kernels = app ? app->kernels : ALL;
}

static void check(const struct argp_state *state, options *o)
{
  if (o->platform && (o->show || o->precision == HG_FLOAT))
    argp_failure(state, 2, 0, "--platform: is of double precision, and excludes --show");
  if (o->measure.energy && (o->platform || o->show || o->picture || o->precision == HG_FLOAT))
    argp_failure(state, 2, 0, "--energy: is of double precision, and excludes --platform, --show and --picture");
  if (o->picture && o->kernels == ALL) argp_failure(state, 2, 0, "--picture: is of one program, not of --app all");
  if (!o->kernels && !o->platform) o->kernels = "heat";
  if (o->measure.block > 0 && (o->platform || o->measure.energy || strcmp(o->kernels, "heat") != 0))
    argp_failure(state, 2, 0, "--block: is of heat's tables alone, and excludes --platform and --energy");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;
  switch (key) {
  case APP: parse_app(state, arg, o); break;
  case PRECISION:
    o->precision = hg_arg_one_of(state, arg, "--precision", hg_precision_names) ? HG_FLOAT : HG_DOUBLE;
    break;
  case WORKERS: o->workers = arg; break;
  case CORES: o->measure.cores = (int)hg_arg_int(state, arg, "--cores", 1, CALIBRATE_CORES); break;
  case BLOCK: o->measure.block = (int)hg_arg_int(state, arg, "--block", 1, 4096); break;
  case COMMUNICATION: o->measure.communication = true; break;
  case NETWORK: o->measure.network = arg; break;
  case MAX_ERROR: hg_arg_require(state, hg_parse_double(arg, "--max-error", 1e-3, 1, &o->measure.max_error)); break;
  case MAX_CELLS: o->measure.max_cells = hg_arg_int(state, arg, "--max-cells", 100000, INT64_C(1) << 34); break;
  case BUDGET: hg_arg_require(state, hg_parse_double(arg, "--budget", 1, 1e7, &o->measure.budget)); break;
  case OUTPUT: o->output = arg; break;
  case ENERGY:
    o->measure.energy = true;
    o->measure.source = arg;
    break;
  case PLATFORM: o->platform = arg; break;
  case SHOW: o->show = true; break;
  case PICTURE: o->picture = hg_arg_picture(state, arg); break;
  case QUIET: o->measure.quiet = true; break;
  case PROGRESS:
    o->measure.progress = hg_progress_names[hg_arg_one_of(state, arg, "--progress", hg_progress_names)];
    break;
  case ARGP_KEY_ARG: argp_error(state, "'%s': every value belongs to an option", arg); break;
  case ARGP_KEY_END: check(state, o); break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static hg_status add_kind(options *o, int gpu)
{
  if (o->kinds == MOST_KINDS) return hg_fail(HG_INVALID, "--workers: more than %d", MOST_KINDS);
  o->kind[o->kinds++] = gpu;
  return HG_OK;
}

/* GPUs of a model not seen before. */
static hg_status add_gpu_models(options *o)
{
  const int gpus = hg_gpu_count();
  char model[gpus + 1][128];
  for (int i = 0; i < gpus; i++) {
    bool known = false;
    hg_gpu_model(i, model[i], sizeof model[i]);
    for (int j = 0; j < i; j++) known |= strcmp(model[i], model[j]) == 0;
    if (!known) HG_TRY(add_kind(o, i));
  }
  return HG_OK;
}

static hg_status add_workers(void *arg, int word)
{
  if (word == HG_WORD_CUDA) return add_gpu_models(arg);
  return add_kind(arg, word == HG_WORD_CPU ? CALIBRATE_CPU : word);
}

static hg_status choose_kinds(options *o)
{
  if (o->workers) return hg_worker_words(o->workers, add_workers, o);
  HG_TRY(add_kind(o, CALIBRATE_CPU));
  return add_gpu_models(o);
}

static void show(const hg_speed_table *t)
{
  printf("%14s %14s %14s %14s\n", "cells", "items / step", "s / step", "cells / s");
  for (int i = 0; i < t->nw; i++)
    for (int j = 0; j < t->nc; j++)
      printf("%14.0f %14.0f %14.6g %14.4g\n", t->w[i], t->c[j], t->time[i * t->nc + j],
             t->w[i] / t->time[i * t->nc + j]);
}

/* With several kinds of workers each has a picture, FILE.svg becoming FILE-DEVICE.svg. */
static hg_status draw(const calibration *c, const char *file, bool several, const hg_speed_table *t)
{
  char path[HG_PATH_MAX], title[256];
  if (several) HG_TRY(hg_chart_path(file, c->device, path));
  snprintf(title, sizeof title, "%s, %s, %s on %s", c->app, c->kernel, hg_precision_names[c->precision], c->device);
  return hg_speed_table_draw(several ? path : file, title, t);
}

static hg_status calibrate_kind(const options *o, int gpu)
{
  calibration c;
  char path[HG_PATH_MAX];
  hg_speed_table t;
  if (o->again && gpu != CALIBRATE_CPU) return HG_OK;
  calibrate_make(o->kernels, o->precision, gpu, &c);
  if (o->measure.energy) return calibrate_energy(&c, &o->measure);
  if (gpu == CALIBRATE_CPU) calibrate_share(&c, o->measure.cores);
  calibrate_block(&c, o->measure.block);
  HG_TRY(hg_table_path(c.app, c.kernel, hg_precision_names[c.precision], c.device, path));
  HG_TRY(o->show ? hg_speed_table_read(path, &t) : calibrate_table(&c, &o->measure, path, &t));
  if (!o->measure.quiet) {
    show(&t);
    printf("table: %s\n", path);
  }
  hg_status status = o->picture ? draw(&c, o->picture, o->kinds > 1, &t) : HG_OK;
  hg_speed_table_free(&t);
  return status;
}

static hg_status calibrate_app(options *o, const char *app)
{
  o->kernels = app;
  o->kinds = 0;
  HG_TRY(choose_kinds(o));
  for (int i = 0; i < o->kinds; i++) HG_TRY(calibrate_kind(o, o->kind[i]));
  return HG_OK;
}

static hg_status calibrate_apps(options *o)
{
  if (!o->kernels) return HG_OK;
  if (o->kernels != ALL) return calibrate_app(o, o->kernels);
  for (const char *const *app = calibrate_described; *app; app++) HG_TRY(calibrate_app(o, *app));
  return HG_OK;
}

/* A platform's cores are all busy in a run: both tables of a core are measured unless one was asked for. */
static hg_status calibrate_for_platform(options *o)
{
  const char *const kernels = o->kernels;
  const int cores = calibrate_platform_cores();
  const bool both = o->measure.cores == 0 && cores > 1 && cores <= CALIBRATE_CORES;
  if (o->measure.cores == 0) o->measure.cores = 1;
  HG_TRY(calibrate_apps(o));
  if (!both) return HG_OK;
  o->kernels = kernels;
  o->measure.cores = cores;
  o->again = true;
  return calibrate_apps(o);
}

/* That the file can be written is found out first. */
static hg_status run(options *o, char **argv)
{
  FILE *out;
  char part[HG_PATH_MAX];
  if (o->platform || o->kernels == ALL || strcmp(o->kernels, "elimination") == 0) HG_TRY(hg_blas_prepare(argv));
  if (o->output) setenv("HETGRID_TABLES", o->output, 1);
  if (!o->platform && o->measure.cores == 0) o->measure.cores = 1;
  if (!o->platform) return calibrate_apps(o);
  HG_TRY(hg_file_begin(o->platform, part, &out));
  hg_status status = calibrate_for_platform(o);
  if (status == HG_OK) status = calibrate_platform(&o->measure, o->platform, out);
  HG_TRY(hg_file_end(out, part, o->platform, status));
  if (!o->measure.quiet) printf("platform: %s\n", o->platform);
  return HG_OK;
}

int main(int argc, char **argv)
{
  static const struct argp argp = {
      option_list,
      parse,
      NULL,
      "Measures the speed of this machine's kinds of workers as a function of work and exchange.\v"
      "The table is named after application, kernel, precision and device. `hetgrid-heat --speeds tables:` uses it by "
      "itself, "
      "`hetgrid-plan --tables FILE*N` for machines of N such workers.\n\n" HG_HELP_BLAS HG_HELP_EXIT,
      NULL,
      NULL,
      NULL};
  options o = {.measure = {.max_error = .05, .budget = 600, .progress = "auto"}};
  hg_program_begin("hetgrid-calibrate", hg_about);
  argp_err_exit_status = 2;
  argp_parse(&argp, argc, argv, 0, NULL, &o);
  hg_program_speak();
  hg_status status = run(&o, argv);
  if (status != HG_OK) fprintf(stderr, "hetgrid-calibrate: %s\n", hg_message());
  return status == HG_OK ? 0 : status == HG_INVALID ? 2 : status == HG_NO_WORKER ? 77 : 1;
}
