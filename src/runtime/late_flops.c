/* SPDX-License-Identifier: MIT */
#include "runtime/late_flops.h"

#include <inttypes.h>
#include <pthread.h>
#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"

typedef struct note {
  unsigned long job;
  double flops;
} note;

static struct {
  pthread_mutex_t lock;
  note *note;
  int64_t notes;
  bool full; /* memory ran out: further tasks are not noted */
} store = {.lock = PTHREAD_MUTEX_INITIALIZER};

static hg_status add(note n)
{
  HG_TRY(hg_grow("the trace", (void **)&store.note, store.notes, sizeof n));
  store.note[store.notes++] = n;
  return HG_OK;
}

void hg_counted_task(void *number)
{
  struct starpu_task *task = starpu_task_get_current();
  (void)number;
  if (!task || !(task->flops > 0)) return;
  pthread_mutex_lock(&store.lock);
  if (!store.full) store.full = add((note){starpu_task_get_job_id(task), task->flops}) != HG_OK;
  pthread_mutex_unlock(&store.lock);
}

hg_status hg_counted_save(const char *folder, int rank)
{
  char path[HG_PATH_MAX], temporary[HG_PATH_MAX], file[64];
  if (store.full) return hg_fail(HG_MEMORY, "no memory for the flops of more than %" PRId64 " tasks", store.notes);
  snprintf(file, sizeof file, "flops_%d.rec", rank);
  HG_TRY(hg_file_in(folder, file, path));
  FILE *out;
  HG_TRY(hg_file_begin(path, temporary, &out));
  for (int64_t i = 0; i < store.notes; i++)
    fprintf(out, "JobId: %d_%lu\nFlops: %.17g\n\n", rank, store.note[i].job, store.note[i].flops);
  free(store.note);
  store.note = NULL;
  store.notes = 0;
  return hg_file_end(out, temporary, path, HG_OK);
}
