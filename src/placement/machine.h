/* SPDX-License-Identifier: MIT */
/* A machine as seen by divisions of a grid, and the cost function that compares divisions. */
#ifndef HG_PLACEMENT_MACHINE_H
#define HG_PLACEMENT_MACHINE_H

#include <stdbool.h>

#include "speed/speed.h"
#include "partition/metrics.h"

/** The link between a group and others of its level, shared by all its processors. */
typedef struct hg_wire {
  double latency, bandwidth;               /**< s of a message, bytes/s; bandwidth 0: exchange is free */
  const struct hg_network_level *measured; /**< measured messages (network/network.h), which take precedence, or NULL */
} hg_wire;

/** s before a message's first byte arrives; s for transferring so many bytes. */
double hg_wire_start(const hg_wire *wire);
double hg_wire_carry(const hg_wire *wire, double bytes);

/** The path between a GPU's memory and main memory. */
typedef struct hg_gpu_port {
  double latency; /**< s of a copy */
  double out, in; /**< s per item */
} hg_gpu_port;

/** Processors and their nodes. */
typedef struct hg_machine {
  int parts;                   /**< processors */
  const hg_speed_model *model; /**< [parts] s per step, of the work and of the border on the processor's own link */
  int levels;                  /**< as hg_partition_request.levels; 0: no groups */
  const int *group[HG_PARTITION_LEVELS];
  hg_wire wire[HG_PARTITION_LEVELS]; /**< between groups of a level, from the outermost on */
  const hg_gpu_port *port;           /**< [parts], in addition to the exchange in the models; or NULL */
  const double *pack;                /**< [parts] s of a task that packs data for a neighbour; or NULL */
  const bool *in_bands;              /**< [parts] whether a part is cut into two tiles if that pays; NULL: always one */
  double item_bytes;                 /**< bytes of an exchanged item */
  bool periodic[3];                  /**< axes of the grid whose two ends are neighbours */
  int block;                         /**< steps between two exchanges; 0 is 1 */
  int64_t steps;                     /**< of the run; 0: many */
  bool everyone;                     /**< no processor may be left without work */
} hg_machine;

/** Blocks of the run; 0: many. */
int64_t hg_machine_blocks(const hg_machine *machine);

/** Steps of a block of the run, on average. */
double hg_machine_steps(const hg_machine *machine);

/** s per step of a division: the maximum over the innermost groups of the sum of three times: the slowest processor's
 * work; the slowest own link, since data are fetched when the tasks before are done; and the links of the group and
 * those around it, which carry the borders of all their processors while messages overlap. Without levels, processors
 * do not wait for each other's links: the maximum of their work plus their own exchange.
 * @param part  [parts] of hg_partition_measure with the machine's levels
 * @param[out] wait  [parts] time spent waiting in addition to the work; 0 without levels
 * HG_MEMORY. */
hg_status hg_machine_time(const hg_machine *machine, const hg_part_metrics *part, double *wait, double *seconds);

/** s of processor i in such a step. @param wait  from hg_machine_time */
double hg_machine_time_of(const hg_machine *machine, int i, const hg_part_metrics *part, double wait);

/** How shares follow from speed models. */
typedef enum hg_balance {
  HG_BALANCE_EVEN,
  HG_BALANCE_CPM,
  HG_BALANCE_FPM,
  HG_BALANCE_FPMC,
  HG_BALANCE_FPMC_THESIS
} hg_balance;

/** The result of a division. */
typedef struct hg_fpmc_result {
  double makespan;  /**< s per step: by hg_machine_follow if the machine is followed, else by hg_machine_time */
  double imbalance; /**< largest / mean time of the processors with work, including links */
  int evaluations;  /**< partitions evaluated */
} hg_fpmc_result;
#endif
