/* SPDX-License-Identifier: MIT */
/* Predictions from a measured network: streams, messages between CPUs and GPUs, broadcasts and their best algorithm,
 * and the mHLogGP paper's matrix multiplication. All times in s. */
#ifndef HG_NETWORK_PREDICT_H
#define HG_NETWORK_PREDICT_H

#include <stdint.h>

#include "network/network.h"

/** m >= 1 messages of `bytes` back to back to one receiver: T + (m - 1) gap. As in LogGP, L counts once. */
double hg_network_stream(const hg_network_level *level, int m, double bytes);

/** Time of a message between kinds of end points: as the sum of its parts, and in blocks that overlap in the
 * stages. */
typedef struct hg_network_ends {
  double out, wire, in, start;  /**< GPU to host, host to host, host to GPU, first use of a GPU */
  double sum, pipelined, block; /**< s; s with blocks of the best size; that size in bytes */
  bool beyond;                  /**< some part is extrapolated */
} hg_network_ends;

/** @param from_gpu, to_gpu  whether the ends are GPUs @param nodes  on different nodes @param first  the receiving GPU
 * must first be started. HG_UNSUPPORTED if a required level was not measured. */
hg_status hg_network_message(const hg_network *network, bool from_gpu, bool to_gpu, bool nodes, bool first,
                             double bytes, hg_network_ends *out);

/** Algorithms of broadcasts; names in hg_broadcast_names, ended by NULL. */
typedef enum hg_broadcast_algorithm {
  HG_BROADCAST_LINEAR,   /**< the root sends to every rank */
  HG_BROADCAST_BINOMIAL, /**< ranks that have the data send them on, in ceil(log2 P) rounds */
  HG_BROADCAST_CHAIN,    /**< from rank to rank in segments */
  HG_BROADCAST_DOUBLING, /**< parts scattered by a binomial tree, gathered by recursive doubling */
  HG_BROADCAST_RING,     /**< the same, gathered around a ring */
  HG_BROADCASTS
} hg_broadcast_algorithm;
extern const char *const hg_broadcast_names[];

/** Number of ranks, and how many consecutive ones share a node. */
typedef struct hg_rank_layout {
  int ranks;    /**< 1 .. HG_GROUP_MOST */
  int per_node; /**< >= 1; 0: all are on one node */
} hg_rank_layout;
enum { HG_GROUP_MOST = 4096 };

/** Bytes of a rank's part if `bytes` are cut into `ranks` parts: the first ones are equal, the last ones may be
 * shorter or empty. */
int64_t hg_broadcast_part(int64_t bytes, int ranks, int rank);

/** Time of a broadcast of `bytes` from rank 0 to all, message by message. Each takes T of its level, occupies its
 * sender for the level's overhead, and arrives no earlier than a gap after the one before. Messages that enter or
 * leave a node share its link to the extent measured for concurrent pairs. 0 for one rank or no bytes.
 * @param segment  bytes of the chain's segments, 0: one. HG_INVALID (doubling requires a power of two), HG_UNSUPPORTED
 * without a level, HG_MEMORY. O(messages) <= ranks^2. */
hg_status hg_network_broadcast(const hg_network *network, const hg_rank_layout *group, hg_broadcast_algorithm algorithm,
                               int64_t bytes, int64_t segment, double *seconds);

/** The chosen algorithm of a broadcast, and the times of all. */
typedef struct hg_network_choice {
  hg_broadcast_algorithm algorithm;
  int64_t segment;                          /**< bytes of the chain's segments; else 0 */
  double seconds;                           /**< NAN without a network */
  double candidate[HG_BROADCASTS];          /**< s; NAN: not usable or not known */
  int64_t candidate_segment[HG_BROADCASTS]; /**< best segment of each */
} hg_network_choice;

/** The fastest algorithm by prediction. @param network  NULL: MPICH's rule (Thakur, Rabenseifner,
 * Gropp: Optimization of Collective Communication Operations in MPICH, 2005): below 12288 bytes or
 * 8 ranks binomial, below 512 KiB on 2^i ranks doubling, else ring. HG_INVALID, HG_MEMORY. */
hg_status hg_network_choose(const hg_network *network, const hg_rank_layout *group, int64_t bytes,
                            hg_network_choice *out);

/** Writes a rules file for Open MPI's `tuned` collectives (coll_tuned_use_dynamic_rules), for 2 .. group->ranks ranks.
 * HG_IO, and what hg_network_choose returns. */
hg_status hg_network_write_rules(const char *path, const hg_network *network, const hg_rank_layout *group);

/** The mHLogGP paper's matrix multiplication (section 5): a master and `workers` workers; parts of A are sent, B is
 * broadcast, parts of the product are returned. */
typedef struct hg_matmul {
  double send, broadcast, compute, receive, start, total; /**< s */
} hg_matmul;

/** @param n  order of the matrices @param seconds  of one worker's computation @param gpu  the workers compute on
 * GPUs, which must be started. HG_UNSUPPORTED, HG_INVALID, HG_MEMORY. */
hg_status hg_network_matmul(const hg_network *network, const hg_rank_layout *group, int64_t n, double seconds, bool gpu,
                            hg_matmul *out);
#endif
