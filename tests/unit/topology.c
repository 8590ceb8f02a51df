/* SPDX-License-Identifier: MIT */
/* hwloc's data of a machine, and sizes derived from its caches. The machines are synthetic. */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/parallel.h"
#include "base/topology.h"
#include "codelets/heat/heat_update.h"
#include "tap.h"

static void a_machine_is_counted(void)
{
  hg_topology t;
  setenv("HWLOC_SYNTHETIC", "package:2 l3:1(size=33554432) l2:4(size=524288) l1d:1(size=49152) core:1 pu:2", 1);
  if (!tap_ok(hg_topology_read(&t) == HG_OK, "a synthetic machine is read %s", hg_message())) return;
  tap_int(t.packages, 2, "packages");
  tap_int(t.cores, 8, "cores");
  tap_int(t.threads, 16, "hardware threads");
  tap_int(t.numa_nodes, 1, "memory nodes");
  tap_int(t.core_kinds, 1, "kinds of cores");
  tap_int(t.cache[1].bytes, 49152, "bytes of an L1 cache");
  tap_int(t.cache[2].count, 8, "L2 caches");
  tap_int(t.cache[3].cores, 4, "cores that share an L3 cache");
  tap_int(t.cache[4].count, 0, "L4 caches");
  tap_near(hg_topology_link("0000:3b:00.0"), 0, 0, "the link of a missing device");
}

/* Threads with numbers in the set, as bits, among the allowed ones, also bits. */
static int threads_among(int allowed, int part, int parts, int *cores)
{
  int bits = 0;
  cpu_set_t every, threads;
  CPU_ZERO(&every);
  for (size_t i = 0; i < 30; i++)
    if (allowed >> i & 1) CPU_SET(i, &every);
  *cores = hg_topology_part(part, parts, &every, &threads);
  for (int i = 0; i < 30; i++) bits |= CPU_ISSET((size_t)i, &threads) ? 1 << i : 0;
  return bits;
}

static int threads_of(int part, int parts, int *cores)
{
  return threads_among(0x3fffffff, part, parts, cores);
}

/* Two packages of two cores; as on Linux, the second threads of all cores are numbered after the first ones. */
static void ranks_share_no_core(void)
{
  int cores;
  cpu_set_t some;
  setenv("HWLOC_SYNTHETIC", "package:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)", 1);
  tap_int(threads_of(0, 2, &cores), 0x33, "the first of two ranks has both threads of the first package's cores");
  tap_int(cores, 2, "... which are two");
  tap_int(threads_of(1, 2, &cores), 0xcc, "the second one has the other package");
  tap_int(threads_of(2, 3, &cores), 0x44, "three ranks on four cores have one each");
  tap_int(threads_of(5, 8, &cores), 0x22, "the sixth of eight ranks shares the second core");
  tap_int(threads_of(0, 1, &cores), 0xff, "one rank has all");
  tap_int(threads_among(0xcc, 0, 2, &cores), 0x44, "of a package that both ranks may use the first has one core");
  tap_int(threads_among(0xcc, 1, 2, &cores), 0x88, "... and the second the other");
  tap_int(threads_among(0x0e, 1, 2, &cores), 0x04, "... without threads that they may not use");
  tap_int(threads_among(0x300, 0, 2, &cores), 0, "none if they may use none");
  CPU_ZERO(&some);
  CPU_SET(0, &some);
  CPU_SET(4, &some);
  tap_int(hg_topology_cores(&some), 1, "two threads of a core");
  CPU_SET(5, &some);
  tap_int(hg_topology_cores(&some), 2, "... and one of another");
}

/* Runs in a separate process, since the size of the cache is read once per process. */
static int in_a_child(const char *machine, int (*answer)(void))
{
  int status = 0;
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    setenv("HWLOC_SYNTHETIC", machine, 1);
    _exit(answer());
  }
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

static int quarters_of_mebibytes(void)
{
  return (int)(hg_l2_cache_bytes() >> 18);
}

static int kibibytes_of_l1(void)
{
  return (int)(hg_l1_cache_bytes() >> 10);
}

static int depth_in_two_dimensions(void)
{
  return hg_heat_update(2, hg_heat_kernel_find("auto"), false).depth[0];
}

static void blocks_are_as_deep_as_the_cache_is_large(void)
{
  const char *const small = "l2:2(size=524288) core:1 pu:1", *const large = "l2:2(size=2097152) core:1 pu:1";
  tap_int(in_a_child(small, quarters_of_mebibytes), 2, "512 KiB");
  tap_int(in_a_child(large, quarters_of_mebibytes), 8, "2 MiB");
  tap_int(in_a_child("core:2 pu:1", quarters_of_mebibytes), 4, "1 MiB where hwloc knows of no L2 cache");
  tap_int(in_a_child("l1d:2(size=8192) core:1 pu:1", kibibytes_of_l1), 8, "an L1 cache of 8 KiB is accepted");
  tap_int(in_a_child("l1d:2(size=8191) core:1 pu:1", kibibytes_of_l1), 32, "... a smaller one is not");
  tap_int(in_a_child(small, depth_in_two_dimensions), 32, "steps of a block with 512 KiB");
  tap_int(in_a_child(large, depth_in_two_dimensions), 48, "steps of a block with 2 MiB");
}

static const char with_a_gpu[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology version=\"2.0\">"
    "<object type=\"Machine\" os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" allowed_cpuset=\"0x1\" "
    "nodeset=\"0x1\" complete_nodeset=\"0x1\" allowed_nodeset=\"0x1\" gp_index=\"1\">"
    "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" nodeset=\"0x1\" "
    "complete_nodeset=\"0x1\" gp_index=\"2\" local_memory=\"1000000000\"/>"
    "<object type=\"PU\" os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" nodeset=\"0x1\" complete_nodeset=\"0x1\" "
    "gp_index=\"3\"/>"
    "<object type=\"Bridge\" gp_index=\"4\" bridge_type=\"0-1\" depth=\"0\" bridge_pci=\"0000:[00-ff]\">"
    "<object type=\"PCIDev\" gp_index=\"5\" pci_busid=\"0000:3b:00.0\" pci_type=\"0302 [10de:2335] [10de:18be] a1\" "
    "pci_link_speed=\"63.000000\"/></object></object></topology>\n";

static void a_device_has_a_link(void)
{
  char path[] = "/tmp/hetgrid-topology-XXXXXX";
  FILE *out = fdopen(mkstemp(path), "w");
  fputs(with_a_gpu, out);
  fclose(out);
  unsetenv("HWLOC_SYNTHETIC");
  setenv("HWLOC_XMLFILE", path, 1);
  tap_near(hg_topology_link("0000:3b:00.0"), 63e9, 1, "bytes/s of a device's link");
  tap_near(hg_topology_link("0000:3c:00.0"), 0, 0, "of another one");
  tap_near(hg_topology_link("nonsense"), 0, 0, "of no address");
  unlink(path);
}

static atomic_int calls[64], of[64];

static void note(void *arg, int part, int parts)
{
  (void)arg;
  calls[part]++;
  of[part] = parts;
}

/* With so many cores: parts of work, in 0 to 3 parts, that did not run exactly once or got a wrong number of parts. */
static int wrong_parts(int cores)
{
  int wrong = 0;
  for (int most = 0; most <= 3; most++) {
    const int parts = most < 1 ? 1 : most < cores ? most : cores;
    memset(calls, 0, sizeof calls);
    hg_parallel(most, note, NULL);
    for (int i = 0; i < 64; i++) wrong += calls[i] != (i < parts) || (i < parts && of[i] != parts);
  }
  return wrong;
}

static void work_is_shared_by_cores(void)
{
  cpu_set_t all, one;
  if (sched_getaffinity(0, sizeof all, &all) != 0) return;
  tap_int(wrong_parts(CPU_COUNT(&all)), 0, "work in 0 to 3 parts: as many as there are cores, each once");
  CPU_ZERO(&one);
  for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
    if (CPU_ISSET(i, &all)) CPU_SET(i, &one);
  if (sched_setaffinity(0, sizeof one, &one) != 0) return;
  tap_int(wrong_parts(1), 0, "... and one where the process has one core");
  sched_setaffinity(0, sizeof all, &all);
}

int main(void)
{
  unsetenv("HWLOC_COMPONENTS"); /* if components are named, hwloc ignores the synthetic machine */
  a_machine_is_counted();
  ranks_share_no_core();
  blocks_are_as_deep_as_the_cache_is_large();
  a_device_has_a_link();
  work_is_shared_by_cores();
  return tap_done();
}
