/* SPDX-License-Identifier: MIT */
#include "schedulers/tile_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/average.h"
#include "base/log.h"
#include "schedulers/tile_times.h"
#include "speed/kernel_classes.h"
#include "speed/tables.h"

/* What to look for: the tables of a class. */
typedef struct wanted {
  const hg_class *class;
  const char *precision;
  double cells; /* of all tiles */
} wanted;

/* The worker's own table, else that of its device; nw is 0 if there is none. */
static hg_status read_table(const wanted *want, const hg_tile_worker *w, hg_speed_table *out)
{
  char own[HG_DEVICE_NAME + 32];
  *out = (hg_speed_table){0};
  if (!*w->device) return HG_OK;
  snprintf(own, sizeof own, "%s-worker-%d", w->device, w->number);
  HG_TRY(hg_table_of_device(want->class->app, want->precision, own, want->cells, out));
  return out->nw > 0 ? HG_OK : hg_table_of_device(want->class->app, want->precision, w->device, want->cells, out);
}

/* *all: every able worker has one. */
static hg_status read_tables(const wanted *want, int workers, const hg_tile_worker *worker, hg_tile_tables *t,
                             bool *all)
{
  *all = true;
  for (int w = 0; w < workers && *all; w++) {
    hg_speed_table table;
    if (!worker[w].able) continue;
    HG_TRY(read_table(want, &worker[w], &table));
    *all = table.nw > 0;
    if (*all) hg_speed_table_partial(&table, &t->speed[w], &t->item[w]);
    hg_speed_table_free(&table);
  }
  return HG_OK;
}

static hg_status find_nearest(const hg_tile_task *task, int tiles, int workers, const hg_tile_worker *worker,
                              hg_tile_tables *t, bool *all)
{
  static const char *const precisions[] = {"double", "float"};
  const hg_class *order[HG_CLASSES];
  *all = false;
  hg_classes_by_distance(task->name, task->flops, task->accesses, order);
  for (int i = 0; i < 2 * HG_CLASSES && !*all; i++) {
    const wanted want = {order[i / 2], precisions[(task->value_bytes == sizeof(float)) ^ (i % 2)], t->cells * tiles};
    HG_TRY(read_tables(&want, workers, worker, t, all));
    if (*all)
      hg_log(HG_INFO, "tiles of '%s' use the speed tables of %s, %s", task->name, want.class->app, want.precision);
  }
  return HG_OK;
}

hg_status hg_tile_tables_find(const hg_tile_task *task, int tiles, int workers, const hg_tile_worker *worker,
                              hg_tile_tables *t)
{
  bool all;
  *t = (hg_tile_tables){.sought = true, .cells = task->cells};
  if (!(task->cells > 0)) return HG_OK;
  t->speed = calloc((size_t)workers, sizeof *t->speed);
  t->item = calloc((size_t)workers, sizeof *t->item);
  const hg_status status = t->speed && t->item ? find_nearest(task, tiles, workers, worker, t, &all)
                                               : hg_fail(HG_MEMORY, "no memory for tables of %d workers", workers);
  if (status != HG_OK || !all) hg_tile_tables_free(t);
  return status;
}

void hg_tile_tables_measure(hg_tile_tables *t, int w, double seconds)
{
  if (!t->speed || t->speed[w].count == 0) return;
  hg_average_time(&t->unit, seconds / hg_partial_time(&t->speed[w], t->cells));
}

/* Converts the units of work and time: w' = w / cells, time' = unit * time. */
static hg_partial_speed in_units(const hg_partial_speed *speed, double cells, double unit)
{
  hg_partial_speed out = *speed;
  for (int i = 0; i < out.count; i++) {
    out.point[i].w /= cells;
    out.point[i].speed /= cells * unit;
  }
  return out;
}

/* First rescales to measured time, so that only deviations from the other workers count as a change. */
void hg_tile_tables_learn(hg_tile_tables *t, int workers, const int *owned, const double *mean)
{
  const double unit = t->unit > 0 ? t->unit : 1;
  for (int w = 0; t->speed && w < workers; w++) {
    const double cells = owned[w] * t->cells;
    if (t->speed[w].count == 0) continue;
    t->speed[w] = in_units(&t->speed[w], 1, unit);
    t->item[w] *= unit;
    if (owned[w] == 0 || mean[w] <= 0) continue;
    hg_partial_learn(&t->speed[w], cells, hg_partial_time(&t->speed[w], cells));
    hg_partial_learn(&t->speed[w], cells, owned[w] * mean[w]);
  }
  t->unit = 1;
}

/* The grid of tiles, refined into FINE parts along each axis so that regions need not end at tile borders. Tiles that
 * do not fill a box (perhaps several times over) are laid out in a row. */
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

void hg_tile_tables_divide(const hg_tile_tables *t, const hg_owners *owners, int workers, const char *partitioner,
                           double *seconds)
{
  if (!t->speed || owners->known == 0) return;
  int64_t n[3];
  int parts = 0, of_part[workers];
  const int dims = shape(owners, n);
  const double unit = t->unit > 0 ? t->unit : 1, tiles = owners->known / (double)(n[0] * n[1] * n[2]),
               cells = t->cells * tiles, side = pow(cells, 1 - 1. / dims);
  double found[workers];
  hg_partial_speed speed[workers];
  hg_speed_model model[workers];
  for (int w = 0; w < workers; w++) {
    if (!isfinite(seconds[w])) continue;
    if (t->speed[w].count == 0) return;
    speed[parts] = in_units(&t->speed[w], cells, unit);
    model[parts] = (hg_speed_model){.kind = HG_SPEED_PARTIAL, .tc = unit * t->item[w] * side, .partial = &speed[parts]};
    of_part[parts++] = w;
  }
  if (hg_tile_times(dims, n, parts, model, partitioner, found) != HG_OK) return;
  for (int i = 0; i < parts; i++) seconds[of_part[i]] = found[i] / tiles;
}

void hg_tile_tables_free(hg_tile_tables *t)
{
  free(t->speed);
  free(t->item);
  t->speed = NULL;
  t->item = NULL;
}
