/* SPDX-License-Identifier: MIT */
/* This machine as hwloc sees it: its processors, what they share, and how devices are connected. If the environment
 * names another machine (HWLOC_SYNTHETIC, HWLOC_XMLFILE), that one is described, as everywhere in hwloc. */
#ifndef HG_BASE_TOPOLOGY_H
#define HG_BASE_TOPOLOGY_H

#include <sched.h>
#include <stdint.h>

#include "base/status.h"

enum { HG_CACHE_LEVELS = 5 };

/** The data caches of a level. */
typedef struct hg_cache {
  int count;     /**< number of caches; 0: none at this level */
  int cores;     /**< most cores that share one */
  int64_t bytes; /**< size of the smallest */
} hg_cache;

/** What this process may use. */
typedef struct hg_topology {
  int packages, numa_nodes;            /**< >= 1 */
  int cores, threads;                  /**< >= 1 */
  int core_kinds;                      /**< different kinds of cores, as far as hwloc tells them apart; >= 1 */
  int64_t memory;                      /**< bytes of main memory; 0: unknown */
  hg_cache cache[HG_CACHE_LEVELS + 1]; /**< [level], from 1 on */
} hg_topology;

/** Reads the topology, which takes milliseconds. HG_RUNTIME if hwloc fails. */
hg_status hg_topology_read(hg_topology *out);

/** The hardware threads of one of `parts` equal parts of neighbouring cores, which share as few caches and memory
 * nodes as possible with other parts. If there are more parts than cores, parts share cores.
 * @param[in]  allowed  the threads to divide
 * @param[out] threads  by the system's numbers @return cores; 0 if hwloc cannot tell */
int hg_topology_part(int part, int parts, const cpu_set_t *allowed, cpu_set_t *threads);

/** Number of cores that these hardware threads belong to; 0 if hwloc cannot tell. */
int hg_topology_cores(const cpu_set_t *threads);

/** Current speed, in bytes/s, of the link of the device at this PCI address ("0000:3b:00.0"), as the bus reports it;
 * 0: unknown. */
double hg_topology_link(const char *bus);

/** Size of this processor's L1 cache for data in bytes, the smallest if they differ (32 KiB if unknown). Read once. */
int64_t hg_l1_cache_bytes(void);

/** The same of its L2 cache (1 MiB if unknown). */
int64_t hg_l2_cache_bytes(void);
#endif
