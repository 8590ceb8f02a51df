/* SPDX-License-Identifier: MIT */
#ifndef HG_CALIBRATE_CALIBRATE_H
#define HG_CALIBRATE_CALIBRATE_H

#include "hetgrid.h"

#include "codelets/gpu/gpu.h"
#include "energy/source.h"

/** A kind of worker whose speed is measured: cells per step, and items exchanged per step. */
typedef struct calibration {
  const char *app;    /* "heat", "elimination", "pricer", "adr" */
  const char *kernel; /* name of what runs */
  char device[128];   /* model of the processor, as in names of tables */
  int gpu;            /* its number, or CALIBRATE_CPU */
  int cores;          /* that do the same at a time, 1: one alone; of a GPU always 1 */
  int block;          /* steps of a task of heat; 0: as many as a run would choose */
  hg_precision precision;
  int64_t most; /* cells measured at most, unless the user wants more */
  /* time of a step on side x side cells; < 0: no memory, or the device reports an error */
  hg_timing (*seconds)(const struct calibration *c, int64_t side);
  /* time that the exchange of such cells takes per step; < 0 likewise */
  hg_timing (*exchange)(const struct calibration *c, int64_t side, double *items);
} calibration;

enum { CALIBRATE_CPU = -1 };

/** What is measured of a table. */
typedef struct calibrate_options {
  double max_error, budget; /* relative; s */
  int64_t max_cells;        /* 0: as many as the calibration says */
  int cores;                /* measured together, on the processor */
  int block;                /* steps of a task of heat; 0: as many as a run would choose */
  bool communication;       /* the exchange at several sizes, not one */
  const char *network;      /* file of measured messages; NULL: HETGRID_NETWORK */
  bool energy;              /* powers, not times */
  const char *source;       /* of joules, as --energy names it; NULL: rapl for cores, nvml for GPUs */
  bool quiet;
  hg_progress_mode progress;
} calibrate_options;

/** The kernels of a program on a kind of worker. */
void calibrate_make(const char *app, hg_precision precision, int gpu, calibration *out);
void calibrate_on_gpu(calibration *out);

/** Steps of a task on side x side cells. */
int calibrate_depth(const calibration *c, int64_t side);

/** s that this thread has had a core for. */
double calibrate_core_time(void);

enum { CALIBRATE_ADR_ITERATIONS = 10 };

/** Of adr: so many iterations of BiCGSTAB; the margins of a slab, two planes of each neighbour and one of ghosts. */
hg_timing calibrate_adr_seconds(const calibration *c, int64_t side);
hg_timing calibrate_adr_exchange(const calibration *c, int64_t side, double *items);
hg_timing calibrate_adr_seconds_on_gpu(const calibration *c, int64_t side);
hg_timing calibrate_adr_exchange_on_gpu(const calibration *c, int64_t side, double *items);

/** What calibration.seconds and .exchange return for a failure. */
#define CALIBRATE_FAILED ((hg_timing){.seconds = -1})

/** Time of one run by hg_measure_runs, each of a millisecond at least, after some that are left out.
 * `run` returns s for `repeats` of them; < 0 ends it: CALIBRATE_FAILED. */
hg_timing calibrate_runs(double (*run)(void *arg, int repeats), void *arg);

/** Work that is kept going while somebody counts what it draws. */
typedef struct calibrate_watch {
  hg_energy_source *source;
  double warm, seconds; /* s: before the counting, and of it */
  double watts;         /* out: mean */
  hg_status status;     /* out: of the source */
} calibrate_watch;

/** From now on calibrate_runs watches work instead of timing it; NULL: no more. */
void calibrate_watch_work(calibrate_watch *watch);

/** What a worker of that kind draws beside its node while it runs the kernels: all cores of this machine at once, or
 * one GPU, against the machine at rest. Written into the file of hetgrid-energy --measure as full_KERNELS of its
 * device. HG_IO: there is no such file; HG_UNSUPPORTED: no source; HG_RUNTIME: work makes no difference. */
hg_status calibrate_energy(const calibration *c, const calibrate_options *o);

enum { CALIBRATE_CORES = 256 }; /* at most */

/** The same for arg[0] while threads of their own run arg[1] .. arg[cores - 1] over and over. CALIBRATE_FAILED too if
 * they cannot be started. */
hg_timing calibrate_together(double (*run)(void *arg, int repeats), int cores, void *const arg[]);

/** Time of one run of the work, which ends here; CALIBRATE_FAILED too for NULL. */
hg_timing calibrate_gpu_work(hg_gpu_work *work);

/** The table is measured on so many cores at a time; from two on its device has another name. */
void calibrate_share(calibration *c, int cores);

/** The table is measured with tasks of so many steps; its device has another name. 0: changes nothing. */
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

/** Programs whose tables a description has, as calibration.app; ended by NULL. */
extern const char *const calibrate_described[];

/** Cores of this machine that compute: one drives each GPU, and a description has room for so many. */
int calibrate_platform_cores(void);

/** Describes this machine in the format of platform/platform.h: its processors by hwloc and the GPUs' driver, their
 * speeds by the tables that are there, messages by a file of hetgrid-network, the rest measured now. What is not known
 * is said in the file and to the log. HG_IO naming the command to run where there is no table at all; nothing is
 * written then. @param path  what `out` will be, for errors */
hg_status calibrate_platform(const calibrate_options *o, const char *path, FILE *out);

/** Measures a table and writes it. What was measured is kept at once, for another call to go on. Points
 * of a table already there that lie beyond the largest work measured now are kept. HG_RUNTIME when
 * the budget is spent, HG_MEMORY, HG_IO. */
hg_status calibrate_table(const calibration *c, const calibrate_options *o, const char *path, hg_speed_table *out);
#endif
