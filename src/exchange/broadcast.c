/* SPDX-License-Identifier: MIT */
/* Ranks are counted from the root: v = (rank - root) mod P. Part v of the scattered algorithms starts at v ceil(bytes
 * / P), so the data of a rank's subtree or group are contiguous. */
#include "exchange/broadcast.h"

#include <inttypes.h>
#include <mpi.h>
#include <stddef.h>

#include "runtime/comm.h"

enum { TAG = 1, PIECE = 1 << 30, PIECES = 1 << 10 };

/* A broadcast under way. */
typedef struct broadcast {
  char *buffer;
  int64_t bytes, segment;
  int me, ranks, root; /* me: counted from the root */
  MPI_Comm world;
} broadcast;

static int rank_of(const broadcast *b, int v)
{
  return (v + b->root) % b->ranks;
}

static int piece_of(int64_t bytes, int64_t at)
{
  return bytes - at < PIECE ? (int)(bytes - at) : PIECE;
}

static void send(const broadcast *b, int to, int64_t from, int64_t bytes)
{
  for (int64_t at = 0; at < bytes; at += PIECE)
    MPI_Send(b->buffer + from + at, piece_of(bytes, at), MPI_BYTE, rank_of(b, to), TAG, b->world);
}

static void receive(const broadcast *b, int from, int64_t to, int64_t bytes)
{
  for (int64_t at = 0; at < bytes; at += PIECE)
    MPI_Recv(b->buffer + to + at, piece_of(bytes, at), MPI_BYTE, rank_of(b, from), TAG, b->world, MPI_STATUS_IGNORE);
}

/* First byte of a part. */
static int64_t begin_of(const broadcast *b, int part)
{
  const int64_t size = hg_broadcast_part(b->bytes, b->ranks, 0), at = size * part;
  return at < b->bytes ? at : b->bytes;
}

/* Bytes of parts first .. first + count - 1. */
static int64_t share_of(const broadcast *b, int first, int count)
{
  const int end = first + count < b->ranks ? first + count : b->ranks;
  return begin_of(b, end) - begin_of(b, first);
}

static void linear(const broadcast *b)
{
  if (b->me > 0) receive(b, 0, 0, b->bytes);
  for (int v = 1; b->me == 0 && v < b->ranks; v++) send(b, v, 0, b->bytes);
}

/* Sends down a binomial tree: everything, or to each child the part for its subtree. */
static void tree(const broadcast *b, bool scatter)
{
  int top = 1;
  while (top < b->ranks) top *= 2;
  const int mine = b->me ? b->me & -b->me : top;
  if (b->me > 0)
    receive(b, b->me - mine, scatter ? begin_of(b, b->me) : 0, scatter ? share_of(b, b->me, mine) : b->bytes);
  for (int step = mine / 2; step > 0; step /= 2)
    if (b->me + step < b->ranks)
      send(b, b->me + step, scatter ? begin_of(b, b->me + step) : 0,
           scatter ? share_of(b, b->me + step, step) : b->bytes);
}

/* Sends some parts and receives others at the same time. */
static void exchange(const broadcast *b, int to, int first, int from, int wanted, int count)
{
  const int64_t bytes = share_of(b, wanted, count), begin = begin_of(b, wanted);
  MPI_Request request[PIECES];
  int pieces = 0;
  for (int64_t at = 0; at < bytes; at += PIECE)
    MPI_Irecv(b->buffer + begin + at, piece_of(bytes, at), MPI_BYTE, rank_of(b, from), TAG, b->world,
              &request[pieces++]);
  send(b, to, begin_of(b, first), share_of(b, first, count));
  MPI_Waitall(pieces, request, MPI_STATUSES_IGNORE);
}

static void doubling(const broadcast *b)
{
  tree(b, true);
  for (int step = 1; step < b->ranks; step *= 2) {
    const int other = b->me ^ step;
    exchange(b, other, b->me / step * step, other, other / step * step, step);
  }
}

static void ring(const broadcast *b)
{
  const int next = (b->me + 1) % b->ranks, before = (b->me - 1 + b->ranks) % b->ranks;
  tree(b, true);
  for (int step = 0; step + 1 < b->ranks; step++) {
    const int mine = (b->me - step + b->ranks) % b->ranks;
    exchange(b, next, mine, before, (mine - 1 + b->ranks) % b->ranks, 1);
  }
}

/* Receives a segment while the one before is sent. */
static void chain(const broadcast *b)
{
  const int64_t step = b->segment > 0 && b->segment < PIECE ? b->segment : PIECE;
  const bool first = b->me == 0, last = b->me == b->ranks - 1;
  MPI_Request request = MPI_REQUEST_NULL;
  for (int64_t at = 0; at < b->bytes; at += step) {
    const int size = (int)(b->bytes - at < step ? b->bytes - at : step);
    const int64_t next = at + step, rest = b->bytes - next < step ? b->bytes - next : step;
    if (!first && at == 0) receive(b, b->me - 1, 0, size);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (!first && rest > 0)
      MPI_Irecv(b->buffer + next, (int)rest, MPI_BYTE, rank_of(b, b->me - 1), TAG, b->world, &request);
    if (!last) send(b, b->me + 1, at, size);
  }
}

/* Created at first use; kept until MPI ends. */
static MPI_Comm own_world(void)
{
  static MPI_Comm world = MPI_COMM_NULL;
  if (world == MPI_COMM_NULL) MPI_Comm_dup(MPI_COMM_WORLD, &world);
  return world;
}

static hg_status check(const broadcast *b, hg_broadcast_algorithm algorithm)
{
  if (b->root < 0 || b->root >= b->ranks)
    return hg_fail(HG_INVALID, "broadcast: root %d, there are %d ranks", b->root, b->ranks);
  if (b->bytes < 0 || b->bytes > (int64_t)PIECE * PIECES)
    return hg_fail(HG_INVALID, "broadcast: %" PRId64 " bytes, must be in 0..%" PRId64, b->bytes,
                   (int64_t)PIECE * PIECES);
  if (b->segment < 0) return hg_fail(HG_INVALID, "broadcast: segments of %" PRId64 " bytes, must be >= 0", b->segment);
  if (algorithm == HG_BROADCAST_DOUBLING && (b->ranks & (b->ranks - 1)) != 0)
    return hg_fail(HG_INVALID, "broadcast: doubling among %d ranks, must be a power of 2", b->ranks);
  return HG_OK;
}

static hg_status among(MPI_Comm world, void *buffer, int64_t bytes, int root, const hg_network_choice *how)
{
  hg_network_choice rule;
  broadcast b = {.buffer = buffer, .bytes = bytes, .root = root, .world = world};
  int rank;
  MPI_Comm_rank(b.world, &rank);
  MPI_Comm_size(b.world, &b.ranks);
  if (!how) {
    HG_TRY(hg_network_choose(NULL, &(hg_rank_layout){.ranks = b.ranks}, bytes, &rule));
    how = &rule;
  }
  b.segment = how->segment;
  HG_TRY(check(&b, how->algorithm));
  b.me = (rank - root + b.ranks) % b.ranks;
  if (b.ranks == 1 || bytes == 0) return HG_OK;
  switch (how->algorithm) {
  case HG_BROADCAST_LINEAR: linear(&b); break;
  case HG_BROADCAST_BINOMIAL: tree(&b, false); break;
  case HG_BROADCAST_CHAIN: chain(&b); break;
  case HG_BROADCAST_DOUBLING: doubling(&b); break;
  case HG_BROADCAST_RING:
  case HG_BROADCASTS: ring(&b); break;
  }
  return HG_OK;
}

hg_status hg_broadcast_world(void *buffer, int64_t bytes, int root, const hg_network_choice *how)
{
  return among(own_world(), buffer, bytes, root, how);
}

hg_status hg_broadcast(const hg_session *session, void *buffer, int64_t bytes, int root, const hg_network_choice *how)
{
  if (session->mpi) return among(session->comms->own, buffer, bytes, root, how);
  const broadcast b = {.buffer = buffer, .bytes = bytes, .root = root, .ranks = 1};
  return check(&b, HG_BROADCAST_BINOMIAL);
}
