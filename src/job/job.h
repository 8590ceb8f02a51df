/* SPDX-License-Identifier: MIT */
/* Jobs: applications of dependent computing units on a grid (R. Yang's thesis, docs/PAPERS.md, chapter 5). An
 * application says what a unit holds, how it starts, how it is updated and which units it depends on; the library
 * divides the grid among the workers of all ranks, runs the steps as StarPU tasks, and gathers the result.
 *
 * Every unit has an identifier x + nx (y + ny z). In a step all units read values from before the step (their own and
 * those of their neighbours) and get a new one, so the result does not depend on partition, policy, workers or ranks.
 * Neighbours are given in one of three ways:
 *   formula   the update reads hg_at(u, dx, dy, dz) up to HG_RADIUS away; sides of the grid are fixed, mirrored
 *             (insulated) or periodic; several steps are done per task
 *   stored    `neighbours` lists the identifiers of each unit's neighbours, which may change between steps
 *   zones     `zone` names boxes that all units of a tile may read, by formula from the tile and the step
 * Thesis, table 5-3: initializeUnit is `init`, ComputingKernel `update`, finishCon `finished`, partitionJob
 * `partition`, neighborDynamic `neighbours` and `dynamic`, getValueFromDevice and copyValueToDevice hg_values_get and
 * _set, finalize hg_finish. */
#ifndef HG_JOB_JOB_H
#define HG_JOB_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/box.h"
#include "base/status.h"
#include "codelets/units/units.h"
#include "input/cells.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How the quantities of all units are combined. */
typedef enum hg_reduction { HG_MAX, HG_MIN, HG_SUM } hg_reduction;

/** Type of a parameter. */
typedef enum hg_parameter_type {
  HG_PARAMETER_DOUBLE, /**< a double */
  HG_PARAMETER_FLOAT,  /**< a float */
  HG_PARAMETER_INT,    /**< an int */
  HG_PARAMETER_INT64   /**< an int64_t */
} hg_parameter_type;

/** A member of a job's parameters that hg_main takes from the command line and from job files, as `--name VALUE`; a
 * list of them ends with {0}. Its default is what the member holds when hg_main is called. HG_PARAMETER (job/app.h)
 * makes one. */
typedef struct hg_parameter {
  const char *name;       /**< of the member; '_' is '-' on the command line */
  size_t offset;          /**< of the member in the parameters, bytes */
  hg_parameter_type type; /**< of the member */
  double least;           /**< lower bound, finite */
  double most;            /**< upper bound, finite */
  const char *help;       /**< text of --help, with its unit */
} hg_parameter;

/** A running job. */
typedef struct hg_run hg_run;

typedef struct hg_job hg_job;

/** A number computed from a value, one of several in .h5 and .nc files; a list of them ends with {0}. */
typedef struct hg_number {
  const char *name;                                               /**< of the dataset */
  double (*number)(const void *value, int64_t length, void *arg); /**< as hg_job.number */
} hg_number;

enum { HG_NUMBERS_MAX = 7 };

/** An application. A field that is 0 has the default given here. The structure is copied and never changed; what it
 * points to must stay valid until hg_finish. One thread of each rank calls the user's functions, with `arg` and in the
 * locale that this thread or the program has set; updates and quantities run in the C locale. */
struct hg_job {
  const char *name;        /**< for messages, traces and files; default: the update's */
  int dims;                /**< Job_Dimension: 1..3; default: the input's, the update's, or 1 */
  int64_t size[3];         /**< Job_Size: columns, rows, layers; default: the input's (lines of a text file) */
  const hg_update *update; /**< required */
  /** Sets the value of a unit: `value` has room for cell->length elements, zeroed. Default: the number that the input
   * (input.in if none is named) holds for the unit. Where HG_VALUE is an integer type, the number must be whole and in
   * the type's range; for bool it must be 0 or 1. The same holds for the values of sides. */
  hg_status (*init)(const hg_cell *cell, void *value, const hg_input *input, void *arg);
  int64_t steps;        /**< steps to do, at most; default 1, negative: none */
  const char *boundary; /**< formula neighbours: as `--boundary` of hetgrid-heat; default fixed: the outermost HG_RADIUS
                           layers keep their values (with fixed=V they have the value V, or those of a file of times and
                           values; V needs values that are single numbers) */
  bool symmetric; /**< for an update with a kernel of its own for whole tiles (hg_update.tile, tile_cuda): mirrored
                     values give the mirrored result, bit for bit. Sums do if mirror images are added first, (W + E) +
                     (N + S). If set, a task does several steps at insulated sides too, otherwise one. Other updates
                     always do several */
  /** Stored neighbours: adds those of a unit to `set`. Called for every unit before the first step and then before
   * every `neighbours_every`th (0: never again). The exchange is worked out again only where neighbours changed, and
   * ranks send each other only the differences. */
  void (*neighbours)(const hg_cell *cell, hg_set *set, void *arg);
  int64_t neighbours_every; /**< 0: neighbours are fixed */
  int neighbour_limit;      /**< nNeighbor: most neighbours of a unit; default 4 */
  /** Zones: adds the boxes that units of `tile` read in `step`. Called before every step. */
  void (*zone)(const hg_box *tile, int64_t step, hg_zone *zone, void *arg);
  /** Values of variable size: number of elements of a unit's value, >= 0, the same at every call (the cell's step is
   * 0). Needs HG_UPDATE_ARRAY. */
  int64_t (*length)(const hg_cell *cell, void *arg);
  /** Called on all ranks before every `dynamic_every`th step (0: never), when the steps before it are done; may read
   * and write values by identifier and change the parameters. */
  hg_status (*dynamic)(hg_run *run, int64_t step, void *arg);
  int64_t dynamic_every;       /**< 0: `dynamic` is not called */
  const hg_quantity *quantity; /**< a number per unit and step, or NULL */
  hg_reduction reduction;      /**< of the quantity over all units; sums are exact, then rounded once */
  int64_t check_every;         /**< steps between two reductions; one more follows the last step; default 100 */
  double tolerance;            /**< the job ends when the reduction is at most this; 0: no such condition */
  /** The job ends when this returns true; called after every reduction (without a quantity: every `check_every` steps)
   * on all ranks with the number of steps done. */
  bool (*finished)(hg_run *run, int64_t steps, double reduction, void *arg);
  const char *partition; /**< a name that hetgrid-plan knows, or FILE.csv; default auto */
  /** Divides the grid in place of `partition`; called on all ranks. box[parts] must cover every unit once; rank 0's
   * boxes are used.
   * @param speed  [parts] relative speeds of the workers of all ranks */
  hg_status (*divide)(const hg_job *job, int parts, const double *speed, hg_box *box, void *arg);
  double rebalance; /**< divide the grid again by measured speeds, and move the values, whenever a step would be shorter
                       by more than this share; 0: where the remaining steps gain more than that costs, unless the
                       division is the user's own; negative: never. Not for values of variable size */
  void *parameters; /**< copied into every task, for hg_parameters; all bytes, padding too, are compared among ranks and
                       with a checkpoint: make the structure static, or clear it first */
  size_t parameter_bytes; /**< at most HG_PARAMETERS_MAX */
  const char *input;      /**< Input_path: a field, a text file with a line per unit, or a folder of such files */
  const char *source;     /**< a field that an update's own `tile` reads beside the values, which must be numbers */
  /** Computes the source field: its number for a unit, given the one in `source` (NaN without a `source`). */
  double (*source_value)(const hg_cell *cell, double number, void *arg);
  int64_t seed;       /**< of a random `input` or `source`; default 1, negative: seed 0 */
  const char *output; /**< Output_path: .h5 .hdf5 .nc .npy .png .svg .pdf .csv .mtx .json .tif .tiff; .txt and .ou are
                         text, one number per line */
  /** The number that stands for a value in pictures and files. Default: the value itself where HG_VALUE is double,
   * float or an integer type; else required for output. */
  double (*number)(const void *value, int64_t length, void *arg);
  const char *value_name;   /**< of the values in files; default: the job's name */
  int blocks;               /**< nBlock: most thread blocks of a CUDA launch; 0: chosen */
  int threads;              /**< nThread: threads of a block; 0: chosen */
  double flops;             /**< per unit and step, for StarPU's reports; 0: not known */
  void *arg;                /**< of all these functions */
  const void *communicator; /**< points to the MPI_Comm whose ranks do the job, for programs that have initialised MPI
                                 (with MPI_THREAD_MULTIPLE) themselves; it is duplicated. Default: MPI_COMM_WORLD */
  const hg_parameter *parameter; /**< members of `parameters` that hg_main takes from the command line, ended by {0}; it
                                    writes them into `parameters` before the job starts */
  /** Snapshots: the numbers of the values before the first step and after every `snapshot_every`th (0: none), in files
   * SNAPSHOT.STEP.h5, which SNAPSHOT.xmf joins to a series that ParaView plays. */
  int64_t snapshot_every;
  const char *snapshot;       /**< default: the job's name */
  hg_box snapshot_box;        /**< of the grid, not empty along any of its three axes; default (all 0): all of it */
  int64_t snapshot_stride[3]; /**< distance of kept cells along each axis, at most the box's extent; default (0) 1 */
  bool snapshot_png;          /**< also write a picture of each: SNAPSHOT.STEP.png */
  const hg_number *also;      /**< more numbers (at most HG_NUMBERS_MAX) for .h5 and .nc results and snapshots beside
                                 `number`, each in a dataset of its own; rank 0 gathers them. Default: none */
  int64_t boundary_every;     /**< number of steps for which sides that follow a file keep a value; default 1 */
  /** The application compiled with another HG_VALUE, float beside double, for `--precision` of hg_main, which takes
   * update, quantity, init, dynamic, finished, number and also from it; default: none. */
  const hg_job *other_precision;
};

enum { HG_PARAMETERS_MAX = 2048 };

/** Runs a whole program: reads the command line (`--help` lists the options; they win over the job's fields; `--job
 * FILE` reads more of them from a file) and starts, runs and finishes the job. Returns the exit status: 0 success, 1
 * failure with a message, 2 bad usage, 77 no processor to run on. */
int hg_main(int argc, char **argv, const hg_job *job);

/** Starts StarPU (and MPI, if an MPI launcher started the program and nobody has started it yet; that MPI ends with
 * the process), divides the grid and initialises the units. Collective. One run at a time may be live in a process;
 * jobs may follow each other. HG_INVALID naming what is wrong with the job, even on a single rank, or what differs
 * between ranks; HG_IO for an output that cannot be written; HG_UNSUPPORTED while another run is live or StarPU runs
 * already, and, as all functions, in a process that was forked during a run; HG_RUNTIME if MPI was initialised without
 * MPI_THREAD_MULTIPLE or has ended; HG_MEMORY, HG_NO_WORKER, and what `init` returns. */
hg_status hg_start(const hg_job *job, hg_run **out);

/** Computes up to `steps` steps, >= 0; stops earlier if the job finishes. Collective. HG_INVALID naming unit and step
 * for an update that read what it may not or called hg_stop. A run that has failed stays so: this function,
 * hg_values_* and hg_finish return the status again. All of these return HG_INVALID for a run that has ended, and
 * HG_UNSUPPORTED if a function of the job calls them (`dynamic` and `finished` may read and write values). */
hg_status hg_advance(hg_run *run, int64_t steps);

/** Steps done (-1 without a live run); whether the job is finished. */
int64_t hg_steps_done(const hg_run *run);
bool hg_is_finished(const hg_run *run);

/** The last reduction; NaN before the first. */
double hg_reduced(const hg_run *run);

/** Rank of this process, number of ranks; -1 without a run. */
int hg_rank(const hg_run *run);
int hg_ranks(const hg_run *run);

/** Extents of the grid, [3]: columns, rows, layers; NULL without a run. */
const int64_t *hg_size(const hg_run *run);

/** Reads the values of any units, wherever they are. Collective; each rank may ask for different units, or for none.
 * @param[out] values  [count] values, one after the other. `bytes` (number of elements times their size) must be the
 * size of one of the job's values; it is ignored where their size varies
 * HG_INVALID naming the identifier, or the size, that is wrong. */
hg_status hg_values_get(hg_run *run, int64_t count, const int64_t *ids, void *values, size_t bytes);

/** Writes values. Collective; if several ranks write the same unit, the highest rank's value stays. */
hg_status hg_values_set(hg_run *run, int64_t count, const int64_t *ids, const void *values, size_t bytes);

/** Gathers the values of all units on rank 0, as they are. Collective. Cost: each value is copied once, and sent once
 * by other ranks.
 * @param[out] values  [units] of hg_update.value_bytes each, by identifier (x fastest); other ranks than 0 may pass
 * NULL. HG_UNSUPPORTED for values of variable size; HG_INVALID, HG_MEMORY. */
hg_status hg_values_gather(hg_run *run, void *values);

/** Gathers the result, writes it on rank 0 if there is an output, releases everything and ends StarPU. Collective.
 * HG_MISMATCH naming a unit whose number is infinite or not a number, HG_IO, and the status of a run that has failed;
 * the file is then as it was before. */
hg_status hg_finish(hg_run *run);

/** Releases everything without a result. Collective. */
void hg_free(hg_run *run);

#ifdef __cplusplus
}
#endif
#endif
