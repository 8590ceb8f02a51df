/* SPDX-License-Identifier: MIT */
#include "result/trace_notes.h"

#include <inttypes.h>
#include <stdio.h>
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

hg_status hg_grid_trace_notes(const char *folder, const char *title, const hg_session *s, const hg_tiling *tiling,
                              const hg_stencil *stencil)
{
  double *planned = calloc((size_t)s->ranks * (size_t)s->ranks, sizeof *planned);
  if (!planned) return hg_fail(HG_MEMORY, "no memory for %d ranks", s->ranks);
  for (int r = 0; r < s->ranks && stencil; r++) planned[(int64_t)s->rank * s->ranks + r] = hg_stencil_sent(stencil, r);
  hg_session_sum_all(s, planned, (int64_t)s->ranks * s->ranks);
  hg_status status = s->rank == 0 ? hg_trace_note_run(folder, title, s->ranks, stencil ? planned : NULL) : HG_OK;
  if (s->rank == 0 && status == HG_OK) status = write_tiles(folder, tiling);
  free(planned);
  return hg_session_agree(s, status);
}

hg_status hg_heat_trace_notes(const char *folder, const hg_heat_run *run, const hg_stencil *stencil)
{
  const hg_session *s = run->session;
  const hg_heat_problem *p = run->problem;
  char title[400];
  snprintf(title, sizeof title,
           "heat %" PRId64 " x %" PRId64 " x %" PRId64 ", %" PRId64 " steps in blocks of %d, %.200s, policy %s",
           p->n[0], p->n[1], p->n[2], run->steps, run->tiling->depth, run->partition, s->sched);
  return hg_grid_trace_notes(folder, title, s, run->tiling, stencil);
}
