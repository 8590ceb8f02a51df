/* SPDX-License-Identifier: MIT */
/* What all kinds of graph of tiles are given, and what they give. */
#ifndef HG_GRAPH_COMMON_H
#define HG_GRAPH_COMMON_H

#include <stdint.h>

#include "base/box.h"
#include "base/status.h"

/** Time each worker of this rank spent, in seconds. */
typedef struct hg_worker_times {
  double unpack, compute, pack; /**< CPU workers only; a GPU's phases overlap */
  double busy;                  /**< executing tasks, by StarPU's profiling */
  double cells;                 /**< cells times steps advanced */
} hg_worker_times;

/** Gives the values of a box of the grid, contiguous, x fastest, of the kernel's type. */
typedef hg_status hg_fill(void *arg, const hg_box *box, void *values);

/** How often ranks had to tell each other about changes, and how many identifiers were sent so far, on this rank. */
typedef struct hg_connections {
  int64_t rebuilt, sent;
} hg_connections;

/** Takes the core of a tile: contiguous values of the kernel's type, x fastest. */
typedef hg_status hg_tile_sink(void *arg, int tile, const hg_box *core, const void *values);
#endif
