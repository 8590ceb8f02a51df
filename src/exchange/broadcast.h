/* SPDX-License-Identifier: MIT */
/* Broadcasts over plain MPI by the algorithms of network/predict.h, with exactly the messages predicted there. */
#ifndef HG_EXCHANGE_BROADCAST_H
#define HG_EXCHANGE_BROADCAST_H

#include "runtime/session.h"
#include "network/predict.h"

/** Broadcasts buffer[bytes] of `root` to all ranks. Collective; every rank passes the same bytes, root and algorithm.
 * Messages above 1 GiB are sent in pieces.
 * @param how  algorithm and segment (other fields are ignored); NULL: MPICH's rule
 * HG_INVALID on all ranks: a root that is not a rank, negative bytes, doubling on a number of ranks that is no power
 * of 2. */
hg_status hg_broadcast(const hg_session *session, void *buffer, int64_t bytes, int root, const hg_network_choice *how);

/** Chooses the fastest broadcast of `bytes`: by the network file that HETGRID_NETWORK names on rank 0, else by MPICH's
 * rule. Collective; the same on all ranks. Returns what hg_network_open and hg_network_choose do. */
hg_status hg_broadcast_choose(const hg_session *session, int64_t bytes, hg_network_choice *out);

/** The same among all ranks of MPI without a session, on a communicator of its own. MPI must have been started. */
hg_status hg_broadcast_world(void *buffer, int64_t bytes, int root, const hg_network_choice *how);
#endif
