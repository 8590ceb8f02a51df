/* SPDX-License-Identifier: MIT */
/* Rank 0 chooses for all: its file counts. */
#include <mpi.h>

#include "exchange/broadcast.h"
#include "runtime/comm.h"

/* Ranks on this rank's node; all nodes are assumed to have as many. */
static int ranks_per_node(MPI_Comm world)
{
  MPI_Comm node;
  int ranks;
  MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &ranks);
  MPI_Comm_free(&node);
  return ranks;
}

static hg_status choose(const hg_rank_layout *group, int64_t bytes, hg_network_choice *out)
{
  hg_network network;
  bool given;
  HG_TRY(hg_network_open(NULL, &network, &given));
  const hg_status status = hg_network_choose(given ? &network : NULL, group, bytes, out);
  if (given) hg_network_free(&network);
  return status;
}

hg_status hg_broadcast_choose(const hg_session *session, int64_t bytes, hg_network_choice *out)
{
  const hg_rank_layout group = {session->ranks, session->mpi ? ranks_per_node(session->comms->own) : 1};
  const hg_status status = session->rank == 0 ? choose(&group, bytes, out) : HG_OK;
  HG_TRY(hg_session_agree(session, status));
  if (session->mpi) MPI_Bcast(out, (int)sizeof *out, MPI_BYTE, 0, session->comms->own);
  return HG_OK;
}
