/* SPDX-License-Identifier: MIT */
/* The frame of every program that runs tasks: what it does between its command line and its exit status.
 *
 *   open     reads what the command line names, checks that the outputs can be written; nothing but MPI has started
 *   consistency  what all ranks must be given alike is compared
 *   start    StarPU, division, tiles
 *   for each run (warm-ups first):
 *     load   the state that it starts from
 *     run    what is timed, between barriers; observers see it begin and end
 *     validate  whether the result is to be trusted
 *     text, or a row of columns
 *   finish   outputs, checks
 *   release
 *
 * A program says what these are; the frame does the rest: repeats, progress, clock, CSV, traces, messages. */
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
  void (*consistency)(const hg_run_context *context, hg_consistency *list); /**< what all ranks must have alike, beside
                                                                              options; or NULL */
  hg_status (*start)(hg_run_context *context);
  hg_status (*load)(hg_run_context *context);
  hg_status (*run)(hg_run_context *context);
  hg_status (*validate)(hg_run_context *context);
  void (*busy)(hg_run_context *context,
               double *seconds); /**< [workers of this rank] that they executed tasks, since the state
                          was loaded; NULL: by StarPU's profiling, in hg_run_context.use */
  void (*columns)(const hg_run_context *context, hg_columns *row); /**< on rank 0 */
  void (*text)(const hg_run_context *context);                     /**< for people, on rank 0 */
  hg_status (*finish)(hg_run_context *context);
  hg_status (*describe)(hg_run_context *context, const char *folder); /**< notes beside a trace: what the run was */
  void (*release)(hg_run_context *context);
} hg_program;

/** A program's context. */
struct hg_run_context {
  const hg_program *program;
  const hg_command *command; /**< whose options are compared, or NULL */
  hg_run_options *options;
  void *self;               /**< the program's own */
  const void *communicator; /**< as hg_job has it */
  hg_session all;           /**< the ranks, from the beginning to the end; no tasks */
  hg_session *session;      /**< set by `start` as soon as it is open */
  char *problem;       /**< what of `consistency` belongs to it (hg_consistency_problem); known to `start` and later */
  const char *label;   /**< of the progress bar */
  const char *kernels; /**< whose powers count (hg_power_of_kernels); NULL: others than those that are told apart */
  int64_t total;       /**< steps of a run, for it; may be set by `load` */
  bool done;           /**< set by `start`: there is nothing to run */
  hg_progress bar;     /**< to be updated by `run` */
  int number;          /**< of the run, from 0; warm-ups are negative */
  double begin;        /**< when the program began, s */
  double ready, finished; /**< when it had started; when the last run had ended */
  double seconds;         /**< that the last run took */
  hg_worker_use *use;     /**< [workers of this rank] in it, where StarPU's profiling is on */
  double work;            /**< that the last run did, all ranks; 0: it has no measure */
  char work_unit[40];     /**< of that: "cell and step" */
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
