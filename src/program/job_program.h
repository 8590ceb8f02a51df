/* SPDX-License-Identifier: MIT */
/* The context of every program whose work is a job: users' applications by hg_main, heat, and others on a divided grid.
 */
#ifndef HG_PROGRAM_JOB_PROGRAM_H
#define HG_PROGRAM_JOB_PROGRAM_H

#include "job/run.h"
#include "program/checkpointer.h"
#include "program/program.h"
#include "result/report.h"

typedef struct hg_job_context hg_job_context;

/** What a program adds to the context of a job. All may be NULL. */
typedef struct hg_job_program {
  const char *noun;                                        /**< "cells": what its units are called */
  void (*print_prediction)(const hg_job_context *context); /**< for people, on rank 0, when the grid is divided */
  hg_status (*validated)(hg_job_context *context);         /**< after each run, on all ranks, which agree */
  void (*columns)(const hg_job_context *context, hg_columns *row); /**< instead of those that all jobs have */
  void (*text)(const hg_job_context *context);                     /**< for people, beside what all jobs print */
  void (*consistency)(const hg_job_context *context,
                      hg_consistency *list); /**< its own part of what ranks must be given alike */
  void (*reached)(const hg_job_context *context, int room, char *text); /**< how far it came that did not converge, on
                                                                       rank 0; NULL: the reduction and the tolerance */
  hg_status (*verify)(hg_job_context *context,
                      const hg_field *field); /**< on rank 0, after the last run, with its result */
  const char *verified;                       /**< what is true then; NULL: equal bits */
} hg_job_program;

struct hg_job_context {
  hg_run_context context;
  hg_job_program program;
  hg_job job;             /**< as the command line wants it */
  hg_job_options options; /**< of its execution */
  hg_run_options results; /**< of its runs and what they leave */
  bool sized;             /**< the size was given, so it is not that of a new input */
  bool verify;            /**< asked for */
  hg_run *run;
  hg_checkpointer checkpointer; /**< of the last run */
  /* of the last timed run, over all ranks */
  int64_t steps;
  double exchanged; /**< bytes between regions */
  hg_busy busy;
  int64_t rebuilt; /**< times that exchange zones changed */
  double sent;     /**< identifiers and counts that ranks sent each other for that */
  hg_summary summary;
  void *self; /**< of the functions in `program` */
};

/** Check of a set whose values begin with an hg_job_context: what follows from --size and --seed. */
hg_status hg_job_options_check(const hg_command *command, void *context);

/** HG_INVALID for --boundary-every where no side of the job follows a file. */
hg_status hg_job_sides_check(const hg_command *command, const hg_job *job);

/** Runs the program. @return its exit status */
int hg_job_program_run(hg_job_context *context);

/** Columns that all jobs have, those of stencils of real numbers, and the text for people. */
void hg_job_columns(const hg_job_context *context, hg_columns *row);
void hg_stencil_columns(const hg_job_context *context, hg_columns *row);
void hg_job_text(const hg_job_context *context);
#endif
