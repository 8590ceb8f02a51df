/* SPDX-License-Identifier: MIT */
/* Values of matrices on their way between ranks: by MPI, or in virtual time by StarPU-MPI, to which SimGrid's MPI
 * belongs there. */
#ifndef HG_MATMUL_TRANSPORT_H
#define HG_MATMUL_TRANSPORT_H

#include "network/predict.h"
#include "runtime/session.h"

/** A block of values, sent to another rank or received from it. */
typedef struct hg_matmul_message {
  void *at;
  int64_t lines, bytes, stride; /**< of the block: `lines` times `bytes`, `stride` bytes apart */
  int other, tag;
  bool send;
} hg_matmul_message;

/** Sends and receives all of them at once; returns when they are there, and takes no processor meanwhile. */
void hg_matmul_pass(const hg_session *session, int count, const hg_matmul_message *message);

/** How a panel of so many bytes is broadcast: hg_broadcast_choose. In virtual time by a binomial tree. */
hg_status hg_matmul_broadcast_choose(const hg_session *session, int64_t bytes, hg_network_choice *out);

/** Rank 0's bytes to all ranks; begins when all ranks are there, so that none waits in it. Collective. */
hg_status hg_matmul_broadcast(const hg_session *session, void *at, int64_t bytes, const hg_network_choice *how);
#endif
