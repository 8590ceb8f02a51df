/* SPDX-License-Identifier: MIT */
/* hetgrid-adr: two species in 3-D by implicit steps, Newton and multisplitting (src/adr). */
#ifndef HG_APPS_ADR_H
#define HG_APPS_ADR_H

#include <stdio.h>

#include "adr/results.h"
#include "base/file.h"
#include "division/balance_monitor.h"
#include "options/grid_options.h"
#include "options/async_options.h"
#include "program/run_context.h"
#include "program/checkpointer.h"
#include "result/report.h"

/** The command line's settings. */
typedef struct adr_options {
  const char *named; /**< --problem: */
  int problem;
  const char *problem_file; /**< instead, or NULL */
  int64_t size[3];          /**< 0: the problem's own */
  hg_adr_settings settings;
  int64_t stop_after; /**< time steps; 0: all */
  const char *history, *golden;
  int inner, precision;    /**< for --inner-solver and --inner-precision */
  bool verify, overlapped; /**< --overlap was given */
  hg_mode mode;
  hg_grid_options grid;
  hg_run_options run;
} adr_options;

typedef struct adr {
  hg_run_context context;
  adr_options options;
  hg_adr_problem problem;
  const hg_adr_kernel *kernel;
  hg_session session;
  hg_tiling *tiling;
  hg_adr_graph *graph;
  double *record; /**< read from the checkpoint, or NULL */
  int64_t first, done;
  hg_balance_monitor balance;
  int moves;     /**< number of new divisions */
  FILE *history; /**< on rank 0, in memory: */
  char *lines;
  size_t bytes;
  hg_checkpointer checkpointer;
  /* of the last run */
  hg_adr_stats stats;
  hg_field field[2];    /**< on rank 0 */
  double error;         /**< largest difference from the exact solution, NaN: unknown */
  double sum, largest;  /**< of both species; their largest magnitude */
  hg_metadata metadata; /**< of the files written last */
  hg_busy busy;
} adr;

const hg_command *adr_parse(int argc, char **argv, adr_options *options);

/** An overlap that was not given is made as deep as the grid allows. */
void adr_fit_overlap(adr_options *options, const int64_t n[3]);

/** Runs the cases of a golden file. HG_MISMATCH if some fail. */
hg_status adr_golden(const char *path);

/** Whether a history can be written: an existing file must be a history, too. HG_INVALID, HG_IO. */
hg_status adr_history_check(const adr_options *options);

/** Begins it, on rank 0; a restart keeps the existing lines of earlier steps. HG_INVALID, HG_IO, HG_MEMORY. */
hg_status adr_history_open(adr *a);

/** Adds a step. @param sweeps_before  of all steps before it */
void adr_history_note(const adr *a, int64_t sweeps_before);

/** Writes all lines so far. HG_IO, HG_MEMORY. */
hg_status adr_history_write(const adr *a);
void adr_history_close(adr *a);

/** The step after which the run ends. */
int64_t adr_last_step(const adr *a);

/** Runs the steps, with checkpoints and the history. Collective. */
hg_status adr_run(hg_run_context *context);

/** Writes the final checkpoint, if requested. Collective. */
hg_status adr_save_end(adr *a);

/** Divides the grid, by measured speeds if given. Collective. */
hg_status adr_divide(adr *a, const hg_speed_model *measured, hg_tiling **out);

/** To be called after a step: divides the grid again if --rebalance requires it. Collective. */
hg_status adr_rebalance(adr *a);

/** sync, async */
const char *adr_mode(const adr *a);

void adr_columns(const hg_run_context *context, hg_columns *row);
void adr_text(const hg_run_context *context);
#endif
