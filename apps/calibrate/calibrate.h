/* SPDX-License-Identifier: MIT */
#ifndef HG_CALIBRATE_CALIBRATE_H
#define HG_CALIBRATE_CALIBRATE_H

#include "hetgrid.h"

#include "codelets/gpu/gpu.h"
#include "energy/source.h"

/** A kind of worker to be measured: its time as a function of cells and of items exchanged per step. */
typedef struct calibration {
  const char *app;    /* "heat", "elimination", "pricer", "adr" */
  const char *kernel; /* name of the kernel that runs */
  char device[128];   /* model of the processor, as in the names of tables */
  int gpu;            /* its number, or CALIBRATE_CPU */
  int cores;          /* number that do the same at a time, 1: a single one; for a GPU always 1 */
  int block;          /* for heat: steps of a task; 0: as many as a run would choose */
  hg_precision precision;
  int64_t most; /* most cells measured, unless the user asks for more */
  /* time of a step on side x side cells; < 0: no memory, or the device reports an error */
  hg_timing (*seconds)(const struct calibration *c, int64_t side);
  /* time per step of the exchange of such cells; < 0 likewise */
  hg_timing (*exchange)(const struct calibration *c, int64_t side, double *items);
} calibration;

enum { CALIBRATE_CPU = -1 };

/** How a table is measured. */
typedef struct calibrate_options {
  double max_error, budget; /* relative; s */
  int64_t max_cells;        /* 0: as set by the calibration */
  int cores;                /* processor cores measured together */
  int block;                /* for heat: steps of a task; 0: as many as a run would choose */
  bool communication;       /* measure the exchange at several sizes, not one */
  const char *network;      /* file of measured messages; NULL: HETGRID_NETWORK */
  bool energy;              /* measure powers, not times */
  const char *source;       /* of joules, named as in --energy; NULL: rapl for cores, nvml for GPUs */
  bool quiet;
  hg_progress_mode progress;
} calibrate_options;

/** The kernels of a program for a kind of worker. */
void calibrate_make(const char *app, hg_precision precision, int gpu, calibration *out);
void calibrate_on_gpu(calibration *out);

/** Steps of a task on side x side cells. */
int calibrate_depth(const calibration *c, int64_t side);

/** CPU time of this thread, s. */
double calibrate_core_time(void);

enum { CALIBRATE_ADR_ITERATIONS = 10 };

/** adr: a fixed number of iterations of BiCGSTAB; and the margins of a slab, two planes of each neighbour and one of
 * ghosts. */
hg_timing calibrate_adr_seconds(const calibration *c, int64_t side);
hg_timing calibrate_adr_exchange(const calibration *c, int64_t side, double *items);
hg_timing calibrate_adr_seconds_on_gpu(const calibration *c, int64_t side);
hg_timing calibrate_adr_exchange_on_gpu(const calibration *c, int64_t side, double *items);

/** Returned by calibration.seconds and .exchange for a failure. */
#define CALIBRATE_FAILED ((hg_timing){.seconds = -1})

/** Time of one run by hg_measure_runs, with samples of at least a millisecond, after some runs that do not count.
 * `run` returns the s for `repeats` runs; < 0 ends the measurement: CALIBRATE_FAILED. */
hg_timing calibrate_runs(double (*run)(void *arg, int repeats), void *arg);

/** Work that is kept running while its power is measured. */
typedef struct calibrate_watch {
  hg_energy_source *source;
  double warm, seconds; /* s before and during the measurement */
  double watts;         /* result: mean */
  hg_status status;     /* result: of the source */
} calibrate_watch;

/** Makes calibrate_runs keep work running instead of timing it; NULL: back to timing. */
void calibrate_watch_work(calibrate_watch *watch);

/** Measures the power of a worker of this kind, without its node, while it runs the kernels: all cores of this machine
 * at once, or one GPU, compared with the machine at rest. Stored in the file of hetgrid-energy --measure as
 * full_KERNELS of the device. HG_IO: there is no such file; HG_UNSUPPORTED: no source; HG_RUNTIME: work makes no
 * difference. */
hg_status calibrate_energy(const calibration *c, const calibrate_options *o);

enum { CALIBRATE_CORES = 256 }; /* most cores */

/** The same for arg[0], while separate threads run arg[1] .. arg[cores - 1] repeatedly. CALIBRATE_FAILED also if they
 * cannot be started. */
hg_timing calibrate_together(double (*run)(void *arg, int repeats), int cores, void *const arg[]);

/** Time of one run of the work, which is then freed; CALIBRATE_FAILED also for NULL. */
hg_timing calibrate_gpu_work(hg_gpu_work *work);

/** Measures the table on this many cores at a time; with two or more its device has another name. */
void calibrate_share(calibration *c, int cores);

/** Measures the table with tasks of this many steps; its device has another name. 0: changes nothing. */
void calibrate_block(calibration *c, int steps);

enum { CALIBRATE_PANEL_ROWS = 2048 };

/** The factorisation of a panel of CALIBRATE_PANEL_ROWS x HG_PLATFORM_DEPTH values in double precision, and the
 * exchange of rows by its pivots, as many at a time as the calibration has cores. CALIBRATE_FAILED: no memory, or the
 * device reports an error. @param[out] flops, elements  of one */
hg_timing calibrate_panel(const calibration *c, double *flops);
hg_timing calibrate_swap(const calibration *c, double *elements);

/** Copies between pinned main memory and the first GPU: bytes/s of large ones, s of small ones. */
typedef struct calibrate_bus_times {
  double to, from, latency;
} calibrate_bus_times;

/** HG_MEMORY, HG_RUNTIME if the device reports an error. */
hg_status calibrate_bus(calibrate_bus_times *out);

/** Programs whose tables are part of a description, as in calibration.app; ended by NULL. */
extern const char *const calibrate_described[];

/** Cores of this machine that compute: without one for each GPU, and limited to what a description can hold. */
int calibrate_platform_cores(void);

/** Describes this machine in the format of platform/platform.h: its processors from hwloc and the GPUs' driver, their
 * speeds from existing tables, messages from a file of hetgrid-network, the rest measured now. What is unknown is
 * noted in the file and logged. HG_IO naming the command to run if there is no table at all; then nothing is written.
 * @param path  of `out`, for errors */
hg_status calibrate_platform(const calibrate_options *o, const char *path, FILE *out);

/** Measures a table and writes it. Each measurement is stored at once, so that another call can continue. Points of an
 * existing table beyond the largest work measured now are kept. HG_RUNTIME when the budget is spent, HG_MEMORY,
 * HG_IO. */
hg_status calibrate_table(const calibration *c, const calibrate_options *o, const char *path, hg_speed_table *out);
#endif
