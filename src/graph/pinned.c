/* SPDX-License-Identifier: MIT */
#include "graph/pinned.h"

#include <starpu.h>
#include <string.h>
#include <sys/mman.h>

#include "codelets/costs.h"
#include "graph/session.h"

hg_status hg_pinned_allocate(const char *what, size_t bytes, void **memory)
{
  /* in virtual time nothing is computed: all large blocks are one and the same */
  const int flags = STARPU_MALLOC_PINNED | STARPU_MALLOC_COUNT | (hg_simulated ? STARPU_MALLOC_SIMULATION_FOLDED : 0);
  if (starpu_malloc_flags(memory, bytes, flags) != 0)
    return hg_fail(HG_MEMORY, "%s: %zu bytes could not be allocated", what, bytes);
  if (hg_simulated) return HG_OK;
  madvise((void *)((uintptr_t)*memory / 4096 * 4096), bytes, MADV_HUGEPAGE); /* a hint; it may be refused */
  memset(*memory, 0, bytes);
  return HG_OK;
}

hg_status hg_session_memory(size_t bytes, void **memory)
{
  return hg_pinned_allocate("shared memory", bytes, memory);
}

void hg_session_free_memory(void *memory, size_t bytes)
{
  hg_pinned_free(memory, bytes);
}

void hg_pinned_free(void *memory, size_t bytes)
{
  const int flags = STARPU_MALLOC_PINNED | STARPU_MALLOC_COUNT | (hg_simulated ? STARPU_MALLOC_SIMULATION_FOLDED : 0);
  if (memory) starpu_free_flags(memory, bytes, flags);
}
