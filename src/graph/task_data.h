/* SPDX-License-Identifier: MIT */
/* Tasks under construction: their handles and modes, and what StarPU says of them. Internal to graph/ and elimination/.
 */
#ifndef HG_GRAPH_TASK_DATA_H
#define HG_GRAPH_TASK_DATA_H

#include <errno.h>
#include <starpu.h>
#include <string.h>

#include "base/status.h"

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
#endif
