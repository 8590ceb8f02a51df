/* SPDX-License-Identifier: MIT */
#include "runtime/pinned.h"

#include <limits.h>
#include <starpu.h>
#include <string.h>
#include <sys/mman.h>

#include "base/parallel.h"
#include "codelets/simulated_costs.h"

/* StarPU counts these blocks, but does not refuse them when they exceed nine tenths of the memory that it has found:
 * they are the home of the data, and all it could free are copies. In virtual time nothing is computed, and all large
 * blocks share the same memory. */
static int flags(void)
{
  return STARPU_MALLOC_PINNED | STARPU_MALLOC_COUNT | STARPU_MALLOC_NORECLAIM |
         (hg_simulated ? STARPU_MALLOC_SIMULATION_FOLDED : 0);
}

hg_status hg_pinned_allocate(const char *what, size_t bytes, void **memory)
{
  if (starpu_malloc_flags(memory, bytes, flags()) != 0)
    return hg_fail(HG_MEMORY, "%s: %zu bytes could not be allocated", what, bytes);
  if (hg_simulated) return HG_OK;
  madvise((void *)((uintptr_t)*memory / 4096 * 4096), bytes, MADV_HUGEPAGE); /* a hint; it may be refused */
  memset(*memory, 0, bytes);
  return HG_OK;
}

void hg_pinned_free(void *memory, size_t bytes)
{
  if (memory) starpu_free_flags(memory, bytes, flags());
}

/* Large blocks get huge pages only from a multiple of this size on. */
enum { HUGE_PAGE = 2 << 20 };

/* Memory touched by all cores, so that the system clears it faster and distributes it over their memory nodes. */
typedef struct stretch {
  char *memory;
  size_t bytes;
} stretch;

static void touch(void *arg, int part, int parts)
{
  const stretch *s = arg;
  const size_t pages = s->bytes / HUGE_PAGE;
  const size_t begin = pages * (size_t)part / (size_t)parts, end = pages * ((size_t)part + 1) / (size_t)parts;
  memset(s->memory + begin * HUGE_PAGE, 0, (end - begin) * HUGE_PAGE);
}

static hg_status map(const char *what, size_t bytes, hg_pinned *block)
{
  const size_t all = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE, had = block->mapped ? block->bytes : 0;
  void *memory = had ? mremap(block->memory, had, all, MREMAP_MAYMOVE)
                     : mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return hg_fail(HG_MEMORY, "%s: %zu bytes could not be allocated", what, bytes);
  madvise(memory, all, MADV_HUGEPAGE); /* a hint; it may be refused */
  hg_parallel(INT_MAX, touch, &(stretch){(char *)memory + had, all - had});
  *block = (hg_pinned){memory, all, true};
  return HG_OK;
}

hg_status hg_pinned_grow(const char *what, size_t bytes, hg_pinned *block)
{
  if (!hg_simulated && starpu_cuda_worker_get_count() == 0) return map(what, bytes, block);
  hg_pinned larger = {.bytes = bytes};
  HG_TRY(hg_pinned_allocate(what, bytes, &larger.memory));
  hg_pinned_drop(block);
  *block = larger;
  return HG_OK;
}

void hg_pinned_drop(hg_pinned *block)
{
  if (block->mapped)
    munmap(block->memory, block->bytes);
  else
    hg_pinned_free(block->memory, block->bytes);
  *block = (hg_pinned){.memory = NULL};
}
