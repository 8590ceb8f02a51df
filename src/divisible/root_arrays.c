/* SPDX-License-Identifier: MIT */
/* Arrays of a divisible job that are on rank 0: a pass begins by sending each rank its inputs and ends with receiving
 * its results. Rank 0 records when each rank's last result has arrived; items are divided among ranks by these
 * times. */
#include <inttypes.h>
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "runtime/comm.h"
#include "divisible/internal.h"

struct hg_item_messages {
  MPI_Request *request; /* [count] */
  int *rank;            /* [count] that a result comes from; -1: an input is sent */
  int count;
};

static bool goes(const hg_item_array *a)
{
  return hg_item_array_goes(a) && !a->divided;
}

static bool comes(const hg_item_array *a)
{
  return hg_item_array_comes(a) && !a->divided;
}

/* `count` items of an array. */
static MPI_Datatype type_of(const hg_item_array *a, int64_t count)
{
  MPI_Datatype item, all;
  MPI_Type_contiguous((int)a->bytes, MPI_BYTE, &item);
  MPI_Type_create_hvector((int)a->rows, (int)count, (MPI_Aint)a->stride, item, &all);
  MPI_Type_commit(&all);
  MPI_Type_free(&item);
  return all;
}

static void start(hg_item_messages *m, const hg_session *s, const hg_item_array *a, int64_t first, int64_t count,
                  int tag, int peer, bool receive)
{
  char *at = (char *)a->base + first * a->bytes;
  MPI_Datatype type = type_of(a, count);
  MPI_Request *request = &m->request[m->count];
  m->rank[m->count++] = receive ? peer : -1;
  if (receive)
    MPI_Irecv(at, 1, type, peer, tag, s->comms->own, request);
  else
    MPI_Isend(at, 1, type, peer, tag, s->comms->own, request);
  MPI_Type_free(&type);
}

/* Ranks above 0 store their items contiguously. */
static hg_status make_buffers(hg_divisible_run *r)
{
  for (int i = 0; i < r->job.arrays; i++) {
    hg_item_array *a = &r->local[i];
    if (r->job.array[i].divided) continue;
    *a = r->job.array[i];
    if (r->session->rank == 0 || a->access == HG_ITEM_SHARED) continue;
    if (a->bytes > INT_MAX || a->rows > INT_MAX)
      return hg_fail(HG_INVALID,
                     "%s: array %d: %" PRId64 " rows of %" PRId64
                     " bytes per item, must both be below 2^31 on several ranks",
                     r->name, i, a->rows, a->bytes);
    const size_t bytes = (size_t)(a->rows * r->count * a->bytes);
    if (bytes > r->buffer[i].bytes) HG_TRY(hg_pinned_grow("items of a rank", bytes, &r->buffer[i]));
    a->stride = r->count * a->bytes;
    a->base = r->buffer[i].memory;
  }
  return HG_OK;
}

static hg_status make_messages(hg_divisible_run *r)
{
  const size_t most = 2 * HG_ITEM_ARRAYS * (size_t)r->session->ranks;
  if (r->messages) return HG_OK;
  HG_TRY(hg_allocate("messages", sizeof *r->messages, (void **)&r->messages));
  hg_item_messages *m = r->messages;
  HG_TRY(hg_allocate("messages", most * sizeof *m->request, (void **)&m->request));
  return hg_allocate("messages", most * sizeof *m->rank, (void **)&m->rank);
}

static void back_off(void)
{
  nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
}

/* Sends inputs to, and receives results from, all other ranks; items of lower ranks come first. */
static void serve(hg_divisible_run *r)
{
  int64_t first = r->ranks.w[0];
  for (int rank = 1; rank < r->session->ranks; first += r->ranks.w[rank++])
    for (int i = 0; i < r->job.arrays && r->ranks.w[rank] > 0; i++) {
      const hg_item_array *a = &r->job.array[i];
      if (goes(a)) start(r->messages, r->session, a, first, r->ranks.w[rank], i, rank, false);
      if (comes(a)) start(r->messages, r->session, a, first, r->ranks.w[rank], i, rank, true);
    }
}

static void finish_all(hg_item_messages *m)
{
  hg_wait_quietly(m->count, m->request, 0);
  m->count = 0;
}

hg_status hg_divisible_deliver(hg_divisible_run *r)
{
  const hg_session *s = r->session;
  HG_TRY(hg_item_parts_lay(r));
  hg_status status = make_buffers(r);
  if (s->ranks == 1) return status;
  if (status == HG_OK) status = make_messages(r);
  HG_TRY(hg_session_agree(s, status));
  hg_session_barrier(s);
  r->begin = hg_now();
  if (s->rank == 0) serve(r);
  for (int i = 0; i < r->job.arrays && s->rank > 0 && r->count > 0; i++)
    if (goes(&r->local[i])) start(r->messages, s, &r->local[i], 0, r->count, i, 0, true);
  if (s->rank > 0) finish_all(r->messages);
  return HG_OK;
}

/* Waits until the last result of every rank has arrived. */
static void await(hg_divisible_run *r)
{
  hg_item_messages *m = r->messages;
  int done[m->count + 1], count = 0;
  while (MPI_Testsome(m->count, m->request, &count, done, MPI_STATUSES_IGNORE) == MPI_SUCCESS &&
         count != MPI_UNDEFINED) {
    for (int i = 0; i < count; i++)
      if (m->rank[done[i]] > 0) r->rank_seconds[m->rank[done[i]]] = hg_now() - r->begin;
    if (count == 0) back_off();
  }
  m->count = 0;
}

void hg_divisible_collect(hg_divisible_run *r)
{
  const hg_session *s = r->session;
  if (s->ranks == 1) return;
  for (int rank = 0; rank < s->ranks; rank++) r->rank_seconds[rank] = 0;
  for (int i = 0; i < r->job.arrays && s->rank > 0 && r->count > 0; i++)
    if (comes(&r->local[i])) start(r->messages, s, &r->local[i], 0, r->count, i, 0, false);
  if (s->rank == 0)
    await(r);
  else
    finish_all(r->messages);
}

/* For items without results, only a rank's own time is known. */
void hg_divisible_share_times(hg_divisible_run *r)
{
  const hg_session *s = r->session;
  double longest = 0;
  for (int i = 0; i < r->devices; i++)
    if (r->workers.w[i] > 0 && r->seconds[i] > longest) longest = r->seconds[i];
  for (int rank = 0; rank < s->ranks && s->ranks > 1; rank++) {
    double seconds = rank == s->rank ? longest : 0;
    hg_session_max(s, &seconds);
    if (s->rank == 0 && r->rank_seconds[rank] < seconds) r->rank_seconds[rank] = seconds;
  }
  if (s->ranks > 1) hg_session_bcast(s, r->rank_seconds, (size_t)s->ranks * sizeof(double));
}

void hg_divisible_free_messages(hg_divisible_run *r)
{
  if (!r->messages) return;
  free(r->messages->request);
  free(r->messages->rank);
  free(r->messages);
}
