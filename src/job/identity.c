/* SPDX-License-Identifier: MIT */
/* How a checkpoint or a series of snapshots is recognised as this job's. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "job/run.h"

/* One rank reads it: all ranks were already found to have the same. */
static hg_status list_problem(const hg_run *r, char **text)
{
  hg_consistency *list = hg_consistency_begin();
  hg_consistency_read_all(list);
  hg_run_consistency(r, list);
  const hg_status status = hg_consistency_problem(list, r->options->problem, text);
  free(list);
  return status;
}

hg_status hg_run_know_problem(hg_run *r)
{
  const hg_session *s = &r->session;
  if (r->problem) return HG_OK;
  HG_TRY(hg_session_agree(s, s->rank == 0 ? list_problem(r, &r->problem) : HG_OK));
  int64_t size = r->problem ? (int64_t)strlen(r->problem) + 1 : 0;
  hg_session_bcast(s, &size, sizeof size);
  HG_TRY(hg_session_agree(s, s->rank > 0 ? hg_allocate("the problem", (size_t)size, (void **)&r->problem) : HG_OK));
  hg_session_bcast(s, r->problem, (size_t)size);
  return HG_OK;
}
