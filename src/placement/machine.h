/* SPDX-License-Identifier: MIT */
/* A machine as a division of a grid sees it, and the one cost by which divisions are compared. */
#ifndef HG_PLACEMENT_MACHINE_H
#define HG_PLACEMENT_MACHINE_H

#include <stdbool.h>

#include "speed/speed.h"
#include "partition/metrics.h"

/** The link by which a group exchanges with others of its level; all its processors share it. */
typedef struct hg_wire {
  double latency, bandwidth;               /**< s of a message, bytes/s; bandwidth 0: exchange is free */
  const struct hg_network_level *measured; /**< messages (network/network.h) that count instead, or NULL */
} hg_wire;

/** s before the first byte of a message comes, and until so many are carried. */
double hg_wire_start(const hg_wire *wire);
double hg_wire_carry(const hg_wire *wire, double bytes);

/** The way between a GPU's memory and main memory. */
typedef struct hg_gpu_port {
  double latency; /**< s of a copy */
  double out, in; /**< s per item */
} hg_gpu_port;

/** Processors, and the nodes that they are in. */
typedef struct hg_machine {
  int parts;                   /**< processors */
  const hg_speed_model *model; /**< [parts] s of a step: of its work, and of its border on its own link */
  int levels;                  /**< as hg_partition_request.levels; 0: processors with nothing between them */
  const int *group[HG_PARTITION_LEVELS];
  hg_wire wire[HG_PARTITION_LEVELS]; /**< between groups of a level, from the outermost on */
  const hg_gpu_port *port;           /**< [parts], in addition to what the models say of exchange; or NULL */
  const double *pack;                /**< [parts] s of a task that packs what a neighbour gets; or NULL */
  const bool *in_bands; /**< [parts] whether a part is cut into two tiles where that pays; or NULL: into one */
  double item_bytes;    /**< bytes of an item that is exchanged */
  bool periodic[3];     /**< axes of the grid whose two ends are neighbours */
  int block;            /**< steps between two exchanges; 0 is 1 */
  int64_t steps;        /**< of the run; 0: many */
  bool everyone;        /**< no processor may be left without work */
} hg_machine;

/** Blocks of the run; 0: many. */
int64_t hg_machine_blocks(const hg_machine *machine);

/** Steps of a block of the run, on average. */
double hg_machine_steps(const hg_machine *machine);

/** s of a step of a division: the most, over the innermost groups, of the slowest processor's work, then the slowest
 * own link there, since what is exchanged is fetched when all that it is needed with is done, then the links of its
 * groups, which carry the borders of all processors of a group while messages overlap. Without levels processors do not
 * wait for each other's links: the most of their work with their own exchange.
 * @param part  [parts] of hg_partition_measure with the machine's levels
 * @param[out] wait  [parts] of that time, what is waited for besides the work; without levels 0
 * HG_MEMORY. */
hg_status hg_machine_time(const hg_machine *machine, const hg_part_metrics *part, double *wait, double *seconds);

/** s of processor i in that time. @param wait  as found there */
double hg_machine_time_of(const hg_machine *machine, int i, const hg_part_metrics *part, double wait);

/** How shares are found from speed models. */
typedef enum hg_balance {
  HG_BALANCE_EVEN,
  HG_BALANCE_CPM,
  HG_BALANCE_FPM,
  HG_BALANCE_FPMC,
  HG_BALANCE_FPMC_THESIS
} hg_balance;

/** What a division comes to. */
typedef struct hg_fpmc_result {
  double makespan;  /**< s of a step: hg_machine_follow where the machine is followed, else hg_machine_time */
  double imbalance; /**< largest / mean time of the processors with work, links included */
  int evaluations;  /**< partitions looked at */
} hg_fpmc_result;
#endif
