/* SPDX-License-Identifier: MIT */
/* Broadcasts over plain MPI by the algorithms of network/predict.h, whose messages are the
 * ones predicted there. */
#ifndef HG_EXCHANGE_BROADCAST_H
#define HG_EXCHANGE_BROADCAST_H

#include "runtime/session.h"
#include "network/predict.h"

/** buffer[bytes] of `root` to all ranks. Collective; every rank names the same bytes, root and way.
 * Messages above 1 GiB are sent in pieces.
 * @param how  algorithm and segment (the other fields do not count); NULL: MPICH's rule
 * HG_INVALID on all ranks: a root that is none, negative bytes, doubling on a number of ranks that
 * is no power of 2. */
hg_status hg_broadcast(const hg_session *session, void *buffer, int64_t bytes, int root, const hg_network_choice *how);

/** How a broadcast of `bytes` is made fastest here: by the network file that HETGRID_NETWORK names
 * on rank 0, else by MPICH's rule. Collective; the same on all ranks. What hg_network_open and
 * hg_network_choose return. */
hg_status hg_broadcast_choose(const hg_session *session, int64_t bytes, hg_network_choice *out);

/** The same among all ranks of MPI, which has been started, without a session, through a communicator
 * of its own. */
hg_status hg_broadcast_world(void *buffer, int64_t bytes, int root, const hg_network_choice *how);
#endif
