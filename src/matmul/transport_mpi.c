/* SPDX-License-Identifier: MIT */
/* Blocks of matrices between ranks, by MPI. */
#include <mpi.h>

#include "exchange/broadcast.h"
#include "matmul/transport.h"
#include "runtime/comm.h"

static void start(const hg_session *s, const hg_matmul_message *m, MPI_Request *request)
{
  MPI_Datatype type;
  MPI_Type_create_hvector((int)m->lines, (int)m->bytes, m->stride, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  if (m->send)
    MPI_Isend(m->at, 1, type, m->other, m->tag, s->comms->own, request);
  else
    MPI_Irecv(m->at, 1, type, m->other, m->tag, s->comms->own, request);
  MPI_Type_free(&type);
}

void hg_matmul_pass(const hg_session *s, int count, const hg_matmul_message *message)
{
  MPI_Request request[count + 1];
  for (int i = 0; i < count; i++) start(s, &message[i], &request[i]);
  hg_wait_quietly(count, request, 0); /* workers compute meanwhile, maybe on this core */
}

hg_status hg_matmul_broadcast_choose(const hg_session *s, int64_t bytes, hg_network_choice *out)
{
  return hg_broadcast_choose(s, bytes, out);
}

hg_status hg_matmul_broadcast(const hg_session *s, void *at, int64_t bytes, const hg_network_choice *how)
{
  MPI_Request all;
  MPI_Ibarrier(s->comms->own, &all);
  hg_wait_quietly(1, &all, 0);
  return hg_broadcast(s, at, bytes, 0, how);
}
