/* SPDX-License-Identifier: MIT */
/* Arguments and results common to all kinds of graphs of tiles. */
#ifndef HG_GRAPH_TILE_VIEW_H
#define HG_GRAPH_TILE_VIEW_H

#include <stdint.h>

#include "base/box.h"
#include "base/status.h"

/** Time that each worker of this rank spent, in s. */
typedef struct hg_worker_times {
  double unpack, compute, pack; /**< CPU workers only; a GPU's phases overlap */
  double dynamic;               /**< choosing neighbours, such as pivots of an elimination */
  double busy;                  /**< executing tasks, by StarPU's profiling, including waiting for data where known */
  double cells;                 /**< cells times steps advanced */
} hg_worker_times;

/** Provides the values of a box of the grid, contiguous, x fastest, of the kernel's type. */
typedef hg_status hg_fill(void *arg, const hg_box *box, void *values);

/** How often ranks exchanged changes of neighbours, and how many identifiers this rank sent so far. */
typedef struct hg_connections {
  int64_t rebuilt, sent;
} hg_connections;

/** The core of a tile, lent in place: rows of values of the kernel's type, x fastest. Values that differ in size are
 * contiguous; `row` and `layer` have no meaning then. */
typedef struct hg_tile_view {
  int tile;
  hg_box core;
  const char *values; /**< the first */
  int64_t row, layer; /**< bytes from a row or layer to the next */
} hg_tile_view;

/** A core whose values of `size` bytes are contiguous. */
static inline hg_tile_view hg_tile_contiguous(int tile, const hg_box *core, const void *values, int64_t size)
{
  const int64_t row = hg_box_extent(core, 0) * size;
  return (hg_tile_view){tile, *core, (const char *)values, row, row * hg_box_extent(core, 1)};
}

typedef hg_status hg_tile_sink(void *arg, const hg_tile_view *view);

/** Gets a tile in its states before and after a step. */
typedef hg_status hg_change_sink(void *arg, const hg_tile_view *before, const hg_tile_view *after);
#endif
