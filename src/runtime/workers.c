/* SPDX-License-Identifier: MIT */
#include "runtime/workers.h"

#include <stdlib.h>
#include <string.h>

hg_status hg_session_set_workers(hg_session *s, const int *counts, const hg_worker_note *worker)
{
  s->all_workers = s->first_worker = 0;
  for (int r = 0; r < s->ranks; r++) {
    if (r < s->rank) s->first_worker += counts[r];
    s->all_workers += counts[r];
  }
  s->worker_rank = malloc(((size_t)s->all_workers + 1) * sizeof *s->worker_rank);
  s->worker_host = malloc(((size_t)s->all_workers + 1) * sizeof *s->worker_host);
  s->kind = malloc(((size_t)s->all_workers + 1) * sizeof *s->kind);
  s->model = malloc(((size_t)s->all_workers + 1) * sizeof *s->model);
  if (!s->worker_rank || !s->worker_host || !s->kind || !s->model)
    return hg_fail(HG_MEMORY, "no memory for %d workers", s->all_workers);
  for (int r = 0, i = 0; r < s->ranks; r++)
    for (int j = 0; j < counts[r]; j++, i++) {
      s->worker_rank[i] = r;
      s->worker_host[i] = worker[i].host;
      s->kind[i] = (hg_worker_kind)worker[i].kind;
      memcpy(s->model[i], worker[i].model, sizeof s->model[i]);
      if (s->kind[i] == HG_CPU_WORKER)
        s->cpu_workers++;
      else
        s->cuda_workers++;
    }
  return HG_OK;
}
