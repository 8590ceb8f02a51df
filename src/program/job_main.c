/* SPDX-License-Identifier: MIT */
/* hg_main: the command line of an application. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/locale.h"
#include "base/text.h"
#include "base/version.h"
#include "runtime/versions.h"
#include "job/jobfile.h"
#include "job/parameters.h"
#include "program/exit.h"
#include "program/job_program.h"

enum { JOB = 256, DIMENSION, SIZE, INPUT, BOUNDARY, STEPS, TOLERANCE, CHECK_EVERY, NEIGHBOURS, BLOCKS, THREADS };

static const struct argp_option option_list[] = {
    {NULL, 0, NULL, 0, "Problem:", 1},
    {"job", JOB, "FILE", 0, "Read parameters and options from there, a `NAME = VALUE` a line; those given here win", 0},
    {"dimension", DIMENSION, "D", 0, "Job_Dimension: 1, 2 or 3", 0},
    {"size", SIZE, "NX[,NY[,NZ]]", 0, "Job_Size: columns, rows, layers (default: the input's)", 0},
    {"input", INPUT, "PATH", 0,
     "Input_path: a field (.npy .npz .h5 .png .csv or a formula's name), a text file with a line a unit, or a folder "
     "of "
     "such",
     0},
    {"boundary", BOUNDARY, "KIND", 0, "fixed, insulated or periodic, or per side west=..,east=..,north=..,...", 0},
    {"steps", STEPS, "N", 0, "Steps at most", 0},
    {"tolerance", TOLERANCE, "T", 0, "Stop when the reduction is at most T", 0},
    {"check-every", CHECK_EVERY, "N", 0, "Steps between two reductions", 0},
    {"neighbours", NEIGHBOURS, "N", 0, "nNeighbor: stored neighbours of a unit at most (default 4)", 0},
    {"blocks", BLOCKS, "N", 0, "nBlock: thread blocks of a CUDA launch at most (0: chosen)", 0},
    {"threads", THREADS, "N", 0, "nThread: threads of a block (0: chosen)", 0},
    {0}};

static error_t parse_job(int key, char *arg, struct argp_state *state)
{
  hg_job_context *p = state->input;
  hg_job *j = &p->job;
  int count;
  switch (key) {
  case JOB: break; /* has been read */
  case DIMENSION: j->dims = (int)hg_arg_int(state, arg, "--dimension (Job_Dimension)", 1, 3); break;
  case SIZE:
    j->size[0] = j->size[1] = j->size[2] = 1;
    hg_arg_require(state, hg_parse_ints(arg, "--size (Job_Size)", 1, INT64_C(1) << 40, 3, j->size, &count));
    p->sized = true;
    break;
  case INPUT:
    j->input = arg;
    p->options.new_input = true;
    break;
  case BOUNDARY: j->boundary = arg; break;
  case STEPS:
    j->steps = hg_arg_int(state, arg, "--steps", 0, INT64_C(1) << 50);
    if (j->steps == 0) j->steps = -1;
    break;
  case TOLERANCE: hg_arg_require(state, hg_parse_double(arg, "--tolerance", 1e-300, 1e300, &j->tolerance)); break;
  case CHECK_EVERY: j->check_every = hg_arg_int(state, arg, "--check-every", 1, INT64_C(1) << 50); break;
  case NEIGHBOURS: j->neighbour_limit = (int)hg_arg_int(state, arg, "--neighbours (nNeighbor)", 1, 1 << 30); break;
  case BLOCKS: j->blocks = (int)hg_arg_int(state, arg, "--blocks (nBlock)", 0, INT32_MAX); break;
  case THREADS: j->threads = (int)hg_arg_int(state, arg, "--threads (nThread)", 0, 1024); break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  hg_job_context *p = state->input;
  if (key == ARGP_KEY_INIT) {
    state->child_inputs[0] = &p->options.grid;
    state->child_inputs[1] = &p->results;
    state->child_inputs[2] = &p->job;
  }
  if (key == ARGP_KEY_ARG) argp_error(state, "'%s': every value belongs to an option", arg);
  return parse_job(key, arg, state);
}

static hg_option_kind kind_in(const struct argp_option *list, const char *name)
{
  for (; list->name || list->doc; list++)
    if (list->name && strcmp(list->name, name) == 0)
      return !list->arg ? HG_OPTION_FLAG : list->flags & OPTION_ARG_OPTIONAL ? HG_OPTION_EITHER : HG_OPTION_VALUE;
  return HG_OPTION_UNKNOWN;
}

static bool is_taken(const char *name)
{
  const struct argp_option *const lists[] = {option_list, hg_grid_argp.options, hg_run_argp.options};
  for (int i = 0; i < 3; i++)
    if (kind_in(lists[i], name)) return true;
  return strcmp(name, "help") == 0 || strcmp(name, "usage") == 0 || strcmp(name, "version") == 0;
}

static const struct argp_option *own; /* the application's; job files know them too */

static hg_option_kind kind_of(const char *name)
{
  const struct argp_option *const lists[] = {option_list, hg_grid_argp.options, hg_run_argp.options, own};
  hg_option_kind kind = HG_OPTION_UNKNOWN;
  for (int i = 0; i < 4 && !kind; i++) kind = kind_in(lists[i], name);
  return kind;
}

static error_t parse_own(int key, char *arg, struct argp_state *state)
{
  if (key < HG_PARAMETERS_KEY || (key & ~0xffff)) return ARGP_ERR_UNKNOWN;
  hg_arg_require(state, hg_parameters_set(state->input, key - HG_PARAMETERS_KEY, arg));
  return 0;
}

static error_t keep_jobfile(int key, char *arg, struct argp_state *state)
{
  if (key == JOB) *(const char **)state->input = arg;
  return 0; /* all else is read later */
}

static error_t pass_over(int key, char *arg, struct argp_state *state)
{
  (void)key, (void)arg, (void)state;
  return 0;
}

/* The file of the last --job, found as argp finds it: abbreviated, behind = or a blank, before a --. What is wrong is
 * reported later. */
static const char *find_jobfile(int argc, char **argv)
{
  const struct argp grid = {.options = hg_grid_argp.options, .parser = pass_over},
                    run = {.options = hg_run_argp.options, .parser = pass_over},
                    parameters = {.options = own, .parser = pass_over};
  const struct argp_child children[] = {
      {&grid, 0, NULL, 0}, {&run, 0, NULL, 0}, {&parameters, 0, NULL, 0}, {NULL, 0, NULL, 0}};
  const struct argp argp = {.options = option_list, .parser = keep_jobfile, .children = children};
  const char *path = NULL;
  argp_parse(&argp, argc, argv, ARGP_SILENT | ARGP_IN_ORDER, NULL, &path);
  return path;
}

/* What the command line says about the job's own fields. */
static void apply(const hg_grid_options *o, hg_job *j)
{
  if (o->rebalance != 0) j->rebalance = o->rebalance;
  if (!o->division.partition) return;
  j->partition = o->division.partition;
  j->divide = NULL;
}

/* Options of the file first, so that those of the command line win. The lists stay: options point into them. */
static hg_status read_arguments(int argc, char **argv, hg_job_context *p, hg_option_list *file, char ***all)
{
  const struct argp parameters = {.options = own, .parser = parse_own};
  const struct argp_child children[] = {{&hg_grid_argp, 0, "Execution:", 2},
                                        {&hg_run_argp, 0, "Results:", 3},
                                        {&parameters, 0, own->name ? "Parameters of the application:" : NULL, 1},
                                        {NULL, 0, NULL, 0}};
  const struct argp argp = {
      option_list,
      parse,
      NULL,
      "An application of dependent computing units, over CPU cores, GPUs and MPI ranks.\v" HG_HELP_ENVIRONMENT
          HG_HELP_EXIT,
      children,
      NULL,
      NULL};
  const char *path = find_jobfile(argc, argv);
  if (path) HG_TRY(hg_jobfile_read(path, kind_of, file));
  *all = calloc((size_t)(argc + file->count + 2), sizeof **all);
  if (!*all) return hg_fail(HG_MEMORY, "no memory for options");
  int count = 0;
  (*all)[count++] = argc > 0 ? argv[0] : (char *)(uintptr_t) "application";
  for (int i = 0; i < file->count; i++) (*all)[count++] = file->argument[i];
  for (int i = 1; i < argc; i++) (*all)[count++] = argv[i];
  argp_err_exit_status = 2;
  argp_parse(&argp, count, *all, 0, NULL, p);
  apply(&p->options.grid, &p->job);
  return HG_OK;
}

int hg_main(int argc, char **argv, const hg_job *job)
{
  HG_C_LOCALE;
  static char name[100];
  hg_option_list file = {0};
  struct argp_option *parameters = NULL;
  char **all = NULL;
  if (!job) {
    hg_program_begin("hg_main", hg_about);
    return hg_program_end(hg_fail(HG_INVALID, "the job is NULL"));
  }
  hg_job_context l = {.context.begin = hg_now(), .job = *job, .results = HG_RUN_DEFAULTS};
  snprintf(name, sizeof name, "%.80s", job->name ? job->name : job->update ? job->update->name : "application");
  argp_program_version = "hetgrid " HG_VERSION;
  hg_program_begin(name, hg_about);
  hg_status status = hg_parameters_options(job, is_taken, &parameters);
  own = parameters;
  if (status == HG_OK) status = read_arguments(argc, argv, &l, &file, &all);
  const int result = status == HG_OK ? hg_job_program_run(&l) : hg_program_end(status);
  hg_options_free(&file);
  hg_parameters_free(parameters);
  own = NULL;
  free(all);
  return result;
}
