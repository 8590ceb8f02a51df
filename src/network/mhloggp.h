/* SPDX-License-Identifier: MIT */
/* The mHLogGP model as printed in its paper (G. Liu, Y. Wang, T. Zhao, J. Gu, D. Li: mHLogGP: A Parallel Computation
 * Model for CPU/GPU Heterogeneous Computing Cluster, NPC 2012, LNCS 7513): tables, formulas and their correct
 * interpretation. Formulas work in any unit of time; the tables are in microseconds, as printed. For measured networks
 * see network/network.h. */
#ifndef HG_NETWORK_MHLOGGP_H
#define HG_NETWORK_MHLOGGP_H

#include <stdbool.h>

#include "base/status.h"

/** A printed parameter: a function of the size of a message. */
typedef struct hg_printed {
  const char *name;          /**< o_scd, o_rd, o_sg, o_scn, o_rgb, o_rn, l_nn (table 1), G, g_g, g_c (table 2) */
  double bytes[9], value[9]; /**< us; of G us/byte */
} hg_printed;

enum { HG_TABLE3_ROWS = 3, HG_TABLE3_COLUMNS = 10, HG_TABLE4_ROWS = 8 };

/** Tables 1 and 2, ended by a NULL name. */
extern const hg_printed hg_mhloggp_tables[];

/** Table 3: times of a broadcast among 2, 4 and 8 nodes, us. */
extern const int hg_mhloggp_nodes[HG_TABLE3_ROWS];
extern const double hg_mhloggp_broadcast_bytes[HG_TABLE3_COLUMNS];
extern const double hg_mhloggp_broadcast[HG_TABLE3_ROWS][HG_TABLE3_COLUMNS];

/** Table 4: times of multiplying n x n matrices on one GPU, us. The paper prints 4192 for 4096. */
extern const double hg_mhloggp_n[HG_TABLE4_ROWS], hg_mhloggp_total[HG_TABLE4_ROWS],
    hg_mhloggp_computing[HG_TABLE4_ROWS];

/** A parameter by name for messages of k bytes. HG_INVALID for an unknown name or k < 0. */
hg_status hg_mhloggp_parameter(const char *name, double k, double *out);

/** One message of a stream, with its own times. */
typedef struct hg_printed_message {
  double k, G, o_s, o_r, g_c, l; /**< bytes; us/byte; us */
} hg_printed_message;

/** Equation (1) as printed: o_s + (k-1) G + l + o_r. */
double hg_mhloggp_equation1(const hg_printed_message *m);

/** Equation (2) as printed, which includes the latency of every message. @param count  >= 1 */
double hg_mhloggp_equation2(int count, const hg_printed_message *m);

/** The same stream by LogGP (Alexandrov et al. 1995), which includes the latency L once. */
double hg_mhloggp_stream(int count, const hg_printed_message *m, double L);

/** Broadcast of k bytes among P, with affine message times T = a + k b, section 3.2: binomial, doubling or ring. P =
 * 1: 0. HG_INVALID. */
hg_status hg_mhloggp_broadcast_time(const char *algorithm, int P, double k, double a, double b, double *out);

/** Relative least squares of total = start + 2 n^3 / rate over count >= 2 sizes. HG_INVALID. */
hg_status hg_mhloggp_fit(int count, const double *n, const double *total, double *start, double *rate);
#endif
