/* SPDX-License-Identifier: MIT */
/* Records the last pass of the workers of all ranks, for pictures. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "divisible/passes.h"
#include "divisible/internal.h"

static void name_workers(const hg_session *s, hg_passes *p)
{
  for (int i = 0, first = 0; i < s->all_workers; i++) {
    const int rank = s->worker_rank[i];
    if (i > 0 && rank != s->worker_rank[i - 1]) first = i;
    p->cuda[i] = s->kind[i] == HG_CUDA_WORKER;
    const char *kind = p->cuda[i] ? "CUDA" : "CPU";
    if (s->ranks > 1)
      snprintf(p->name[i], HG_PASSES_NAME, "%d:%s %d", rank, kind, i - first);
    else
      snprintf(p->name[i], HG_PASSES_NAME, "%s %d", kind, i);
  }
}

static hg_status begin(const hg_session *s, hg_passes *p)
{
  if (p->name) return HG_OK;
  HG_TRY(hg_passes_begin(s->all_workers, p));
  name_workers(s, p);
  return HG_OK;
}

/* A GPU's kernels run one after another on one stream: each begins when the previous one has ended. */
static hg_pass_chunk chunk_of(const hg_divisible_run *r, const hg_item_chunk *c, const hg_pass_chunk *before)
{
  hg_pass_chunk out = {.worker = c->items.worker + r->session->first_worker,
                       .items = (double)c->items.count,
                       .begin = c->begin - r->begin,
                       .end = c->end - r->begin};
  const bool follows = before && before->worker == out.worker;
  if (c->cuda && follows) out.begin = fmin(fmax(out.begin, before->computed), out.end);
  out.computed = c->cuda ? fmin(out.begin + c->kernel, out.end) : out.end;
  return out;
}

static void take_own(const hg_divisible_run *r, int64_t first, hg_pass *p)
{
  for (int i = 0; i < r->devices; i++) {
    hg_pass_worker *w = &p->worker[r->session->first_worker + (int)r->device[i].worker];
    w->items = (double)r->share[r->device[i].worker];
    w->seconds = r->busy[r->device[i].worker];
    hg_pass_know(&r->workers.speed[i], w);
  }
  for (int k = 0; k < r->chunks; k++)
    p->chunk[first + k] = chunk_of(r, &r->chunk[k], k > 0 ? &p->chunk[first + k - 1] : NULL);
}

/* Position of this rank's chunks among those of all ranks. */
static hg_status place_chunks(const hg_divisible_run *r, int64_t *first, int64_t *all)
{
  const hg_session *s = r->session;
  double *chunks = NULL;
  HG_TRY(hg_session_agree(s, hg_allocate("ranks", (size_t)s->ranks * sizeof *chunks, (void **)&chunks)));
  chunks[s->rank] = r->chunks;
  hg_session_sum_all(s, chunks, s->ranks);
  for (int rank = 0; rank < s->ranks; rank++) {
    if (rank == s->rank) *first = *all;
    *all += (int64_t)chunks[rank];
  }
  free(chunks);
  return HG_OK;
}

static hg_status make(const hg_divisible_run *r, int64_t chunks, hg_passes *passes, hg_pass **out)
{
  HG_TRY(begin(r->session, passes));
  HG_TRY(hg_passes_next(passes, out));
  (*out)->number = r->report.pass;
  (*out)->seconds = r->report.seconds;
  (*out)->imbalance = r->report.imbalance;
  (*out)->state = r->report.state;
  (*out)->chunks = chunks;
  return hg_allocate("chunks", ((size_t)chunks + 1) * sizeof *(*out)->chunk, (void **)&(*out)->chunk);
}

hg_status hg_divisible_record(const hg_divisible_run *r, hg_passes *passes)
{
  const hg_session *s = r->session;
  int64_t first = 0, chunks = 0;
  hg_pass *p;
  HG_TRY(place_chunks(r, &first, &chunks));
  HG_TRY(hg_session_agree(s, make(r, chunks, passes, &p)));
  take_own(r, first, p);
  hg_session_sum_all(s, (double *)p->worker, s->all_workers * (int64_t)(sizeof *p->worker / sizeof(double)));
  hg_session_sum_all(s, (double *)p->chunk, chunks * (int64_t)(sizeof *p->chunk / sizeof(double)));
  return HG_OK;
}

int64_t hg_divisible_jobs(const hg_divisible_run *r)
{
  return r->items;
}
