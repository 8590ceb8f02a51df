/* SPDX-License-Identifier: MIT */
#include "result/trace_notes.h"

#include <stdlib.h>

#include "traces/notes.h"

static hg_status write_tiles(const char *folder, const hg_tiling *t)
{
  hg_box *core = malloc(((size_t)t->tiles + 1) * sizeof *core);
  if (!core) return hg_fail(HG_MEMORY, "no memory for %d tiles", t->tiles);
  for (int i = 0; i < t->tiles; i++) core[i] = hg_tile_core(t, i);
  hg_status status = hg_trace_note_tiles(folder, t->tiles, core);
  free(core);
  return status;
}

/* Writes the ages of asynchronous blocks, if there are any; each block is on one rank. */
static hg_status write_ages(const char *folder, const hg_graph *g)
{
  const size_t blocks = (size_t)g->tiling->tiles;
  hg_block_ages *ages = calloc(blocks + 1, sizeof *ages);
  hg_status status = ages ? HG_OK : hg_fail(HG_MEMORY, "no memory for %zu blocks", blocks);
  status = hg_session_agree(g->session, status);
  if (status == HG_OK) {
    g->ops->ages(g, ages);
    hg_session_sum_all(g->session, (double *)ages, (int64_t)(blocks * sizeof *ages / sizeof(double)));
    if (g->session->rank == 0 && ages->sweeps > 0) status = hg_trace_note_ages(folder, (int)blocks, ages);
  }
  free(ages);
  return status;
}

hg_status hg_grid_trace_notes(const char *folder, const char *title, const hg_graph *g)
{
  const hg_session *s = g->session;
  const bool known = g->ops->sent;
  double *planned = calloc((size_t)s->ranks * (size_t)s->ranks, sizeof *planned);
  if (!planned) return hg_fail(HG_MEMORY, "no memory for %d ranks", s->ranks);
  for (int r = 0; r < s->ranks && known; r++) planned[(int64_t)s->rank * s->ranks + r] = g->ops->sent(g, r);
  hg_session_sum_all(s, planned, (int64_t)s->ranks * s->ranks);
  hg_status status = s->rank == 0 ? hg_trace_note_run(folder, title, s->ranks, known ? planned : NULL) : HG_OK;
  if (s->rank == 0 && status == HG_OK) status = write_tiles(folder, g->tiling);
  free(planned);
  HG_TRY(hg_session_agree(s, status));
  return g->ops->ages ? hg_session_agree(s, write_ages(folder, g)) : HG_OK;
}
