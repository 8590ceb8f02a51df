/* SPDX-License-Identifier: MIT */
/* Everyone sends something to everyone. */
#ifndef HG_EXCHANGE_ALL_TO_ALL_H
#define HG_EXCHANGE_ALL_TO_ALL_H

#include <stdint.h>

#include "runtime/session.h"

/** What a rank sends to, or got from, each rank, in the order of ranks. */
typedef struct hg_parcels {
  int ranks;
  int64_t *bytes; /**< [ranks] */
  int64_t total;
  void *data;
} hg_parcels;

/** Room for `total` bytes; the caller fills in bytes[] and data. HG_MEMORY. Free with hg_parcels_free. */
hg_status hg_parcels_make(int ranks, int64_t total, hg_parcels *out);
void hg_parcels_free(hg_parcels *parcels);

/** Sends and receives. Collective; fails on all ranks alike: HG_MEMORY, HG_INVALID for 2^31 bytes and more of a rank.
 */
hg_status hg_parcels_exchange(const hg_session *session, const hg_parcels *out, hg_parcels *in);
#endif
