/* SPDX-License-Identifier: MIT */
/* The command line of hetgrid-matmul. */
#include <string.h>

#include "base/blas.h"
#include "matmul.h"
#include "partition/partition.h"
#include "program/exit.h"
#include "options/policy_option.h"

#define O matmul_options

const char *const matmul_layouts[] = {"rows", "rectangles", NULL};
const char *const matmul_models[] = {"dfpa", "fpm", "even", "cpm", NULL};

enum { LARGEST = 1 << 24 }; /* side of a matrix */

/* Names are parts of a copy that exists as long as the program. */
static hg_status parse_files(const char *text, void *values)
{
  O *o = values;
  char *rest = strdup(text);
  if (!rest) return hg_fail(HG_MEMORY, "--files: no memory for the names");
  o->a = strsep(&rest, ",");
  o->b = rest ? strsep(&rest, ",") : NULL;
  const char *c = rest;
  if (!o->b || !*o->a || !*o->b || (c && (!*c || strchr(c, ','))))
    return hg_fail(HG_INVALID, "--files: must be two or three names: A,B or A,B,C");
  if (!c) return HG_OK;
  if (o->run.outputs == HG_OUTPUTS_MAX) return hg_fail(HG_INVALID, "--output: more than %d files", HG_OUTPUTS_MAX);
  o->run.output[o->run.outputs++] = c;
  return HG_OK;
}

static hg_status check_partition(const char *name)
{
  const hg_partitioner *found;
  return hg_partition_find(name, &found);
}

static hg_status parse_speeds(const char *text, void *values)
{
  O *o = values;
  return hg_division_speeds(text, o->speed, &o->division);
}

static const hg_option option_list[] = {
    {.help = "Problem:"},
    {"size", HG_ALL_IN(O, size, 1, LARGEST), "M[,N,K]",
     "C is M x N, A is M x K, B is K x N, random in -0.5..0.5; one number applies to all three (default 1024)",
     HG_SERVES_ALL},
    {"size M", HG_IN(O, size[0], 0, 0), NULL, NULL, HG_SAME | HG_DERIVED},
    {"size N", HG_IN(O, size[1], 0, 0), NULL, NULL, HG_SAME | HG_DERIVED},
    {"size K", HG_IN(O, size[2], 0, 0), NULL, NULL, HG_SAME | HG_DERIVED},
    {"files", HG_ACTION(parse_files), "A,B[,C]",
     "Read A and B (.mtx, .npy, .h5[:DATASET], or a family of hetgrid-elimination such as hilb:1000), write C", 0},
    {.name = "input", .use = HG_ALIAS | HG_HIDDEN},
    {"files A", HG_TEXT(O, a), NULL, NULL, HG_SAME | HG_CONTENTS | HG_DERIVED},
    {"files B", HG_TEXT(O, b), NULL, NULL, HG_SAME | HG_CONTENTS | HG_DERIVED},
    {"seed", HG_IN(O, seed, 0, 0x1p63), "S", "Seed of random values (default 1)", HG_SAME | HG_METADATA},
    {"precision", HG_ONE_OF(O, precision, hg_precision_names), NULL, "Precision of the arithmetic (default double)",
     HG_SAME | HG_METADATA},
    {.help = "Execution:"},
    {"nb", HG_IN(O, nb, 1, 65536), "NB",
     "Depth (columns of A) of an outer product (default: 64, 128 or 256, depending on K)", HG_SAME},
    {"layout", HG_ONE_OF(O, layout, matmul_layouts), NULL,
     "Each worker gets a slice of rows of C and all of B, or a rectangle of C (default rows; on several ranks the "
     "layout predicted to be faster)",
     HG_SAME},
    {"partition", HG_CHECKED_TEXT(O, partition, check_partition), "NAME",
     "With --layout rectangles: a partitioner that hetgrid-plan knows (default auto)", HG_SAME},
    {"model", HG_ONE_OF(O, model, matmul_models), NULL,
     "Workers' speeds. dfpa: learnt from the first outer products; fpm: speed tables, measured beforehand or given by "
     "--speeds; cpm: one number each, from a small benchmark or --speeds; even: all equal (default dfpa, with "
     "--speeds cpm or fpm)",
     HG_SAME},
    {"epsilon", HG_IN(O, epsilon, 1e-6, .999), "E",
     "Relative difference between workers' times that dfpa accepts (default 0.05)", HG_SAME},
    {"speeds", HG_LIST_BY(O, speed, division.speeds, parse_speeds), "LIST",
     "For cpm: relative speed of each worker, or of each rank, as SPEED[*COUNT]: 2*10,5 means ten of speed 2 and one "
     "of 5. For fpm: tables:FILE[*COUNT][,FILE..], seconds of an outer product over units (16 rows of C; for "
     "rectangles 16 x 16 entries)",
     HG_SAME},
    {"speeds tables:", HG_TEXT(O, division.tables), NULL, NULL, HG_SAME | HG_DERIVED},
    HG_FACTOR_ROWS(O),
    {"sched", HG_CHECKED_TEXT(O, sched, hg_policy_check), "NAME",
     HG_HELP_SCHED "; tasks are bound to their workers under every policy", 0},
    {"workers", HG_TEXT(O, workers), "LIST",
     "Workers to use: cpu, cuda, or single GPUs as cuda:N, separated by commas (default: all)", 0},
    {.help = "Results:"},
    {"verify", HG_FLAG(O, verify), NULL,
     "Freivalds' test; for sizes below 2000 also compare every entry with one call of dgemm", HG_SAME},
    {0}};

static hg_status check_together(const hg_command *command, const matmul_options *o)
{
  const bool tables = o->division.tables != NULL, speeds = o->division.speeds > 0;
  if (tables && o->model != HG_MATMUL_FPM) return hg_fail(HG_INVALID, "--speeds tables: only for --model fpm");
  if (tables && !*o->division.tables)
    return hg_fail(HG_INVALID, "--speeds tables: needs the names of the files, tables:FILE,FILE");
  if (speeds && o->model != HG_MATMUL_CPM) return hg_fail(HG_INVALID, "--speeds: numbers are only for --model cpm");
  if (o->a && hg_option_given(command, "size"))
    return hg_fail(HG_INVALID, "--size: excludes --files, which determines the size");
  if (o->partition && o->layout != HG_LAYOUT_RECTANGLES)
    return hg_fail(HG_INVALID, "--partition: only for --layout rectangles");
  return HG_OK;
}

/* All speeds must be of the kind that one model uses. */
static hg_status check(const hg_command *command, void *values)
{
  matmul_options *o = values;
  if (!hg_option_given(command, "model"))
    o->model = o->division.speeds > 0 ? HG_MATMUL_CPM : o->division.tables ? HG_MATMUL_FPM : HG_MATMUL_DFPA;
  o->layouts = !hg_option_given(command, "layout");
  HG_TRY(check_together(command, o));
  o->factors.link = o->link;
  o->factors.memory = o->memory;
  HG_TRY(hg_factors_weigh(&o->factors, o->division.speeds, o->speed));
  if (!o->partition) o->partition = HG_PARTITION_DEFAULT;
  return HG_OK;
}

const hg_command *matmul_parse(int argc, char **argv, matmul_options *o)
{
  static hg_command command = {
      .about = "Multiplies matrices on CPU cores, GPUs and MPI ranks of different speed: C = A B.",
      .notes = HG_HELP_ENVIRONMENT HG_HELP_BLAS HG_HELP_EXIT " A result that --verify rejects counts as failure."};
  command.set[0] = (hg_option_set){NULL, option_list, o, NULL, check};
  command.set[1] = (hg_option_set)HG_RUN_SET(&o->run, NULL);
  command.set[1].title = NULL;
  *o = (matmul_options){.size = {1024, 1024, 1024}, .seed = 1, .epsilon = .05, .run = HG_RUN_DEFAULTS};
  hg_command_parse(&command, argc, argv);
  return &command;
}
