/* SPDX-License-Identifier: MIT */
#include "result/gather.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runtime/comm.h"

typedef struct parcel {
  const hg_gathering *gathering;
  MPI_Datatype type; /* type of an element */
} parcel;

static int64_t elements(const hg_gathering *g, const hg_box *core)
{
  return g->elements ? g->elements(g->arg, core) : hg_box_cells(core);
}

/* A tile's values for sending: in place if they are contiguous, else a copy. */
static hg_status in_one_piece(const hg_gathering *g, const hg_tile_view *t, int64_t count, void **copy)
{
  const hg_tile_view whole = hg_tile_contiguous(t->tile, &t->core, NULL, g->element_bytes);
  *copy = NULL;
  if (count != hg_box_cells(&t->core) || (t->row == whole.row && t->layer == whole.layer)) return HG_OK;
  HG_TRY(hg_allocate("the core of a tile", (size_t)(count * g->element_bytes), copy));
  char *to = *copy;
  for (int64_t z = 0; z < hg_box_extent(&t->core, 2); z++)
    for (int64_t y = 0; y < hg_box_extent(&t->core, 1); y++, to += whole.row)
      memcpy(to, t->values + y * t->row + z * t->layer, (size_t)whole.row);
  return HG_OK;
}

static hg_status send(void *arg, const hg_tile_view *t)
{
  const parcel *p = arg;
  const int64_t count = elements(p->gathering, &t->core);
  void *copy;
  HG_TRY(in_one_piece(p->gathering, t, count, &copy));
  MPI_Send(copy ? copy : t->values, (int)count, p->type, 0, t->tile, p->gathering->session->comms->own);
  free(copy);
  return HG_OK;
}

static hg_status receive(const parcel *p, int tile, int rank)
{
  const hg_gathering *g = p->gathering;
  const hg_box core = hg_tile_core(g->tiling, tile);
  const int64_t count = elements(g, &core);
  void *values;
  HG_TRY(hg_allocate("a tile of another rank", (size_t)(count * g->element_bytes), &values));
  MPI_Recv(values, (int)count, p->type, rank, tile, p->gathering->session->comms->own, MPI_STATUS_IGNORE);
  const hg_tile_view view = hg_tile_contiguous(tile, &core, values, g->element_bytes);
  hg_status status = g->take(g->arg, &view);
  free(values);
  return status;
}

/* Ends all ranks: one that cannot continue would leave the others waiting. */
static void stop_all(const hg_gathering *g, hg_status status)
{
  if (status == HG_OK) return;
  hg_session_abort(g->session, status);
}

hg_status hg_gather(const hg_gathering *g)
{
  parcel p = {.gathering = g};
  if (!g->session->mpi) return g->graph->ops->visit(g->graph, g->take, g->arg);
  MPI_Type_contiguous((int)g->element_bytes, MPI_BYTE, &p.type);
  MPI_Type_commit(&p.type);
  hg_status status = g->session->rank == 0 ? g->graph->ops->visit(g->graph, g->take, g->arg)
                                           : g->graph->ops->visit(g->graph, send, &p);
  stop_all(g, status);
  for (int tile = 0; tile < g->tiling->tiles && g->session->rank == 0; tile++) {
    const int rank = hg_tile_region(g->tiling, tile)->rank;
    if (rank != 0) stop_all(g, receive(&p, tile, rank));
  }
  MPI_Type_free(&p.type);
  return HG_OK;
}
