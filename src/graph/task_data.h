/* SPDX-License-Identifier: MIT */
/* Handles and modes of a task under construction. Internal to graph/. */
#ifndef HG_GRAPH_TASK_DATA_H
#define HG_GRAPH_TASK_DATA_H

#include <starpu.h>

typedef struct hg_task_data {
  struct starpu_data_descr *list; /**< with room for all */
  int count;
} hg_task_data;

static inline void hg_task_add(hg_task_data *d, starpu_data_handle_t handle, enum starpu_data_access_mode mode)
{
  d->list[d->count++] = (struct starpu_data_descr){.handle = handle, .mode = mode};
}
#endif
