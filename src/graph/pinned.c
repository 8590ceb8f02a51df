/* SPDX-License-Identifier: MIT */
#include "graph/pinned.h"

#include <starpu.h>
#include <string.h>
#include <sys/mman.h>

hg_status hg_pinned_allocate(const char *what, size_t bytes, void **memory)
{
  if (starpu_malloc(memory, bytes) != 0) return hg_fail(HG_MEMORY, "%s: %zu bytes could not be allocated", what, bytes);
  madvise((void *)((uintptr_t)*memory / 4096 * 4096), bytes, MADV_HUGEPAGE); /* a hint; it may be refused */
  memset(*memory, 0, bytes);
  return HG_OK;
}

void hg_pinned_free(void *memory, size_t bytes)
{
  if (memory) starpu_free_noflag(memory, bytes);
}
