/* SPDX-License-Identifier: MIT */
/* A stencil's state under another division. Margins are not moved: pieces fill them again. */
#include "graph/move.h"
#include "graph/stencil.h"
#include "graph/stencil_tiles.h"

/* All states of both are in main memory meanwhile. */
static void acquire(const hg_stencil *st, int parity, enum starpu_data_access_mode mode)
{
  for (int i = 0; i < st->tiles; i++) starpu_data_acquire(st->tile[i].state[parity], mode);
}

static void release(const hg_stencil *st, int parity)
{
  for (int i = 0; i < st->tiles; i++) starpu_data_release(st->tile[i].state[parity]);
}

static char *locate(void *graph, int tile, const hg_box *box, hg_piece_cells *cells)
{
  const hg_stencil *st = graph;
  const hg_stencil_tile *t = hg_local_tile(st, tile);
  *cells = hg_tile_cells(t, box);
  return (char *)starpu_vector_get_local_ptr(t->state[st->block % 2]);
}

hg_status hg_stencil_copy_cores(hg_stencil *from, hg_stencil *to)
{
  const hg_divided old = {from->base.tiling, locate, from}, new = {to->base.tiling, locate, to};
  acquire(from, (int)(from->block % 2), STARPU_R);
  acquire(to, (int)(to->block % 2), STARPU_W);
  hg_status status = hg_move_values(to->base.session, to->kernel->value_bytes, &old, &new);
  release(to, (int)(to->block % 2));
  release(from, (int)(from->block % 2));
  return status;
}
