/* SPDX-License-Identifier: MIT */
/* Determines each worker's share of C from what is known of speeds. */
#ifndef HG_MATMUL_SHARES_H
#define HG_MATMUL_SHARES_H

#include "division/divide.h"
#include "matmul/divide.h"
#include "matmul/part.h"

/** The model of a worker's speed. */
typedef enum hg_matmul_model {
  HG_MATMUL_DFPA, /**< a function of its units, of which DFPA (speed/fpm.h) learns what it needs from outer products */
  HG_MATMUL_FPM,  /**< a function of its units, from speed tables: given, or measured first (FFMPA in DFPA's paper) */
  HG_MATMUL_EVEN, /**< the same for all */
  HG_MATMUL_CPM   /**< a number: given, or from a benchmark with a sixteenth of an even share */
} hg_matmul_model;

/** What the user wants. */
typedef struct hg_matmul_sharing {
  hg_matmul_model model;
  double epsilon;              /**< of DFPA, > 0 */
  const hg_division *division; /**< given speeds or tables */
  bool layouts;                /**< slices of rows may become rectangles */
  int runs;                    /**< number of timed products, > 0 */
  bool warm;                   /**< untimed ones come first */
} hg_matmul_sharing;

/** The results: the columns of table 1 in DFPA's paper. */
typedef struct hg_matmul_learnt {
  int steps;               /**< steps measured by DFPA */
  double dfpa_s;           /**< their s; part of the product itself if measured within it */
  int points;              /**< most points of a worker's speed function, measured or read */
  double fpm_s;            /**< s to divide by these functions */
  double tables_s;         /**< s to measure tables or run the benchmark */
  hg_matmul_layout layout; /**< for which the shares are meant */
} hg_matmul_learnt;

/** Where steps are measured: in a running product, as its next panels, or on separate matrices. */
typedef struct hg_matmul_bench {
  const hg_session *session;
  const hg_matmul_problem *problem;
  hg_matmul_part *part;      /**< of the product, with all of C; NULL: none */
  int panel;                 /**< its next */
  int repeat;                /**< panels per step, so that a worker's time can be measured */
  hg_matmul_part spare;      /**< memory of steps on separate matrices */
  bool warm;                 /**< a step has been run */
  hg_partial_speed *partial; /**< [all_workers] s per panel, learnt by hg_matmul_adapt or, on several ranks, by DFPA */
  hg_box *box, *rank;        /**< [all_workers], [ranks] of the last step */
} hg_matmul_bench;

/** @param part  of the product, if it is on one rank and loaded; else NULL. HG_MEMORY. Free with
 * hg_matmul_bench_free */
hg_status hg_matmul_bench_make(const hg_session *session, const hg_matmul_problem *problem, hg_matmul_part *part,
                               hg_matmul_bench *out);
void hg_matmul_bench_free(hg_matmul_bench *bench);

/** Shares of all workers. Collective, with the same result on all ranks. DFPA measures with `bench`; tables and
 * benchmark are measured with one without a product. If there is too little work to measure, or less than a unit per
 * worker, shares are equal. On several ranks with known speed functions, hg_matmul_choose makes the final choice.
 * @param[out] units  [all_workers], sum hg_matmul_units; proportions, if the layout changes
 * HG_INVALID, HG_IO, HG_FORMAT, HG_MEMORY */
hg_status hg_matmul_shares(const hg_matmul_sharing *how, hg_matmul_bench *bench, int64_t *units,
                           hg_matmul_learnt *learnt);

/** A hg_step_fn of a hg_matmul_bench: s per panel for each worker's units. Collective. */
hg_status hg_matmul_step(void *bench, const int64_t *units, double *seconds);

/** Speeds on one rank with GPUs, before the product: of GPUs alone, of cores alone or of both (hg_choose_sides), from
 * samples of a smaller product where they pay. @param[out] speed  [all_workers], 0: left out. HG_MEMORY, HG_RUNTIME */
hg_status hg_matmul_choose_sides(const hg_matmul_sharing *how, const hg_matmul_bench *bench, double *speed);

/** Flop of a unit per panel. */
static inline double hg_matmul_unit_flops(const hg_matmul_problem *p)
{
  return 2. * (double)p->m * (double)p->n * (double)p->nb / (double)hg_matmul_units(p);
}

/** Adapts the shares for the following panels of a product on one rank, if the times of the last panels differ by more
 * than epsilon. @param seconds  [all_workers] s per panel with `units` */
hg_status hg_matmul_adapt(const hg_matmul_sharing *how, hg_matmul_bench *bench, const double *seconds, int64_t *units);
#endif
