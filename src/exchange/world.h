/* SPDX-License-Identifier: MIT */
/* MPI processes that exchange messages for timing, without StarPU, whose threads would disturb the times. Rank 0 gives
 * orders; the others serve it. */
#ifndef HG_EXCHANGE_WORLD_H
#define HG_EXCHANGE_WORLD_H

#include <stdbool.h>

#include "network/predict.h"

/** Location of a rank; sent as bytes. */
typedef struct hg_place {
  char host[HG_NETWORK_TEXT], cpus[HG_NETWORK_NAME]; /**< cpus: the ones it may use */
  int numa;                                          /**< the memory node of its core */
  int cores;                                         /**< of its host */
} hg_place;

typedef struct hg_network_world {
  int rank, ranks;
  bool launched;   /**< by an MPI launcher; otherwise MPI is not started and there is one rank */
  hg_place *place; /**< [ranks], on all ranks */
  char mpi[HG_NETWORK_TEXT], transport[HG_NETWORK_TEXT], binding[HG_NETWORK_TEXT];
  bool oversubscribed; /**< a host has more ranks than cores */
  double tick;         /**< s, resolution of the clock */
} hg_network_world;

/** Starts MPI, if an MPI launcher started this process. Collective. HG_MEMORY. */
hg_status hg_network_world_open(hg_network_world *out);
/** Collective. */
void hg_network_world_close(hg_network_world *world);

/** What ranks other than 0 do between open and close, until rank 0 dismisses them. */
void hg_network_serve(const hg_network_world *world);
/** Called by rank 0 alone, like all functions below. */
void hg_network_dismiss(const hg_network_world *world);

/** How consecutive ranks are grouped by node. */
hg_rank_layout hg_network_world_group(const hg_network_world *world);

/** Two ranks. */
typedef struct hg_pair {
  int a, b;
} hg_pair;

enum { HG_PAIRS_AT_ONCE = 64 };

/** Times half round trips of `bytes` between all pairs at once: seconds[count], the longest of all pairs. Short ones
 * are repeated until 1000 ticks of the clock have passed. Received data are checked.
 * @param pair  [pairs], 1 .. HG_PAIRS_AT_ONCE, all ranks different. HG_MISMATCH, HG_MEMORY. */
hg_status hg_network_ping(const hg_network_world *world, int pairs, const hg_pair *pair, double bytes, int count,
                          double *seconds);

/** PRTT(n, d, s) between two ranks, `count` times: seconds[count]. HG_MISMATCH, HG_MEMORY. */
hg_status hg_network_train_times(const hg_network_world *world, hg_pair pair, int n, double d, double bytes, int count,
                                 double *seconds);

/** Times broadcasts from rank 0 until all ranks have acknowledged them, minus the time of an acknowledgement.
 * HG_MEMORY, HG_INVALID. */
hg_status hg_network_broadcast_times(const hg_network_world *world, const hg_network_choice *how, double bytes,
                                     int count, double *seconds);

/** Begin a watch; return the share (0..1) of a host's processors that other programs used since, the most of all
 * hosts. */
void hg_network_watch(const hg_network_world *world);
double hg_network_other_load(const hg_network_world *world);
#endif
