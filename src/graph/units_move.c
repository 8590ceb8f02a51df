/* SPDX-License-Identifier: MIT */
/* Moves the values of units with stored neighbours to another division. */
#include "graph/redistribute.h"
#include "graph/units_tiles.h"

static void acquire(const hg_unit_graph *g, enum starpu_data_access_mode mode)
{
  for (int i = 0; i < g->tiles; i++) starpu_data_acquire(g->tile[i].state[g->step % 2], mode);
}

static void release(const hg_unit_graph *g)
{
  for (int i = 0; i < g->tiles; i++) starpu_data_release(g->tile[i].state[g->step % 2]);
}

/* A tile's own values are a box without margins. */
static char *locate(void *graph, int tile, const hg_box *box, hg_halo_piece_cells *cells)
{
  const hg_unit_graph *g = graph;
  const hg_unit_tile *t = hg_unit_local(g, tile);
  int64_t stride = 1;
  *cells = (hg_halo_piece_cells){0};
  for (int a = 0; a < 3; a++) {
    cells->n[a] = hg_box_extent(box, a);
    cells->stride[a] = stride;
    cells->first += (box->lo[a] - t->core.lo[a]) * stride;
    stride *= hg_box_extent(&t->core, a);
  }
  return (char *)starpu_vector_get_local_ptr(t->state[g->step % 2]);
}

hg_status hg_unit_copy_values(hg_unit_graph *from, hg_unit_graph *to)
{
  const hg_divided old = {from->base.tiling, locate, from}, new = {to->base.tiling, locate, to};
  acquire(from, STARPU_R);
  acquire(to, STARPU_W);
  hg_status status = hg_move_values(to->base.session, to->kernel->update->value_bytes, &old, &new);
  release(to);
  release(from);
  return status;
}
