/* SPDX-License-Identifier: MIT */
/* hg_divisible_main: the command line of an application whose work is one divisible job. */
#include <stdio.h>

#include "base/locale.h"
#include "runtime/versions.h"
#include "program/divisible_program.h"
#include "program/exit.h"
#include "program/outputs.h"

typedef struct own {
  const hg_divisible *job;
  hg_divisible_validate check;
} own;

static hg_status open_job(hg_divisible_context *l)
{
  const own *o = l->self;
  l->stages = 1;
  l->stage[0] = *o->job;
  return hg_outputs_check(&l->results);
}

static int64_t items_of(const hg_divisible *j)
{
  return j->grid[0] * (j->grid[1] ? j->grid[1] : 1) * (j->grid[2] ? j->grid[2] : 1);
}

static void columns(const hg_divisible_context *l, hg_columns *row)
{
  hg_column_text(row, "app", l->common.name);
  hg_column_int(row, "jobs", items_of(&l->stage[0]));
}

static void text(const hg_divisible_context *l)
{
  printf("%s: %lld items\n", l->common.name, (long long)items_of(&l->stage[0]));
}

static hg_status finish(hg_divisible_context *l)
{
  const own *o = l->self;
  HG_PROGRAMS_LOCALE;
  hg_clear_message();
  const hg_status status = o->check && l->session.rank == 0 ? o->check(o->job->arg) : HG_OK;
  if (status != HG_OK && !*hg_message()) hg_fail(status, "the check of the results: %s", hg_status_text(status));
  return hg_session_agree(&l->session, status);
}

int hg_divisible_main(int argc, char **argv, const hg_divisible *job, hg_divisible_validate check)
{
  HG_C_LOCALE;
  static const hg_option_change changes[] = {
      {.name = "output", .refusal = "the program writes its results itself"}, HG_DIVISIBLE_CHANGES, {0}};
  static const hg_divisible_program program = {.open = open_job, .columns = columns, .text = text, .finish = finish};
  if (!job) {
    hg_program_begin("hg_divisible_main", hg_about);
    return hg_program_end(hg_fail(HG_INVALID, "the job is NULL"));
  }
  own o = {job, check};
  hg_divisible_context l = {.program = &program, .results = HG_RUN_DEFAULTS, .common = *job, .self = &o};
  const char *name = job->name ? job->name : "items";
  l.common.name = name;
  l.results.repeat = 3;
  hg_program_begin(name, hg_about);
  hg_command command = {
      .about = "Processes independent items on CPU cores, GPUs and MPI ranks.",
      .notes = HG_HELP_ENVIRONMENT HG_HELP_EXIT,
      .set = {{"Execution:", hg_divisible_option_list, &l, NULL, NULL}, HG_RUN_SET(&l.results, changes)}};
  l.context.command = &command;
  hg_command_parse(&command, argc, argv);
  return hg_divisible_program_run(&l);
}
