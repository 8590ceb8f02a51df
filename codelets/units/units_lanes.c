/* SPDX-License-Identifier: MIT */
#include "codelets/units/units_lanes.h"

#include <string.h>

#include "base/topology.h"
#include "base/integers.h"
#include "codelets/units/lane_sweep.h"

bool hg_lanes_suit(const hg_units_tile *t, int steps)
{
  enum { FEWEST_STEPS = 2, FEWEST_VECTORS = 8 };
  const hg_update *u = t->update;
  if (steps < FEWEST_STEPS || !u->lanes[HG_LANES_BASELINE]) return false;
  return t->shape->n[0] * u->word_bytes >= ((int64_t)16 << hg_lane_set_of(u)) * FEWEST_VECTORS * u->radius;
}

int64_t hg_lanes_widest(const hg_units_tile *t, int steps)
{
  const hg_update *u = t->update;
  const hg_lane_sweep s = hg_lane_sweep_start(t, steps, NULL);
  const int64_t cache = u->dims == 2 ? hg_l2_cache_bytes() / 10 * 6 : hg_l1_cache_bytes() / 4 * 3,
                rows = u->dims == 3 ? u->together + 2 * u->radius : s.count;
  return hg_max(cache / rows - 2 * s.around, s.vector) / s.bytes;
}

size_t hg_lanes_workspace(const hg_units_tile *t, int steps)
{
  const hg_lane_sweep s = hg_lane_sweep_start(t, steps, NULL);
  return hg_lane_workspace(&s);
}

/* --- a step ------------------------------------------------------------------------------------------------------ */

static bool held(const hg_lane_sweep *s, int axis, int64_t i)
{
  return i < s->open[axis] || i >= s->close[axis];
}

/* Copies a row with the vectors around it. */
static void copy_row(const hg_lane_sweep *s, const char *from, char *to)
{
  memcpy(to - s->around, from - s->around, (size_t)s->row);
}

/* Finds the rows around those that are computed together from y, z on. */
static void find_rows(const hg_lane_sweep *s, const hg_lane_level *to, int64_t y, int64_t z, void **row)
{
  const hg_update *u = s->tile->update;
  const int64_t planes = u->planes + 2 * s->reach[2], rows = u->together + 2 * s->reach[1];
  char **slot = hg_lane_slot(s, to, s->slow == 2 ? z : y);
  const int64_t place = hg_lane_place(s, to, y);
  for (int64_t i = 0; i < planes; i++)
    for (int64_t j = 0; j < rows; j++) row[i * rows + j] = s->slow == 2 ? slot[i] + place + j * s->row : slot[j];
}

/* If fewer rows are needed than are computed together, the others are computed from the last ones' input, and their
 * results are written to unused memory. */
static void spare_rows(const hg_lane_sweep *s, int high, int deep, void **row)
{
  const hg_update *u = s->tile->update;
  const int64_t ry = s->reach[1], rz = s->reach[2], rows = u->together + 2 * ry;
  char *spare = s->spare;
  for (int64_t i = 0; i < u->planes + 2 * rz; i++)
    for (int64_t j = 0; j < rows; j++) {
      const char *from = row[hg_min(i, deep - 1 + 2 * rz) * rows + hg_min(j, high - 1 + 2 * ry)];
      const bool written = i < u->planes && j < u->together, wanted = i < deep && j < high;
      row[i * rows + j] = (void *)(uintptr_t)from;
      if (!written || wanted) continue;
      row[i * rows + j] = spare;
      copy_row(s, from, spare);
      spare += s->row;
    }
}

/* Computes rows y .. y + high - 1 of planes z .. z + deep - 1. */
static void compute_rows(const hg_lane_sweep *s, const hg_lane_level *to, hg_units *units, int64_t y, int high,
                         int64_t z, int deep)
{
  const hg_update *u = s->tile->update;
  const int64_t rows = u->together + 2 * s->reach[1];
  void *row[rows * (u->planes + 2 * s->reach[2])];
  uint64_t kept[u->planes][u->together][s->restores + 1];
  find_rows(s, to, y, z, row);
  for (int i = 0; i < deep; i++)
    for (int j = 0; s->restores && j < high; j++)
      hg_lane_keep(s, row[(i + s->reach[2]) * rows + j + s->reach[1]], kept[i][j]);
  if (high < u->together || deep < u->planes) spare_rows(s, high, deep, row);
  units->at[1] = s->tile->lo[1] + y;
  units->at[2] = s->tile->lo[2] + z;
  s->compute(units, &(hg_lanes){.vectors = s->vectors,
                                .first = hg_max(to->has.first[0], s->open[0]),
                                .last = hg_min(to->has.end[0], s->close[0]) - 1,
                                .row = row});
  for (int i = 0; i < deep; i++)
    for (int j = 0; s->restores && j < high; j++) hg_lane_restore_row(s, kept[i][j], row[i * rows + j]);
}

/* How many of lo .. hi - 1 (at most `most`) are held if lo is, or not held if lo is not. */
static int equal_rows(const hg_lane_sweep *s, int axis, int64_t lo, int64_t hi, int most)
{
  int n = 1;
  while (n < most && lo + n < hi && held(s, axis, lo + n) == held(s, axis, lo)) n++;
  return n;
}

/* Rows lo .. hi - 1 of planes z .. z + deep - 1, either all held or none. */
static void compute_range(const hg_lane_sweep *s, const hg_lane_level *from, const hg_lane_level *to, hg_units *units,
                          int64_t lo, int64_t hi, int64_t z, int deep)
{
  for (int64_t y = lo; y < hi;) {
    const int high = equal_rows(s, 1, y, hi, s->tile->update->together);
    if (!held(s, 1, y) && !held(s, 2, z))
      compute_rows(s, to, units, y, high, z, deep);
    else
      for (int i = 0; i < deep; i++)
        for (int j = 0; j < high; j++)
          copy_row(s, hg_lane_row(s, from, y + j, z + i), hg_lane_row(s, to, y + j, z + i));
    y += high;
  }
}

/* For a plane of a level: takes the rows that the previous strip (higher y) left, and leaves those that the next one
 * reads. */
static void exchange_edge(const hg_lane_sweep *s, const hg_lane_level *to, int64_t z)
{
  const int64_t rows = 2 * s->reach[1], bytes = rows * s->row, leant = to->step * s->reach[1];
  char *edge = s->edges + (z * (s->steps - 1) + to->step - 1) * bytes;
  if (s->cut[1] < s->tile->shape->n[1])
    memcpy(hg_lane_row(s, to, s->cut[1] + leant, z) - s->around, edge, (size_t)bytes);
  if (s->cut[0] > 0) memcpy(edge, hg_lane_row(s, to, s->cut[0] + leant, z) - s->around, (size_t)bytes);
}

/* Sets the rows of a plane that are images. */
static void mirror_rows(const hg_lane_sweep *s, const hg_lane_level *l, int64_t z)
{
  const hg_units_range *r = &l->has;
  for (int64_t y = r->lo[1]; y < r->first[1]; y++)
    copy_row(s, hg_lane_row(s, l, 2 * r->first[1] - 1 - y, z), hg_lane_row(s, l, y, z));
  for (int64_t y = r->end[1]; y < r->hi[1]; y++)
    copy_row(s, hg_lane_row(s, l, 2 * r->end[1] - 1 - y, z), hg_lane_row(s, l, y, z));
}

static void mirror_layer(const hg_lane_sweep *s, const hg_lane_level *l, int64_t from, int64_t to)
{
  memcpy(*hg_lane_slot(s, l, to) - s->around, *hg_lane_slot(s, l, from) - s->around, (size_t)s->layer);
}

/* Sets image layers: those before the first layer with originals among at .. at + wave - 1, and those behind the last
 * among at .. at + wave - 1 themselves. */
static void mirror_layers(const hg_lane_sweep *s, const hg_lane_level *l, int64_t at)
{
  const int64_t lo = l->has.lo[s->slow], first = l->has.first[s->slow], end = l->has.end[s->slow];
  for (int64_t i = hg_max(at, first); i < hg_min(at + s->wave, hg_min(end, 2 * first - lo)); i++)
    mirror_layer(s, l, i, 2 * first - 1 - i);
  for (int64_t i = hg_max(at, end); i < hg_min(at + s->wave, l->has.hi[s->slow]); i++)
    mirror_layer(s, l, 2 * end - 1 - i, i);
}

/* Computes layers at .. at + wave - 1 of a level, as far as it has them. */
static void compute_layers(const hg_lane_sweep *s, const hg_lane_level *from, const hg_lane_level *to, hg_units *units,
                           int64_t at)
{
  const hg_units_range *r = &to->has;
  const int64_t lo = hg_max(at, r->first[s->slow]), hi = hg_min(at + s->wave, r->end[s->slow]);
  if (s->slow == 1) compute_range(s, from, to, units, lo, hi, 0, 1);
  for (int64_t z = lo, deep; s->slow == 2 && z < hi; z += deep) {
    deep = equal_rows(s, 2, z, hi, s->tile->update->planes);
    compute_range(s, from, to, units, r->first[1], r->end[1], z, (int)deep);
    for (int64_t i = z; i < z + deep; i++) {
      mirror_rows(s, to, i);
      if (to->step < s->steps) exchange_edge(s, to, i);
    }
  }
  mirror_layers(s, to, at);
}

/* Limits a plane of a level to the strip. Strips lean forward, so that the rows read beyond a strip belong to the one
 * with higher y, which was computed before. */
static void clip_rows(const hg_lane_sweep *s, hg_lane_level *l)
{
  hg_units_range *has = &l->has;
  const int64_t leant = l->step * s->reach[1], more = l->step > 0 ? 0 : 2 * s->reach[1];
  if (s->cut[0] > 0) has->first[1] = has->lo[1] = hg_max(has->lo[1], s->cut[0] + leant);
  if (s->cut[1] < s->tile->shape->n[1]) has->end[1] = has->hi[1] = hg_min(has->hi[1], s->cut[1] + leant + more);
}

/* Layers enter in waves, and all steps advance before the next wave enters. */
static void advance_strip(hg_lane_sweep *s, int64_t first, hg_units *units, void *after)
{
  const int64_t reach = s->reach[s->slow], layers = s->tile->shape->n[s->slow];
  const int steps = s->steps, rows = (int)(s->wave * (s->slow == 2 ? s->cut[1] - s->cut[0] : 1) / steps) + 1;
  hg_lane_level l[steps + 1];
  for (int i = 0; i <= steps; i++) {
    l[i] = (hg_lane_level){.step = i, .has = hg_units_valid(s->tile, i, steps)};
    if (s->slow == 2) clip_rows(s, &l[i]);
  }
  for (int64_t at = 0; at < layers + steps * reach; at += s->wave) {
    hg_lane_enter(s, &l[0], at);
    s->next = (hg_lane_expectation){at + s->wave, l[0].has.lo[1], at + 2 * s->wave, rows};
    for (int i = 1; i <= steps; i++) {
      units->step = first + i - 1;
      hg_lane_expect(s, &l[0]);
      compute_layers(s, &l[i - 1], &l[i], units, at - i * reach);
    }
    hg_lane_leave(s, &l[steps], after, at - steps * reach);
  }
}

bool hg_lanes_advance(const hg_units_tile *t, int64_t first, int steps, const void *before, void *after, void *work)
{
  hg_fault fault = {HG_FAULT_NONE};
  hg_units units = t->units;
  units.fault = &fault;
  units.at[0] = t->lo[0];
  hg_lane_sweep s = hg_lane_sweep_start(t, steps, before);
  hg_lane_lay_out(&s, work);
  for (int64_t i = s.strips - 1; i >= 0; i--) {
    hg_lane_strip(&s, i);
    advance_strip(&s, first, &units, after);
  }
  return fault.kind == HG_FAULT_NONE;
}
