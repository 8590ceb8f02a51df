/* SPDX-License-Identifier: MIT */
/* Gathers the values of all tiles on rank 0. */
#ifndef HG_RESULT_GATHER_H
#define HG_RESULT_GATHER_H

#include "graph/graph.h"

/** What is gathered. */
typedef struct hg_gathering {
  const hg_session *session;
  const hg_tiling *tiling;
  hg_graph *graph; /**< its tiles are gathered */
  int64_t element_bytes;
  int64_t (*elements)(void *arg, const hg_box *core); /**< number of elements of a tile; NULL: one per cell */
  hg_tile_sink *take;                                 /**< on rank 0: gets every tile once */
  void *arg;                                          /**< for `elements` and `take` */
} hg_gathering;

/** Collective. HG_MEMORY, and what `take` returns. */
hg_status hg_gather(const hg_gathering *gathering);
#endif
