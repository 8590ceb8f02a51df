/* SPDX-License-Identifier: MIT */
/* Sides of the grid that hold values: constant ones, and those of a file of times and values. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/integers.h"
#include "base/log.h"
#include "base/memory.h"
#include "input/grid.h"
#include "job/live.h"
#include "job/value_rows.h"

static double step_seconds(const hg_run *r)
{
  return r->options->grid.time_step > 0 ? r->options->grid.time_step : 1;
}

/* Linear interpolation between the times; beyond them the first or last value. */
static double value_at(const hg_times *t, double time)
{
  int64_t next = 0, end = t->count; /* first later point */
  while (next < end) {
    const int64_t middle = next + (end - next) / 2;
    if (t->point[middle][0] <= time)
      next = middle + 1;
    else
      end = middle;
  }
  if (next == 0 || next == t->count) return t->point[next ? next - 1 : 0][1];
  const double *before = t->point[next - 1], *after = t->point[next];
  return before[1] + (after[1] - before[1]) * ((time - before[0]) / (after[0] - before[0]));
}

static double value_of(const hg_run *r, int axis, int high, int64_t step)
{
  const hg_times *t = &r->times[axis][high];
  return t->count ? value_at(t, (double)step * step_seconds(r)) : r->side[axis][high].value;
}

/* The layers of a side that lie in a box. */
static hg_box layers_of(const hg_run *r, const hg_box *box, int axis, int high)
{
  const int64_t n = r->domain.n[axis], held = r->domain.radius;
  hg_box part = *box;
  if (high) part.lo[axis] = hg_max(part.lo[axis], n - held);
  if (!high) part.hi[axis] = hg_min(part.hi[axis], held);
  return part;
}

void hg_run_each_held(const hg_run *r, const hg_box *box, int64_t step, hg_held_cell *use, void *arg)
{
  for (int i = 0; i < 2 * r->domain.dims; i++) {
    if (!r->side[i / 2][i % 2].has_value) continue;
    const double value = value_of(r, i / 2, i % 2, step);
    const hg_box part = layers_of(r, box, i / 2, i % 2);
    for (int64_t z = part.lo[2]; z < part.hi[2]; z++)
      for (int64_t y = part.lo[1]; y < part.hi[1]; y++)
        for (int64_t x = part.lo[0]; x < part.hi[0]; x++) use(arg, (const int64_t[3]){x, y, z}, value);
  }
}

/* --- files of times ----------------------------------------------------------------------------------------------- */

static hg_status check_times(const hg_run *r, const hg_times *t, const char *name)
{
  char bound[HG_BOUND_MAX];
  for (int64_t i = 0; i < t->count; i++) {
    if (i > 0 && !(t->point[i][0] > t->point[i - 1][0]))
      return hg_fail(HG_FORMAT, "%s: row %" PRId64 ": the time is %g s, must be later than %g s of the previous row",
                     name, i + 1, t->point[i][0], t->point[i - 1][0]);
    if (hg_run_fits(r->job->update, t->point[i][1])) continue;
    return hg_fail(HG_FORMAT, "%s: row %" PRId64 ": the value is %.15g, which %s", name, i + 1, t->point[i][1],
                   hg_run_bound(r->job->update, bound));
  }
  return HG_OK;
}

static hg_status read_times(const hg_run *r, hg_grid_input *in, hg_times *t, const char *name)
{
  int dims;
  int64_t n[3];
  hg_grid_shape(in, &dims, n);
  if (n[0] != 2 || n[2] != 1)
    return hg_fail(HG_FORMAT, "%s: has %" PRId64 " columns%s, must have 2: times in s, and the side's values", name,
                   n[0], n[2] > 1 ? " in layers, between which are empty lines" : "");
  HG_TRY(hg_memory_check(name, n, sizeof(double)));
  HG_TRY(hg_allocate(name, (size_t)n[1] * sizeof *t->point, (void **)&t->point));
  t->count = n[1];
  HG_TRY(hg_grid_read(in, n, &(hg_box){{0, 0, 0}, {n[0], n[1], 1}}, t->point[0]));
  return check_times(r, t, name);
}

static void name_times(const hg_side *side, char name[HG_PATH_MAX])
{
  snprintf(name, HG_PATH_MAX, "%.*s", side->times_length, side->times);
}

static hg_status open_times(hg_run *r, hg_side *side, hg_times *t)
{
  char name[HG_PATH_MAX];
  hg_grid_input *in;
  name_times(side, name);
  HG_TRY(hg_grid_open(name, 1, &in));
  const hg_status status = read_times(r, in, t, name);
  hg_grid_close(in);
  if (status != HG_OK) return status;
  side->has_value = r->follows = true;
  side->value = value_at(t, 0);
  return HG_OK;
}

/* Interpolation between whole numbers gives others. */
static hg_status check_side(const hg_run *r, int axis, int high, int64_t step)
{
  char name[HG_PATH_MAX], bound[HG_BOUND_MAX];
  const hg_side *side = &r->side[axis][high];
  const double value = value_of(r, axis, high, step);
  if (!side->has_value || hg_run_fits(r->job->update, value)) return HG_OK;
  hg_run_bound(r->job->update, bound);
  if (!side->times) return hg_fail(HG_INVALID, "boundary: the value of a side is %.15g, which %s", value, bound);
  name_times(side, name);
  return hg_fail(HG_INVALID, "%s: before step %" PRId64 ", at %g s, the value is %.15g, which %s", name, step,
                 (double)step * step_seconds(r), value, bound);
}

hg_status hg_run_check_sides(const hg_run *r, int64_t step)
{
  for (int i = 0; i < 2 * r->domain.dims; i++) HG_TRY(check_side(r, i / 2, i % 2, step));
  return HG_OK;
}

hg_status hg_run_read_sides(hg_run *r)
{
  bool any = false;
  for (int i = 0; i < 2 * r->domain.dims; i++) {
    if (!r->side[i / 2][i % 2].times) continue;
    HG_TRY(open_times(r, &r->side[i / 2][i % 2], &r->times[i / 2][i % 2]));
    any = true;
  }
  if (any && !(r->options->grid.time_step > 0))
    hg_log(HG_WARN, "--boundary: times of a file are taken as steps, since --time-step is not given");
  return HG_OK;
}

void hg_run_free_sides(hg_run *r)
{
  for (int i = 0; i < 6; i++) free(r->times[i / 2][i % 2].point);
}

/* What the text of --boundary does not say about the sides. */
void hg_run_list_sides(const hg_run *r, hg_consistency *list)
{
  char name[HG_PATH_MAX];
  bool timed = false;
  for (int i = 0; i < 2 * r->domain.dims; i++) {
    const hg_side *side = &r->side[i / 2][i % 2];
    const hg_times *t = &r->times[i / 2][i % 2];
    timed = timed || t->count || side->flux != 0;
    if (t->count) name_times(side, name);
    if (t->count)
      hg_consistency_bytes(list, "--boundary, a side's times", name, t->point, (size_t)t->count * sizeof *t->point);
  }
  if (r->follows) hg_consistency_int(list, "--boundary-every", r->job->boundary_every);
  if (!timed) return;
  hg_consistency_doubles(list, "--time-step", 1, &r->options->grid.time_step);
  hg_consistency_doubles(list, "--spacing", 3, r->options->grid.spacing);
}

/* --- between steps ------------------------------------------------------------------------------------------------ */

/* Cells of this rank's tiles. */
typedef struct cells {
  const hg_run *run;
  int64_t count, *id;
  char *value;
} cells;

static void count_cell(void *arg, const int64_t at[3], double value)
{
  (void)at, (void)value;
  ((cells *)arg)->count++;
}

static void list_cell(void *arg, const int64_t at[3], double value)
{
  cells *c = arg;
  const int64_t *n = c->run->domain.n, i = c->count++;
  c->id[i] = at[0] + n[0] * (at[1] + n[1] * at[2]);
  hg_run_store(c->run->job->update, value, c->value + i * c->run->job->update->value_bytes);
}

static void each_of_mine(const hg_run *r, hg_held_cell *use, cells *c)
{
  c->count = 0;
  for (int i = 0; i < r->tiling->tiles; i++) {
    const hg_box core = hg_tile_core(r->tiling, i);
    if (hg_tile_region(r->tiling, i)->rank == r->session.rank) hg_run_each_held(r, &core, r->done, use, c);
  }
}

hg_status hg_run_set_sides(hg_run *r)
{
  const size_t bytes = (size_t)r->job->update->value_bytes;
  cells c = {.run = r};
  HG_TRY(hg_run_check_sides(r, r->done));
  each_of_mine(r, count_cell, &c);
  hg_status status = hg_allocate("the cells of the sides", (size_t)c.count * sizeof *c.id + 1, (void **)&c.id);
  if (status == HG_OK) status = hg_allocate("values of the sides", (size_t)c.count * bytes + 1, (void **)&c.value);
  if (status == HG_OK) each_of_mine(r, list_cell, &c);
  status = hg_session_agree(&r->session, status);
  hg_live_between(true);
  if (status == HG_OK) status = hg_values_set(r, c.count, c.id, c.value, bytes);
  hg_live_between(false);
  free(c.id);
  free(c.value);
  return status;
}
