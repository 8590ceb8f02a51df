/* SPDX-License-Identifier: MIT */
/* This machine as hwloc sees it: how many processors it has, what they share, and how its devices are connected. Where
 * the environment names another machine (HWLOC_SYNTHETIC, HWLOC_XMLFILE) that one is meant, as everywhere in hwloc. */
#ifndef HG_BASE_TOPOLOGY_H
#define HG_BASE_TOPOLOGY_H

#include <sched.h>
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

/** The hardware threads of one of `parts` equal parts of the cores, which lie next to each other there: siblings,
 * caches and memory are shared with other parts as little as can be. More parts than cores take turns.
 * @param[in]  allowed  threads that there are to share
 * @param[out] threads  by the system's numbers @return cores; 0 if hwloc cannot tell */
int hg_topology_part(int part, int parts, const cpu_set_t *allowed, cpu_set_t *threads);

/** Cores that these hardware threads are of; 0 if hwloc cannot tell. */
int hg_topology_cores(const cpu_set_t *threads);

/** bytes/s of the link that a device at this PCI address ("0000:3b:00.0") has now, as its bus tells; 0: unknown. */
double hg_topology_link(const char *bus);

/** Size of this processor's L1 cache for data in bytes, the smallest if they differ (32 KiB if unknown). Read once. */
int64_t hg_l1_cache_bytes(void);

/** The same of its L2 cache (1 MiB if unknown). */
int64_t hg_l2_cache_bytes(void);
#endif
