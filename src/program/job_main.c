/* SPDX-License-Identifier: MIT */
/* hg_main: the command line of an application. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/locale.h"
#include "base/text.h"
#include "runtime/versions.h"
#include "job/jobfile.h"
#include "job/parameters.h"
#include "job/snapshot_options.h"
#include "program/exit.h"
#include "program/job_program.h"

#define O hg_job_context

static hg_status parse_size(const char *text, void *values)
{
  int64_t *size = ((O *)values)->job.size;
  int count;
  size[0] = size[1] = size[2] = 1;
  return hg_parse_ints(text, "--size (Job_Size)", 1, INT64_C(1) << 40, 3, size, &count);
}

static const hg_job *given; /* argument of hg_main */

/* NULL if the values are not real numbers. */
static const char *precision_of(const hg_job *j)
{
  const hg_update *u = j ? j->update : NULL;
  return !u || u->arrays ? NULL : u->value_type == 'd' ? "double" : u->value_type == 'f' ? "float" : NULL;
}

/* Takes the fields of a job that depend on the type of values. */
static void take_precision(const hg_job *from, hg_job *j)
{
  j->update = from->update;
  j->quantity = from->quantity;
  j->init = from->init;
  j->dynamic = from->dynamic;
  j->finished = from->finished;
  j->number = from->number;
  j->also = from->also;
}

/* The type of values is fixed when an application is compiled. */
static hg_status parse_precision(const char *text, void *values)
{
  const hg_job *compiled[] = {given, given->other_precision};
  const char *own = precision_of(given), *other = precision_of(given->other_precision);
  if (!own) return hg_fail(HG_INVALID, "--precision: the values of this application are not real numbers");
  for (int i = 0; i < 2; i++)
    if (precision_of(compiled[i]) && strcmp(text, precision_of(compiled[i])) == 0) {
      take_precision(compiled[i], &((O *)values)->job);
      return HG_OK;
    }
  return hg_fail(HG_INVALID, "--precision: '%s', but this application was compiled with an HG_VALUE of %s%s%s", text,
                 own, other ? " and of " : "", other ? other : "");
}

static hg_status has_been_read(const char *text, void *values)
{
  (void)text, (void)values;
  return HG_OK;
}

static const hg_option option_list[] = {
    {"job", HG_ACTION(has_been_read), "FILE",
     "Read parameters and options from FILE, one `NAME = VALUE` per line; the command line takes precedence", 0},
    {"dimension", HG_IN(O, job.dims, 1, 3), "D", "Number of dimensions: 1, 2 or 3 (Job_Dimension in job files)", 0},
    {"size", HG_ACTION(parse_size), "NX[,NY[,NZ]]",
     "Columns, rows, layers (default: the input's; Job_Size in job files)", 0},
    {"input", HG_TEXT(O, job.input), "PATH",
     "A field (.npy .npz .h5 .nc .png .csv .asc .tif, or the name of a formula), a text file with a line per unit, or "
     "a folder of such files (Input_path in job files)",
     0},
    {"boundary", HG_TEXT(O, job.boundary), "KIND",
     "fixed[=V|=FILE.csv], insulated or periodic, or per side west=..,east=..,north=..,...", 0},
    {"boundary-every", HG_IN(O, job.boundary_every, 1, 1LL << 50), "N",
     "Steps for which sides that follow a file of times and values keep their values (default 1)", 0},
    {"steps", HG_IN(O, job.steps, 0, 1LL << 50), "N", "Largest number of steps", 0},
    {"tolerance", HG_IN(O, job.tolerance, 1e-300, 1e300), "T", "Stop when the reduction is at most T", 0},
    {"check-every", HG_IN(O, job.check_every, 1, 1LL << 50), "N", "Steps between two reductions for --tolerance", 0},
    {"verify", HG_FLAG(O, verify), NULL, "Recompute serially and compare bit for bit", HG_SAME},
    {"precision", HG_ACTION(parse_precision), "double|float",
     "Precision of values and arithmetic: one that the application was compiled for (HG_VALUE)", 0},
    {"neighbours", HG_IN(O, job.neighbour_limit, 1, 1 << 30), "N",
     "Largest number of stored neighbours of a unit (default 4; nNeighbor in job files)", 0},
    {"cuda-blocks", HG_IN(O, job.blocks, 0, INT32_MAX), "N",
     "Largest number of thread blocks of a CUDA launch (0: chosen automatically; nBlock in job files)", 0},
    {.name = "blocks", .use = HG_ALIAS | HG_HIDDEN},
    {"cuda-threads", HG_IN(O, job.threads, 0, 1024), "N",
     "Threads per block (0: chosen automatically; nThread in job files)", 0},
    {.name = "threads", .use = HG_ALIAS | HG_HIDDEN},
    {0}};

/* Checks options that concern the job's own fields. */
static hg_status check(const hg_command *command, void *values)
{
  O *p = values;
  hg_job *j = &p->job;
  p->context.command = command;
  p->sized = hg_option_given(command, "size");
  if (p->verify) HG_TRY(hg_job_check_verify(j));
  HG_TRY(hg_job_sides_check(command, j));
  if (hg_option_given(command, "input")) p->options.new_input = true;
  if (hg_option_given(command, "steps") && j->steps == 0) j->steps = -1;
  return HG_OK;
}

static hg_status verify(hg_job_context *l, const hg_field *result)
{
  return hg_run_verify(l->run, result);
}

static const hg_command *known; /* its options are also allowed in job files */

static hg_option_kind kind_of(const char *name, const char **meant)
{
  const hg_option *o = hg_command_option(known, name, NULL);
  *meant = o ? o->name : name;
  if (!o) return HG_OPTION_UNKNOWN;
  return o->use & HG_VALUE_OPTIONAL              ? HG_OPTION_EITHER
         : o->arg || o->field.type == HG_IS_NAME ? HG_OPTION_VALUE
                                                 : HG_OPTION_FLAG;
}

/* Options of the file come first, so that those of the command line override them. The lists are kept, since options
 * point into them. */
static hg_status read_arguments(int argc, char **argv, hg_command *command, hg_option_list *file, char ***all)
{
  const char *path = hg_command_find(command, argc, argv, "job");
  if (path) HG_TRY(hg_jobfile_read(path, kind_of, file));
  *all = calloc((size_t)(argc + file->count + 2), sizeof **all);
  if (!*all) return hg_fail(HG_MEMORY, "no memory for options");
  int count = 0;
  (*all)[count++] = argc > 0 ? argv[0] : (char *)(uintptr_t) "application";
  for (int i = 0; i < file->count; i++) (*all)[count++] = file->argument[i];
  for (int i = 1; i < argc; i++) (*all)[count++] = argv[i];
  hg_command_parse(command, count, *all);
  return HG_OK;
}

int hg_main(int argc, char **argv, const hg_job *job)
{
  HG_C_LOCALE;
  static char name[100];
  hg_option_list file = {0};
  hg_option *own = NULL;
  char **all = NULL;
  if (!job) {
    hg_program_begin("hg_main", hg_about);
    return hg_program_end(hg_fail(HG_INVALID, "the job is NULL"));
  }
  hg_job_context l = {.context.begin = hg_now(),
                      .job = *job,
                      .options.grid.rebalance = job->rebalance,
                      .program.verify = verify,
                      .results = HG_RUN_DEFAULTS};
  hg_command command = {.about = "An application of dependent computing units, on CPU cores, GPUs and MPI ranks.",
                        .notes = HG_HELP_ENVIRONMENT HG_HELP_EXIT,
                        .set = {{"Problem:", option_list, &l, NULL, check},
                                HG_GRID_SET(&l.options.grid, NULL),
                                HG_SNAPSHOT_SET(&l.job),
                                HG_RUN_SET(&l.results, NULL)}};
  snprintf(name, sizeof name, "%.80s", job->name ? job->name : job->update ? job->update->name : "application");
  hg_program_begin(name, hg_about);
  hg_status status = hg_parameters_options(job, &command, &own);
  command.set[4] = (hg_option_set){"Parameters of the application:", own, l.job.parameters, NULL, NULL};
  known = &command;
  given = job;
  if (status == HG_OK) status = read_arguments(argc, argv, &command, &file, &all);
  const int result = status == HG_OK ? hg_job_program_run(&l) : hg_program_end(status);
  hg_options_free(&file);
  hg_parameters_free(own);
  free(all);
  return result;
}
