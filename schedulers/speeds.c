/* SPDX-License-Identifier: MIT */
/* If HETGRID_TABLES names a folder and StarPU's models do not know how long tasks that write tiles take, each worker
 * gets the speed table of its device (schedulers/tile_tables.h). This file collects what StarPU knows of workers and
 * tasks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/log.h"
#include "speed/tables.h"
#include "schedulers/speeds.h"

bool hg_sched_gpu_key(const char *name, char *key, size_t size)
{
  char text[HG_DEVICE_NAME];
  snprintf(text, sizeof text, "%s", name);
  char *model = strchr(text, '('), *end = strstr(text, " GiB");
  if (!model || !end) return false;
  while (end > model && *--end != ' ') continue;
  *end = 0;
  hg_device_key(model, key, size);
  return *key;
}

/* Other kinds of workers have no tables. */
static void name_device(int id, char key[HG_DEVICE_NAME])
{
  char model[HG_DEVICE_NAME];
  starpu_worker_get_name(id, model, sizeof model);
  *key = 0;
  if (starpu_worker_get_type(id) == STARPU_CUDA_WORKER && !hg_sched_gpu_key(model, key, HG_DEVICE_NAME)) *key = 0;
  if (starpu_worker_get_type(id) != STARPU_CPU_WORKER) return;
  hg_cpu_model(model, sizeof model);
  hg_device_key(model, key, HG_DEVICE_NAME);
}

static int value_bytes(starpu_data_handle_t tile)
{
  size_t bytes = 0;
  switch ((int)starpu_data_get_interface_id(tile)) {
  case STARPU_VECTOR_INTERFACE_ID: bytes = starpu_vector_get_elemsize(tile); break;
  case STARPU_MATRIX_INTERFACE_ID: bytes = starpu_matrix_get_elemsize(tile); break;
  case STARPU_BLOCK_INTERFACE_ID: bytes = starpu_block_get_elemsize(tile); break;
  case STARPU_TENSOR_INTERFACE_ID: bytes = starpu_tensor_get_elemsize(tile); break;
  default: break;
  }
  return bytes == sizeof(float) ? sizeof(float) : sizeof(double);
}

/* Values that a task reads and writes, from its buffers. */
static double accesses(struct starpu_task *task, int bytes)
{
  double sum = 0;
  for (unsigned b = 0; b < STARPU_TASK_GET_NBUFFERS(task); b++) {
    const enum starpu_data_access_mode mode = STARPU_TASK_GET_MODE(task, b);
    const int times = ((mode & STARPU_R) != 0) + ((mode & STARPU_W) != 0);
    sum += times * (double)starpu_data_get_size(STARPU_TASK_GET_HANDLE(task, b)) / bytes;
  }
  return sum;
}

static const char *name_of(const struct starpu_task *task)
{
  const char *name = task->cl->name ? task->cl->name : task->name;
  if (!name && task->cl->model) name = task->cl->model->symbol;
  return name ? name : "a codelet";
}

static hg_tile_task describe(struct starpu_task *task, starpu_data_handle_t tile)
{
  const int bytes = value_bytes(tile);
  return (hg_tile_task){.name = name_of(task),
                        .flops = task->flops,
                        .accesses = accesses(task, bytes),
                        .cells = (double)starpu_data_get_size(tile) / bytes,
                        .value_bytes = bytes};
}

static void find(const hg_policy *p, const hg_ready *r, const hg_costs *c, hg_tile_tables *t)
{
  hg_tile_worker worker[STARPU_NMAXWORKERS] = {0};
  HG_C_LOCALE;
  const starpu_data_handle_t tile = (starpu_data_handle_t)(uintptr_t)p->owners.tile[r->tile].key;
  const hg_tile_task task = describe(r->task, tile);
  for (int w = 0; w < p->workers; w++) {
    worker[w] = (hg_tile_worker){.number = p->worker[w].id, .able = !isinf(c->model.seconds[w])};
    name_device(p->worker[w].id, worker[w].device);
  }
  if (hg_tile_tables_find(&task, p->owners.known, STARPU_NMAXWORKERS, worker, t) != HG_OK)
    hg_log(HG_WARN, "HETGRID_TABLES: %s; the policy continues without tables", hg_message());
}

void hg_sched_find_tables(const hg_policy *p, const hg_ready *r, const hg_costs *c, hg_tile_tables *t)
{
  const char *folder = t->sought ? NULL : getenv("HETGRID_TABLES");
  if (!folder || !*folder) return;
  bool modelled = true;
  for (int w = 0; w < p->workers; w++) modelled = modelled && c->model.seconds[w] > 0;
  if (!modelled) find(p, r, c, t);
}
