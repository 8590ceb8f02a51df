/* SPDX-License-Identifier: MIT */
#include "base/topology.h"

#include <hwloc.h>
#include <hwloc/glibc-sched.h>
#include <stdatomic.h>

/* Loads the object types that `filter` keeps; NULL if the topology cannot be read. */
static hwloc_topology_t load(void (*filter)(hwloc_topology_t topology))
{
  hwloc_topology_t topology;
  if (hwloc_topology_init(&topology) != 0) return NULL;
  filter(topology);
  if (hwloc_topology_load(topology) == 0) return topology;
  hwloc_topology_destroy(topology);
  return NULL;
}

static void keep_usual(hwloc_topology_t topology)
{
  (void)topology;
}

static void keep_caches(hwloc_topology_t topology)
{
  hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_type_filter(topology, HWLOC_OBJ_L1CACHE, HWLOC_TYPE_FILTER_KEEP_ALL);
  hwloc_topology_set_type_filter(topology, HWLOC_OBJ_L2CACHE, HWLOC_TYPE_FILTER_KEEP_ALL);
}

static void keep_cores(hwloc_topology_t topology)
{
  hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_type_filter(topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
}

static void keep_devices(hwloc_topology_t topology)
{
  hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
}

static int count(hwloc_topology_t topology, hwloc_obj_type_t type)
{
  const int n = hwloc_get_nbobjs_by_type(topology, type);
  return n > 0 ? n : 0;
}

static int at_least_one(int n)
{
  return n > 1 ? n : 1;
}

static hg_cache caches(hwloc_topology_t topology, int level)
{
  const hwloc_obj_type_t type = (hwloc_obj_type_t)(HWLOC_OBJ_L1CACHE + level - 1);
  hg_cache c = {.count = count(topology, type)};
  for (hwloc_obj_t o = NULL; (o = hwloc_get_next_obj_by_type(topology, type, o));) {
    const int cores = hwloc_get_nbobjs_inside_cpuset_by_type(topology, o->cpuset, HWLOC_OBJ_CORE);
    const int64_t bytes = (int64_t)o->attr->cache.size;
    if (cores > c.cores) c.cores = cores;
    if (c.bytes == 0 || bytes < c.bytes) c.bytes = bytes;
  }
  return c;
}

static int core_kinds(hwloc_topology_t topology)
{
#if HWLOC_API_VERSION >= 0x00020400
  return at_least_one(hwloc_cpukinds_get_nr(topology, 0));
#else
  (void)topology;
  return 1;
#endif
}

hg_status hg_topology_read(hg_topology *out)
{
  hwloc_topology_t topology = load(keep_usual);
  if (!topology) return hg_fail(HG_RUNTIME, "hwloc cannot read this machine's topology");
  const int cores = count(topology, HWLOC_OBJ_CORE), threads = count(topology, HWLOC_OBJ_PU);
  *out = (hg_topology){.packages = at_least_one(count(topology, HWLOC_OBJ_PACKAGE)),
                       .numa_nodes = at_least_one(count(topology, HWLOC_OBJ_NUMANODE)),
                       .cores = at_least_one(cores > 0 ? cores : threads),
                       .threads = at_least_one(threads),
                       .core_kinds = core_kinds(topology),
                       .memory = (int64_t)hwloc_get_root_obj(topology)->total_memory};
  for (int level = 1; level <= HG_CACHE_LEVELS; level++) out->cache[level] = caches(topology, level);
  hwloc_topology_destroy(topology);
  return HG_OK;
}

/* If cores are not known, each hardware thread counts as one. */
static hwloc_obj_type_t core_type(hwloc_topology_t topology)
{
  return count(topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
}

/* Number of cores that have threads among these; the bitmap gets the threads. */
static int cores_of(hwloc_topology_t topology, const cpu_set_t *threads, hwloc_bitmap_t mine)
{
  int cores = 0;
  hwloc_cpuset_from_glibc_sched_affinity(topology, mine, threads, sizeof *threads);
  for (hwloc_obj_t o = NULL; (o = hwloc_get_next_obj_by_type(topology, core_type(topology), o));)
    cores += hwloc_bitmap_intersects(o->cpuset, mine);
  return cores;
}

int hg_topology_part(int part, int parts, const cpu_set_t *allowed, cpu_set_t *threads)
{
  hwloc_topology_t topology = load(keep_cores);
  if (!topology) return 0;
  hwloc_bitmap_t all = hwloc_bitmap_alloc(), mine = hwloc_bitmap_alloc();
  const int cores = cores_of(topology, allowed, all), each = at_least_one(cores / parts);
  const int first = cores > 0 ? part * each % cores : 0;
  int at = 0;
  for (hwloc_obj_t o = NULL; (o = hwloc_get_next_obj_by_type(topology, core_type(topology), o));) {
    if (!hwloc_bitmap_intersects(o->cpuset, all)) continue;
    if (at >= first && at < first + each) hwloc_bitmap_or(mine, mine, o->cpuset);
    at++;
  }
  hwloc_bitmap_and(mine, mine, all);
  hwloc_cpuset_to_glibc_sched_affinity(topology, mine, threads, sizeof *threads);
  hwloc_bitmap_free(all);
  hwloc_bitmap_free(mine);
  hwloc_topology_destroy(topology);
  return cores > 0 ? each : 0;
}

int hg_topology_cores(const cpu_set_t *threads)
{
  hwloc_topology_t topology = load(keep_cores);
  if (!topology) return 0;
  hwloc_bitmap_t mine = hwloc_bitmap_alloc();
  const int cores = cores_of(topology, threads, mine);
  hwloc_bitmap_free(mine);
  hwloc_topology_destroy(topology);
  return cores;
}

double hg_topology_link(const char *bus)
{
  hwloc_topology_t topology = load(keep_devices);
  hwloc_obj_t device = topology ? hwloc_get_pcidev_by_busidstring(topology, bus) : NULL;
  const double link = device ? (double)device->attr->pcidev.linkspeed * 1e9 : 0;
  if (topology) hwloc_topology_destroy(topology);
  return link;
}

static int64_t read_cache(int level)
{
  hwloc_topology_t topology = load(keep_caches);
  if (!topology) return 0;
  const int64_t bytes = caches(topology, level).bytes;
  hwloc_topology_destroy(topology);
  return bytes;
}

/* Reads the size once; an implausible one is replaced by the usual. */
static int64_t cache_bytes(int level, _Atomic int64_t *known, int64_t least, int64_t usual)
{
  int64_t bytes = atomic_load(known);
  if (bytes == 0) {
    bytes = read_cache(level);
    if (bytes < least) bytes = usual;
    atomic_store(known, bytes);
  }
  return bytes;
}

int64_t hg_l1_cache_bytes(void)
{
  static _Atomic int64_t known;
  return cache_bytes(1, &known, 8 << 10, 32 << 10);
}

int64_t hg_l2_cache_bytes(void)
{
  static _Atomic int64_t known;
  return cache_bytes(2, &known, 256 << 10, 1 << 20);
}
