/* SPDX-License-Identifier: MIT */
/* Speed tables of the workers among which tiles are divided (made by hetgrid-calibrate). Only their ratios count, so
 * any unit of time will do; a measured task gives the length of a table's second. Tables become partial speed
 * functions (speed/partial.h), refined by the times of rounds over the tiles, as in DFPA. Tiles are divided by them
 * with FPMC (schedulers/tile_times.h). */
#ifndef HG_SCHEDULERS_TILE_TABLES_H
#define HG_SCHEDULERS_TILE_TABLES_H

#include <stdbool.h>

#include "schedulers/owners.h"
#include "speed/partial.h"

enum { HG_DEVICE_NAME = 160 };

/** A worker that may get tiles. */
typedef struct hg_tile_worker {
  char device[HG_DEVICE_NAME]; /**< its model as in the names of tables; "": none */
  int number;                  /**< DEVICE-worker-NUMBER is its own table */
  bool able;                   /**< to run tile tasks at all */
} hg_tile_worker;

/** The work on a tile. */
typedef struct hg_tile_task {
  const char *name;       /**< of the kernel */
  double flops, accesses; /**< of a tile; values read and written */
  double cells;           /**< of a tile */
  int value_bytes;
} hg_tile_task;

typedef struct hg_tile_tables {
  hg_partial_speed *speed; /**< [workers] cells/s, refined by measured times; NULL: there are no tables */
  double *item;            /**< [workers] s per item exchanged */
  bool sought;             /**< tables were looked for, even if there are none */
  double cells;            /**< of a tile */
  double unit;             /**< s measured for what should take 1 s by the tables; 0: nothing measured yet */
} hg_tile_tables;

/** Reads tables in HETGRID_TABLES: of the application closest to the task in operations and accesses
 * (speed/kernel_classes.h) that has one for every able worker, in the tiles' precision or otherwise the other one.
 * `tables` is empty if there is none.
 * @param tiles  of the grid, the size at which tables are read
 * HG_MEMORY, HG_IO, HG_FORMAT. */
hg_status hg_tile_tables_find(const hg_tile_task *task, int tiles, int workers, const hg_tile_worker *worker,
                              hg_tile_tables *tables);
/** Learns the length of a table's second from a task of the worker that took `seconds`. */
void hg_tile_tables_measure(hg_tile_tables *tables, int worker, double seconds);
/** Refines the tables by the times of a round over the tiles.
 * @param owned  [workers] tiles
 * @param mean   [workers] s per tile; 0: not measured */
void hg_tile_tables_learn(hg_tile_tables *tables, int workers, const int *owned, const double *mean);
/** Sets `seconds` to each worker's time per tile when all are divided by tables, if there are any. If a worker that is
 * able (seconds[w] is finite) has no table, nothing changes.
 * @param seconds  [workers] */
void hg_tile_tables_divide(const hg_tile_tables *tables, const hg_owners *owners, int workers, const char *partitioner,
                           double *seconds);
void hg_tile_tables_free(hg_tile_tables *tables);
#endif
