/* SPDX-License-Identifier: MIT */
/* Transport of matrix values between ranks: by MPI, or in simulation by StarPU-MPI, which owns SimGrid's MPI there. */
#ifndef HG_MATMUL_TRANSPORT_H
#define HG_MATMUL_TRANSPORT_H

#include "network/predict.h"
#include "runtime/session.h"

/** A block of values to be sent or received. */
typedef struct hg_matmul_message {
  void *at;
  int64_t lines, bytes, stride; /**< of the block: `lines` times `bytes`, `stride` bytes apart */
  int other, tag;
  bool send;
} hg_matmul_message;

/** Sends and receives all of them at once; returns when they have arrived, and uses no processor meanwhile. */
void hg_matmul_pass(const hg_session *session, int count, const hg_matmul_message *message);

/** Chooses how to broadcast a panel of this size: hg_broadcast_choose. In simulation, a binomial tree. */
hg_status hg_matmul_broadcast_choose(const hg_session *session, int64_t bytes, hg_network_choice *out);

/** Sends rank 0's bytes to all ranks; starts when all ranks are ready, so that none waits in it. Collective. */
hg_status hg_matmul_broadcast(const hg_session *session, void *at, int64_t bytes, const hg_network_choice *how);
#endif
