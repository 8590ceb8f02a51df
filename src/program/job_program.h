/* SPDX-License-Identifier: MIT */
/* Context of programs whose work is a job: users' applications with hg_main, heat, and others on a divided grid. */
#ifndef HG_PROGRAM_JOB_PROGRAM_H
#define HG_PROGRAM_JOB_PROGRAM_H

#include "job/run.h"
#include "program/checkpointer.h"
#include "program/program.h"
#include "result/report.h"

typedef struct hg_job_context hg_job_context;

/** What a program adds to the context of a job. All may be NULL. */
typedef struct hg_job_program {
  const char *noun;                                        /**< name of its units, such as "cells" */
  void (*print_prediction)(const hg_job_context *context); /**< for people, on rank 0, when the grid is divided */
  hg_status (*validated)(hg_job_context *context);         /**< after each run, on all ranks, which agree */
  void (*columns)(const hg_job_context *context, hg_columns *row); /**< in place of those that all jobs have */
  void (*text)(const hg_job_context *context);                     /**< for people, beside what all jobs print */
  void (*consistency)(const hg_job_context *context,
                      hg_consistency *list); /**< its own values that must be the same on all ranks */
  void (*reached)(const hg_job_context *context, int room, char *text); /**< how far a run without convergence came, on
                                                                       rank 0; NULL: the reduction and the tolerance */
  hg_status (*verify)(hg_job_context *context,
                      const hg_field *field); /**< on rank 0, after the last run, with its result */
  const char *verified;                       /**< result of a successful --verify, in words; NULL: equal bits */
} hg_job_program;

struct hg_job_context {
  hg_run_context context;
  hg_job_program program;
  hg_job job;             /**< as modified by the command line */
  hg_job_options options; /**< of its execution */
  hg_run_options results; /**< of its runs and their outputs */
  bool sized;             /**< the size was given, so it is not taken from a new input */
  bool verify;            /**< asked for */
  hg_run *run;
  hg_checkpointer checkpointer; /**< of the last run */
  /* of the last timed run, over all ranks */
  int64_t steps;
  double exchanged; /**< bytes between regions */
  hg_busy busy;
  int64_t rebuilt; /**< number of times that exchange zones changed */
  double sent;     /**< identifiers and counts that ranks sent for that */
  hg_summary summary;
  void *self; /**< for the functions in `program` */
};

/** Check function of an option set whose values begin with an hg_job_context: derives values from --size and
 * --seed. */
hg_status hg_job_options_check(const hg_command *command, void *context);

/** HG_INVALID for --boundary-every where no side of the job follows a file. */
hg_status hg_job_sides_check(const hg_command *command, const hg_job *job);

/** Runs the program. @return its exit status */
int hg_job_program_run(hg_job_context *context);

/** Columns of all jobs, those of stencils of real numbers, and the text for people. */
void hg_job_columns(const hg_job_context *context, hg_columns *row);
void hg_stencil_columns(const hg_job_context *context, hg_columns *row);
void hg_job_text(const hg_job_context *context);
#endif
