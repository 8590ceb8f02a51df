/* SPDX-License-Identifier: MIT */
/* Machines that need not exist: nodes, the speeds and memories of their processors, and their network. A text file
 * describes them; the input for simulated runs is generated from it.
 *
 *   # comment
 *   device NAME cpu|cuda KEY=VALUE ..
 *     memory=BYTES to=BYTES/S from=BYTES/S latency=S                 to and from main memory (cuda)
 *     heat=CELLS/S heat_start=S heat_item=S                          T(w, c) = heat_start + w / heat + heat_item c, or
 *     heat=.. heat_memory=CELLS heat_rest=SHARE heat_sharp=K ..      falls to the share `heat_rest` beyond, or
 *     heat_table=FILE                                                as hetgrid-calibrate measured it
 *     bus=FILE                                                       to, from and latency as hetgrid-network measured
 *     batch=WORK/S                                                   independent work: paths times fixings, for pricer
 *     adr=NODES/S                                                    nodes times iterations, for adr
 *     update=FLOP/S panel=FLOP/S moves=ELEMENTS/S, or update_table=FILE ..   elimination
 *     panel_column=S solve_row=S                                     ... and extra time per column of a panel, and per
 *                                                                    row of a triangle that is solved with
 *     full=W wait=W idle=W                                           in addition to the node's own power
 *     full_heat=W full_elimination=W full_pricer=W full_adr=W        like full, in those kernels
 *   node [COUNT*]DEVICE[*N][,DEVICE[*N]..] [base=W]                  COUNT nodes with these processors; on, idle
 *   network bandwidth=BYTES/S latency=S [backbone=BYTES/S] [switch=W]  each node's link, node to node; all links
 *   network file=FILE [level=NAME]                                   the same, as hetgrid-network measured it
 *                                                                    (default level: network, else that of a node)
 *
 * Powers: full >= wait >= idle, full_KERNELS >= wait. If not given, `idle` is 0, and `wait` is full for processor
 * cores, since they poll for work, and idle for GPUs. A device may have only powers; then it can be used only for
 * energy. */
#ifndef HG_PLATFORM_PLATFORM_H
#define HG_PLATFORM_PLATFORM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/file.h"
#include "base/status.h"
#include "network/network.h"
#include "speed/speed.h"

enum { HG_PLATFORM_SEGMENTS = 16, HG_PLATFORM_NAME = 32, HG_PLATFORM_NODES = 4096, HG_PLATFORM_WORKERS = 64 };

/** Kernels with their own power. */
enum { HG_POWER_HEAT, HG_POWER_ELIMINATION, HG_POWER_PRICER, HG_POWER_ADR, HG_POWER_KERNELS };
/** Their names, as in hetgrid-calibrate's --app; ended by NULL. */
extern const char *const hg_power_kernels[];

/** A kind of processor. */
typedef struct hg_device {
  char name[HG_PLATFORM_NAME];
  bool cuda;
  double memory;            /**< bytes of its own; 0: unknown */
  double to, from, latency; /**< bytes/s and s between main memory and it */
  hg_speed_model heat;      /**< one heat step: cells, items exchanged */
  hg_speed_model update;    /**< elements updated with HG_PLATFORM_DEPTH eliminated columns */
  double panel;             /**< flop/s of a panel's factorisation */
  double panel_column;      /**< s for each column of a panel besides its flops: its search and exchange */
  double solve_row;         /**< s for each row of a triangle that a task solves with, besides its flops */
  double moves;             /**< elements/s of rows exchanged by pivoting; 0: free */
  double batch;             /**< independent work/s; 0: unknown */
  double adr;               /**< nodes times iterations/s of adr's inner solver in single precision; 0: from heat */
  double start;             /**< s before a task */
  double full, wait, idle;  /**< W while it computes, waits for work, is unused; full 0: unknown */
  double full_of[HG_POWER_KERNELS]; /**< W in the kernels of hg_power_kernels; 0: unknown, then `full` */
  char heat_table[HG_PATH_MAX], update_table[HG_PATH_MAX]; /**< files of tables */
} hg_device;

/** Number of eliminated columns to which `update` refers: 2 * 256 flops per element. */
#define HG_PLATFORM_DEPTH 256

/** A node: CUDA workers first, as in StarPU's numbering. */
typedef struct hg_platform_node {
  int workers, gpus;
  int device[HG_PLATFORM_WORKERS]; /**< [workers] index in hg_platform.device */
  double base;                     /**< W of the node without its processors */
} hg_platform_node;

typedef struct hg_platform {
  char name[HG_PLATFORM_NAME]; /**< of the file, without folder and extension */
  int devices, nodes;
  hg_device *device;
  hg_platform_node *node;    /**< [nodes] one per MPI rank */
  double bandwidth, latency; /**< bytes/s of a node's link, s from one node to another; 0 if there is one node */
  double backbone;           /**< bytes/s shared by all nodes; 0: no limit */
  double switch_watts;       /**< W of the network's switch */
  char network_file[HG_PATH_MAX], network_level[HG_PLATFORM_NAME]; /**< file and level of its measurement, or "" */
  int segments; /**< of the measured level: message times are piecewise linear */
  hg_network_segment segment[HG_PLATFORM_SEGMENTS];
} hg_platform;

/** Parses a description. Paths of tables are relative to `folder`. HG_FORMAT and HG_MEMORY name place, line, value
 * and bound. Free with hg_platform_free. */
hg_status hg_platform_parse(const char *text, const char *place, const char *folder, hg_platform *out);
hg_status hg_platform_read(const char *path, hg_platform *out);
/** Reads a file, or the named description (`mixed-64` or `mixed-64.platform`) in $HETGRID_PLATFORMS or among the
 * installed ones. HG_INVALID if there is none, else as hg_platform_parse. */
hg_status hg_platform_find(const char *name, hg_platform *out);
/** Writes a description that reads back as the same platform. HG_IO. */
hg_status hg_platform_write(const char *path, const hg_platform *platform);

/** Keeps `count` nodes from `first` on, and only those of their processors that are named devices (NULL: all).
 * HG_INVALID if nothing is left. */
hg_status hg_platform_select(hg_platform *platform, int first, int count, const char *devices);

void hg_platform_free(hg_platform *platform);

/** bytes/s of a node's link while all nodes use the network: at most its part of the backbone. */
double hg_platform_bandwidth(const hg_platform *platform);

/** Seconds for `steps` heat steps of a task on w cells, with `items` cells exchanged in total. */
double hg_platform_heat_time(const hg_device *device, double w, int steps, double items);

/** Seconds to update rows x cols elements with `depth` eliminated columns. A table's step on rows x rows elements has
 * the same work per column, including the solve for its top rows. */
double hg_platform_update_time(const hg_device *device, double rows, double cols, double depth);

/** Seconds for independent work, which is paths times fixings in hetgrid-pricer. */
double hg_platform_batch_time(const hg_device *device, double work);

/** Bytes that a heat step moves per cell, and an iteration of adr's inner solver in single precision per node. */
enum { HG_PLATFORM_HEAT_BYTES = 16, HG_PLATFORM_ADR_BYTES = 168 };

/** Seconds for a task of hetgrid-adr that moves this many bytes per node: from the speed `adr`, or otherwise from the
 * memory throughput of a heat step on as many cells. */
double hg_platform_adr_time(const hg_device *device, double nodes, double bytes);

/** Seconds for a panel with this many columns and flops. */
double hg_platform_panel_time(const hg_device *device, double cols, double flops);

/** Seconds that solving with a triangle of this many rows takes besides its flops. */
double hg_platform_solve_time(const hg_device *device, double rows);
#endif
