/* SPDX-License-Identifier: MIT */
/* Who gets which part of a grid. */
#ifndef HG_DIVISION_DIVIDE_H
#define HG_DIVISION_DIVIDE_H

#include "base/box.h"
#include "runtime/session.h"
#include "energy/cluster_energy.h"
#include "speed/speed.h"

enum { HG_SPEEDS_MAX = 4096 };

/** What a user says about the division of a grid. */
typedef struct hg_division {
  const char *partition;            /**< partitioner's name, or FILE.csv with a box a line */
  double *speed;                    /**< [speeds] relative, one per worker or per rank */
  int speeds;                       /**< 0: none; workers of a kind are equal, and beside GPUs cores get nothing */
  const struct hg_network *network; /**< measured messages, known on rank 0; NULL: none */
  double item_bytes;                /**< bytes of a value that regions exchange */
  bool periodic[3];                 /**< axes whose two ends are neighbours */
  bool cpus_only;                   /**< CUDA workers cannot run the tasks, or had better not: */
  bool cores_alone;                 /**< ... they would be warm too late */
  const char *tables; /**< files of speed tables (`--speeds tables:`), "" those of this machine, or NULL */
  bool unasked;       /**< nobody asked for them: one that missed its error by far counts as none */
  int block;          /**< steps of a task, which tables may be of; 0: the program chooses */
  double again;       /**< cells of a region that are computed again for each on its border */
  const char *app, *kernel, *precision; /**< that tables of this machine are named after; NULL: there are none */
  hg_status (*divide)(void *arg, int parts, const double *speed, hg_box *box); /**< divides instead, or NULL */
  void *arg;
  hg_criterion objective; /**< decides which workers get work, by `powers` */
  const char *powers;     /**< platform file, or NULL: that of this machine */
  double *predicted;      /**< [out] s of a step by the tables that divided, on rank 0; or NULL */
} hg_division;

/** Parses `--speeds`. @param room  HG_SPEEDS_MAX numbers, which the division keeps. HG_INVALID */
hg_status hg_division_speeds(const char *text, double *room, hg_division *division);

/** One speed per worker of all ranks: as given, or each rank's shared among its workers, or all equal. HG_INVALID if
 * the division has neither a number per worker nor one per rank. @param[out] speed  [all_workers] */
hg_status hg_division_of_workers(const hg_session *session, const hg_division *division, double *speed);

/** The tables that the division names, or without a name those that were measured for the workers' kinds; on the rank
 * that calls. HG_INVALID if they are not one per worker, HG_IO, HG_FORMAT, HG_MEMORY.
 * @param[out] model  [all_workers], for hg_speed_models_free; NULL where it fails */
hg_status hg_division_models(const hg_session *session, const hg_division *division, hg_speed_model **model);

/** What messages between ranks cost, s and bytes/s: as measured where the division knows, else as of an Ethernet or of
 * one machine's memory. */
void hg_division_link(const hg_session *session, const hg_division *division, double *latency, double *bandwidth);

/** Divides a grid of n cells among all workers of the session: box[session->all_workers], which cover it. Collective;
 * rank 0 decides, and only its files are read; a `divide` is called on all ranks.
 * @param measured  [all_workers] speeds that win over those of the division, or NULL; a worker of no speed gets nothing
 * HG_INVALID, and what reading tables may return. */
hg_status hg_divide(const hg_session *session, int dims, const int64_t n[3], const hg_division *division,
                    const hg_speed_model *measured, hg_box *box);

/** From now on workers without a part take no tasks of others where the objective left them out, and cores that nobody
 * has said or measured a speed of, on a rank whose GPUs have all, or GPUs of one whose cores have all and are better
 * alone: a policy would try there what takes a GPU ms and a core seconds, or wait for a GPU's cold start. @param box
 * [session->all_workers] of hg_divide. HG_MEMORY */
hg_status hg_division_bind(hg_session *session, const hg_division *division, const hg_box *box);
#endif
