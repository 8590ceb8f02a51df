/* SPDX-License-Identifier: MIT */
#ifndef HG_APPS_MATMUL_H
#define HG_APPS_MATMUL_H

#include "options/arguments.h"
#include "options/factors.h"
#include "matmul/exchange.h"
#include "matmul/shares.h"
#include "matmul/verify.h"
#include "program/program.h"

/** The command line of hetgrid-matmul. */
typedef struct matmul_options {
  int64_t size[3];   /* M, N, K */
  const char *a, *b; /* files, or NULL: random */
  uint64_t seed;
  hg_precision precision;
  int nb; /* 0: automatic */
  hg_matmul_layout layout;
  bool layouts; /* the layout may be changed */
  const char *partition;
  hg_matmul_model model;
  double epsilon;
  hg_division division;
  double speed[HG_SPEEDS_MAX]; /* for the division */
  hg_factors factors;
  double link[HG_SPEEDS_MAX], memory[HG_SPEEDS_MAX]; /* of the factors */
  const char *sched, *workers;
  bool verify;
  hg_run_options run;
} matmul_options;

/** The results of a run. */
typedef struct matmul_outcome {
  double imbalance;        /**< largest / mean time of the workers' tasks */
  double received;         /**< bytes of A and B, all ranks */
  double freivalds, every; /**< ratios of --verify; < 0: not computed */
} matmul_outcome;

/** Everything a run owns. */
typedef struct matmul {
  hg_run_context context;
  matmul_options options;
  hg_matrix *a, *b;
  hg_session session;
  hg_matmul_problem problem;
  hg_matmul_part part;
  hg_matmul_exchange exchange;
  hg_matmul_bench bench;
  hg_matmul_learnt learnt;
  bool divided;         /**< shares are known, from the last run */
  int64_t *units;       /**< [all_workers] */
  hg_box *box, *rank;   /**< [all_workers], [ranks] */
  double *busy;         /**< [2][all_workers] s of the last run, and of some of its panels */
  hg_field c;           /**< on rank 0, if needed */
  hg_metadata metadata; /**< its provenance */
  matmul_outcome outcome;
} matmul;

/** The names of layouts and models, ended by NULL. */
extern const char *const matmul_layouts[], *const matmul_models[];

/** Divides C among the ranks; with several, or without DFPA, also among the workers. Collective. */
hg_status matmul_divide_ranks(matmul *m);

/** The timed part: the product, and on one rank DFPA. */
hg_status matmul_run(hg_run_context *context);

double matmul_flops(const matmul *m);

/** Whether the result passed the tests that were made. */
bool matmul_is_right(const matmul *m);

/** Columns of the CSV, and what is printed for people. */
void matmul_columns(const hg_run_context *context, hg_columns *row);
void matmul_text(const hg_run_context *context);

/** Parses the command line; on errors, ends the program with a message and status 2. */
const hg_command *matmul_parse(int argc, char **argv, matmul_options *options);
#endif
