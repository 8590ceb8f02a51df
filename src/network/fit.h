/* SPDX-License-Identifier: MIT */
/* Models of measured message times: straight pieces, which end where protocols change, and the parameters of LogGP. */
#ifndef HG_NETWORK_FIT_H
#define HG_NETWORK_FIT_H

#include "network/network.h"

/** Divides a level's points into straight pieces by least squares of relative errors, each piece with at least 3
 * points and latency and slope >= 0 (so that a simulator can use it). The Bayesian information criterion gives the
 * number of pieces; errors below half a percent count as 0. Replaces level->segment. O(points^2 most).
 * @param most  most pieces, >= 1. HG_MEMORY. */
hg_status hg_network_fit(hg_network_level *level, int most);

/** The time by the pieces, s; the first and last pieces are extrapolated. @param level  has pieces */
double hg_network_by_segments(const hg_network_level *level, double bytes);

/** Parameters of LogGP (Alexandrov et al. 1995): s; G s/byte. */
typedef struct hg_loggp {
  double L, o, g, G;
} hg_loggp;

/** Determines them from parametrised round trips of n >= 2 messages (Hoefler, Lichei, Rehm 2007, section 3; as in
 * Netgauge): (PRTT(n,0,s) - PRTT(1,0,s)) / (n-1) = g + (s-1) G by least squares; o is the mean of (PRTT(n,d,s) -
 * PRTT(1,0,s)) / (n-1) - d; L = PRTT(1,0,s0) / 2 - 2 o - (s0-1) G for the first row. o and L may come out negative
 * where overheads overlap with the wire.
 * @param rows  >= 2 of different sizes. HG_INVALID. */
hg_status hg_loggp_recover(int n, int rows, const hg_network_train *row, hg_loggp *out);
#endif
