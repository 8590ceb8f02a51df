/* SPDX-License-Identifier: MIT */
/* Fills tiles with values of the grid: initial ones, and the source term. */
#include <starpu.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/integers.h"
#include "codelets/simulated_costs.h"
#include "graph/stencil_tiles.h"

/* Values are requested in layers of about so many bytes, which stay in a cache until they are copied to the tile. */
enum { FILL_BYTES = 4 << 20 };

hg_halo_piece_cells hg_tile_cells(const hg_stencil_tile *t, const hg_box *box)
{
  hg_halo_piece_cells c = {0};
  for (int a = 0; a < 3; a++) {
    c.n[a] = hg_box_extent(box, a);
    c.stride[a] = t->info.shape.stride[a];
    c.first += (box->lo[a] - t->padded.lo[a]) * c.stride[a];
  }
  return c;
}

hg_halo_piece_cells hg_tile_core_cells(const hg_stencil_tile *t)
{
  return hg_tile_cells(t, &t->core);
}

/* Fills layers first .. first + count - 1 of a box along its last axis, through a buffer. */
static hg_status fill_layers(hg_fill *fill, void *arg, const hg_stencil *st, hg_box box, hg_halo_piece_cells cells,
                             int axis, int64_t first, int64_t count, void *values, void *memory)
{
  box.lo[axis] += first;
  box.hi[axis] = box.lo[axis] + count;
  cells.first += first * cells.stride[axis];
  cells.n[axis] = count;
  HG_TRY(fill(arg, &box, values));
  hg_halo_piece_unpack(&cells, (int)st->kernel->value_bytes, memory, values);
  return HG_OK;
}

/* Requests a box of the grid and copies it to a tile; mirrored cells are stored backwards. */
static hg_status fill_box(const hg_stencil *st, hg_fill *fill, void *arg, const hg_box *box,
                          const hg_halo_piece_cells *cells, void *memory)
{
  const int axis = st->base.tiling->domain.dims - 1;
  const int64_t layers = hg_box_extent(box, axis), layer = hg_box_cells(box) / layers * st->kernel->value_bytes;
  const int64_t most = hg_max(FILL_BYTES / layer, 1);
  hg_status status = HG_OK;
  void *values;
  HG_TRY(hg_allocate("a part of the input", (size_t)(layer * hg_min(most, layers)), &values));
  for (int64_t at = 0; at < layers && status == HG_OK; at += most) {
    const int64_t count = hg_min(most, layers - at);
    status = fill_layers(fill, arg, st, *box, *cells, axis, at, count, values, memory);
  }
  free(values);
  return status;
}

/* The source term never changes, so its margins are read once: the cells of each piece, mirrored where its image
 * is. */
hg_status hg_tile_load_source(hg_stencil *st, hg_stencil_tile *t, hg_fill *source, void *arg)
{
  hg_halo_piece_cells core = hg_tile_core_cells(t);
  HG_TRY(fill_box(st, source, arg, &t->core, &core, t->source_memory));
  for (int i = 0; i < t->info.in_count; i++) {
    const hg_halo_piece *p = &t->in[i]->piece;
    hg_box box = hg_halo_piece_source(p);
    hg_halo_piece_cells cells = t->in_cells[i];
    for (int a = 0; a < 3; a++)
      if (p->sign[a] < 0) {
        cells.first += (cells.n[a] - 1) * cells.stride[a];
        cells.stride[a] = -cells.stride[a];
      }
    HG_TRY(fill_box(st, source, arg, &box, &cells, t->source_memory));
  }
  return HG_OK;
}

hg_status hg_tile_load(hg_stencil *st, hg_stencil_tile *t, hg_fill *init, void *arg)
{
  hg_halo_piece_cells core = hg_tile_core_cells(t);
  if (hg_simulated) return HG_OK;
  starpu_data_acquire(t->state[0], STARPU_W);
  hg_status status = fill_box(st, init, arg, &t->core, &core, t->memory[0]);
  starpu_data_release(t->state[0]);
  return status;
}
