/* SPDX-License-Identifier: MIT */
#ifndef HG_APPS_NETWORK_H
#define HG_APPS_NETWORK_H

#include "hetgrid.h"

typedef enum network_mode {
  NETWORK_MEASURE,
  NETWORK_SHOW,
  NETWORK_PREDICT,
  NETWORK_VALIDATE,
  NETWORK_PRINTED,
  NETWORK_TABLES,
  NETWORK_RULES,
  NETWORK_GOLDEN,
  NETWORK_MODES
} network_mode;

typedef enum network_operation { NETWORK_P2P, NETWORK_STREAM, NETWORK_BCAST, NETWORK_MATMUL } network_operation;

enum { NETWORK_SIZES = 64 };

/** The command line of hetgrid-network. */
typedef struct network_options {
  network_mode mode;
  bool asked[NETWORK_MODES];
  int64_t max_bytes;
  const char *network, *output, *picture, *rules, *golden, *compute;
  hg_network_plan plan;
  network_operation operation;
  bool from_gpu, to_gpu, first, csv, json, quiet;
  hg_rank_layout group; /**< for predictions and rules */
  int messages;         /**< per stream */
  int64_t bytes[NETWORK_SIZES], side[NETWORK_SIZES];
  int sizes, sides;
  double bound; /**< on the median error of a validation */
} network_options;

/** Parses the command line; on errors, ends the program with a message and status 2. */
void network_parse(int argc, char **argv, network_options *options);

/** Prints a file as text, CSV or JSON, and draws it. */
hg_status network_show(const network_options *options, const hg_network *network);

/** Prints what --predict asks for. */
hg_status network_predict(const network_options *options, const hg_network *network);

/** Measures new sizes and broadcasts; prints the errors of the file. HG_MISMATCH beyond the bound. */
hg_status network_validate(const network_options *options, const hg_network_world *world, const hg_network *network);

/** Prints the mHLogGP paper's tables and formulas, and their errors. */
void network_printed(void);

/** Prints that paper's tables 1 to 4 for this machine. */
hg_status network_tables(const network_options *options, const hg_network *network);

/** Seconds for 2 n^3 flop according to --compute: flop/s, or a speed table of hetgrid-calibrate --app elimination. */
hg_status network_compute(const network_options *options, double n, double flops, double *seconds);

/** Runs the cases of a golden file and prints TAP. Returns the exit status. */
int network_golden(const char *path);
#endif
