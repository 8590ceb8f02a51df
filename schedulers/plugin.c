/* SPDX-License-Identifier: MIT */
/* The policies as a library that any StarPU program loads: STARPU_SCHED_LIB=PATH STARPU_SCHED=hetgrid.
 * StarPU's limits (STARPU_NMAXBUFS etc.) are fixed when it is configured and change its structures. So the plugin asks
 * the StarPU that loads it for its sizes, and refuses to run if they differ from those it was compiled with. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "schedulers/hetgrid_sched.h"

enum { ROOM = 1 << 16, MARK = 0x5a };

typedef union buffer {
  unsigned char byte[ROOM];
  struct starpu_task task;
  struct starpu_codelet codelet;
} buffer;

/* Size of a structure that StarPU has cleared: up to the last byte that no longer holds the mark. */
static size_t cleared(const buffer *b)
{
  size_t size = ROOM;
  while (size > 0 && b->byte[size - 1] == MARK) size--;
  return size;
}

static bool fits(const char *what, size_t there, size_t here)
{
  if (there == here) return true;
  fprintf(stderr,
          "hetgrid: policy refused: this program's StarPU has other limits than the plugin was compiled for: %s %zu, "
          "here %zu. Build hetgrid with this StarPU: PKG_CONFIG_PATH=STARPU_PREFIX/lib/pkgconfig ./quickstart\n",
          what, there, here);
  return false;
}

static bool fits_starpu(void)
{
  static buffer b;
  memset(b.byte, MARK, ROOM);
  starpu_task_init(&b.task);
  if (!fits("bytes of struct starpu_task", cleared(&b), sizeof b.task)) return false;
  memset(b.byte, MARK, ROOM);
  starpu_codelet_init(&b.codelet);
  if (!fits("bytes of struct starpu_codelet", cleared(&b), sizeof b.codelet)) return false;
  const unsigned workers = starpu_worker_get_count(), nodes = starpu_memory_nodes_get_count();
  return fits("workers", workers, workers < STARPU_NMAXWORKERS ? workers : STARPU_NMAXWORKERS) &&
         fits("memory nodes", nodes, nodes < STARPU_MAXNODES ? nodes : STARPU_MAXNODES);
}

struct starpu_sched_policy *starpu_get_sched_lib_policy(const char *name)
{
  struct starpu_sched_policy *policy = hg_sched_find(name);
  return policy && fits_starpu() ? policy : NULL;
}

struct starpu_sched_policy **starpu_get_sched_lib_policies(void)
{
  return hg_sched_policies;
}
