/* SPDX-License-Identifier: MIT */
/* From one division of the grid to another: what old and new tiles have in common is copied, on this rank directly,
 * between ranks as one message per pair of tiles. All ranks list the pairs in the same order, so that the messages
 * between two of them need no names. Margins are not moved: pieces fill them again. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "graph/stencil_tiles.h"

/* Part of a tile under way. */
typedef struct part {
  void *values;
  hg_stencil_tile *target; /* NULL: sent */
  hg_box box;
} part;

typedef struct transfer {
  MPI_Comm comm;
  MPI_Datatype type; /* a value */
  MPI_Request *request;
  part *part;
  int count;
} transfer;

static hg_status make_room(transfer *t)
{
  HG_TRY(hg_grow("parts of tiles", (void **)&t->request, t->count, sizeof *t->request));
  return hg_grow("parts of tiles", (void **)&t->part, t->count, sizeof *t->part);
}

static void *memory_of(starpu_data_handle_t state)
{
  return (void *)starpu_vector_get_local_ptr(state);
}

/* From tile to tile; rows are contiguous in both. */
static void copy_cells(const hg_stencil_tile *source, const void *old, const hg_stencil_tile *target, void *new,
                       const hg_box *box, int size)
{
  const hg_piece_cells from = hg_tile_cells(source, box), to = hg_tile_cells(target, box);
  for (int64_t z = 0; z < from.n[2]; z++)
    for (int64_t y = 0; y < from.n[1]; y++)
      memcpy((char *)new + (to.first + y * to.stride[1] + z * to.stride[2]) * size,
             (const char *)old + (from.first + y * from.stride[1] + z * from.stride[2]) * size,
             (size_t)(from.n[0] * size));
}

/* One common part of an old and a new tile, at least one of which is here. */
static hg_status move_part(const hg_stencil *from, const hg_stencil *to, int old, int new, const hg_box *box,
                           transfer *t)
{
  const int size = (int)to->kernel->value_bytes, me = to->session->rank;
  const int giver = hg_tile_region(from->tiling, old)->rank, taker = hg_tile_region(to->tiling, new)->rank;
  hg_stencil_tile *source = giver == me ? hg_local_tile(from, old) : NULL,
                  *target = taker == me ? hg_local_tile(to, new) : NULL;
  const size_t bytes = (size_t)(hg_box_cells(box) * size);
  void *values;
  if (source && target) {
    copy_cells(source, memory_of(source->state[from->block % 2]), target, memory_of(target->state[0]), box, size);
    return HG_OK;
  }
  HG_TRY(hg_allocate("a part of a tile", bytes, &values));
  if (source) {
    const hg_piece_cells cells = hg_tile_cells(source, box);
    hg_piece_pack(&cells, size, memory_of(source->state[from->block % 2]), values);
  }
  hg_status status = make_room(t);
  if (status != HG_OK) {
    free(values);
    return status;
  }
  const int elements = (int)hg_box_cells(box), i = t->count++;
  t->part[i] = (part){values, target, *box};
  if (source)
    MPI_Isend(values, elements, t->type, taker, 0, t->comm, &t->request[i]);
  else
    MPI_Irecv(values, elements, t->type, giver, 0, t->comm, &t->request[i]);
  return HG_OK;
}

static hg_status move_parts(const hg_stencil *from, const hg_stencil *to, transfer *t)
{
  const int me = to->session->rank;
  for (int old = 0; old < from->tiling->tiles; old++) {
    const hg_box core = hg_tile_core(from->tiling, old);
    const bool here = hg_tile_region(from->tiling, old)->rank == me;
    for (int new = 0; new < to->tiling->tiles; new ++) {
      const hg_box other = hg_tile_core(to->tiling, new), common = hg_box_meet(&core, &other);
      if (hg_box_cells(&common) == 0 || (!here && hg_tile_region(to->tiling, new)->rank != me)) continue;
      HG_TRY(move_part(from, to, old, new, &common, t));
    }
  }
  return HG_OK;
}

static void finish(const hg_stencil *to, transfer *t)
{
  const int size = (int)to->kernel->value_bytes;
  if (t->count) MPI_Waitall(t->count, t->request, MPI_STATUSES_IGNORE);
  for (int i = 0; i < t->count; i++) {
    part *p = &t->part[i];
    if (p->target) {
      const hg_piece_cells cells = hg_tile_cells(p->target, &p->box);
      hg_piece_unpack(&cells, size, memory_of(p->target->state[0]), p->values);
    }
    free(p->values);
  }
  free(t->request);
  free(t->part);
}

/* All states of both are in main memory meanwhile. */
static void acquire(const hg_stencil *st, int parity, enum starpu_data_access_mode mode)
{
  for (int i = 0; i < st->tiles; i++) starpu_data_acquire(st->tile[i].state[parity], mode);
}

static void release(const hg_stencil *st, int parity)
{
  for (int i = 0; i < st->tiles; i++) starpu_data_release(st->tile[i].state[parity]);
}

hg_status hg_stencil_copy_cores(const hg_stencil *from, hg_stencil *to)
{
  transfer t = {.comm = MPI_COMM_NULL};
  if (to->session->mpi) {
    MPI_Comm_dup(MPI_COMM_WORLD, &t.comm); /* StarPU-MPI receives from anyone on the other */
    MPI_Type_contiguous((int)to->kernel->value_bytes, MPI_BYTE, &t.type);
    MPI_Type_commit(&t.type);
  }
  acquire(from, (int)(from->block % 2), STARPU_R);
  acquire(to, 0, STARPU_W);
  hg_status status = move_parts(from, to, &t);
  if (status != HG_OK && to->session->mpi) hg_session_abort(to->session, 1); /* the others wait for messages */
  finish(to, &t);
  release(to, 0);
  release(from, (int)(from->block % 2));
  if (to->session->mpi) {
    MPI_Type_free(&t.type);
    MPI_Comm_free(&t.comm);
  }
  return status;
}
