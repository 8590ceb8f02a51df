/* SPDX-License-Identifier: MIT */
/* A running job. Internal to job/ and program/. */
#ifndef HG_JOB_RUN_H
#define HG_JOB_RUN_H

#include "base/exact.h"
#include "base/progress.h"
#include "runtime/consistency.h"
#include "graph/graph.h"
#include "async/relax.h"
#include "input/dependence.h"
#include "input/problem.h"
#include "division/balance_monitor.h"
#include "options/grid_options.h"
#include "job/job.h"
#include "job/source.h"
#include "network/network.h"
#include "placement/tiling.h"
#include "result/checkpoint.h"
#include "result/field.h"
#include "result/picture.h"
#include "result/write.h"

/** What a command line adds to a job. */
typedef struct hg_job_options {
  hg_grid_options grid;
  const char *trace;
  const char *problem; /**< the problem as the program's own options describe it (hg_consistency_problem), or NULL */
  hg_picture picture;  /**< how its values are drawn */
  bool new_input;      /**< the command line names an input and no size: the size is the input's, if it has one */
  /** Adds a program's own metadata to those of files; or NULL. */
  void (*metadata)(const void *arg, const hg_job *job, hg_metadata *metadata);
  bool masks; /**< cells of the input and of the source may lack data: a number marks them (in the source 0), and they
                 lack data in results too */
  const char *source; /**< the program's option for the job's source; default --source */
  int64_t least; /**< ranks take batches of at least so many independent units from a common queue; 0: each rank has its
                    own */
  const hg_relax_options *relax; /**< the update is relaxed asynchronously, to the job's tolerance; or NULL */
  /** Completes the job once dimensions and size are known, before anything starts; or NULL. */
  hg_status (*complete)(void *arg, hg_job *job);
  /** Largest reduction at which the job has converged, given the present values, which determine rounding. Called when
   * the job's tolerance is met, when the run has stalled, and before an asynchronous run; NULL: the job's tolerance.
   * Collective. */
  hg_status (*tolerance)(hg_run *run, void *arg, double *tolerance);
  int64_t halving; /**< steps in which exact arithmetic more than halves the quantity; if rounding prevents that, the
                      run has stalled and ends; 0: not known */
  int runs;        /**< number of runs that count; 0: one */
  bool warm;       /**< warm-up runs come before them */
  double spacing;  /**< distance of cells in the problem's own unit, for files if --spacing is not given; 0: none */
  double noise;    /**< largest quantity that rounding can leave, in epsilons of the largest value */
  void *arg;
} hg_job_options;

/** Times and values that a side follows, ordered by time. */
typedef struct hg_times {
  int64_t count;      /**< 0: it follows no file */
  double (*point)[2]; /**< s, value */
} hg_times;

struct hg_run {
  hg_job own;        /**< the user's job, with defaults filled in */
  const hg_job *job; /**< &own */
  const char *name;
  hg_session session;
  hg_network network; /**< measured messages, on rank 0 */
  bool networked;     /**< on rank 0: there are a file and several ranks */
  hg_domain domain;
  hg_side side[3][2];   /**< of the domain, with the values of fixed sides before the first step */
  hg_times times[3][2]; /**< of sides that follow a file */
  bool follows;         /**< some side follows a file */
  const hg_job_options *options;
  hg_tiling *tiling;
  hg_dependence dependence;
  struct hg_units_kernel *kernel;           /**< codelets/units/units_codelet.h */
  struct hg_stencil_kernel *stencil_kernel; /**< codelets/units/stencil_codelet.h; of neighbours by formula */
  hg_graph *graph;
  hg_relax_options relax;   /**< of an asynchronous run */
  hg_source initial;        /**< initial values */
  struct hg_saving *saving; /**< checkpoints, from the first one on */
  int64_t holes;            /**< cells of the grid without data; -1: not counted yet */
  hg_grid_input *source;    /**< field that the update reads, or NULL */
  int64_t first, done;      /**< first: steps before the run (of a checkpoint); done: steps done */
  bool connected;           /**< neighbours are known */
  bool finished;            /**< all steps are done, or a condition ended the job */
  bool converged;           /**< a condition ended it */
  bool stalled;             /**< rounding ended it */
  hg_status failed;         /**< status of hg_advance, if not HG_OK */
  char failure[500];        /**< its message */
  double reduction;
  int64_t reduced;        /**< steps done when it was measured */
  double half;            /**< of the last reduction that was below `half`, infinite before the first */
  int64_t half_since;     /**< steps done at that time */
  hg_looked restored;     /**< the checkpoint that the run continues */
  double dynamic_seconds; /**< spent between steps */
  double predicted;       /**< s per step, by the tables that divided the grid last; on rank 0; 0: not known */
  bool cores_alone;       /**< only cores compute: GPUs would be warm too late */
  bool watched;           /**< the grid is divided again where it pays */
  hg_balance_monitor balance;
  int64_t submitted;    /**< steps submitted, of those last asked for */
  bool wants_to_move;   /**< wants to be divided again before the next steps */
  int moves;            /**< times that the grid was divided again */
  bool learnt;          /**< the first division uses what earlier runs learnt */
  hg_progress *bar;     /**< progress bar, or NULL */
  hg_series series;     /**< snapshots so far, on rank 0 */
  char series_mark[20]; /**< hash of what they show */
  hg_metadata metadata; /**< of written values */
  void *parameters;     /**< as they were at the start or in the checkpoint, for repeated runs */
  char *problem;        /**< what is computed (runtime/consistency.h), for checkpoints and snapshots */
};

/** Fills in a job's defaults, before its input is known. */
void hg_job_defaults(hg_job *job);

/** Checks a job with defaults. HG_INVALID naming the field. */
hg_status hg_job_check(const hg_job *job);

/** As hg_start, with options, which are kept by reference. */
hg_status hg_run_start(const hg_job *job, const hg_job_options *options, hg_run **out);

/** Whether the user gave shares: boxes, an own division, numbers in `--speeds`. */
bool hg_run_has_shares(const hg_run *run);

/** Divides the grid and cuts it into tiles. Collective. @param measured  [all workers] speeds, or NULL */
hg_status hg_run_tiling(hg_run *run, const hg_speed_model *measured, hg_tiling **out);

/** Appends what must be the same on all ranks. */
void hg_run_consistency(const hg_run *run, hg_consistency *list);

/** Builds the graph of a division's tiles. Collective. @param tiling  kept by reference */
hg_status hg_run_graph(hg_run *run, const hg_tiling *tiling, hg_graph **out);

/** Begins to monitor the workers, if the job may be divided again or keeps what it learns of them. HG_MEMORY. */
hg_status hg_run_watch(hg_run *run);

/** Divides the grid and cuts it into tiles. Uses what earlier runs learnt, if the options name a folder that has
 * something. Collective. As hg_run_tiling and hg_run_read_models. */
hg_status hg_run_divide(hg_run *run);

/** Reads what earlier runs learnt of the workers, if the options name a folder; run->learnt tells whether there was
 * anything. Collective; rank 0's files count. HG_IO if the folder cannot be made, and what reading tables may
 * return. */
hg_status hg_run_read_models(hg_run *run);

/** Adds what this run has learnt, if the options name a folder. Collective; fails on all ranks alike. HG_IO */
hg_status hg_run_write_models(hg_run *run);

/** Whether the grid should be divided again. To be called after each submitted block (stored neighbours: step), with
 * the number of steps done or submitted. Collective. */
bool hg_run_wants_to_move(hg_run *run, int64_t step);

/** Whether the run is monitored and was not checked yet. Second: the step before which the first check is due (as
 * early as one tells anything), else INT64_MAX. */
bool hg_run_is_new(const hg_run *run);
int64_t hg_run_first_look(const hg_run *run);

/** Divides the grid by the measured speeds and moves the values. The steps are done. Collective. */
hg_status hg_run_rebalance(hg_run *run);

/** Loads the initial values (or the checkpoint's) and forgets what was counted. Collective. */
hg_status hg_run_load(hg_run *run);

/** HG_OK, or the earlier failure of the run, whose values are invalid then. @param function  API function, for the
 * message */
hg_status hg_run_check_failed(const hg_run *run, const char *function);

/** The hg_fill functions of a run: initial values, the source. */
hg_status hg_run_fill(void *run, const hg_box *box, void *values);
hg_status hg_run_fill_source(void *run, const hg_box *box, void *values);

/** Reads the files that sides follow, once job, domain and sides are known. HG_IO, HG_FORMAT naming the row,
 * HG_MEMORY. */
hg_status hg_run_read_sides(hg_run *run);

/** Checks that the type of values can hold those of the sides before a step; the same on all ranks. HG_INVALID naming
 * the file. */
hg_status hg_run_check_sides(const hg_run *run, int64_t step);
void hg_run_free_sides(hg_run *run);

/** Appends the files that sides follow, and the units of times and fluxes. */
void hg_run_list_sides(const hg_run *run, hg_consistency *list);

/** Sets the cells of sides with values to their values before the next step. The steps are done. Collective. */
hg_status hg_run_set_sides(hg_run *run);

/** Gets a cell in one of the layers that a side with a value holds. */
typedef void hg_held_cell(void *arg, const int64_t at[3], double value);

/** Calls `use` for such cells of a box before a step; where sides meet, the last call counts. */
void hg_run_each_held(const hg_run *run, const hg_box *box, int64_t step, hg_held_cell *use, void *arg);

/** Whether sides have to be set before a step. */
static inline bool hg_run_sides_are_due(const hg_run *run, int64_t step)
{
  return run->follows && step > 0 && step % run->job->boundary_every == 0;
}

/** Whether neighbours are given by formula. */
static inline bool hg_run_is_stencil(const hg_run *run)
{
  return run->job->update->radius > 0;
}

/** Whether values are single real numbers. */
static inline bool hg_run_is_real(const hg_run *run)
{
  const hg_update *u = run->job->update;
  return !u->arrays && (u->value_type == 'd' || u->value_type == 'f');
}

/** Visits the tiles of this rank after the steps; workers are paused meanwhile. */
static inline hg_status hg_run_visit(hg_run *run, hg_tile_sink *take, void *arg)
{
  hg_session_pause(&run->session);
  const hg_status status = run->graph->ops->visit(run->graph, take, arg);
  hg_session_resume(&run->session);
  return status;
}

/** A unit before the next step. */
hg_cell hg_run_cell(const hg_run *run, int64_t id);

/** Elements of a unit's value. */
int64_t hg_run_length(const hg_run *run, int64_t id);

/** Number of units. */
int64_t hg_run_units(const hg_run *run);

/** The exact sums of all ranks, rounded once; `sum` becomes that of all of them. Collective. */
double hg_run_sum(const hg_run *run, hg_exact *sum);

/** Smallest, largest and mean of values that are real numbers, and whether all are finite. */
typedef struct hg_summary {
  double smallest, largest, mean; /**< of the finite ones */
  int64_t nonfinite, first;       /**< how many are not finite; identifier of the first of them, or -1 */
  int64_t hidden;                 /**< how many have data but hold the number that marks cells without */
} hg_summary;

/** Computes it from the tiles in place. Collective. The same numbers for every division. */
hg_status hg_run_summary(hg_run *run, hg_summary *out);

/** HG_MISMATCH naming a cell that has data but holds the number that marks cells without data in files. Collective.
 * @param file  that is not written then */
hg_status hg_run_check_holes(hg_run *run, const char *file);

/** Checks that values can be written: they are single numbers, or the job computes numbers from them. HG_INVALID. */
hg_status hg_run_check_numbers(const hg_run *run);

/** A power of 2 that scales changes of at most `largest` to below 1, where their squares do not underflow. */
double hg_change_scale(double largest);

/** The 2-norm of the last step's change, if that step was measured; NaN: it was not, or one of its states is not kept.
 * Collective. The same bits for every division. */
hg_status hg_run_change_norm(hg_run *run, double *norm);

/** The name of the series of snapshots, NAME.xmf. */
const char *hg_run_series(const hg_run *run);

/** Checks what the job says of snapshots. HG_INVALID, HG_IO. */
hg_status hg_run_check_snapshots(const hg_run *run);

/** Begins the series of snapshots; a run that continues from a checkpoint continues the series that it finds.
 * HG_INVALID naming a file that does not belong to it, HG_MEMORY. Collective; fails on all ranks alike. */
hg_status hg_run_begin_series(hg_run *run);

/** Writes a snapshot if one is due after the steps done. Collective; fails on all ranks alike. */
hg_status hg_run_snapshot(hg_run *run);

/** Metadata of the values after the steps done. */
void hg_run_metadata(const hg_run *run, hg_metadata *out);

/** Checks that hg_run_verify can recompute a job. HG_INVALID naming what it cannot. */
hg_status hg_job_check_verify(const hg_job *job);

/** Recomputes all steps serially from the initial values, or those of the checkpoint, and compares bit for bit. On
 * rank 0. HG_MISMATCH naming the first cell that differs; HG_MEMORY. @param result  from hg_run_gather */
hg_status hg_run_verify(const hg_run *run, const hg_field *result);

/** Gathers the result as numbers on rank 0. Collective. Free with hg_field_free. */
hg_status hg_run_gather(hg_run *run, hg_field *out);

/** Writes the result as numbers to files by their endings: every rank its own part where the format allows it, else
 * rank 0 all of it, gathered once. Collective; the files are those of rank 0. @param bar  of as many files, or NULL */
hg_status hg_run_write(hg_run *run, int count, const char *const *path, hg_progress *bar);

/** Writes a checkpoint for --restart: copies the values, and a thread of each rank writes its part while the steps
 * continue. Without memory for the copy (as large as the rank's values) it writes them before it returns. Waits for an
 * earlier checkpoint that is not complete. Collective; fails on all ranks alike. @param path  kept by reference */
hg_status hg_run_checkpoint(hg_run *run, const char *path);

/** Waits until the last checkpoint is complete and returns its status, once. *step (unless NULL) is its step.
 * Collective; fails on all ranks alike. */
hg_status hg_run_saved(hg_run *run, int64_t *step);

/** Releases what checkpoints need. Collective. */
void hg_run_stop_saving(hg_run *run);

/** Opens a checkpoint to load from. HG_INVALID if it is of another job. Collective. */
hg_status hg_run_restore(hg_run *run, const char *path);

/** Lists in run->problem, once, what determines the result apart from the number of steps. Collective. HG_MEMORY. */
hg_status hg_run_know_problem(hg_run *run);
#endif
