/* SPDX-License-Identifier: MIT */
/* CPU tasks on a rank without CPU workers: the submitting thread does them. */
#include <stdlib.h>

#include "runtime/task_data.h"

bool hg_task_has_cores(void)
{
  return starpu_cpu_worker_get_count() > 0;
}

static void release(const struct starpu_data_descr *data, int count)
{
  for (int i = 0; i < count; i++) starpu_data_release(data[i].handle);
}

hg_status hg_task_here(const struct starpu_codelet *codelet, const struct starpu_data_descr *data, int count, void *arg)
{
  void *buffer[count + 1];
  for (int i = 0; i < count; i++) {
    const int error = starpu_data_acquire(data[i].handle, data[i].mode);
    if (error) release(data, i);
    HG_TRY(hg_task_status(error, codelet->name));
    buffer[i] = starpu_data_get_interface_on_node(data[i].handle, STARPU_MAIN_RAM);
  }
  codelet->cpu_funcs[0](buffer, arg);
  release(data, count);
  return HG_OK;
}

hg_status hg_task_on_core(struct starpu_codelet *codelet, struct starpu_data_descr *data, int count, void *arg,
                          size_t bytes)
{
  if (!hg_task_has_cores()) return hg_task_here(codelet, data, count, arg);
  void *copy = malloc(bytes);
  if (!copy) return hg_fail(HG_MEMORY, "no memory for a task");
  memcpy(copy, arg, bytes);
  const int error = starpu_task_insert(codelet, STARPU_DATA_MODE_ARRAY, data, count, STARPU_CL_ARGS, copy, bytes, 0);
  return hg_task_status(error, codelet->name);
}
