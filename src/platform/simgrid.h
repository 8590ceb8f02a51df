/* SPDX-License-Identifier: MIT */
/* Writes a platform as input for SimGrid and for StarPU's simulation. */
#ifndef HG_PLATFORM_SIMGRID_H
#define HG_PLATFORM_SIMGRID_H

#include "platform/platform.h"

/** Memory nodes in StarPU's bus files, as scripts/build-starpu-simgrid configures it. */
enum { HG_SIMGRID_MEMORY_NODES = 32 };

/** Writes to an existing folder: platform.xml (the network, and the processors of each of the first `nodes` nodes),
 * hosts (one MPI process per node), names (of the nodes' kinds, for STARPU_MPI_HOSTNAMES), and bus/KIND.bandwidth and
 * .latency for each kind of node (the folder is STARPU_PERF_MODEL_DIR). HG_IO, HG_INVALID for too many GPUs. */
hg_status hg_platform_write_simgrid(const hg_platform *platform, int nodes, const char *folder);

/** SimGrid's options for the segments of a measured network: "SIZE:FACTOR;..", by which its SMPI model multiplies
 * latency and bandwidth of messages larger than SIZE; "0:1" if none was measured. */
void hg_platform_factors(const hg_platform *platform, size_t size, char *latency, char *bandwidth);
#endif
