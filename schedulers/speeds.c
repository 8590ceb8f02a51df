/* SPDX-License-Identifier: MIT */
/* Speed tables in a policy. Where HETGRID_TABLES names a folder, and StarPU's models do not tell how long tasks take
 * that write tiles, each worker has the table of its device (hetgrid-calibrate makes it) of the application that is
 * nearest to the tasks by operations and accesses (speed/kernel_classes.h). What the workers' tables say is compared,
 * so any unit will do: a task that was measured tells what a second of the tables is. Tables become partial speed
 * functions (speed/partial.h), refined by what rounds over the tiles take, as in DFPA; tiles are divided by them with
 * FPMC (placement/tile_times.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/log.h"
#include "speed/kernel_classes.h"
#include "speed/tables.h"
#include "placement/tile_times.h"
#include "schedulers/constants.h"
#include "schedulers/model_cache.h"
#include "schedulers/speeds.h"

enum { DEVICE = 160 }; /* characters of a device's name, at most */

bool hg_sched_gpu_key(const char *name, char *key, size_t size)
{
  char text[DEVICE];
  snprintf(text, sizeof text, "%s", name);
  char *model = strchr(text, '('), *end = strstr(text, " GiB");
  if (!model || !end) return false;
  while (end > model && *--end != ' ') continue;
  *end = 0;
  hg_device_key(model, key, size);
  return *key;
}

/* The device of a worker as in names of tables; false if there are none for its kind. */
static bool name_device(int id, char *key)
{
  char model[DEVICE];
  starpu_worker_get_name(id, model, sizeof model);
  if (starpu_worker_get_type(id) == STARPU_CUDA_WORKER) return hg_sched_gpu_key(model, key, DEVICE);
  if (starpu_worker_get_type(id) != STARPU_CPU_WORKER) return false;
  hg_cpu_model(model, sizeof model);
  hg_device_key(model, key, DEVICE);
  return true;
}

/* What is looked for: a class' tables. */
typedef struct wanted {
  const hg_class *class;
  const char *precision;
  double cells; /* of all tiles */
} wanted;

/* The worker's own table, else that of its device; none is found: nw is 0. */
static hg_status read_table(const wanted *want, int id, hg_speed_table *out)
{
  char key[DEVICE], own[DEVICE + 32];
  *out = (hg_speed_table){0};
  if (!name_device(id, key)) return HG_OK;
  snprintf(own, sizeof own, "%s-worker-%d", key, id);
  HG_TRY(hg_table_of_device(want->class->app, want->precision, own, want->cells, out));
  return out->nw > 0 ? HG_OK : hg_table_of_device(want->class->app, want->precision, key, want->cells, out);
}

/* Tables for all workers that can run the tasks; *all: there are. */
static hg_status read_tables(const hg_policy *p, const wanted *want, const hg_costs *c, hg_tile_tables *t, bool *all)
{
  *all = true;
  for (int w = 0; w < p->workers && *all; w++) {
    hg_speed_table table;
    if (isinf(c->model.seconds[w])) continue;
    HG_TRY(read_table(want, p->worker[w].id, &table));
    *all = table.nw > 0;
    if (*all) hg_speed_table_partial(&table, &t->speed[w], &t->item[w]);
    hg_speed_table_free(&table);
  }
  return HG_OK;
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

/* Values that a task reads and writes, as its buffers tell. */
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

/* The tables of the nearest class that has some for every worker, in the tiles' precision or else the other. */
static hg_status find_nearest(const hg_policy *p, struct starpu_task *task, int bytes, const hg_costs *c,
                              hg_tile_tables *t)
{
  static const char *const precisions[] = {"double", "float"};
  const hg_class *order[HG_CLASSES];
  bool all = false;
  hg_classes_by_distance(name_of(task), task->flops, accesses(task, bytes), order);
  for (int i = 0; i < 2 * HG_CLASSES && !all; i++) {
    const wanted want = {order[i / 2], precisions[(bytes == sizeof(float)) ^ (i % 2)], t->cells * p->owners.known};
    HG_TRY(read_tables(p, &want, c, t, &all));
    if (all)
      hg_log(HG_INFO, "tiles of '%s' go by the tables of %s, %s", name_of(task), want.class->app, want.precision);
  }
  if (all) return HG_OK;
  free(t->speed);
  t->speed = NULL;
  return HG_OK;
}

static bool load(const hg_policy *p, const hg_ready *r, const hg_costs *c, hg_tile_tables *t)
{
  HG_C_LOCALE;
  const starpu_data_handle_t tile = (starpu_data_handle_t)(uintptr_t)p->owners.tile[r->tile].key;
  const int bytes = value_bytes(tile);
  t->cells = (double)starpu_data_get_size(tile) / bytes;
  t->speed = calloc(STARPU_NMAXWORKERS, sizeof *t->speed);
  t->item = calloc(STARPU_NMAXWORKERS, sizeof *t->item);
  if (!(t->cells > 0) || !t->speed || !t->item) return false;
  if (find_nearest(p, r->task, bytes, c, t) == HG_OK) return t->speed != NULL;
  hg_log(HG_WARN, "HETGRID_TABLES: %s; the policy goes on without tables", hg_message());
  return false;
}

void hg_sched_find_tables(const hg_policy *p, const hg_ready *r, const hg_costs *c, hg_tile_tables *t)
{
  const char *folder = getenv("HETGRID_TABLES");
  bool modelled = true;
  for (int w = 0; w < p->workers; w++) modelled = modelled && c->model.seconds[w] > 0;
  if (t->kind || modelled || !folder || !*folder) return;
  t->kind = hg_sched_kind(r->task);
  if (!load(p, r, c, t)) hg_sched_free_tables(t);
}

void hg_sched_measure_unit(hg_tile_tables *t, int w, double seconds)
{
  if (!t->speed || t->speed[w].count == 0) return;
  const double unit = seconds / hg_partial_time(&t->speed[w], t->cells);
  hg_average_time(&t->unit, unit);
}

/* Work counted in other units: w' = w / cells, time' = unit * time. */
static hg_partial_speed in_units(const hg_partial_speed *speed, double cells, double unit)
{
  hg_partial_speed out = *speed;
  for (int i = 0; i < out.count; i++) {
    out.point[i].w /= cells;
    out.point[i].speed /= cells * unit;
  }
  return out;
}

/* First in the unit of what was measured, so that only what the worker does unlike the others counts as a change. */
void hg_sched_learn(const hg_policy *p, hg_tile_tables *t, const double *mean)
{
  const double unit = t->unit > 0 ? t->unit : 1;
  for (int w = 0; t->speed && w < p->workers; w++) {
    const int owned = p->worker[w].owned;
    const double cells = owned * t->cells;
    if (t->speed[w].count == 0) continue;
    t->speed[w] = in_units(&t->speed[w], 1, unit);
    t->item[w] *= unit;
    if (owned == 0 || mean[w] <= 0) continue;
    hg_partial_learn(&t->speed[w], cells, hg_partial_time(&t->speed[w], cells));
    hg_partial_learn(&t->speed[w], cells, owned * mean[w]);
  }
  t->unit = 1;
}

/* The grid of tiles in FINE parts along each axis, so that borders of parts need not be those of tiles; where tiles do
 * not fill a box, perhaps several times over, they lie in a row. */
static int shape(const hg_owners *o, int64_t n[3])
{
  enum { FINE = 8 };
  int dims = hg_owners_extents(o, n);
  const int64_t box = n[0] * n[1] * n[2];
  if (box <= 0 || box > o->known || o->known % box != 0) {
    n[0] = o->known;
    n[1] = n[2] = dims = 1;
  }
  for (int a = 0; a < dims; a++) n[a] *= FINE;
  return dims;
}

/* Where a worker that can run the tasks has no table, nobody's counts. */
void hg_sched_divide(const hg_policy *p, const hg_tile_tables *t, const char *partitioner, double *seconds)
{
  if (!t->speed || p->owners.known == 0) return;
  int64_t n[3];
  int parts = 0, of_part[p->workers];
  const int dims = shape(&p->owners, n);
  const double unit = t->unit > 0 ? t->unit : 1, tiles = p->owners.known / (double)(n[0] * n[1] * n[2]),
               cells = t->cells * tiles, side = pow(cells, 1 - 1. / dims);
  double found[p->workers];
  hg_partial_speed speed[p->workers];
  hg_speed_model model[p->workers];
  for (int w = 0; w < p->workers; w++) {
    if (!isfinite(seconds[w])) continue;
    if (t->speed[w].count == 0) return;
    speed[parts] = in_units(&t->speed[w], cells, unit);
    model[parts] = (hg_speed_model){.kind = HG_SPEED_PARTIAL, .tc = unit * t->item[w] * side, .partial = &speed[parts]};
    of_part[parts++] = w;
  }
  if (hg_tile_times(dims, n, parts, model, partitioner, found) != HG_OK) return;
  for (int i = 0; i < parts; i++) seconds[of_part[i]] = found[i] / tiles;
}

void hg_sched_free_tables(hg_tile_tables *t)
{
  free(t->speed);
  free(t->item);
  t->speed = NULL;
  t->item = NULL;
}
