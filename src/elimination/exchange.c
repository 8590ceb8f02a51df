/* SPDX-License-Identifier: MIT */
/* The communication of a step: panels, top rows of tiles, exchanged rows. */
#include <starpu_mpi.h>
#include <stdlib.h>
#include <string.h>

#include "elimination/tiles.h"

void hg_lu_read_pivots(hg_elimination *e, int k)
{
  const int nb = e->problem.nb, cols = hg_lu_rows(e, k);
  starpu_data_acquire(e->pivots[k], STARPU_R);
  const int32_t *pivot = e->pivot + (int64_t)k * (nb + 1);
  if (pivot[0] && !e->metadata.info) e->metadata.info = (int64_t)k * nb + pivot[0];
  e->moves = hg_net_permutation(cols, pivot + 1, e->row, e->move);
  starpu_data_release(e->pivots[k]);
  memset(e->touched, 0, (size_t)e->tiles * sizeof *e->touched);
  for (int i = 0; i < e->moves; i++) e->touched[k + e->move[i].to / nb] = true;
}

/* Marks ranks with a tile in block row i right of the panel. */
static void find_needs(hg_elimination *e, int k, int i)
{
  int last = k + e->problem.map->cols < e->columns - 1 ? k + e->problem.map->cols : e->columns - 1;
  memset(e->needs, 0, (size_t)e->session->ranks * sizeof *e->needs);
  for (int j = k + 1; j <= last; j++) e->needs[hg_lu_owner(e, i, j)] = true;
  if (i > k) return;
  for (int below = k; below < e->tiles; below++) e->needs[hg_lu_owner(e, below, k)] = true;
}

void hg_lu_broadcast_pivots(hg_elimination *e, int k)
{
  const int from = hg_lu_owner(e, k, k), me = e->session->rank;
  for (int r = 0; r < e->session->ranks; r++) {
    if (r == from) continue;
    if (me == from) hg_lu_send(e, e->pivots[k], r, hg_lu_tag(e, TAG_PIVOTS, k, 0));
    if (me == r) hg_lu_receive(e, e->pivots[k], from, hg_lu_tag(e, TAG_PIVOTS, k, 0));
  }
}

void hg_lu_broadcast_panel_tile(hg_elimination *e, int k, int i, int from)
{
  const int me = e->session->rank;
  if (e->session->ranks == 1) return;
  find_needs(e, k, i);
  e->needs[hg_lu_owner(e, i, k)] = true;
  for (int r = 0; r < e->session->ranks; r++) {
    if (!e->needs[r] || r == from) continue;
    if (me == from) hg_lu_send(e, hg_lu_panel_tile(e, k, i), r, hg_lu_tag(e, TAG_PANEL, k, i));
    if (me == r) hg_lu_receive(e, hg_lu_panel_tile(e, k, i), from, hg_lu_tag(e, TAG_PANEL, k, i));
  }
}

void hg_lu_broadcast_panel(hg_elimination *e, int k, bool from_owners)
{
  if (!from_owners) hg_lu_broadcast_pivots(e, k);
  for (int i = k; i < e->tiles; i++) hg_lu_broadcast_panel_tile(e, k, i, hg_lu_owner(e, from_owners ? i : k, k));
}

void hg_lu_broadcast_top(hg_elimination *e, int k, int j)
{
  const int from = hg_lu_owner(e, k, j), me = e->session->rank;
  const int last = k + e->problem.map->rows < e->tiles - 1 ? k + e->problem.map->rows : e->tiles - 1;
  memset(e->needs, 0, (size_t)e->session->ranks * sizeof *e->needs);
  for (int i = k + 1; i <= last; i++) e->needs[hg_lu_owner(e, i, j)] = true;
  for (int r = 0; r < e->session->ranks; r++) {
    if (!e->needs[r] || r == from) continue;
    if (me == from) hg_lu_send(e, e->column[j].tile[k], r, hg_lu_tag(e, TAG_TOP, k, j));
    if (me == r) hg_lu_receive(e, hg_lu_top_tile(e, k, j), from, hg_lu_tag(e, TAG_TOP, k, j));
  }
}

/* An exchange of rows in block column j, as seen by this rank. */
typedef struct exchange {
  int k, j;
  bool reverse;
  int *slot; /* [tiles] buffer of each tile, or -1 */
  hg_lu_move *move;
} exchange;

static int32_t target(const exchange *x, const hg_row_move *m)
{
  return x->reverse ? m->from : m->to;
}

static int32_t source(const exchange *x, const hg_row_move *m)
{
  return x->reverse ? m->to : m->from;
}

static int tile_of_row(const hg_elimination *e, const exchange *x, int32_t row)
{
  return x->k + row / e->problem.nb;
}

static int owner_of_row(const hg_elimination *e, const exchange *x, int32_t row)
{
  return hg_lu_owner(e, tile_of_row(e, x, row), x->j);
}

/* Adds the tiles that sources (or targets) of the moves between the two ranks touch, and numbers them as buffers. */
static int add_tiles(hg_elimination *e, exchange *x, bool sources, int from, int to, enum starpu_data_access_mode mode)
{
  int count = 0;
  for (int i = 0; i < e->tiles; i++) x->slot[i] = -1;
  for (int i = 0; i < e->moves; i++) {
    const hg_row_move *m = &e->move[i];
    int a = owner_of_row(e, x, source(x, m)), b = owner_of_row(e, x, target(x, m));
    if ((from >= 0 && a != from) || (to >= 0 && b != to)) continue;
    int tile = tile_of_row(e, x, sources ? source(x, m) : target(x, m));
    if (x->slot[tile] >= 0) continue;
    hg_lu_add(e, e->column[x->j].tile[tile], mode);
    x->slot[tile] = count++;
  }
  return count;
}

static int moves_between(const hg_elimination *e, const exchange *x, int from, int to)
{
  int count = 0;
  for (int i = 0; i < e->moves; i++)
    count += owner_of_row(e, x, source(x, &e->move[i])) == from && owner_of_row(e, x, target(x, &e->move[i])) == to;
  return count;
}

static starpu_data_handle_t make_bundle(const hg_elimination *e, const exchange *x, int rows)
{
  starpu_data_handle_t bundle;
  starpu_matrix_data_register(&bundle, -1, 0, (uint32_t)rows, (uint32_t)rows, (uint32_t)e->column[x->j].cols,
                              e->value_bytes);
  starpu_data_set_name(bundle, "rows");
  return bundle;
}

/* Sends rows of this rank's tiles to another rank, in the order of the moves. */
static hg_status send_rows(hg_elimination *e, exchange *x, int to, int rows)
{
  const int nb = e->problem.nb, me = e->session->rank;
  starpu_data_handle_t bundle = make_bundle(e, x, rows);
  hg_lu_task task = {.moves = 0};
  hg_lu_begin(e);
  task.tiles = add_tiles(e, x, true, me, to, STARPU_R);
  for (int i = 0; i < e->moves; i++) {
    int32_t row = source(x, &e->move[i]);
    if (owner_of_row(e, x, row) != me || owner_of_row(e, x, target(x, &e->move[i])) != to) continue;
    x->move[task.moves] =
        (hg_lu_move){.target = 0, .to = task.moves, .source = x->slot[tile_of_row(e, x, row)], .from = row % nb};
    task.moves++;
  }
  hg_lu_add(e, bundle, STARPU_W);
  HG_TRY(hg_lu_submit(e, &hg_lu_pack_codelet, &task, x->move, PRIORITY_NEXT, 0));
  hg_lu_send(e, bundle, to, hg_lu_tag(e, TAG_ROWS, x->k, x->j));
  starpu_data_unregister_submit(bundle);
  return HG_OK;
}

/* Moves rows within this rank's tiles, and stores those from other ranks. */
static hg_status place_rows(hg_elimination *e, exchange *x)
{
  const int nb = e->problem.nb, me = e->session->rank, ranks = e->session->ranks;
  starpu_data_handle_t bundle[ranks];
  int number[ranks], taken[ranks];
  hg_lu_task task = {.moves = 0};
  hg_lu_begin(e);
  task.tiles = add_tiles(e, x, false, -1, me, STARPU_RW);
  if (task.tiles == 0) return HG_OK;
  /* tasks submitted earlier have read the rows that leave; rows that stay are among this rank's targets, or their
   * tiles are added here */
  for (int i = 0; i < e->moves; i++) {
    int32_t from = source(x, &e->move[i]);
    int tile = tile_of_row(e, x, from);
    if (owner_of_row(e, x, from) != me || owner_of_row(e, x, target(x, &e->move[i])) != me || x->slot[tile] >= 0)
      continue;
    hg_lu_add(e, e->column[x->j].tile[tile], STARPU_RW);
    x->slot[tile] = task.tiles++;
  }
  for (int r = 0; r < ranks; r++) {
    int rows = r == me ? 0 : moves_between(e, x, r, me);
    taken[r] = 0;
    number[r] = -1;
    if (rows == 0) continue;
    bundle[r] = make_bundle(e, x, rows);
    number[r] = task.tiles + task.bundles++;
    hg_lu_receive(e, bundle[r], r, hg_lu_tag(e, TAG_ROWS, x->k, x->j));
    hg_lu_add(e, bundle[r], STARPU_R);
  }
  for (int i = 0; i < e->moves; i++) {
    int32_t to = target(x, &e->move[i]), from = source(x, &e->move[i]);
    int r = owner_of_row(e, x, from);
    if (owner_of_row(e, x, to) != me) continue;
    hg_lu_move *m = &x->move[task.moves++];
    *m = (hg_lu_move){.target = x->slot[tile_of_row(e, x, to)], .to = to % nb};
    m->source = r == me ? x->slot[tile_of_row(e, x, from)] : number[r];
    m->from = r == me ? from % nb : taken[r]++;
  }
  HG_TRY(hg_lu_submit(e, &hg_lu_column_codelet, &task, x->move, PRIORITY_NEXT, 0));
  for (int r = 0; r < ranks; r++)
    if (number[r] >= 0) starpu_data_unregister_submit(bundle[r]);
  return HG_OK;
}

hg_status hg_lu_exchange(hg_elimination *e, int k, int j, bool reverse)
{
  const int me = e->session->rank;
  exchange x = {.k = k, .j = j, .reverse = reverse};
  if (e->moves == 0) return HG_OK;
  x.slot = malloc((size_t)e->tiles * sizeof *x.slot);
  x.move = malloc((size_t)e->moves * sizeof *x.move);
  hg_status status = x.slot && x.move ? HG_OK : hg_fail(HG_MEMORY, "no memory for %d rows", e->moves);
  for (int r = 0; r < e->session->ranks && status == HG_OK; r++) {
    int rows = r == me ? 0 : moves_between(e, &x, me, r);
    if (rows > 0) status = send_rows(e, &x, r, rows);
  }
  if (status == HG_OK) status = place_rows(e, &x);
  free(x.slot);
  free(x.move);
  return status;
}
