/* SPDX-License-Identifier: MIT */
/* Simulates the messages of known algorithms one by one, for predictions of broadcasts and algorithms that contain
 * them. Internal to network/. */
#ifndef HG_NETWORK_SCHEDULE_H
#define HG_NETWORK_SCHEDULE_H

#include "network/predict.h"

/* Costs of the size last requested, per level. */
typedef struct hg_message_cost {
  int64_t bytes;
  double time, gap, overhead, wire, link; /* wire: time of its bytes; link: the part of it on the node's shared link */
} hg_message_cost;

/* When ranks and links become free. */
typedef struct hg_schedule {
  const hg_network_level *level[2]; /* within a node, between nodes */
  hg_message_cost last[2];
  int ranks, per_node;
  int64_t bytes;              /* of the broadcast */
  double *data;               /* [ranks] when a rank has the data that it sends next */
  double *out, *in;           /* [ranks] when the next message may leave; when the last one arrived */
  double *node_out, *node_in; /* [ranks] the same for nodes */
} hg_schedule;

/** Makes a schedule without messages; all ranks begin at 0. HG_UNSUPPORTED without a level, HG_MEMORY. Free with
 * hg_schedule_free. */
hg_status hg_schedule_make(const hg_network *network, const hg_rank_layout *group, hg_schedule *out);
void hg_schedule_free(hg_schedule *schedule);

/** Sends `bytes` when the sender has the data and its earlier messages have left. @return time of arrival, s */
double hg_schedule_send(hg_schedule *schedule, int from, int to, int64_t bytes);

/** Broadcasts `bytes` >= 1 from rank 0, which begins when its earlier messages have left; data[] is then the time when
 * each rank has them. @param segment  bytes of the chain's segments, 0: one. */
void hg_schedule_broadcast(hg_schedule *schedule, hg_broadcast_algorithm algorithm, int64_t bytes, int64_t segment);
#endif
