/* SPDX-License-Identifier: MIT */
/* hetgrid-calibrate: measures the speeds of this machine's workers as functions of work and exchange, and stores the
 * tables where hetgrid-heat and hetgrid-plan find them. */
#include "calibrate.h"
#include "apps/programs/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "codelets/gpu/gpu.h"
#include "runtime/versions.h"
#include "runtime/worker_list.h"
#include "options/arguments.h"
#include "program/exit.h"

enum { MOST_KINDS = 64 };

static const char ALL[] = "all";

typedef struct options {
  bool show;
  const char *kernels; /* NULL: none was named */
  hg_precision precision;
  calibrate_options measure;
  const char *workers, *output, *picture, *platform;
  int kinds, kind[MOST_KINDS]; /* the GPU's number, or CALIBRATE_CPU */
  bool again;                  /* measured before with a single core */
} options;

#define O options

static hg_status parse_app(const char *text, void *values)
{
  const program_entry *app = program_find(text);
  if (!app && strcmp(text, ALL) != 0)
    return hg_fail(HG_INVALID, "--app: '%s' is unknown; known:%s %s", text, program_names(), ALL);
  ((O *)values)->kernels = app ? app->kernels : ALL;
  return HG_OK;
}

static hg_status parse_energy(const char *text, void *values)
{
  O *o = values;
  o->measure.energy = true;
  o->measure.source = text;
  return HG_OK;
}

static const hg_option option_list[] = {
    {"app", HG_ACTION(parse_app), "NAME",
     "Program whose kernels to measure: heat, elimination, jacobi (the same as heat), pricer, adr, or all: heat, "
     "elimination and pricer (default heat)",
     0},
    {"workers", HG_TEXT(O, workers), "LIST",
     "Kinds of workers: cpu, cuda, or single GPUs as cuda:N, separated by commas (default: cpu, and one GPU of each "
     "model)",
     0},
    {"precision", HG_ONE_OF(O, precision, hg_precision_names), NULL, "Precision of the arithmetic (default double)", 0},
    {"max-error", HG_IN(O, measure.max_error, 1e-3, 1), "E",
     "Largest relative error of linear interpolation between the measured points (default 0.05)", 0},
    {"max-cells", HG_IN(O, measure.max_cells, 100000, 1LL << 34), "N",
     "Largest work to measure (default 16000000; on a GPU 2^28 or what fits)", 0},
    {"cores", HG_IN(O, measure.cores, 1, CALIBRATE_CORES), "N",
     "Measure a CPU core while N - 1 others do the same work, as cores share memory bandwidth in a run (default 1; "
     "with --platform 1 and then all). Such a table is separate: its device name ends in -N-cores",
     0},
    {"time-block", HG_IN(O, measure.block, 1, 4096), "K",
     "Time steps per task of heat (default: as a run would choose). Such a table is separate: its device name ends in "
     "-K-steps, and runs with --time-block K use it",
     0},
    {.name = "block", .use = HG_ALIAS | HG_HIDDEN},
    {"communication", HG_FLAG(O, measure.communication), NULL,
     "Measure the exchange of data at several sizes (default: at one)", 0},
    {"network", HG_TEXT(O, measure.network), "FILE",
     "Take the times of the exchange from a file of hetgrid-network (default: HETGRID_NETWORK; without either they "
     "are measured)",
     0},
    {"budget", HG_IN(O, measure.budget, 1, 1e7), "SECONDS",
     "Time limit for refining the table (default 600); its first points are always measured. The next call continues "
     "where this one stops. Disturbed points are measured again only in the first half of the time",
     0},
    {"output", HG_TEXT(O, output), "DIR", "Folder for the table (default $HETGRID_TABLES, else the user's data folder)",
     0},
    {"energy", HG_ACTION(parse_energy), "SOURCE",
     "Instead of a table, measure the power that workers draw while they run the kernels, by rapl, nvml or meter:FILE "
     "(default: rapl for cores, nvml for GPUs), and add it to the file of hetgrid-energy --measure",
     HG_VALUE_OPTIONAL},
    {"platform", HG_TEXT(O, platform), "FILE",
     "Write a description of this machine for hetgrid-simulate: processors by hwloc, speeds from existing tables, "
     "messages from the network file; panels and the like are measured now. With --app measure that program's tables "
     "first",
     0},
    {"show", HG_FLAG(O, show), NULL, "Print the existing table without measuring", 0},
    {"picture", HG_TEXT(O, picture), "FILE", "Plot speed against work: .svg, .png or .pdf", HG_PICTURE},
    {.name = "svg", .use = HG_ALIAS | HG_HIDDEN},
    {"quiet", HG_FLAG(O, measure.quiet), NULL, "Print nothing but errors", 0},
    {"progress", HG_ONE_OF(O, measure.progress, hg_progress_names), NULL, HG_HELP_PROGRESS, 0},
    {0}};

static hg_status check(const hg_command *command, void *values)
{
  O *o = values;
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  (void)command;
  if (o->measure.cores > cores && !o->show)
    return hg_fail(HG_INVALID, "--cores: %d, this machine has %ld", o->measure.cores, cores);
  if (o->platform && (o->show || o->precision == HG_FLOAT))
    return hg_fail(HG_INVALID, "--platform: excludes --precision float and --show");
  if (o->measure.energy && (o->platform || o->show || o->picture || o->precision == HG_FLOAT))
    return hg_fail(HG_INVALID, "--energy: excludes --precision float, --platform, --show and --picture");
  if (o->picture && o->kernels == ALL)
    return hg_fail(HG_INVALID, "--picture: excludes --app all, as it shows one program");
  if (!o->kernels && !o->platform) o->kernels = "heat";
  if (o->measure.block > 0 && (o->platform || o->measure.energy || strcmp(o->kernels, "heat") != 0))
    return hg_fail(HG_INVALID, "--time-block: needs --app heat, and excludes --platform and --energy");
  return HG_OK;
}

static hg_status add_kind(options *o, int gpu)
{
  if (o->kinds == MOST_KINDS) return hg_fail(HG_INVALID, "--workers: more than %d", MOST_KINDS);
  o->kind[o->kinds++] = gpu;
  return HG_OK;
}

/* Adds GPUs of models not seen before. */
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

/* With several kinds of workers there is a picture for each: FILE.svg becomes FILE-DEVICE.svg. */
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

/* In a run all cores of a platform are busy: both tables of a core are measured unless one was requested. */
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

/* Ranks on one machine would slow each other down, and write the same table. */
static hg_status check_alone(void)
{
  const int ranks = hg_environment_local_ranks();
  if (ranks <= 1) return HG_OK;
  return hg_fail(HG_INVALID, "%d ranks on this machine, must be 1: start hetgrid-calibrate without mpirun", ranks);
}

/* Checks first that the file can be written. */
static hg_status run(options *o, char **argv)
{
  FILE *out;
  char part[HG_PATH_MAX];
  if (!o->show) HG_TRY(check_alone());
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
  options o = {.measure = {.max_error = .05, .budget = 600}};
  hg_command command = {
      .about = "Measures the speed of each kind of worker of this machine as a function of work and exchanged data.",
      .notes =
          "The table is named after application, kernel, precision and device. `hetgrid-heat --speeds tables:` "
          "finds and uses it; `hetgrid-plan --tables FILE*N` uses it for N such workers.\n\n" HG_HELP_BLAS HG_HELP_EXIT,
      .set = {{NULL, option_list, &o, NULL, check}}};
  hg_program_begin("hetgrid-calibrate", hg_about);
  hg_command_parse(&command, argc, argv);
  hg_program_enable_output();
  return hg_program_end(run(&o, argv));
}
