/* SPDX-License-Identifier: MIT */
#ifndef HG_SIMULATE_SIMULATE_H
#define HG_SIMULATE_SIMULATE_H

#include "base/box.h"
#include "base/file.h"
#include "platform/platform.h"
#include "placement/fpmc.h"
#include "apps/programs/programs.h"

enum { SIMULATE_LIST = 16, SIMULATE_SIZES = 64 };

/** One simulated run. */
typedef struct simulate_case {
  const program_entry *app;
  int64_t size[2]; /* columns and rows; for an elimination both are n */
  int64_t steps;
  int block, nb; /* 0: the program chooses */
  bool single;
  const char *partition, *model, *sched, *trace;
} simulate_case;

/** What a worker's time was spent on, s (--phases). */
typedef struct simulate_phases {
  double communicate, dynamic, compute, idle;
} simulate_phases;

/** The results, in virtual time. */
typedef struct simulate_outcome {
  double seconds, rate;                        /* cells/s or flop/s */
  double bytes;                                /* grids: exchanged between regions */
  double imbalance;                            /* grids: largest / mean busy time */
  double predicted;                            /* s by the analytic model */
  int nb;                                      /* elimination: rows and columns of a tile */
  const char *rate_column;                     /* of the program's CSV */
  double rate_scale;                           /* of that column */
  char sched[64];                              /* the policy that was used */
  double joules, edp;                          /* by the platform's powers; NAN without */
  simulate_phases worker[HG_PLATFORM_WORKERS]; /* of the first node */
} simulate_outcome;

/** A machine ready for simulation: its files are in a folder of their own. */
typedef struct simulate_machine {
  hg_platform platform;
  char folder[HG_PATH_MAX];
} simulate_machine;

/** Writes the files for nodes first .. first + count - 1 with the named devices (NULL: all; count 0: all nodes). Takes
 * ownership of the platform. End with simulate_close. */
hg_status simulate_open(hg_platform *platform, int first, int count, const char *devices, simulate_machine *out);
void simulate_close(simulate_machine *machine);

/** Runs a case. HG_RUNTIME with the program's message. */
hg_status simulate_run(const simulate_machine *machine, const simulate_case *c, simulate_outcome *out);

/** Boxes of all workers, from a model of their speeds: even, cpm, fpm or fpmc.
 * @param[out] box  [workers of all nodes] @param[out] predicted  s of the run by the cost used to compare divisions
 * (placement/machine.h): blocks one after another */
hg_status simulate_divide(const hg_platform *platform, const simulate_case *c, hg_box *box, double *predicted);

/** The distribution of an elimination's columns. */
typedef struct simulate_columns {
  int workers;
  double *share;    /* [workers of all nodes] */
  int nb;           /* rows and columns of a tile */
  double predicted; /* s */
} simulate_columns;

/** Shares from a model of the workers' speeds (even, cpm, fpm or fpmc), which may leave nodes out; with the tile size
 * predicted to be the fastest, unless the case has one. Free `share`. HG_INVALID, HG_MEMORY. */
hg_status simulate_deal(const hg_platform *platform, const simulate_case *c, simulate_columns *out);

/** The division of a matrix product. */
typedef struct simulate_parts {
  int workers, nb;
  double *share; /* [workers of all nodes] */
  bool rows;     /* slices, not rectangles */
  double predicted;
} simulate_parts;

/** Shares of C from a model of the workers' speeds (even, cpm, fpm or fpmc), which may leave workers out and, with the
 * partition auto, may use rectangles instead of slices of rows. Free `share`. HG_INVALID, HG_MEMORY. */
hg_status simulate_product(const hg_platform *platform, const simulate_case *c, simulate_parts *out);

/** The speed model named in a case. HG_INVALID. */
hg_status simulate_balance(const simulate_case *c, hg_balance *balance);

/** Lists the devices of all nodes. @param[out] device  [workers of all nodes] @return their number */
int simulate_list_devices(const hg_platform *platform, const hg_device **device);

/** Prints the source of a machine's message times, if they were measured; prints the whole machine. */
void simulate_say_network(const hg_platform *platform);
void simulate_show(const hg_platform *platform);

/** The partitioner of a program that uses one, or "". */
const char *simulate_partition(const simulate_case *c);

/** Prints the head of a table of runs, or of CSV, and a row. @param predicted_only  nothing was run: the table has no
 * columns for results, and those of CSV are empty */
void simulate_print_header(bool csv, bool predicted_only);
void simulate_print_row(const simulate_machine *machine, const simulate_case *c, const simulate_outcome *outcome,
                        bool csv, bool predicted_only);

/** A chapter of the report on the thesis' experiments. */
typedef struct simulate_chapter {
  const char *name;
  hg_status (*print)(FILE *out);
} simulate_chapter;

/** All of them, ended by a NULL name. */
extern const simulate_chapter simulate_chapters[];

/** The thesis' experiments that simulation can repeat, as a report in Markdown. @param name  of one chapter, or NULL:
 * all. HG_INVALID naming the known ones. */
hg_status simulate_thesis(const char *name, FILE *out);

/** Results that the thesis computes instead of measuring: figures 3-9 to 3-11, 5-5 and 5-6, equations 5-3, 5-4 and
 * 7-1. */
hg_status simulate_paper(FILE *out);

/** Table 1 and figure 5 of DFPA's paper on the platform `hcl`, as a chapter in Markdown. */
hg_status simulate_dfpa(FILE *out);

/** Repeats the experiments on division by learnt speeds and prints a report in Markdown. HG_MEMORY, HG_IO.
 * @param picture  the passes of a GPU and a core are drawn to FILE-core-100.svg, .. 300, 600 for FILE.svg; or NULL */
hg_status simulate_cooperative(FILE *out, const char *picture);
#endif
