/* SPDX-License-Identifier: MIT */
#include "adr/blocks.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"

static bool spans(const hg_tiling *t, const hg_box *core, int axis)
{
  return core->lo[axis] == 0 && core->hi[axis] == t->domain.n[axis];
}

hg_status hg_adr_check_overlap(const hg_tiling *t, int overlap)
{
  for (int i = 0; i < t->tiles; i++) {
    const hg_box core = hg_tile_core(t, i);
    for (int a = 0; a < 3; a++)
      if (!spans(t, &core, a) && overlap + 1 > t->domain.n[a])
        return hg_fail(HG_INVALID, "--overlap: %d planes, must be < %" PRId64 ", the nodes along %c, the divided axis",
                       overlap, t->domain.n[a], "xyz"[a]);
  }
  return HG_OK;
}

/* A core and `by` planes around it, clipped where the grid ends. */
static hg_box widened(const hg_adr_problem *p, const hg_tiling *t, const hg_box *core, int by)
{
  hg_box w = *core;
  for (int a = 0; a < 3; a++) {
    if (spans(t, core, a)) continue;
    w.lo[a] -= by;
    w.hi[a] += by;
    if (p->boundary[a] == HG_ADR_PERIODIC) continue;
    if (w.lo[a] < 0) w.lo[a] = 0;
    if (w.hi[a] > t->domain.n[a]) w.hi[a] = t->domain.n[a];
  }
  return w;
}

void hg_adr_block_make(const hg_adr_problem *p, const hg_tiling *t, int tile, int overlap, hg_adr_place *place,
                       hg_adr_block *b)
{
  place->core = hg_tile_core(t, tile);
  place->unknowns = widened(p, t, &place->core, overlap);
  *b = (hg_adr_block){.reaction = (int)p->reaction};
  for (int a = 0; a < 3; a++) {
    b->n[a] = hg_box_extent(&place->unknowns, a);
    b->lo[a] = place->core.lo[a] - place->unknowns.lo[a];
    b->hi[a] = place->core.hi[a] - place->unknowns.lo[a];
    b->wrap[a] = p->boundary[a] == HG_ADR_PERIODIC && spans(t, &place->core, a);
  }
  hg_adr_lay_out(b);
}

typedef struct piece_list {
  hg_adr_patch *piece;
  int count;
} piece_list;

/* Adds the piece that an image of a region provides. */
static hg_status add_image(piece_list *l, const hg_box *room, const hg_box *core, const int64_t shift[3], int from,
                           int to)
{
  hg_box image = *core;
  for (int a = 0; a < 3; a++) {
    image.lo[a] += shift[a];
    image.hi[a] += shift[a];
  }
  const hg_box common = hg_box_meet(room, &image);
  if (hg_box_cells(&common) == 0) return HG_OK;
  HG_TRY(hg_grow("the pieces of a block", (void **)&l->piece, l->count, sizeof *l->piece));
  l->piece[l->count] = (hg_adr_patch){from, to, l->count, common, {shift[0], shift[1], shift[2]}};
  l->count++;
  return HG_OK;
}

/* Adds all images of a region, one on each side along axes on which the block is open. */
static hg_status add_region(piece_list *l, const hg_adr_problem *p, const hg_tiling *t, const hg_box *own,
                            const hg_box *room, int from, int to)
{
  const hg_box core = hg_tile_core(t, from);
  int reach[3];
  for (int a = 0; a < 3; a++) reach[a] = p->boundary[a] == HG_ADR_PERIODIC && !spans(t, own, a);
  for (int k = -reach[2]; k <= reach[2]; k++)
    for (int j = -reach[1]; j <= reach[1]; j++)
      for (int i = -reach[0]; i <= reach[0]; i++) {
        const int64_t shift[3] = {i * t->domain.n[0], j * t->domain.n[1], k * t->domain.n[2]};
        if (from == to && i == 0 && j == 0 && k == 0) continue;
        HG_TRY(add_image(l, room, &core, shift, from, to));
      }
  return HG_OK;
}

hg_status hg_adr_pieces(const hg_adr_problem *p, const hg_tiling *t, int tile, int overlap, hg_adr_patch **list,
                        int *count)
{
  piece_list l = {NULL, 0};
  const hg_box own = hg_tile_core(t, tile), room = widened(p, t, &own, overlap + 1);
  hg_status status = HG_OK;
  for (int from = 0; from < t->tiles && status == HG_OK; from++) status = add_region(&l, p, t, &own, &room, from, tile);
  if (status != HG_OK) free(l.piece);
  *list = status == HG_OK ? l.piece : NULL;
  *count = status == HG_OK ? l.count : 0;
  return status;
}

hg_halo_piece_cells hg_adr_cells(const hg_adr_block *b, const hg_adr_place *place, const hg_box *box)
{
  hg_halo_piece_cells c = {.first = b->origin};
  for (int a = 0; a < 3; a++) {
    c.n[a] = hg_box_extent(box, a);
    c.stride[a] = b->stride[a];
    c.first += (box->lo[a] - place->unknowns.lo[a]) * b->stride[a];
  }
  return c;
}
