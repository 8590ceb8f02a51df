/* SPDX-License-Identifier: MIT */
/* Tasks under construction: their handles and access modes, and StarPU's status. */
#ifndef HG_RUNTIME_TASK_DATA_H
#define HG_RUNTIME_TASK_DATA_H

#include <errno.h>
#include <starpu.h>
#include <stdbool.h>
#include <string.h>

#include "base/status.h"
#include "runtime/session.h"

typedef struct hg_task_data {
  struct starpu_data_descr *list; /**< has room for all */
  int count;
} hg_task_data;

static inline void hg_task_add(hg_task_data *d, starpu_data_handle_t handle, enum starpu_data_access_mode mode)
{
  d->list[d->count++] = (struct starpu_data_descr){.handle = handle, .mode = mode};
}

/** Status of starpu_task_insert for a task of that name. HG_NO_WORKER, HG_RUNTIME. */
static inline hg_status hg_task_status(int error, const char *name)
{
  if (error == -ENODEV) return hg_fail(HG_NO_WORKER, "no worker can run the task '%s'", name);
  return error ? hg_fail(HG_RUNTIME, "StarPU refused the task '%s': %s", name, strerror(-error)) : HG_OK;
}

/** Length of session->allowed for a task; 0 (any worker) if the task runs on cores only while only GPUs are allowed.
 * @param cores  it runs on cores only, whatever its codelet supports */
static inline unsigned hg_task_allowed_words(const hg_session *s, const struct starpu_codelet *codelet, bool cores)
{
  return cores || !codelet->cuda_funcs[0] ? s->allowed_core_words : s->allowed_words;
}

/** Whether this rank has CPU workers, which tasks without a GPU implementation need. */
bool hg_task_has_cores(void);

/** Does the work of a CPU task on the calling thread, once its data are available; not within a task. HG_RUNTIME.
 * @param[in,out] arg  of the codelet */
hg_status hg_task_here(const struct starpu_codelet *codelet, const struct starpu_data_descr *data, int count,
                       void *arg);

/** Submits a CPU task, which is not recorded; without CPU workers calls hg_task_here. HG_MEMORY, HG_RUNTIME.
 * @param arg  [bytes] of the codelet, copied */
hg_status hg_task_on_core(struct starpu_codelet *codelet, struct starpu_data_descr *data, int count, void *arg,
                          size_t bytes);
#endif
