/* SPDX-License-Identifier: MIT */
/* All ranks list the pairs of tiles in the same order, so messages between two ranks need no tags. */
#include "graph/redistribute.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runtime/comm.h"

/* Part of a tile being transferred. */
typedef struct part {
  void *values;
  char *target; /* NULL: it is sent */
  hg_halo_piece_cells cells;
} part;

typedef struct transfer {
  const hg_session *session;
  int64_t value_bytes;
  MPI_Comm comm;
  MPI_Datatype type; /* type of a value */
  MPI_Request *request;
  part *part;
  int count;
} transfer;

static hg_status make_room(transfer *t)
{
  HG_TRY(hg_grow("parts of tiles", (void **)&t->request, t->count, sizeof *t->request));
  return hg_grow("parts of tiles", (void **)&t->part, t->count, sizeof *t->part);
}

/* Copies from tile to tile; rows are contiguous in both. */
static void copy_rows(const char *source, const hg_halo_piece_cells *from, char *target, const hg_halo_piece_cells *to,
                      int64_t size)
{
  for (int64_t z = 0; z < from->n[2]; z++)
    for (int64_t y = 0; y < from->n[1]; y++)
      memcpy(target + (to->first + y * to->stride[1] + z * to->stride[2]) * size,
             source + (from->first + y * from->stride[1] + z * from->stride[2]) * size, (size_t)(from->n[0] * size));
}

/* Moves the common part of an old and a new tile, at least one of which is on this rank. */
static hg_status move_part(transfer *t, const hg_divided *from, const hg_divided *to, int old, int new,
                           const hg_box *box)
{
  const int giver = hg_tile_region(from->tiling, old)->rank, taker = hg_tile_region(to->tiling, new)->rank;
  const int me = t->session->rank, size = (int)t->value_bytes, elements = (int)hg_box_cells(box);
  hg_halo_piece_cells in, out;
  char *source = giver == me ? from->locate(from->graph, old, box, &in) : NULL,
       *target = taker == me ? to->locate(to->graph, new, box, &out) : NULL;
  void *values;
  if (source && target) {
    copy_rows(source, &in, target, &out, size);
    return HG_OK;
  }
  HG_TRY(hg_allocate("a part of a tile", (size_t)elements * (size_t)size, &values));
  if (source) hg_halo_piece_pack(&in, size, source, values);
  hg_status status = make_room(t);
  if (status != HG_OK) {
    free(values);
    return status;
  }
  const int i = t->count++;
  t->part[i] = (part){values, target, source ? in : out};
  if (source)
    MPI_Isend(values, elements, t->type, taker, 0, t->comm, &t->request[i]);
  else
    MPI_Irecv(values, elements, t->type, giver, 0, t->comm, &t->request[i]);
  return HG_OK;
}

static hg_status move_parts(transfer *t, const hg_divided *from, const hg_divided *to)
{
  const int me = t->session->rank;
  for (int old = 0; old < from->tiling->tiles; old++) {
    const hg_box core = hg_tile_core(from->tiling, old);
    const bool here = hg_tile_region(from->tiling, old)->rank == me;
    for (int new = 0; new < to->tiling->tiles; new ++) {
      const hg_box other = hg_tile_core(to->tiling, new), common = hg_box_meet(&core, &other);
      if (hg_box_cells(&common) == 0 || (!here && hg_tile_region(to->tiling, new)->rank != me)) continue;
      HG_TRY(move_part(t, from, to, old, new, &common));
    }
  }
  return HG_OK;
}

static void finish(transfer *t)
{
  if (t->count) MPI_Waitall(t->count, t->request, MPI_STATUSES_IGNORE);
  for (int i = 0; i < t->count; i++) {
    part *p = &t->part[i];
    if (p->target) hg_halo_piece_unpack(&p->cells, (int)t->value_bytes, p->target, p->values);
    free(p->values);
  }
  free(t->request);
  free(t->part);
}

hg_status hg_move_values(const hg_session *session, int64_t value_bytes, const hg_divided *from, const hg_divided *to)
{
  transfer t = {.session = session, .value_bytes = value_bytes, .comm = MPI_COMM_NULL};
  if (session->mpi) {
    t.comm = session->comms->own;
    MPI_Type_contiguous((int)value_bytes, MPI_BYTE, &t.type);
    MPI_Type_commit(&t.type);
  }
  hg_status status = move_parts(&t, from, to);
  if (status != HG_OK && session->mpi) hg_session_abort(session, status);
  finish(&t);
  if (session->mpi) {
    MPI_Type_free(&t.type);
  }
  return status;
}
