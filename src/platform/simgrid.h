/* SPDX-License-Identifier: MIT */
/* A platform as SimGrid and StarPU's simulation want it. */
#ifndef HG_PLATFORM_SIMGRID_H
#define HG_PLATFORM_SIMGRID_H

#include "platform/platform.h"

/** Memory nodes in StarPU's bus files: what scripts/build-starpu-simgrid configures. */
enum { HG_SIMGRID_MEMORY_NODES = 32 };

/** Writes to a folder that is there: platform.xml (network, and for each of the first `nodes` nodes its processors),
 * hosts (one MPI process a node), names (of the nodes' kinds, for STARPU_MPI_HOSTNAMES), and bus/KIND.bandwidth and
 * .latency for each kind of node (STARPU_PERF_MODEL_DIR is the folder). HG_IO, HG_INVALID for too many GPUs. */
hg_status hg_platform_write_simgrid(const hg_platform *platform, int nodes, const char *folder);

/** SimGrid's options for the pieces of a measured network: "SIZE:FACTOR;.." by which its SMPI model multiplies latency
 * and bandwidth of messages larger than SIZE; "0:1" where none was measured. */
void hg_platform_factors(const hg_platform *platform, size_t size, char *latency, char *bandwidth);
#endif
