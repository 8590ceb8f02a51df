/* SPDX-License-Identifier: MIT */
/* How much of C each worker gets, by what is known of their speeds. */
#ifndef HG_MATMUL_SHARES_H
#define HG_MATMUL_SHARES_H

#include "division/divide.h"
#include "matmul/divide.h"
#include "matmul/part.h"

/** What a worker's speed is taken to be. */
typedef enum hg_matmul_model {
  HG_MATMUL_DFPA, /**< a function of its units, of which DFPA (speed/fpm.h) learns what it needs from outer products */
  HG_MATMUL_FPM, /**< a function of its units, by speed tables: given, or measured beforehand (FFMPA in DFPA's paper) */
  HG_MATMUL_EVEN, /**< that of all others */
  HG_MATMUL_CPM   /**< a number: given, or from a benchmark of a sixteenth of an even share */
} hg_matmul_model;

/** What is asked for. */
typedef struct hg_matmul_sharing {
  hg_matmul_model model;
  double epsilon;              /**< of DFPA, > 0 */
  const hg_division *division; /**< speeds or tables that were given */
  bool layouts;                /**< slices of rows may become rectangles */
  int runs;                    /**< products that count, > 0 */
  bool warm;                   /**< some come before that do not */
} hg_matmul_sharing;

/** What came of it, the columns of table 1 in DFPA's paper. */
typedef struct hg_matmul_learnt {
  int steps;               /**< measured steps of DFPA */
  double dfpa_s;           /**< they took; work of the product itself where it is measured there */
  int points;              /**< of a worker's speed function, at most: measured or read */
  double fpm_s;            /**< to divide by them */
  double tables_s;         /**< to measure tables or the benchmark */
  hg_matmul_layout layout; /**< that the shares are of */
} hg_matmul_learnt;

/** Where steps are measured: in a product under way, whose next panels they are, or on matrices made for it. */
typedef struct hg_matmul_bench {
  const hg_session *session;
  const hg_matmul_problem *problem;
  hg_matmul_part *part; /**< of the product, all of C; NULL: none */
  int panel;            /**< its next */
  int repeat;           /**< panels that a step takes, so that a worker's time can be measured */
  hg_matmul_part spare; /**< memory of steps on matrices made for them */
  bool warm;            /**< a step has been made */
  hg_partial_speed
      *partial;       /**< [all_workers] s of a panel, as hg_matmul_adapt or, on several ranks, DFPA has learnt */
  hg_box *box, *rank; /**< [all_workers], [ranks] of the last step */
} hg_matmul_bench;

/** @param part  of the product, if it is on one rank and loaded; else NULL. HG_MEMORY. Free with .._bench_free */
hg_status hg_matmul_bench_make(const hg_session *session, const hg_matmul_problem *problem, hg_matmul_part *part,
                               hg_matmul_bench *out);
void hg_matmul_bench_free(hg_matmul_bench *bench);

/** Shares of all workers. Collective, and the same on all ranks. DFPA measures with `bench`, tables and benchmark
 * with one without a product. Too little work to be measured, or less than a unit a worker, is shared evenly.
 * On several ranks, where functions are known, hg_matmul_choose has the last word.
 * @param[out] units  [all_workers], sum hg_matmul_units; of another layout in proportion
 * HG_INVALID, HG_IO, HG_FORMAT, HG_MEMORY */
hg_status hg_matmul_shares(const hg_matmul_sharing *how, hg_matmul_bench *bench, int64_t *units,
                           hg_matmul_learnt *learnt);

/** A hg_step_fn of a hg_matmul_bench: s of one panel for each worker's units. Collective. */
hg_status hg_matmul_step(void *bench, const int64_t *units, double *seconds);

/** Speeds on one rank with GPUs, before the product: of GPUs alone, of cores alone or of both (hg_choose_sides), by
 * samples of a smaller product where they pay. @param[out] speed  [all_workers], 0: left out. HG_MEMORY, HG_RUNTIME */
hg_status hg_matmul_choose_sides(const hg_matmul_sharing *how, const hg_matmul_bench *bench, double *speed);

/** flop of a unit in a panel. */
static inline double hg_matmul_unit_flops(const hg_matmul_problem *p)
{
  return 2. * (double)p->m * (double)p->n * (double)p->nb / (double)hg_matmul_units(p);
}

/** Shares for the panels to come, where a product on one rank shows that they have become wrong: if the times of the
 * last panels differ by more than epsilon. @param seconds  [all_workers] s of a panel with `units` */
hg_status hg_matmul_adapt(const hg_matmul_sharing *how, hg_matmul_bench *bench, const double *seconds, int64_t *units);
#endif
