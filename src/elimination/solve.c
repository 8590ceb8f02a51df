/* SPDX-License-Identifier: MIT */
/* After a factorisation: back substitution, and multiplying the factors. */
#include <starpu.h>
#include <string.h>

#include "elimination/graph.h"
#include "elimination/report.h"
#include "elimination/tiles.h"

/* The next row of B can be solved when the products of all ranks with tiles right of the diagonal have been added, in
 * the order of the ranks. */
static hg_status collect_sums(hg_elimination *e, int k, int j)
{
  const int to = hg_lu_owner(e, k, j), me = e->session->rank;
  bool *has = e->needs;
  memset(has, 0, (size_t)e->session->ranks * sizeof *has);
  for (int l = k + 1; l < e->tiles; l++) has[hg_lu_owner(e, k, l)] = true;
  for (int r = 0; r < e->session->ranks; r++) {
    if (!has[r] || r == to) continue;
    if (me == r) hg_lu_send(e, hg_lu_sum_tile(e, k, j), to, hg_lu_tag(e, TAG_SUM, k, j));
    if (me != to) continue;
    starpu_data_handle_t part;
    const hg_lu_task task = {.tiles = 1};
    starpu_matrix_data_register(&part, -1, 0, (uint32_t)hg_lu_rows(e, k), (uint32_t)hg_lu_rows(e, k),
                                (uint32_t)e->column[j].cols, e->value_bytes);
    hg_lu_receive(e, part, r, hg_lu_tag(e, TAG_SUM, k, j));
    HG_TRY(hg_lu_submit_pair(e, &hg_lu_add_codelet, &task, e->column[j].tile[k], part, PRIORITY_PANEL, 0));
    starpu_data_unregister_submit(part);
  }
  return HG_OK;
}

static double solve_flops(const hg_elimination *e, int k, int j, int tiles)
{
  const double nb = hg_lu_rows(e, k);
  return nb * e->column[j].cols * (nb + 2 * (double)(tiles - 1) * e->problem.nb);
}

/* Rows 0 .. k of B if this rank has column k of the factors and this column of B: one task. */
static hg_status submit_own_step(hg_elimination *e, int k, int j)
{
  const hg_lu_task task = {.solve = true, .upper = true, .tiles = k + 1, .panels = k + 1};
  hg_lu_begin(e);
  hg_lu_add(e, e->column[j].tile[k], STARPU_RW);
  for (int i = 0; i < k; i++) hg_lu_add(e, e->column[j].tile[i], STARPU_RW);
  hg_lu_add(e, e->column[k].tile[k], STARPU_R);
  for (int i = 0; i < k; i++) hg_lu_add(e, e->column[k].tile[i], STARPU_R);
  return hg_lu_submit(e, &hg_lu_column_codelet, &task, NULL, PRIORITY_UPDATE, solve_flops(e, k, j, k + 1));
}

/* Sends the diagonal tile to the row's rank, which solves. */
static hg_status solve_row(hg_elimination *e, int k, int j)
{
  const int of_row = hg_lu_owner(e, k, j), of_triangle = hg_lu_owner(e, k, k), me = e->session->rank;
  const hg_lu_task task = {.solve = true, .upper = true, .tiles = 1, .panels = 1};
  if (of_triangle != of_row && me == of_triangle)
    hg_lu_send(e, e->column[k].tile[k], of_row, hg_lu_tag(e, TAG_PANEL, k, j));
  if (me != of_row) return HG_OK;
  starpu_data_handle_t triangle = hg_lu_panel_tile(e, k, k);
  if (of_triangle != of_row) hg_lu_receive(e, triangle, of_triangle, hg_lu_tag(e, TAG_PANEL, k, j));
  return hg_lu_submit_pair(e, &hg_lu_column_codelet, &task, e->column[j].tile[k], triangle, PRIORITY_PANEL,
                           solve_flops(e, k, j, 1));
}

/* Sends the solved row to the ranks that own the column above, e->needs. */
static void send_solved(hg_elimination *e, int k, int j)
{
  const int of_row = hg_lu_owner(e, k, j), me = e->session->rank;
  memset(e->needs, 0, (size_t)e->session->ranks * sizeof *e->needs);
  for (int i = 0; i < k; i++) e->needs[hg_lu_owner(e, i, k)] = true;
  for (int r = 0; r < e->session->ranks; r++) {
    if (!e->needs[r] || r == of_row) continue;
    if (me == of_row) hg_lu_send(e, e->column[j].tile[k], r, hg_lu_tag(e, TAG_SOLVED, k, j));
    if (me == r) hg_lu_receive(e, hg_lu_top_tile(e, k, j), of_row, hg_lu_tag(e, TAG_SOLVED, k, j));
  }
}

/* Every rank sums the products of its own tiles of the column. */
static hg_status add_products(hg_elimination *e, int k, int j)
{
  hg_lu_task task = {.tiles = 0};
  hg_lu_begin(e);
  hg_lu_add(e, hg_lu_top_tile(e, k, j), STARPU_R);
  for (int i = 0; i < k; i++)
    if (hg_lu_is_local(e, i, k)) {
      hg_lu_add(e, hg_lu_sum_tile(e, i, j), STARPU_RW);
      task.tiles++;
    }
  for (int i = 0; i < k; i++)
    if (hg_lu_is_local(e, i, k)) hg_lu_add(e, e->column[k].tile[i], STARPU_R);
  return hg_lu_submit(e, &hg_lu_update_codelet, &task, NULL, PRIORITY_UPDATE, solve_flops(e, k, j, task.tiles + 1));
}

static hg_status submit_divided_step(hg_elimination *e, int k, int j)
{
  HG_TRY(collect_sums(e, k, j));
  HG_TRY(solve_row(e, k, j));
  send_solved(e, k, j);
  return e->needs[e->session->rank] ? add_products(e, k, j) : HG_OK;
}

static void clear_sums(hg_elimination *e)
{
  for (int j = e->tiles; j < e->columns; j++)
    for (int i = 0; i < e->tiles; i++) {
      bool mine = false;
      for (int l = i + 1; l < e->tiles; l++) mine |= hg_lu_is_local(e, i, l);
      if (!mine || hg_lu_is_local(e, i, j)) continue;
      starpu_data_handle_t sum = hg_lu_sum_tile(e, i, j);
      starpu_data_acquire(sum, STARPU_W);
      memset((void *)starpu_matrix_get_local_ptr(sum), 0,
             (size_t)starpu_matrix_get_local_ld(sum) * (size_t)e->column[j].cols * e->value_bytes);
      starpu_data_release(sum);
    }
}

hg_status hg_elimination_solve(hg_elimination *e)
{
  const bool alone = e->session->ranks == 1;
  if (e->metadata.info)
    return hg_fail(HG_INVALID, "the matrix %s: pivot %lld is exactly zero, so the system is not solved",
                   hg_lu_breakdown(&e->problem), (long long)e->metadata.info);
  if (!alone) clear_sums(e);
  hg_status status = HG_OK;
  for (int k = e->tiles - 1; k >= 0 && status == HG_OK; k--)
    for (int j = e->tiles; j < e->columns && status == HG_OK; j++) {
      e->step = k;
      status = alone ? submit_own_step(e, k, j) : submit_divided_step(e, k, j);
    }
  return status == HG_OK ? hg_lu_wait(e) : status;
}

/* Undoes step k in column j, on the rank that has all of it. */
static hg_status restore_own_column(hg_elimination *e, int k, int j)
{
  const int tiles = e->tiles - k, nb = e->problem.nb;
  hg_lu_move move[e->moves + 1];
  const hg_lu_task task = {.reverse = true, .solve = true, .tiles = tiles, .panels = tiles, .moves = e->moves};
  for (int m = 0; m < e->moves; m++) {
    const hg_row_move *r = &e->move[m];
    move[m] = (hg_lu_move){r->from / nb, r->from % nb, r->to / nb, r->to % nb};
  }
  hg_lu_begin(e);
  for (int i = k; i < e->tiles; i++) hg_lu_add(e, e->column[j].tile[i], STARPU_RW);
  for (int i = k; i < e->tiles; i++) hg_lu_add(e, hg_lu_panel_tile(e, k, i), STARPU_R);
  return hg_lu_submit(e, &hg_lu_column_codelet, &task, move, PRIORITY_UPDATE, solve_flops(e, k, j, tiles));
}

static hg_status restore_divided_column(hg_elimination *e, int k, int j)
{
  const hg_lu_task multiply = {.reverse = true, .solve = true, .tiles = 1, .panels = 1};
  hg_lu_broadcast_top(e, k, j);
  HG_TRY(hg_lu_submit_update(e, k, j, k + 1, e->tiles, true, PRIORITY_UPDATE));
  if (hg_lu_is_local(e, k, j))
    HG_TRY(hg_lu_submit_pair(e, &hg_lu_column_codelet, &multiply, e->column[j].tile[k], hg_lu_panel_tile(e, k, k),
                             PRIORITY_UPDATE, solve_flops(e, k, j, 1)));
  return hg_lu_exchange(e, k, j, true);
}

/* The panel's own tiles: those below the diagonal times the upper triangle, then the diagonal tile. */
static hg_status restore_panel(hg_elimination *e, int k)
{
  const hg_lu_task task = {.tiles = 1};
  for (int i = k + 1; i < e->tiles; i++) {
    if (!hg_lu_is_local(e, i, k)) continue;
    HG_TRY(hg_lu_submit_pair(e, &hg_lu_unscale_codelet, &task, e->column[k].tile[i], hg_lu_panel_tile(e, k, k),
                             PRIORITY_PANEL, solve_flops(e, k, k, 1)));
  }
  if (hg_lu_is_local(e, k, k)) {
    hg_lu_begin(e);
    hg_lu_add(e, e->column[k].tile[k], STARPU_RW);
    HG_TRY(hg_lu_submit(e, &hg_lu_multiply_back_codelet, &task, NULL, PRIORITY_PANEL, solve_flops(e, k, k, 1)));
  }
  return HG_OK;
}

static hg_status restore_step(hg_elimination *e, int k)
{
  hg_lu_read_pivots(e, k);
  hg_lu_broadcast_panel(e, k, true);
  for (int j = k + 1; j < e->tiles; j++) {
    int owner = hg_lu_sole_owner(e, k, j);
    if (owner < 0) HG_TRY(restore_divided_column(e, k, j));
    if (owner == e->session->rank) HG_TRY(restore_own_column(e, k, j));
  }
  HG_TRY(restore_panel(e, k));
  return hg_lu_exchange(e, k, k, true);
}

hg_status hg_elimination_multiply_back(hg_elimination *e)
{
  hg_status status = HG_OK;
  const hg_lu_metadata metadata = e->metadata;
  for (int k = e->tiles - 1; k >= 0 && status == HG_OK; k--) status = restore_step(e, k);
  e->metadata = metadata;
  return status == HG_OK ? hg_lu_wait(e) : status;
}
