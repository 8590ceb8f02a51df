/* SPDX-License-Identifier: MIT */
/* Messages of known algorithms gone through one by one, for predictions of broadcasts and of what contains them; for
 * this folder alone. */
#ifndef HG_NETWORK_SCHEDULE_H
#define HG_NETWORK_SCHEDULE_H

#include "network/predict.h"

/* T and gap of the size asked for last, by level. */
typedef struct hg_message_cost {
  int64_t bytes;
  double time, gap, overhead, wire, link; /* wire: what its bytes take; link: of that of its node, which others share */
} hg_message_cost;

/* When what becomes free. */
typedef struct hg_schedule {
  const hg_network_level *level[2]; /* within a node, between nodes */
  hg_message_cost last[2];
  int ranks, per_node;
  int64_t bytes;              /* of the broadcast */
  double *data;               /* [ranks] when a rank has what it sends next */
  double *out, *in;           /* [ranks] when its next message may leave; when the last arrived */
  double *node_out, *node_in; /* [ranks] the same of nodes */
} hg_schedule;

/** Nothing was sent yet, all ranks begin at 0. HG_UNSUPPORTED without a level, HG_MEMORY. Free with
 * hg_schedule_free. */
hg_status hg_schedule_make(const hg_network *network, const hg_rank_layout *group, hg_schedule *out);
void hg_schedule_free(hg_schedule *schedule);

/** Sends `bytes` when the sender has the data and has sent what it sent before. @return when they arrive, s */
double hg_schedule_send(hg_schedule *schedule, int from, int to, int64_t bytes);

/** Broadcasts `bytes` >= 1 from rank 0, which begins when it has sent what it sent before; data[] then says when each
 * rank has them. @param segment  bytes of the chain's segments, 0: one. */
void hg_schedule_broadcast(hg_schedule *schedule, hg_broadcast_algorithm algorithm, int64_t bytes, int64_t segment);
#endif
