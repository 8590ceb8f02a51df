/* SPDX-License-Identifier: MIT */
/* One step on one block column: exchange of rows, solve for its top tile, products below. */
#include "elimination/tiles.h"

/* Numbers the moves for a task whose buffers are the tiles with a slot. */
static void number_moves(const hg_elimination *e, const int *slot, hg_lu_move *move)
{
  const int nb = e->problem.nb;
  for (int m = 0; m < e->moves; m++) {
    const hg_row_move *r = &e->move[m];
    move[m] = (hg_lu_move){slot[r->to / nb], r->to % nb, slot[r->from / nb], r->from % nb};
  }
}

/* Splits columns so that all workers have something to do, except for cores beside one GPU: a part would take a core
 * longer than all parts take the GPU. */
int hg_lu_update_parts(const hg_elimination *e, int k)
{
  int columns = 0;
  for (int j = k + 1; j < e->columns; j++) columns += hg_lu_is_local(e, k, j);
  const int workers = e->cores + e->gpus, wanted = 2 * workers;
  const bool whole = workers == 1 || (e->gpus > 0 && starpu_memory_nodes_get_count_by_kind(STARPU_CUDA_RAM) == 1);
  const int rows = e->tiles - k - 1;
  int parts = columns > 0 ? (wanted + columns - 1) / columns : 1;
  return whole || parts < 1 ? 1 : parts < rows ? parts : rows > 0 ? rows : 1;
}

/* Whether all tiles of column j from k on have this home. */
static bool is_at(const hg_elimination *e, int k, int j, int home)
{
  for (int i = k; i < e->tiles; i++)
    if (hg_lu_affinity(e, i, j) != home) return false;
  return true;
}

/* Pairs of columns, as long as each core has two pairs. Not for the next panel's column, which must not wait, nor with
 * GPUs, where columns are not adjacent. OpenBLAS rounds differently beside narrow columns and in rows after the last
 * full vector. */
int hg_lu_columns_at_once(const hg_elimination *e, int k, int j, int parts)
{
  enum { PAIRS = 2, VECTOR = 8 };
  const int home = hg_lu_affinity(e, k, j), left = e->tiles - k - 1;
  const bool apart = parts > 1 || e->gpus > 0 || e->session->ranks > 1 || j == k + 1 || j + 1 >= e->tiles;
  if (apart || left < HG_LU_AT_ONCE * PAIRS * e->cores) return 1;
  if (e->n % VECTOR || e->column[j + 1].cols < e->problem.nb) return 1;
  return is_at(e, k, j, home) && is_at(e, k, j + 1, home) ? HG_LU_AT_ONCE : 1;
}

/* End of the tiles i .. end-1 of column j that have the same home as tile i. */
static int end_of_home(const hg_elimination *e, int i, int end, int j)
{
  int next = i + 1;
  while (next < end && hg_lu_affinity(e, next, j) == hg_lu_affinity(e, i, j)) next++;
  return next;
}

/* Tiles with different homes are updated by different tasks. */
static hg_status submit_updates(hg_elimination *e, int k, int j, int parts, int priority)
{
  const int first = k + 1, rows = e->tiles - first;
  for (int p = 0; p < parts; p++) {
    const int end = first + rows * (p + 1) / parts;
    for (int i = first + rows * p / parts, next; i < end; i = next) {
      next = end_of_home(e, i, end, j);
      HG_TRY(hg_lu_submit_update(e, k, j, i, next, false, priority));
    }
  }
  return HG_OK;
}

/* Whether a column's task reads the pivots itself, so that its exchanges need not be listed: in the static graph, and
 * where GPUs get all tiles anyway, as they compose and apply the exchanges faster than a list is passed to them. */
static bool swaps_by_pivots(const hg_elimination *e, int k, bool whole)
{
  bool all = e->gpus > 0 && e->moves > 0 && e->tiles - k <= HG_LU_SWAP_TILES;
  for (int i = k + 1; i < e->tiles; i++) all = all && (whole || e->touched[i]);
  return all || e->problem.pivoting == HG_PIVOT_STATIC;
}

/* Columns that only this rank has. In one part with one home, one task does everything; otherwise the exchanges and
 * the solve take only the tiles they touch, and the products follow. */
static hg_status submit_own_columns(hg_elimination *e, int k, int j, int count, int parts, int priority)
{
  int slot[e->tiles - k];
  hg_lu_move move[e->moves + 1];
  const bool whole = parts == 1 && end_of_home(e, k, e->tiles, j) == e->tiles, of_pivots = swaps_by_pivots(e, k, whole);
  hg_lu_task task = {.solve = true, .moves = of_pivots ? 0 : e->moves, .swap = of_pivots, .beside = count - 1};
  const double nb = hg_lu_rows(e, k), rows = (double)(e->n - (int64_t)k * e->problem.nb) - nb;
  double flops = 0;
  for (int i = k; i < e->tiles; i++) slot[i - k] = i == k || whole || of_pivots || e->touched[i] ? task.tiles++ : -1;
  hg_lu_begin(e);
  for (int c = j; c < j + count; c++) {
    for (int i = k; i < e->tiles; i++)
      if (slot[i - k] >= 0) hg_lu_add(e, e->column[c].tile[i], STARPU_RW);
    flops += nb * nb * e->column[c].cols + (whole ? hg_lu_update_flops(e, k, c, rows) : 0);
  }
  task.panels = whole ? task.tiles : 1;
  for (int i = k; i < k + task.panels; i++) hg_lu_add(e, hg_lu_panel_tile(e, k, i), STARPU_R);
  if (of_pivots) hg_lu_add(e, e->pivots[k], STARPU_R);
  if (task.moves) number_moves(e, slot, move);
  HG_TRY(hg_lu_submit(e, &hg_lu_column_codelet, &task, move, priority, flops));
  return whole ? HG_OK : submit_updates(e, k, j, parts, priority);
}

/* A column that several ranks share. */
static hg_status submit_divided_column(hg_elimination *e, int k, int j, int priority)
{
  HG_TRY(hg_lu_exchange(e, k, j, false));
  if (hg_lu_is_local(e, k, j)) {
    const hg_lu_task task = {.solve = true, .tiles = 1, .panels = 1};
    const double nb = hg_lu_rows(e, k);
    HG_TRY(hg_lu_submit_pair(e, &hg_lu_column_codelet, &task, e->column[j].tile[k], hg_lu_panel_tile(e, k, k), priority,
                             nb * nb * e->column[j].cols));
  }
  hg_lu_broadcast_top(e, k, j);
  return submit_updates(e, k, j, 1, priority);
}

hg_status hg_lu_submit_columns(hg_elimination *e, int k, int j, int count, int parts)
{
  const int priority = j == k + 1 ? PRIORITY_NEXT : PRIORITY_UPDATE, owner = hg_lu_sole_owner(e, k, j);
  e->step = k;
  for (int i = k; i < e->tiles; i++) e->metadata.tiles_touched += count * e->touched[i];
  if (owner < 0) return submit_divided_column(e, k, j, priority);
  return owner == e->session->rank ? submit_own_columns(e, k, j, count, parts, priority) : HG_OK;
}
