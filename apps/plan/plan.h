/* SPDX-License-Identifier: MIT */
#ifndef HG_PLAN_PLAN_H
#define HG_PLAN_PLAN_H

#include <jansson.h>
#include <stdbool.h>

#include "input/problem.h"
#include "energy/energy_division.h"
#include "network/network.h"
#include "options/factors.h"
#include "speed/speed.h"
#include "partition/metrics.h"
#include "partition/partition.h"
#include "partition/tree.h"

enum { PLAN_SPEEDS_MAX = 1 << 17 };

/** The command line of hetgrid-plan. */
typedef struct plan_options {
  hg_partition_request request;
  double speed[PLAN_SPEEDS_MAX], link[PLAN_SPEEDS_MAX], memory[PLAN_SPEEDS_MAX];
  hg_factors factors;
  double nodes[PLAN_SPEEDS_MAX]; /**< [nodes_count] processors of each node */
  int nodes_count;               /**< 0: nodes are unknown */
  int *node;                     /**< [request.parts] each one's node; request.group points to it */
  const char *partition, *boundary, *picture, *golden;
  const char *network_file; /**< measured, replaces latency and bandwidth; NULL: HETGRID_NETWORK */
  hg_network network;       /**< valid if request.link is set */
  hg_network_level typed;   /**< latency and bandwidth as a network, for tables */
  hg_network_point typed_end[2];
  const char *tables, *model; /**< speed tables instead of speeds, and how to balance by them */
  hg_speed_model *table;      /**< [request.parts] once loaded */
  int halo;
  hg_side side[3][2];            /**< of the grid */
  int64_t tile[3];               /**< largest extents; 0: that of the region */
  bool tile_chosen;              /**< chosen as in hetgrid-heat */
  const char *energy;            /**< platform with powers, or NULL */
  hg_criterion objective;        /**< decides which processors get work; among these, work is divided by speed */
  hg_energy_division_unit *unit; /**< [request.parts] with energy, with speeds as given, else NULL */
  double base;                   /**< W of everything else */
  bool continuous, json, csv, quiet;
  bool speeds_typed; /**< given by the user, in an unknown unit */
} plan_options;

/** Parses the command line; on errors, ends the program with a message and status 2. */
void plan_parse(int argc, char **argv, plan_options *options);

/** Runs the cases of a golden file and prints TAP. HG_MISMATCH if some fail. */
hg_status plan_golden(const char *path);

/** A finished plan. */
typedef struct plan {
  const char *name;
  hg_partition_request request; /**< speeds belong to the options */
  hg_rect *rect;
  double *speed; /**< [parts] own copy that request.speed points to if tables give the speeds, or NULL */
  hg_box *box;   /**< NULL if continuous */
  hg_part_metrics *part;
  hg_partition_metrics total;
  double halo_cells; /**< received by all parts per exchange at the halo's depth, including corners */
  int halo_messages; /**< largest number of messages received by a part */
  double seconds;    /**< time to make the plan */
} plan;

/** Reads the powers of `--energy`, and speeds from there unless they were given. HG_INVALID */
hg_status plan_load_energy(plan_options *options);

/** Sets the speed of processors to 0 if the objective leaves them without work. */
hg_status plan_by_objective(plan_options *options);

/** Seconds and J of a plan per step; the fastest and the most economical plans. HG_MEMORY */
hg_status plan_energy(const plan_options *options, const plan *p, double *seconds, double *joules);
hg_status plan_front(const plan_options *options, hg_energy_division_point **front, int *count);

/** Opens the measured network, if there is one and no latency was given; prints that it is used. */
hg_status plan_open_network(plan_options *options);

/** Loads the tables of `--tables FILE[*N][,FILE..]`. */
hg_status plan_load_tables(plan_options *options);

/** Divides p->box by the loaded tables and sets the speeds to those at the work that each processor got. */
hg_status plan_by_tables(const plan_options *options, plan *p);

/** If messages are known, sets the makespan of a plan to the cost by which divisions by tables are compared, and
 * comm_seconds to the longest exchange of a processor. HG_MEMORY */
hg_status plan_time_by_tables(const plan_options *o, plan *p);

/** The grid in whole cells. HG_INVALID if an extent is not an integer. */
hg_status plan_whole_grid(const hg_partition_request *request, int64_t n[3]);

/** Prints the predicted makespans of all models. */
hg_status plan_compare_models(const plan_options *options);

/** Prints a plan in the requested format: text, JSON or CSV. */
void plan_print(const plan_options *options, const plan *p);

/** A JSON number, which must be finite: null for others. */
json_t *plan_json(double value);

/** Prints a plan as JSON. @param energy  or NULL. Takes ownership of the last three. */
void plan_json_print(const plan_options *options, const char *name, json_t *parts, json_t *total, json_t *energy);

/** Divides by points, prints and draws. HG_UNSUPPORTED for a drawing in 3-D. */
hg_status plan_points(const plan_options *options);

hg_status plan_make(const plan_options *options, const char *name, plan *out);
void plan_free(plan *p);
#endif
