/* SPDX-License-Identifier: MIT */
#include "codelets/scratch.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_key_t owner; /* its value is a thread's scratch memory, which is freed with the thread */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local void *scratch;
static _Thread_local size_t scratch_bytes;

static void make_owner(void)
{
  if (pthread_key_create(&owner, free) != 0) abort();
}

static void own(void)
{
  pthread_once(&once, make_owner);
  pthread_setspecific(owner, scratch);
}

void *hg_worker_scratch(size_t bytes)
{
  bytes += 64; /* a kernel may ask for none */
  if (bytes > scratch_bytes) {
    free(scratch);
    scratch_bytes = (bytes + 4095) / 4096 * 4096;
    scratch = aligned_alloc(4096, scratch_bytes);
    if (!scratch) scratch_bytes = 0;
    own();
  }
  return scratch;
}

void *hg_task_scratch(hg_failure *failure, size_t bytes)
{
  void *memory = hg_worker_scratch(bytes);
  if (!memory) hg_failure_note(failure, hg_fail(HG_MEMORY, "no memory to compute a tile: %zu bytes", bytes));
  return memory;
}
