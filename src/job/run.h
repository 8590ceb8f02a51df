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
  const char *problem; /**< what a program's own options say of the problem (hg_consistency_problem), or NULL */
  hg_picture picture;  /**< how its values are drawn */
  bool new_input; /**< named on the command line without a size: the job's size is that of the input, if it has one */
  /** Adds metadata of a program's own to those that files say of themselves; or NULL. */
  void (*metadata)(const void *arg, const hg_job *job, hg_metadata *metadata);
  bool masks; /**< cells of the input and of the source may have no data: these have a number that stands for that, 0 in
                   the source, and have none in results either */
  const char *source; /**< the option that the program has for the job's source; default --source */
  int64_t least; /**< ranks take batches of at least so many independent units from one queue; 0: each has its own */
  const hg_relax_options *relax; /**< the update is relaxed asynchronously, to the job's tolerance; or NULL */
  /** Completes the job when dimensions and size are known, before anything starts; or NULL. */
  hg_status (*complete)(void *arg, hg_job *job);
  /** What the reduction may be at most for the job to have converged, given what the run now holds: rounding counts.
   * Called where the job's tolerance is met, where the run has stalled, and before an asynchronous run; or NULL: the
   * job's tolerance. Collective. */
  hg_status (*tolerance)(hg_run *run, void *arg, double *tolerance);
  int64_t halving; /**< steps in which exact arithmetic more than halves the quantity: a run stalls, and ends, where
                        rounding keeps it from that; 0: not known */
  int runs;        /**< of the job, that count; 0: one */
  bool warm;       /**< some come before them */
  double spacing;  /**< distance of cells in the problem's own numbers, in files if --spacing is not given; 0: none */
  double noise;    /**< what rounding leaves at most of the quantity, in epsilons of the largest value */
  void *arg;
} hg_job_options;

/** Times and values that a side follows, in the order of time. */
typedef struct hg_times {
  int64_t count;      /**< 0: it follows none */
  double (*point)[2]; /**< s, value */
} hg_times;

struct hg_run {
  hg_job own;        /**< the user's job, with defaults filled in */
  const hg_job *job; /**< &own */
  const char *name;
  hg_session session;
  hg_network network; /**< measured messages, on rank 0 */
  bool networked;     /**< on rank 0: there is a file, and several ranks */
  hg_domain domain;
  hg_side side[3][2];   /**< of the domain, with the values of fixed sides before the first step */
  hg_times times[3][2]; /**< of sides that follow a file */
  bool follows;         /**< there are such */
  const hg_job_options *options;
  hg_tiling *tiling;
  hg_dependence dependence;
  struct hg_units_kernel *kernel;           /**< codelets/units/units_codelet.h */
  struct hg_stencil_kernel *stencil_kernel; /**< codelets/units/stencil_codelet.h; of neighbours by formula */
  hg_graph *graph;
  hg_relax_options relax;   /**< of an asynchronous run */
  hg_source initial;        /**< initial values */
  struct hg_saving *saving; /**< checkpoints, from the first one on */
  int64_t holes;            /**< cells of the grid without data, or -1: not counted yet */
  hg_grid_input *source;    /**< field that the update reads, or NULL */
  int64_t first, done;      /**< steps before the run (of a checkpoint); steps done */
  bool connected;           /**< neighbours are known */
  bool finished;            /**< all steps are done, or a condition ended the job */
  bool converged;           /**< a condition ended it */
  bool stalled;             /**< rounding ended it */
  hg_status failed;         /**< what hg_advance has returned, if that was not HG_OK */
  char failure[500];        /**< the message that went with it */
  double reduction;
  int64_t reduced;        /**< steps done when it was measured */
  double half;            /**< of the last reduction that was below `half`, infinite before the first */
  int64_t half_since;     /**< steps done then */
  hg_looked restored;     /**< of the checkpoint that the run goes on from */
  double dynamic_seconds; /**< spent between steps */
  double predicted;       /**< s of a step by the tables that divided the grid last, on rank 0; 0: not known */
  bool cores_alone;       /**< GPUs would be warm too late */
  bool watched;           /**< the grid is divided anew where it pays */
  hg_balance_monitor balance;
  int64_t submitted;    /**< steps, of those asked for last */
  bool wants_to_move;   /**< before the steps that follow */
  int moves;            /**< times that the grid was divided anew */
  bool learnt;          /**< the first division is by what earlier runs learnt */
  hg_progress *bar;     /**< shown meanwhile, or NULL */
  hg_series series;     /**< snapshots so far, on rank 0 */
  char series_mark[20]; /**< what they are of */
  hg_metadata metadata; /**< of the values that are written */
  void *parameters;     /**< as they were at the start, or in its checkpoint, for repeated runs */
  char *problem;        /**< what is computed (runtime/consistency.h), where checkpoints or snapshots need to know */
};

/** Fills in what a job leaves open, before its input is known. */
void hg_job_defaults(hg_job *job);

/** Checks a job with defaults. HG_INVALID naming the field. */
hg_status hg_job_check(const hg_job *job);

/** As hg_start, with options, which are kept by reference. */
hg_status hg_run_start(const hg_job *job, const hg_job_options *options, hg_run **out);

/** Whether shares were given as such: boxes, a user's own division, numbers of `--speeds`. */
bool hg_run_has_shares(const hg_run *run);

/** Divides the grid and cuts it into tiles. Collective. @param measured  [all workers] speeds, or NULL */
hg_status hg_run_tiling(hg_run *run, const hg_speed_model *measured, hg_tiling **out);

/** Appends what all ranks must be given alike. */
void hg_run_consistency(const hg_run *run, hg_consistency *list);

/** Makes the tiles of a division. Collective. @param tiling  kept by reference */
hg_status hg_run_graph(hg_run *run, const hg_tiling *tiling, hg_graph **out);

/** Begins to watch the workers, if the job may be divided anew or keeps what it learns of them. HG_MEMORY. */
hg_status hg_run_watch(hg_run *run);

/** Divides the grid and cuts it into tiles, by what earlier runs learnt where the options name their folder and there
 * is something in it. Collective. As hg_run_tiling and hg_run_read_models. */
hg_status hg_run_divide(hg_run *run);

/** What earlier runs learnt of the workers, if the options name a folder; run->learnt tells whether there was any.
 * Collective; rank 0's files count. HG_IO if the folder cannot be made, and what reading tables may return. */
hg_status hg_run_read_models(hg_run *run);

/** Adds what this run has learnt, if the options name a folder. Collective; fails on all ranks alike. HG_IO */
hg_status hg_run_write_models(hg_run *run);

/** To be asked after each block (stored neighbours: each step) has been submitted, with the steps done and submitted:
 * whether the grid should be divided anew. Collective. */
bool hg_run_wants_to_move(hg_run *run, int64_t step);

/** Whether the run is watched and nothing has been seen yet; the step before which a first look is due then, else
 * INT64_MAX: after as few as tell anything, when they are done. */
bool hg_run_is_new(const hg_run *run);
int64_t hg_run_first_look(const hg_run *run);

/** Divides the grid by the measured speeds and moves the values. The steps are done. Collective. */
hg_status hg_run_rebalance(hg_run *run);

/** Loads the initial values (or the checkpoint's) and forgets what was counted. Collective. */
hg_status hg_run_load(hg_run *run);

/** HG_OK, or how the run has failed before, for `function` of the interface: its values are none. */
hg_status hg_run_check_failed(const hg_run *run, const char *function);

/** hg_fill functions of a run: initial values, the source. */
hg_status hg_run_fill(void *run, const hg_box *box, void *values);
hg_status hg_run_fill_source(void *run, const hg_box *box, void *values);

/** Reads what sides follow, when job, domain and sides are known. HG_IO, HG_FORMAT naming the row, HG_MEMORY. */
hg_status hg_run_read_sides(hg_run *run);

/** Whether the job's values hold what sides have before a step; the same on all ranks. HG_INVALID naming the file. */
hg_status hg_run_check_sides(const hg_run *run, int64_t step);
void hg_run_free_sides(hg_run *run);

/** Appends what sides follow, and what times and fluxes are counted by. */
void hg_run_list_sides(const hg_run *run, hg_consistency *list);

/** Sets the cells of sides with values to what they have before the step that follows. The steps are done. Collective.
 */
hg_status hg_run_set_sides(hg_run *run);

/** Gets a cell that lies at a side with a value, in each of the layers that such sides hold. */
typedef void hg_held_cell(void *arg, const int64_t at[3], double value);

/** Calls `use` for such cells of a box before a step; where sides meet the last call counts. */
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

/** The tiles of this rank, when the steps are done: the workers rest meanwhile. */
static inline hg_status hg_run_visit(hg_run *run, hg_tile_sink *take, void *arg)
{
  hg_session_pause(&run->session);
  const hg_status status = run->graph->ops->visit(run->graph, take, arg);
  hg_session_resume(&run->session);
  return status;
}

/** A unit, before the step that follows. */
hg_cell hg_run_cell(const hg_run *run, int64_t id);

/** Elements of a unit's value. */
int64_t hg_run_length(const hg_run *run, int64_t id);

/** Number of units. */
int64_t hg_run_units(const hg_run *run);

/** The exact sums of all ranks, rounded once; `sum` is used up. Collective. */
double hg_run_sum(const hg_run *run, hg_exact *sum);

/** Smallest, largest and mean of values that are real numbers, and whether all are finite. */
typedef struct hg_summary {
  double smallest, largest, mean; /**< of the finite ones */
  int64_t nonfinite, first;       /**< how many are not finite; identifier of the first of them, or -1 */
  int64_t hidden;                 /**< how many have data, but hold the number that stands for none */
} hg_summary;

/** Looks at the values of all tiles where they are. Collective. The same numbers for every division. */
hg_status hg_run_summary(hg_run *run, hg_summary *out);

/** HG_MISMATCH naming a cell that has data and holds the number by which files say that there are none. Collective.
 * @param file  that is not written then */
hg_status hg_run_check_holes(hg_run *run, const char *file);

/** Whether values are single numbers or the job makes some of them, so that they can be written. HG_INVALID. */
hg_status hg_run_check_numbers(const hg_run *run);

/** The 2-norm of what the last step changed, if that was measured; NaN: it was not, or one of its states is not kept.
 * Collective. The same bits for every division. */
hg_status hg_run_change_norm(hg_run *run, double *norm);

/** The name of the series of snapshots, NAME.xmf. */
const char *hg_run_series(const hg_run *run);

/** Checks what the job says of snapshots. HG_INVALID, HG_IO. */
hg_status hg_run_check_snapshots(const hg_run *run);

/** Begins the series of snapshots; a run that goes on from a checkpoint goes on with the one that it finds. HG_INVALID
 * naming a file that is none of it, HG_MEMORY. Collective; fails on all ranks alike. */
hg_status hg_run_begin_series(hg_run *run);

/** Writes a snapshot if one is due after the steps done. Collective; fails on all ranks alike. */
hg_status hg_run_snapshot(hg_run *run);

/** Where the values come from, after the steps done. */
void hg_run_metadata(const hg_run *run, hg_metadata *out);

/** Whether hg_run_verify can recompute a job. HG_INVALID naming what it cannot. */
hg_status hg_job_check_verify(const hg_job *job);

/** Recomputes all steps serially from the initial values, or those of the checkpoint, and compares bit for bit. On rank
 * 0. HG_MISMATCH naming the first cell that differs; HG_MEMORY. @param result  that hg_run_gather gave */
hg_status hg_run_verify(const hg_run *run, const hg_field *result);

/** Gathers the result as numbers on rank 0. Collective. Free with hg_field_free. */
hg_status hg_run_gather(hg_run *run, hg_field *out);

/** Writes the result as numbers to files by their endings: every rank its own part where the format allows it, else
 * rank 0 all of it, gathered once. Collective; the files are those of rank 0. @param bar  of as many files, or NULL */
hg_status hg_run_write(hg_run *run, int count, const char *const *path, hg_progress *bar);

/** Keeps all values for --restart: copies them and leaves it to a thread of each rank to write its own part while the
 * steps go on. Where there is no memory for the copy (as many bytes as the rank's values) it writes them first. One
 * before that is not complete is waited for. Collective; fails on all ranks alike. @param path  stays */
hg_status hg_run_checkpoint(hg_run *run, const char *path);

/** Waits until the last checkpoint is complete, and tells what became of it, once. *step, if that is wanted, is the one
 * that it is of. Collective; fails on all ranks alike. */
hg_status hg_run_saved(hg_run *run, int64_t *step);

/** Ends what checkpoints need. Collective. */
void hg_run_stop_saving(hg_run *run);

/** Opens a checkpoint to load from. HG_INVALID if it is of another job. Collective. */
hg_status hg_run_restore(hg_run *run, const char *path);

/** Lists what decides the result but the number of steps, in run->problem, once. Collective. HG_MEMORY. */
hg_status hg_run_know_problem(hg_run *run);
#endif
