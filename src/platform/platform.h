/* SPDX-License-Identifier: MIT */
/* Machines that need not exist: nodes, their processors' speeds and memories, and what connects them. Described once,
 * in a text file; what simulates runs on them is made from it.
 *
 *   # comment
 *   device NAME cpu|cuda KEY=VALUE ..
 *     memory=BYTES to=BYTES/S from=BYTES/S latency=S                 to and from main memory (cuda)
 *     heat=CELLS/S heat_start=S heat_item=S                          T(w, c) = heat_start + w / heat + heat_item c, or
 *     heat=.. heat_memory=CELLS heat_rest=SHARE heat_sharp=K ..      falls to the share `heat_rest` beyond, or
 *     heat_table=FILE                                                as hetgrid-calibrate measured it
 *     bus=FILE                                                       to, from and latency as hetgrid-network measured
 *     batch=WORK/S                                                   independent work: paths times fixings of pricer
 *     adr=NODES/S                                                    nodes times iterations of adr
 *     update=FLOP/S panel=FLOP/S moves=ELEMENTS/S, or update_table=FILE ..   elimination
 *     panel_column=S solve_row=S                                     ... and what each column of a panel, and each row
 *                                                                    of a triangle that is solved with, takes beside
 *     start=S                                                        before every task
 *     full=W wait=W idle=W                                           drawn beside the node's own
 *     full_heat=W full_elimination=W full_pricer=W full_adr=W        the same as full, in those kernels
 *   node [COUNT*]DEVICE[*N][,DEVICE[*N]..] [base=W]                  COUNT nodes with these processors; on, idle
 *   network bandwidth=BYTES/S latency=S [backbone=BYTES/S] [switch=W]  each node's link, node to node; all links
 *   network file=FILE [level=NAME]                                   the same as hetgrid-network measured it
 *                                                                    (default level: network, else that of a node)
 *
 * Powers: full >= wait >= idle, full_KERNELS >= wait. Without `idle` it is 0; without `wait`, processor cores wait at
 * full power, since they poll for work, and GPUs idle. A device may have powers alone; then it is good for energy only.
 */
#ifndef HG_PLATFORM_PLATFORM_H
#define HG_PLATFORM_PLATFORM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/file.h"
#include "base/status.h"
#include "network/network.h"
#include "speed/speed.h"

enum { HG_PLATFORM_SEGMENTS = 16, HG_PLATFORM_NAME = 32, HG_PLATFORM_NODES = 4096, HG_PLATFORM_WORKERS = 64 };

/** Kernels whose power is told apart. */
enum { HG_POWER_HEAT, HG_POWER_ELIMINATION, HG_POWER_PRICER, HG_POWER_ADR, HG_POWER_KERNELS };
/** Their names, as hetgrid-calibrate's --app has them; ended by NULL. */
extern const char *const hg_power_kernels[];

/** A kind of processor. */
typedef struct hg_device {
  char name[HG_PLATFORM_NAME];
  bool cuda;
  double memory;            /**< bytes of its own; 0: unknown */
  double to, from, latency; /**< bytes/s and s between main memory and it */
  hg_speed_model heat;      /**< one heat step: cells, items exchanged */
  hg_speed_model update;    /**< elements updated by HG_PLATFORM_DEPTH eliminated columns */
  double panel;             /**< flop/s of a panel's factorisation */
  double panel_column;      /**< s of each column of a panel beside its flop: one search, exchange after the other */
  double solve_row;         /**< s of each row of a triangle that a task solves with, beside its flop */
  double moves;             /**< elements/s of rows that pivots exchange; 0: free */
  double batch;             /**< independent work per s; 0: unknown */
  double adr;               /**< nodes times iterations of adr's inner solver in single precision per s; 0: by heat */
  double start;             /**< s before a task */
  double full, wait, idle;  /**< W while it computes, waits for work, is not used; full 0: unknown */
  double full_of[HG_POWER_KERNELS]; /**< W while it runs the kernels of hg_power_kernels; 0: unknown, `full` then */
  char heat_table[HG_PATH_MAX], update_table[HG_PATH_MAX]; /**< where tables came from */
} hg_device;

/** Depth that `update` counts: 2 * 256 flops per element. */
#define HG_PLATFORM_DEPTH 256

/** A node: CUDA workers first, as StarPU numbers them. */
typedef struct hg_platform_node {
  int workers, gpus;
  int device[HG_PLATFORM_WORKERS]; /**< [workers] index in hg_platform.device */
  double base;                     /**< W of the node without them */
} hg_platform_node;

typedef struct hg_platform {
  char name[HG_PLATFORM_NAME]; /**< of the file, without folder and ending */
  int devices, nodes;
  hg_device *device;
  hg_platform_node *node;    /**< [nodes] one per MPI rank */
  double bandwidth, latency; /**< bytes/s of a node's link, s from one node to another; 0 if there is one node */
  double backbone;           /**< bytes/s shared by all nodes; 0: no limit */
  double switch_watts;       /**< of the network */
  char network_file[HG_PATH_MAX], network_level[HG_PLATFORM_NAME]; /**< where they were measured, or "" */
  int segments; /**< of the measured level: its messages' times, piece by piece */
  hg_network_segment segment[HG_PLATFORM_SEGMENTS];
} hg_platform;

/** Parses a description. Tables are read relative to `folder`. HG_FORMAT and HG_INVALID name place, line, value and
 * bound. Free with hg_platform_free. */
hg_status hg_platform_parse(const char *text, const char *place, const char *folder, hg_platform *out);
hg_status hg_platform_read(const char *path, hg_platform *out);
/** Reads a file, or the description of that name (`mixed-64` or `mixed-64.platform`) in $HETGRID_PLATFORMS or among
 * those that are installed. HG_INVALID if it is nowhere, else as hg_platform_read. */
hg_status hg_platform_find(const char *name, hg_platform *out);
/** Writes a description that reads back as the same platform. HG_IO. */
hg_status hg_platform_write(const char *path, const hg_platform *platform);

/** Keeps `count` nodes from `first` on, and of their processors those of the named devices (NULL: all). HG_INVALID if
 * nothing is left. */
hg_status hg_platform_select(hg_platform *platform, int first, int count, const char *devices);

void hg_platform_free(hg_platform *platform);

/** bytes/s of a node's link while all nodes use the network: no more than its part of the backbone. */
double hg_platform_bandwidth(const hg_platform *platform);

/** s for `steps` heat steps of a task on w cells with `items` cells exchanged in all. */
double hg_platform_heat_time(const hg_device *device, double w, int steps, double items);

/** s to update rows x cols elements by `depth` eliminated columns: a table's step on rows x rows elements has the same
 * work for each column, the solve for its top rows included. */
double hg_platform_update_time(const hg_device *device, double rows, double cols, double depth);

/** s of independent work: of paths times fixings, for hetgrid-pricer. */
double hg_platform_batch_time(const hg_device *device, double work);

/** Bytes that a heat step moves for a cell, and an iteration of adr's inner solver in single precision for a node. */
enum { HG_PLATFORM_HEAT_BYTES = 16, HG_PLATFORM_ADR_BYTES = 168 };

/** s of a task of hetgrid-adr that moves so many bytes for each node: at the speed `adr`, or else at that at which a
 * heat step on as many cells moves its bytes. */
double hg_platform_adr_time(const hg_device *device, double nodes, double bytes);

/** s of a panel of that many columns and flops. */
double hg_platform_panel_time(const hg_device *device, double cols, double flops);

/** s that solving with a triangle of that many rows takes beside its flops. */
double hg_platform_solve_time(const hg_device *device, double rows);
#endif
