/* SPDX-License-Identifier: MIT */
/* The command line of hetgrid-matmul. */
#include <stdlib.h>
#include <string.h>

#include "base/blas.h"
#include "base/text.h"
#include "base/version.h"
#include "matmul.h"
#include "partition/partition.h"
#include "program/exit.h"
#include "options/policy_option.h"

const char *argp_program_version = "hetgrid-matmul " HG_VERSION;
const char *const matmul_layouts[] = {"rows", "rectangles", NULL};
const char *const matmul_models[] = {"dfpa", "fpm", "even", "cpm", NULL};

enum { SIZE = 256, FILES, SEED, PRECISION, NB, LAYOUT, PARTITION, MODEL, SPEEDS, EPSILON, SCHED, WORKERS, VERIFY };
enum { LARGEST = 1 << 24 }; /* side of a matrix */

static const struct argp_option option_list[] = {
    {NULL, 0, NULL, 0, "Problem:", 1},
    {"size", SIZE, "M[,N,K]", 0, "C is M x N, A is M x K, B is K x N, random in -.5 .. .5 (default 1024; M alone: all)",
     0},
    {"files", FILES, "A,B[,C]", 0,
     "Read A and B (.mtx, .npy, .h5[:DATASET], or a family of hetgrid-elimination, as hilb:1000), write C", 0},
    {"seed", SEED, "S", 0, "Of random values (default 1)", 0},
    {"precision", PRECISION, "double|float", 0, "Of the arithmetic (default double)", 0},
    {NULL, 0, NULL, 0, "Execution:", 2},
    {"nb", NB, "NB", 0, "Depth of an outer product (default: 64, 128 or 256, by K)", 0},
    {"layout", LAYOUT, "rows|rectangles", 0,
     "Workers get slices of rows of C and all of B, or rectangles of C (default rows)", 0},
    {"partition", PARTITION, "NAME", 0, "Of rectangles: a partitioner that hetgrid-plan knows (default auto)", 0},
    {"model", MODEL, "dfpa|fpm|even|cpm", 0,
     "Workers' speeds: dfpa: learnt from the first outer products; fpm: speed tables, measured beforehand or those of "
     "--speeds; cpm: a number each, from a small benchmark or --speeds; even (default dfpa, with --speeds cpm or fpm)",
     0},
    {"epsilon", EPSILON, "E", 0, "Relative difference of times that dfpa accepts (default .05)", 0},
    {"speeds", SPEEDS, "LIST", 0,
     "For cpm the relative speed of each worker, or of each rank, as in 2*10,5; for fpm tables:FILE[*N][,FILE..], s of "
     "an outer product over units (16 rows of C; of rectangles 16 x 16)",
     0},
    {"sched", SCHED, "NAME", 0, HG_HELP_SCHED "; tasks are bound to their workers under each", 0},
    {"workers", WORKERS, "LIST", 0,
     "Which take part: cpu, cuda, or GPUs by their numbers as cuda:N, separated by commas (default: all there are)", 0},
    {NULL, 0, NULL, 0, "Results:", 3},
    {"verify", VERIFY, NULL, 0, "Freivalds' test; below 2000 every entry is compared with one call of dgemm too", 0},
    {0}};

static void parse_size(struct argp_state *state, const char *text, matmul_options *o)
{
  int count;
  hg_arg_require(state, hg_parse_ints(text, "--size", 1, LARGEST, 3, o->size, &count));
  if (count == 2) argp_failure(state, 2, 0, "--size: '%s', must be one number or three: M,N,K", text);
  if (count == 1) o->size[1] = o->size[2] = o->size[0];
}

/* Names are cut where they are. */
static void parse_files(struct argp_state *state, char *text, matmul_options *o)
{
  char *rest = text;
  o->a = strsep(&rest, ",");
  o->b = rest ? strsep(&rest, ",") : NULL;
  const char *c = rest;
  if (!o->b || !*o->a || !*o->b || (c && (!*c || strchr(c, ','))))
    argp_failure(state, 2, 0, "--files: must be two or three names: A,B or A,B,C");
  if (!c) return;
  if (o->run.outputs == HG_OUTPUTS_MAX) argp_failure(state, 2, 0, "--output: more than %d", HG_OUTPUTS_MAX);
  o->run.output[o->run.outputs++] = c;
}

static void parse_partition(struct argp_state *state, const char *name, matmul_options *o)
{
  const hg_partitioner *found;
  hg_arg_require(state, hg_partition_find(name, &found));
  o->partition = name;
}

static error_t parse_problem(int key, char *arg, struct argp_state *state)
{
  matmul_options *o = state->input;
  switch (key) {
  case SIZE: parse_size(state, arg, o); break;
  case FILES: parse_files(state, arg, o); break;
  case SEED: o->seed = (uint64_t)hg_arg_int(state, arg, "--seed", 0, INT64_MAX - 2); break;
  case PRECISION:
    o->precision = hg_arg_one_of(state, arg, "--precision", hg_precision_names) ? HG_FLOAT : HG_DOUBLE;
    break;
  case VERIFY: o->verify = true; break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static error_t parse_execution(int key, char *arg, struct argp_state *state)
{
  matmul_options *o = state->input;
  switch (key) {
  case NB: o->nb = (int)hg_arg_int(state, arg, "--nb", 1, 65536); break;
  case LAYOUT: o->layout = (hg_matmul_layout)hg_arg_one_of(state, arg, "--layout", matmul_layouts); break;
  case PARTITION: parse_partition(state, arg, o); break;
  case MODEL:
    o->model = (hg_matmul_model)hg_arg_one_of(state, arg, "--model", matmul_models);
    o->modelled = true;
    break;
  case EPSILON: hg_arg_require(state, hg_parse_double(arg, "--epsilon", 1e-6, .999, &o->epsilon)); break;
  case SPEEDS: hg_arg_require(state, hg_division_speeds(arg, o->speed, &o->division)); break;
  case SCHED: o->sched = hg_arg_policy(state, arg); break;
  case WORKERS: o->workers = arg; break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

/* Speeds are of a kind that one model takes. */
static void model_of_speeds(matmul_options *o)
{
  if (o->modelled) return;
  if (o->division.tables) o->model = HG_MATMUL_FPM;
  if (o->division.speeds > 0) o->model = HG_MATMUL_CPM;
}

static void check_together(struct argp_state *state, const matmul_options *o)
{
  const bool tables = o->division.tables != NULL, speeds = o->division.speeds > 0;
  if (tables && o->model != HG_MATMUL_FPM) argp_failure(state, 2, 0, "--speeds tables: is for --model fpm");
  if (tables && !*o->division.tables) argp_failure(state, 2, 0, "--speeds tables: name the files, as tables:FILE,FILE");
  if (speeds && o->model != HG_MATMUL_CPM) argp_failure(state, 2, 0, "--speeds: numbers are for --model cpm");
  if (o->a && o->size[0]) argp_failure(state, 2, 0, "--size: matrices are as large as those of --files");
  if (o->partition && o->layout != HG_LAYOUT_RECTANGLES)
    argp_failure(state, 2, 0, "--partition: is for --layout rectangles");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  matmul_options *o = state->input;
  if (key == ARGP_KEY_INIT) state->child_inputs[0] = &o->run;
  if (key == ARGP_KEY_ARG) argp_error(state, "'%s': every value belongs to an option", arg);
  if (key == ARGP_KEY_END) {
    model_of_speeds(o);
    check_together(state, o);
    if (!o->size[0]) o->size[0] = o->size[1] = o->size[2] = 1024;
    if (!o->partition) o->partition = HG_PARTITION_DEFAULT;
  }
  return parse_problem(key, arg, state) == 0 ? 0 : parse_execution(key, arg, state);
}

void matmul_parse(int argc, char **argv, matmul_options *o)
{
  static const struct argp_child children[] = {{&hg_run_argp, 0, NULL, 3}, {NULL, 0, NULL, 0}};
  static const struct argp argp = {option_list,
                                   parse,
                                   NULL,
                                   "Multiplies matrices on CPU cores, GPUs and MPI ranks of unlike speed: C = A B."
                                   "\v" HG_HELP_ENVIRONMENT HG_HELP_BLAS HG_HELP_EXIT
                                   " A result that --verify refuses is a failure.",
                                   children,
                                   NULL,
                                   NULL};
  *o = (matmul_options){.seed = 1, .epsilon = .05, .run = HG_RUN_DEFAULTS};
  argp_err_exit_status = 2;
  argp_parse(&argp, argc, argv, 0, NULL, o);
}
