/* SPDX-License-Identifier: MIT */
/* All-to-all exchange of different numbers of bytes. */
#ifndef HG_EXCHANGE_ALLTOALLV_H
#define HG_EXCHANGE_ALLTOALLV_H

#include <stdint.h>

#include "runtime/session.h"

/** Data that a rank sends to, or received from, each rank, in the order of ranks. */
typedef struct hg_alltoallv {
  int ranks;
  int64_t *bytes; /**< [ranks] */
  int64_t total;
  void *data;
} hg_alltoallv;

/** Allocates room for `total` bytes; the caller fills in bytes[] and data. HG_MEMORY. Free with hg_alltoallv_free. */
hg_status hg_alltoallv_make(int ranks, int64_t total, hg_alltoallv *out);
void hg_alltoallv_free(hg_alltoallv *parcels);

/** Sends and receives. Collective; fails on all ranks alike: HG_MEMORY, HG_INVALID if a rank has 2^31 bytes or
 * more. */
hg_status hg_alltoallv_run(const hg_session *session, const hg_alltoallv *out, hg_alltoallv *in);
#endif
