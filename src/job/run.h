/* SPDX-License-Identifier: MIT */
/* A running job. Internal to job/. */
#ifndef HG_JOB_RUN_H
#define HG_JOB_RUN_H

#include "base/progress.h"
#include "codelets/units_codelet.h"
#include "graph/units.h"
#include "job/grid_arguments.h"
#include "job/job.h"
#include "job/source.h"
#include "placement/tiling.h"
#include "result/field.h"

/** What a command line adds to a job. */
typedef struct hg_job_options {
  hg_grid_options grid;
  const char *trace;
  bool new_input; /**< named on the command line without a size: the job's size is that of the input, if it has one */
} hg_job_options;

struct hg_run {
  hg_job *job;
  const char *name;
  hg_session session;
  bool open;
  hg_domain domain;
  const hg_job_options *options;
  hg_tiling *tiling;
  hg_dependence dependence;
  hg_units_kernel kernel;
  hg_stencil_kernel stencil_kernel;
  hg_stencil *stencil;  /**< neighbours by formula */
  hg_unit_graph *graph; /**< or stored */
  hg_source source;     /**< of initial values */
  int64_t first, done;  /**< steps before the run (of a checkpoint); steps done */
  bool connected;       /**< neighbours are known */
  bool finished;
  double reduction;
  double dynamic_seconds; /**< spent between steps */
  int moves;              /**< times that the grid was divided anew */
  hg_progress *bar;       /**< shown meanwhile, or NULL */
  void *parameters;       /**< as they were at the start, for repeated runs */
};

/** Checks a job and fills in what it leaves open. HG_INVALID naming the field. */
hg_status hg_job_check(hg_job *job);

/** As hg_start, with options, which are kept by reference. */
hg_status hg_run_start(hg_job *job, const hg_job_options *options, hg_run **out);

/** Divides the grid and cuts it into tiles. Collective. @param speed  [all workers] measured, or NULL */
hg_status hg_run_tiling(hg_run *run, const double *speed, hg_tiling **out);

/** Makes the tiles of run->tiling. Collective. */
hg_status hg_run_graph(hg_run *run);

/** If workers' times lie apart by more than the job's `rebalance` allows, divides the grid by the measured speeds and
 * moves the values. The steps are done. Collective. */
hg_status hg_run_rebalance(hg_run *run);

/** Loads the initial values (or the checkpoint's) and forgets what was counted. Collective. */
hg_status hg_run_load(hg_run *run);

/** Whether neighbours are given by formula. */
static inline bool hg_run_is_stencil(const hg_run *run)
{
  return run->job->update->radius > 0;
}

/** A unit, before the step that follows. */
hg_cell hg_run_cell(const hg_run *run, int64_t id);

/** Elements of a unit's value. */
int64_t hg_run_length(const hg_run *run, int64_t id);

/** Number of units. */
int64_t hg_run_units(const hg_run *run);

/** Hands out the values of the tiles of this rank, x fastest. */
hg_status hg_run_visit(void *run, hg_tile_sink *take, void *arg);

/** times[session.workers] since the load; bytes between regions. */
void hg_run_times(hg_run *run, hg_worker_times *times);
double hg_run_exchanged(const hg_run *run);

/** Gathers the result as numbers, once, and writes it to files by their endings. Collective. */
hg_status hg_run_write(hg_run *run, int count, const char *const *path);

/** Gathers all values and keeps them for --restart. Collective. */
hg_status hg_run_checkpoint(hg_run *run, const char *path);

/** Reads a checkpoint's header and values. HG_INVALID if it is of another job. */
hg_status hg_run_restore(hg_run *run, const char *path);

/** Hash of what decides the values' meaning. */
uint64_t hg_run_identity(const hg_run *run);
#endif
