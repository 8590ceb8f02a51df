/* SPDX-License-Identifier: MIT */
/* The frame of every program that runs tasks, from the command line to the exit status.
 *
 *   open     reads what the command line names, checks that the outputs can be written; nothing but MPI has started
 *   consistency  compares what must be the same on all ranks
 *   start    StarPU, division, tiles
 *   for each run (warm-ups first):
 *     load   the state that it starts from
 *     run    what is timed, between barriers; observers see it begin and end
 *     validate  whether the result is to be trusted
 *     text, or a row of columns
 *   finish   outputs, checks
 *   release
 *
 * A program provides these; the frame does the rest: repeats, progress, clock, CSV, traces, messages. */
#ifndef HG_PROGRAM_RUN_CONTEXT_H
#define HG_PROGRAM_RUN_CONTEXT_H

#include "base/progress.h"
#include "runtime/consistency.h"
#include "runtime/session.h"
#include "runtime/worker_usage.h"
#include "options/arguments.h"
#include "program/columns.h"

typedef struct hg_run_context hg_run_context;

/** A program. All functions but `busy`, `columns`, `text` and `release` may fail; those of `start` and later are
 * collective. */
typedef struct hg_program {
  hg_status (*open)(hg_run_context *context);
  void (*consistency)(const hg_run_context *context, hg_consistency *list); /**< lists what must be the same on all
                                                                              ranks, beside options; or NULL */
  hg_status (*start)(hg_run_context *context);
  hg_status (*load)(hg_run_context *context);
  hg_status (*run)(hg_run_context *context);
  hg_status (*validate)(hg_run_context *context);
  void (*busy)(hg_run_context *context,
               double *seconds); /**< [workers of this rank] s that they executed tasks since the state was loaded;
                                    NULL: from StarPU's profiling, in hg_run_context.use */
  void (*columns)(const hg_run_context *context, hg_columns *row); /**< on rank 0 */
  void (*text)(const hg_run_context *context);                     /**< for people, on rank 0 */
  hg_status (*finish)(hg_run_context *context);
  hg_status (*describe)(hg_run_context *context, const char *folder); /**< describes the run, beside a trace */
  void (*release)(hg_run_context *context);
} hg_program;

/** A program's context. */
struct hg_run_context {
  const hg_program *program;
  const hg_command *command; /**< whose options are compared, or NULL */
  hg_run_options *options;
  void *self;               /**< the program's own */
  const void *communicator; /**< as in hg_job */
  hg_session all;           /**< the ranks, from the beginning to the end; no tasks */
  hg_session *session;      /**< set by `start` as soon as it is open */
  char *problem;     /**< the problem according to `consistency` (hg_consistency_problem); known in `start` and later */
  const char *label; /**< of the progress bar */
  const char *kernels;    /**< kernels whose powers count (hg_power_of_kernels); NULL: any that are not distinguished */
  int64_t total;          /**< steps of a run, for the bar; may be set by `load` */
  bool done;              /**< set by `start` if there is nothing to run */
  hg_progress bar;        /**< to be updated by `run` */
  int number;             /**< number of the run, from 0; warm-ups are negative */
  double begin;           /**< start of the program, s */
  double ready, finished; /**< end of `start`; end of the last run */
  double seconds;         /**< s of the last run */
  hg_worker_use *use;     /**< [workers of this rank] in the last run, if StarPU's profiling is on */
  double work;            /**< work of the last run on all ranks; 0: it has no measure */
  char work_unit[40];     /**< unit of `work`, such as "cell and step" */
};

/** Whether results are printed by this process, for people or as CSV. */
static inline bool hg_context_prints(const hg_run_context *context)
{
  return context->session->rank == 0 && !context->options->quiet;
}

/** Whether this is the last run. */
static inline bool hg_context_is_last(const hg_run_context *context)
{
  return context->number == context->options->repeat - 1;
}
#endif
