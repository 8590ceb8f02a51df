/* SPDX-License-Identifier: MIT */
/* Moves a stencil's state to another division. Margins are not moved: pieces fill them again.
 *
 * One of the old division's two states is dead, so its memory takes the copy; the memory of the other is free
 * afterwards. If a rank has about as many cells as before, moving thus takes no new memory: the system may need longer
 * to clear new pages than the copy takes. */
#include "graph/redistribute.h"
#include "graph/stencil_tiles.h"

/* Brings all tiles of a state into main memory for the duration of the move. */
static void acquire(const hg_stencil *st, int parity, enum starpu_data_access_mode mode)
{
  for (int i = 0; i < st->tiles; i++) starpu_data_acquire(st->tile[i].state[parity], mode);
}

static void release(const hg_stencil *st, int parity)
{
  for (int i = 0; i < st->tiles; i++) starpu_data_release(st->tile[i].state[parity]);
}

static char *locate(void *graph, int tile, const hg_box *box, hg_halo_piece_cells *cells)
{
  const hg_stencil *st = graph;
  const hg_stencil_tile *t = hg_local_tile(st, tile);
  *cells = hg_tile_cells(t, box);
  return (char *)starpu_vector_get_local_ptr(t->state[st->block % 2]);
}

static hg_status copy_cores(hg_stencil *from, hg_stencil *to)
{
  const hg_divided old = {from->base.tiling, locate, from}, new = {to->base.tiling, locate, to};
  acquire(from, (int)(from->block % 2), STARPU_R);
  acquire(to, (int)(to->block % 2), STARPU_W);
  hg_status status = hg_move_values(to->base.session, to->kernel->value_bytes, &old, &new);
  release(to, (int)(to->block % 2));
  release(from, (int)(from->block % 2));
  return status;
}

static bool fits(const hg_pinned *block, size_t bytes)
{
  return block->bytes >= bytes;
}

/* Passes the memory of a dead state of `from` to a state of `to`. */
static hg_status hand_on(hg_stencil *from, int parity, hg_stencil *to, int state)
{
  hg_stencil_unregister(from, parity);
  to->memory[state] = from->memory[parity];
  from->memory[parity] = (hg_pinned){.memory = NULL};
  HG_TRY(hg_stencil_hold(to, state));
  hg_stencil_register(to, state);
  return HG_OK;
}

static hg_status take_states(hg_stencil *from, hg_stencil *to)
{
  const hg_session *s = to->base.session;
  const int now = (int)(from->block % 2);
  const size_t bytes = hg_stencil_bytes(to);
  const int larger = !fits(&from->memory[0], bytes) + !fits(&from->memory[1], bytes);
  HG_TRY(hg_session_agree(s, hg_stencil_check_memory(to, larger)));
  HG_TRY(hg_session_agree(s, hand_on(from, 1 - now, to, 0)));
  HG_TRY(copy_cores(from, to));
  return hg_session_agree(s, hand_on(from, now, to, 1));
}

hg_status hg_stencil_take_states(hg_stencil *from, hg_stencil *to)
{
  hg_session_pause(to->base.session);
  hg_status status = take_states(from, to);
  hg_session_resume(to->base.session);
  return status;
}
