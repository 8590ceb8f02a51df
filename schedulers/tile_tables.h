/* SPDX-License-Identifier: MIT */
/* Speed tables of the workers among which tiles are divided (hetgrid-calibrate makes them). What they say is compared,
 * so any unit will do: a task that was measured tells what a second of the tables is. Tables become partial speed
 * functions (speed/partial.h), refined by what rounds over the tiles take, as in DFPA; tiles are divided by them with
 * FPMC (schedulers/tile_times.h). */
#ifndef HG_SCHEDULERS_TILE_TABLES_H
#define HG_SCHEDULERS_TILE_TABLES_H

#include <stdbool.h>

#include "schedulers/owners.h"
#include "speed/partial.h"

enum { HG_DEVICE_NAME = 160 };

/** Who works on tiles. */
typedef struct hg_tile_worker {
  char device[HG_DEVICE_NAME]; /**< its model as in names of tables; "": it has none */
  int number;                  /**< a table of DEVICE-worker-NUMBER is its own */
  bool able;                   /**< to work on tiles at all */
} hg_tile_worker;

/** What is done with a tile. */
typedef struct hg_tile_task {
  const char *name;       /**< of the kernel */
  double flops, accesses; /**< of a tile; values read and written */
  double cells;           /**< of a tile */
  int value_bytes;
} hg_tile_task;

typedef struct hg_tile_tables {
  hg_partial_speed *speed; /**< [workers] cells/s, refined by measured times; NULL: there are no tables */
  double *item;            /**< [workers] s per item exchanged */
  bool sought;             /**< even if there are none */
  double cells;            /**< of a tile */
  double unit;             /**< s measured for what should take 1 s; 0: nothing measured yet */
} hg_tile_tables;

/** Reads the tables in HETGRID_TABLES of the application that is nearest to the task by operations and accesses
 * (speed/kernel_classes.h) and has one for every worker that is able, in the tiles' precision or else the other;
 * `tables` has none if none does.
 * @param tiles  of the grid, at whose size tables are read
 * HG_MEMORY, HG_IO, HG_FORMAT. */
hg_status hg_tile_tables_find(const hg_tile_task *task, int tiles, int workers, const hg_tile_worker *worker,
                              hg_tile_tables *tables);
/** A task of the worker that took `seconds` says what a second of the tables is. */
void hg_tile_tables_measure(hg_tile_tables *tables, int worker, double seconds);
/** Refines the tables by what a round over the tiles has taken.
 * @param owned  [workers] tiles
 * @param mean   [workers] s a tile; 0: not measured */
void hg_tile_tables_learn(hg_tile_tables *tables, int workers, const int *owned, const double *mean);
/** Sets `seconds` to what a tile takes each worker where all are divided by tables, if there are any. A worker that is
 * able (seconds[w] is finite) and has none leaves all as they were.
 * @param seconds  [workers] */
void hg_tile_tables_divide(const hg_tile_tables *tables, const hg_owners *owners, int workers, const char *partitioner,
                           double *seconds);
void hg_tile_tables_free(hg_tile_tables *tables);
#endif
