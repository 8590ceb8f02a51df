/* SPDX-License-Identifier: MIT */
/* Divides a grid among the workers of a session. */
#ifndef HG_DIVISION_DIVIDE_H
#define HG_DIVISION_DIVIDE_H

#include "base/box.h"
#include "runtime/session.h"
#include "energy/cluster_energy.h"
#include "speed/speed.h"

enum { HG_SPEEDS_MAX = 4096 };

/** The user's settings for the division of a grid. */
typedef struct hg_division {
  const char *partition;            /**< partitioner's name, or FILE.csv with a box per line */
  double *speed;                    /**< [speeds] relative, one per worker or per rank */
  int speeds;                       /**< 0: none; workers of a kind count as equal, and cores beside GPUs get nothing */
  const struct hg_network *network; /**< measured messages, known on rank 0; NULL: none */
  double item_bytes;                /**< bytes of a value that regions exchange */
  bool periodic[3];                 /**< axes whose two ends are neighbours */
  bool cpus_only;                   /**< CUDA workers cannot run the tasks, or should not: */
  bool cores_alone;                 /**< ... since they would be warm too late */
  const char *tables; /**< files of speed tables (`--speeds tables:`); "": those of this machine; or NULL */
  bool unasked;       /**< the user did not ask for tables: one that far exceeds its error bound is ignored */
  int block;          /**< steps per task, for which there may be tables; 0: the program chooses */
  double again;       /**< cells of a region that are computed again per cell on its border */
  const char *app, *kernel, *precision; /**< name the tables of this machine; NULL: there are none */
  hg_status (*divide)(void *arg, int parts, const double *speed, hg_box *box); /**< replaces partitioners, or NULL */
  void *arg;
  hg_criterion objective; /**< determines which workers get work, by `powers` */
  const char *powers;     /**< platform file; NULL: that of this machine */
  double *predicted;      /**< [out] predicted s per step by the tables used, on rank 0; or NULL */
} hg_division;

/** Parses `--speeds`. @param room  [HG_SPEEDS_MAX] kept by reference. HG_INVALID */
hg_status hg_division_speeds(const char *text, double *room, hg_division *division);

/** One speed per worker of all ranks: as given, or each rank's speed shared among its workers, or all equal.
 * HG_INVALID if the division has neither a number per worker nor one per rank. @param[out] speed  [all_workers] */
hg_status hg_division_of_workers(const hg_session *session, const hg_division *division, double *speed);

/** Reads the tables that the division names, or by default those measured for the workers' kinds, on the calling rank.
 * HG_INVALID if there is not one per worker, HG_IO, HG_FORMAT, HG_MEMORY.
 * @param[out] model  [all_workers], free with hg_speed_models_free; NULL on failure */
hg_status hg_division_models(const hg_session *session, const hg_division *division, hg_speed_model **model);

/** Latency (s) and bandwidth (bytes/s) between ranks: measured ones if the division has them, else those of Ethernet
 * or of one machine's memory. */
void hg_division_link(const hg_session *session, const hg_division *division, double *latency, double *bandwidth);

/** Divides a grid of n cells among all workers of the session: box[session->all_workers], which cover it. Collective;
 * rank 0 decides, and only its files are read; but a user's `divide` is called on all ranks.
 * @param measured  [all_workers] speeds that override those of the division, or NULL; a worker of speed 0 gets nothing
 * HG_INVALID, and what reading tables may return. */
hg_status hg_divide(const hg_session *session, int dims, const int64_t n[3], const hg_division *division,
                    const hg_speed_model *measured, hg_box *box);

/** Keeps some workers without a part from taking tasks of others: those that the objective left out; cores without a
 * given or measured speed on a rank whose GPUs have everything; and GPUs on a rank whose cores have everything and are
 * faster alone. A policy would otherwise try tasks on cores that take seconds instead of ms, or wait for a GPU's cold
 * start. @param box  [session->all_workers] of hg_divide. HG_MEMORY */
hg_status hg_division_bind(hg_session *session, const hg_division *division, const hg_box *box);
#endif
