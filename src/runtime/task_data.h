/* SPDX-License-Identifier: MIT */
/* Tasks under construction: their handles and modes, and what StarPU says of them. */
#ifndef HG_RUNTIME_TASK_DATA_H
#define HG_RUNTIME_TASK_DATA_H

#include <errno.h>
#include <starpu.h>
#include <stdbool.h>
#include <string.h>

#include "base/status.h"
#include "runtime/session.h"

typedef struct hg_task_data {
  struct starpu_data_descr *list; /**< with room for all */
  int count;
} hg_task_data;

static inline void hg_task_add(hg_task_data *d, starpu_data_handle_t handle, enum starpu_data_access_mode mode)
{
  d->list[d->count++] = (struct starpu_data_descr){.handle = handle, .mode = mode};
}

/** What starpu_task_insert returned for a task of that name. HG_NO_WORKER, HG_RUNTIME. */
static inline hg_status hg_task_status(int error, const char *name)
{
  if (error == -ENODEV) return hg_fail(HG_NO_WORKER, "no worker can run the task '%s'", name);
  return error ? hg_fail(HG_RUNTIME, "StarPU refused the task '%s': %s", name, strerror(-error)) : HG_OK;
}

/** Length of session->allowed for a task: 0, so that it may go anywhere, where it is for cores alone and only GPUs are
 * allowed. @param cores  it runs on cores alone, whatever its codelet has */
static inline unsigned hg_task_allowed_words(const hg_session *s, const struct starpu_codelet *codelet, bool cores)
{
  return cores || !codelet->cuda_funcs[0] ? s->allowed_core_words : s->allowed_words;
}

/** Whether workers of this rank are cores, which tasks without a function for GPUs need. */
bool hg_task_has_cores(void);

/** Does what a task on a core would do, on the calling thread, once its data are there; not in a task. HG_RUNTIME.
 * @param[in,out] arg  of the codelet */
hg_status hg_task_here(const struct starpu_codelet *codelet, const struct starpu_data_descr *data, int count,
                       void *arg);

/** Submits a task for cores, which is not recorded; where there is none, hg_task_here. HG_MEMORY, HG_RUNTIME.
 * @param arg  [bytes] of the codelet, copied */
hg_status hg_task_on_core(struct starpu_codelet *codelet, struct starpu_data_descr *data, int count, void *arg,
                          size_t bytes);
#endif
