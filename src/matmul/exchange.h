/* SPDX-License-Identifier: MIT */
/* Exchange of panels between ranks, and gathering of C on rank 0. */
#ifndef HG_MATMUL_EXCHANGE_H
#define HG_MATMUL_EXCHANGE_H

#include "matmul/part.h"
#include "network/predict.h"
#include "result/field.h"

/** How a rank receives panels. */
typedef struct hg_matmul_exchange {
  hg_matmul_part *part;
  const hg_box *rank;       /**< [ranks] */
  hg_network_choice choice; /**< how to broadcast */
  double bytes;             /**< received by this rank so far */
} hg_matmul_exchange;

/** Chooses the broadcast algorithm by the network file, if there is one. Collective. */
hg_status hg_matmul_exchange_make(hg_matmul_part *part, const hg_box *rank, hg_matmul_exchange *out);

/** Brings a panel of A and B to all ranks that need it. Collective; returns when this rank has received its part. */
hg_status hg_matmul_bring(void *exchange, int panel);

/** Gathers C on rank 0, row by row. Collective. HG_MEMORY on all ranks. @param[out] c  free with hg_field_free */
hg_status hg_matmul_gather(const hg_matmul_part *part, const hg_box *rank, hg_field *c);
#endif
