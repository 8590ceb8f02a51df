/* SPDX-License-Identifier: MIT */
/* A panel by tournament pivoting. Its tiles propose rows at the same time, wherever they are; proposals meet in pairs,
 * those of neighbouring tiles first. The winners are exchanged with the top rows, and the tiles below are scaled, each
 * independently. Before the pivots are known only proposals are sent between ranks, where partial pivoting gathers the
 * panel. */
#include <stdlib.h>
#include <string.h>

#include "codelets/lu/lu_tournament_codelet.h"
#include "elimination/tiles.h"
#include "runtime/record.h"

/* A match or an entry on this rank. */
static hg_status submit(hg_elimination *e, struct starpu_codelet *codelet, int k, bool tile, int row, int inputs,
                        double rows)
{
  const double cols = hg_lu_rows(e, k);
  hg_lu_match *match = malloc(sizeof *match);
  if (!match) return hg_fail(HG_MEMORY, "no memory for a task");
  *match = (hg_lu_match){.is_float = e->problem.precision == HG_FLOAT,
                         .tile = tile,
                         .row = row,
                         .inputs = inputs,
                         .failure = &e->failure,
                         .rows = (int)(e->n - (int64_t)k * e->problem.nb)};
  int error = starpu_task_insert(
      codelet, STARPU_DATA_MODE_ARRAY, e->descr, e->count, STARPU_CL_ARGS, match, sizeof *match, STARPU_PRIORITY,
      PRIORITY_PANEL, STARPU_FLOPS, cols * cols * (rows > cols ? rows - cols / 3 : cols), STARPU_CALLBACK,
      hg_record_task(), STARPU_CALLBACK_ARG_NFREE, hg_record_number(), STARPU_EPILOGUE_CALLBACK, hg_lu_task_ended(e),
      STARPU_EPILOGUE_CALLBACK_ARG, hg_lu_step_here(e), 0);
  return error ? hg_fail(HG_NO_WORKER, "no CPU worker can run the task '%s'", codelet->name) : HG_OK;
}

static starpu_data_handle_t make_matrix(const hg_elimination *e, int rows, int cols, const char *name)
{
  starpu_data_handle_t handle;
  starpu_matrix_data_register(&handle, -1, 0, (uint32_t)rows, (uint32_t)rows, (uint32_t)cols, e->value_bytes);
  starpu_data_set_name(handle, name);
  return handle;
}

static starpu_data_handle_t make_proposal(const hg_elimination *e, int k)
{
  return make_matrix(e, hg_lu_rows(e, k), hg_lu_rows(e, k) + 1, "proposal");
}

/* Adds the buffers for the last match's results. */
static void add_decision(hg_elimination *e, int k)
{
  e->winners = make_matrix(e, hg_lu_rows(e, k), hg_lu_rows(e, k), "winners");
  hg_lu_add(e, e->winners, STARPU_W);
  hg_lu_add(e, e->pivots[k], STARPU_W);
}

/* Tiles of this rank propose rows; a panel of one tile is decided at once. */
static hg_status submit_entries(hg_elimination *e, int k, starpu_data_handle_t *proposal)
{
  for (int i = k; i < e->tiles; i++) {
    const bool alone = e->tiles - k == 1;
    if (!hg_lu_is_local(e, i, k)) continue;
    hg_lu_begin(e);
    hg_lu_add(e, e->column[k].tile[i], STARPU_R);
    if (alone)
      add_decision(e, k);
    else
      hg_lu_add(e, proposal[i - k] = make_proposal(e, k), STARPU_W);
    HG_TRY(submit(e, alone ? &hg_lu_decide_codelet : &hg_lu_choose_codelet, k, true, (i - k) * e->problem.nb, 1,
                  hg_lu_rows(e, i)));
  }
  return HG_OK;
}

/* Proposal b meets proposal a, on the rank of a. */
static hg_status submit_match(hg_elimination *e, int k, int a, int b, bool last, starpu_data_handle_t *proposal)
{
  const int me = e->session->rank, here = hg_lu_owner(e, k + a, k), there = hg_lu_owner(e, k + b, k);
  if (me == there && here != there) {
    hg_lu_send(e, proposal[b], here, hg_lu_tag(e, TAG_PROPOSAL, k, k + b));
    starpu_data_unregister_submit(proposal[b]);
  }
  if (me != here) return HG_OK;
  if (here != there) {
    proposal[b] = make_proposal(e, k);
    hg_lu_receive(e, proposal[b], there, hg_lu_tag(e, TAG_PROPOSAL, k, k + b));
  }
  starpu_data_handle_t better = last ? NULL : make_proposal(e, k);
  hg_lu_begin(e);
  hg_lu_add(e, proposal[a], STARPU_R);
  hg_lu_add(e, proposal[b], STARPU_R);
  if (last)
    add_decision(e, k);
  else
    hg_lu_add(e, better, STARPU_W);
  HG_TRY(submit(e, last ? &hg_lu_decide_codelet : &hg_lu_choose_codelet, k, false, 0, 2, 2. * hg_lu_rows(e, k)));
  starpu_data_unregister_submit(proposal[a]);
  starpu_data_unregister_submit(proposal[b]);
  proposal[a] = better;
  return HG_OK;
}

hg_status hg_lu_submit_tournament(hg_elimination *e, int k)
{
  const int entries = e->tiles - k;
  starpu_data_handle_t proposal[entries];
  memset(proposal, 0, sizeof proposal);
  HG_TRY(submit_entries(e, k, proposal));
  for (int step = 1; step < entries; step *= 2)
    for (int a = 0; a + step < entries; a += 2 * step)
      HG_TRY(submit_match(e, k, a, a + step, 2 * step >= entries, proposal));
  hg_lu_broadcast_pivots(e, k);
  return HG_OK;
}

hg_status hg_lu_finish_tournament(hg_elimination *e, int k)
{
  const hg_lu_task task = {.tiles = 1};
  const double cols = hg_lu_rows(e, k);
  HG_TRY(hg_lu_exchange(e, k, k, false));
  if (hg_lu_is_local(e, k, k)) {
    if (starpu_data_cpy(e->column[k].tile[k], e->winners, 1, NULL, NULL) != 0)
      return hg_fail(HG_RUNTIME, "StarPU could not copy the winners of panel %d", k);
    starpu_data_unregister_submit(e->winners);
  }
  hg_lu_broadcast_panel_tile(e, k, k, hg_lu_owner(e, k, k));
  for (int i = k + 1; i < e->tiles; i++)
    if (hg_lu_is_local(e, i, k))
      HG_TRY(hg_lu_submit_pair(e, &hg_lu_scale_codelet, &task, e->column[k].tile[i], hg_lu_panel_tile(e, k, k),
                               PRIORITY_PANEL, cols * cols * hg_lu_rows(e, i)));
  for (int i = k + 1; i < e->tiles; i++) hg_lu_broadcast_panel_tile(e, k, i, hg_lu_owner(e, i, k));
  return HG_OK;
}
