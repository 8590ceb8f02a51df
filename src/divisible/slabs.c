/* SPDX-License-Identifier: MIT */
#include "divisible/slabs.h"

#include <inttypes.h>
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "runtime/comm.h"

enum { TAG = 64 }; /* tags of arrays on rank 0 are lower */

/* Rows and columns begin[0] .. end[0] - 1 and begin[1] .. end[1] - 1. */
typedef struct block {
  int64_t begin[2], end[2];
} block;

static block slab_of(const hg_slabs *s, const int64_t n[2], int rank)
{
  block b = {{0, 0}, {n[0], n[1]}};
  b.begin[s->axis] = 0;
  for (int r = 0; r < rank; r++) b.begin[s->axis] += s->count[r];
  b.end[s->axis] = b.begin[s->axis] + s->count[rank];
  return b;
}

static bool common(const block *a, const block *b, block *out)
{
  for (int i = 0; i < 2; i++) {
    out->begin[i] = a->begin[i] > b->begin[i] ? a->begin[i] : b->begin[i];
    out->end[i] = a->end[i] < b->end[i] ? a->end[i] : b->end[i];
  }
  return out->begin[0] < out->end[0] && out->begin[1] < out->end[1];
}

/* A block in memory: this many rows of this many bytes. */
typedef struct place {
  char *at;
  int64_t rows, wide, stride;
} place;

static place place_of(const hg_slabs *s, const block *slab, const block *b, int64_t bytes)
{
  return (place){(char *)s->base + (b->begin[0] - slab->begin[0]) * s->stride + (b->begin[1] - slab->begin[1]) * bytes,
                 b->end[0] - b->begin[0], (b->end[1] - b->begin[1]) * bytes, s->stride};
}

static bool is_whole(const place *p)
{
  return p->rows == 1 || p->wide == p->stride;
}

typedef struct copying {
  const place *from, *to;
} copying;

static void copy_rows(void *arg, int part, int parts)
{
  const place *from = ((const copying *)arg)->from, *to = ((const copying *)arg)->to;
  const int64_t end = from->rows * (part + 1) / parts;
  for (int64_t row = from->rows * part / parts; row < end; row++)
    memcpy(to->at + row * to->stride, from->at + row * from->stride, (size_t)from->wide);
}

/* Copies a block; large ones by all cores. */
static void copy(const place *from, const place *to)
{
  const int64_t most = from->rows * from->wide >> 20;
  hg_parallel(most < INT_MAX ? (int)most : INT_MAX, copy_rows, &(copying){from, to});
}

/* The divisions of an exchange, and memory for an outgoing and an incoming block. */
typedef struct exchange {
  const hg_session *session;
  const int64_t *n;
  int64_t bytes;
  const hg_slabs *from, *to;
  block had, wanted; /* of this rank, before and after */
  void *packed[2];
} exchange;

/* The block that is sent to the rank `k` above, or received from the one `k` below. */
static bool find(const exchange *e, int k, bool in, int *peer, place *out)
{
  const int ranks = e->session->ranks;
  block b;
  *peer = (e->session->rank + (in ? ranks - k : k)) % ranks;
  const block theirs = slab_of(in ? e->from : e->to, e->n, *peer);
  if (!common(&theirs, in ? &e->wanted : &e->had, &b)) return false;
  *out = in ? place_of(e->to, &e->wanted, &b, e->bytes) : place_of(e->from, &e->had, &b, e->bytes);
  return true;
}

/* MPI's counts are ints, so a block is counted in units of the largest power of two that divides an item. */
static int64_t unit_of(int64_t bytes)
{
  const int64_t unit = bytes & -bytes;
  return unit < 1 << 20 ? unit : 1 << 20;
}

static hg_status check(const place *p, int64_t bytes)
{
  if (p->rows * p->wide / unit_of(bytes) <= INT_MAX) return HG_OK;
  return hg_fail(HG_INVALID,
                 "a block of %" PRId64 " x %" PRId64 " bytes between ranks, must be below 2^31 times %" PRId64, p->rows,
                 p->wide, unit_of(bytes));
}

/* Blocks are sent contiguously, as MPI copies these faster than rows. */
static hg_status make_memory(exchange *e)
{
  size_t most[2] = {0, 0};
  for (int k = 1; k < e->session->ranks; k++)
    for (int in = 0; in < 2; in++) {
      int peer;
      place p;
      if (!find(e, k, in, &peer, &p)) continue;
      HG_TRY(check(&p, e->bytes));
      if (is_whole(&p)) continue;
      const size_t size = (size_t)(p.rows * p.wide);
      if (size > most[in]) most[in] = size;
    }
  for (int in = 0; in < 2; in++)
    if (most[in] > 0) HG_TRY(hg_allocate("blocks on their way", most[in], &e->packed[in]));
  return HG_OK;
}

static place in_one_piece(const place *p, void *packed)
{
  return (place){is_whole(p) ? p->at : packed, p->rows, p->wide, p->wide};
}

static void start(const exchange *e, const place *p, int peer, bool in, MPI_Request *request)
{
  MPI_Datatype unit;
  const int size = (int)unit_of(e->bytes), count = (int)(p->rows * p->wide / size);
  MPI_Type_contiguous(size, MPI_BYTE, &unit);
  MPI_Type_commit(&unit);
  if (in)
    MPI_Irecv(p->at, count, unit, peer, TAG, e->session->comms->own, request);
  else
    MPI_Isend(p->at, count, unit, peer, TAG, e->session->comms->own, request);
  MPI_Type_free(&unit);
}

/* Exchanges with the ranks `k` above and below. */
static void exchange_round(const exchange *e, int k)
{
  MPI_Request request[2];
  place in, out;
  int peer, count = 0;
  const bool comes = find(e, k, true, &peer, &in);
  const place arrival = comes ? in_one_piece(&in, e->packed[1]) : in;
  if (comes) start(e, &arrival, peer, true, &request[count++]);
  if (find(e, k, false, &peer, &out)) {
    const place parcel = in_one_piece(&out, e->packed[0]);
    if (parcel.at != out.at) copy(&out, &parcel);
    start(e, &parcel, peer, false, &request[count++]);
  }
  if (e->session->quiet)
    hg_wait_quietly(count, request, 0);
  else
    MPI_Waitall(count, request, MPI_STATUSES_IGNORE);
  if (comes && arrival.at != in.at) copy(&arrival, &in);
}

static void stay(const exchange *e)
{
  block b;
  if (!common(&e->had, &e->wanted, &b)) return;
  const place from = place_of(e->from, &e->had, &b, e->bytes), to = place_of(e->to, &e->wanted, &b, e->bytes);
  copy(&from, &to);
}

hg_status hg_slabs_move(const hg_session *s, const int64_t n[2], int64_t bytes, const hg_slabs *from,
                        const hg_slabs *to)
{
  exchange e = {s, n, bytes, from, to, slab_of(from, n, s->rank), slab_of(to, n, s->rank), {NULL, NULL}};
  hg_status status = hg_session_agree(s, make_memory(&e));
  for (int k = 1; k < s->ranks && status == HG_OK; k++) exchange_round(&e, k);
  if (status == HG_OK) stay(&e);
  free(e.packed[0]);
  free(e.packed[1]);
  return status;
}
