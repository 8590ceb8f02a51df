/* SPDX-License-Identifier: MIT */
#include "elimination/trace_notes.h"

#include <inttypes.h>
#include <stdio.h>

#include "traces/notes.h"

hg_status hg_lu_trace_notes(const char *folder, const hg_lu_run *run)
{
  const hg_session *s = run->session;
  char title[400];
  snprintf(title, sizeof title, "elimination of %.100s, n = %" PRId64 ", nb = %d, %s, %d x %d ranks, policy %s",
           hg_matrix_name(run->problem->a), run->n, run->problem->nb, hg_pivoting_name(run->problem->pivoting), run->p,
           run->q, s->sched);
  return hg_session_agree(s, s->rank == 0 ? hg_trace_note_run(folder, title, s->ranks, NULL) : HG_OK);
}
