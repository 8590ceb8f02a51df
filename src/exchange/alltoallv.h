/* SPDX-License-Identifier: MIT */
/* Everyone sends something to everyone. */
#ifndef HG_EXCHANGE_ALLTOALLV_H
#define HG_EXCHANGE_ALLTOALLV_H

#include <stdint.h>

#include "runtime/session.h"

/** What a rank sends to, or got from, each rank, in the order of ranks. */
typedef struct hg_alltoallv {
  int ranks;
  int64_t *bytes; /**< [ranks] */
  int64_t total;
  void *data;
} hg_alltoallv;

/** Room for `total` bytes; the caller fills in bytes[] and data. HG_MEMORY. Free with hg_alltoallv_free. */
hg_status hg_alltoallv_make(int ranks, int64_t total, hg_alltoallv *out);
void hg_alltoallv_free(hg_alltoallv *parcels);

/** Sends and receives. Collective; fails on all ranks alike: HG_MEMORY, HG_INVALID for 2^31 bytes and more of a rank.
 */
hg_status hg_alltoallv_run(const hg_session *session, const hg_alltoallv *out, hg_alltoallv *in);
#endif
