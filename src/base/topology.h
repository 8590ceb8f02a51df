/* SPDX-License-Identifier: MIT */
/* This machine as hwloc sees it: how many processors it has, what they share, and how its devices are connected. Where
 * the environment names another machine (HWLOC_SYNTHETIC, HWLOC_XMLFILE) that one is meant, as everywhere in hwloc. */
#ifndef HG_BASE_TOPOLOGY_H
#define HG_BASE_TOPOLOGY_H

#include <stdint.h>

#include "base/status.h"

enum { HG_CACHE_LEVELS = 5 };

/** The caches of a level, for data. */
typedef struct hg_cache {
  int count;     /**< how many there are; 0: none of this level */
  int cores;     /**< that share one, at most */
  int64_t bytes; /**< of the smallest */
} hg_cache;

/** What this process may use. */
typedef struct hg_topology {
  int packages, numa_nodes;            /**< >= 1 */
  int cores, threads;                  /**< >= 1 */
  int core_kinds;                      /**< unlike kinds of cores, as far as hwloc tells them apart; >= 1 */
  int64_t memory;                      /**< bytes of main memory; 0: unknown */
  hg_cache cache[HG_CACHE_LEVELS + 1]; /**< [level], from 1 on */
} hg_topology;

/** Reads it. Takes milliseconds. HG_RUNTIME if hwloc cannot. */
hg_status hg_topology_read(hg_topology *out);

/** bytes/s of the link that a device at this PCI address ("0000:3b:00.0") has now, as its bus tells; 0: unknown. */
double hg_topology_link(const char *bus);

/** Size of this processor's L2 cache in bytes, the smallest if they differ (1 MiB if unknown). Read once. */
int64_t hg_l2_cache_bytes(void);
#endif
