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
  const int64_t rows = (u->dims > 1 ? 2 * u->radius : 0) + 2 * u->together;
  return hg_max(hg_l1_cache_bytes() / rows - 2 * s.around, s.vector) / u->word_bytes;
}

size_t hg_lanes_workspace(const hg_units_tile *t, int steps)
{
  const hg_lane_sweep s = hg_lane_sweep_start(t, steps, NULL);
  return hg_lane_workspace(&s, steps);
}

/* --- a step ------------------------------------------------------------------------------------------------------ */

static bool held(const hg_lane_sweep *s, int axis, int64_t i)
{
  return i < s->open[axis] || i >= s->close[axis];
}

/* A row with the vectors around it. */
static void copy_row(const hg_lane_sweep *s, const char *from, char *to)
{
  memcpy(to - s->around, from - s->around, (size_t)s->row);
}

/* What is held in a row that was computed, and its images. */
static void mend_row(const hg_lane_sweep *s, const hg_lane_level *l, const char *former, char *row)
{
  const hg_units_range *r = &l->has;
  const int64_t n = s->tile->shape->n[0];
  for (int64_t x = 0; x < s->open[0]; x++) hg_lane_copy(s, former, x, row, x);
  for (int64_t x = s->close[0]; x < n; x++) hg_lane_copy(s, former, x, row, x);
  for (int64_t x = r->lo[0]; x < r->first[0]; x++) hg_lane_copy(s, row, 2 * r->first[0] - 1 - x, row, x);
  for (int64_t x = r->end[0]; x < r->hi[0]; x++) hg_lane_copy(s, row, 2 * r->end[0] - 1 - x, row, x);
  hg_lane_surround(s, row);
}

/* Rows of a step from those around them of the step before, at places `out`. */
static void compute_at(const hg_lane_sweep *s, const hg_lane_level *to, hg_units *units, int64_t y, int64_t z,
                       const void *const *rows, void *const *out)
{
  units->row = rows;
  units->at[1] = s->tile->lo[1] + y;
  units->at[2] = s->tile->lo[2] + z;
  s->compute(units, &(hg_lanes){.vectors = s->vectors,
                                .first = hg_max(to->has.first[0], s->open[0]),
                                .last = hg_min(to->has.end[0], s->close[0]) - 1,
                                .out = out});
}

/* Rows y .. y + high - 1 of planes z .. z + deep - 1. Where they are fewer than are computed at once, the others read
 * what the last ones do, and are nothing. */
static void compute_rows(const hg_lane_sweep *s, hg_lane_level *from, hg_lane_level *to, hg_units *units, int64_t y,
                         int high, int64_t z, int deep)
{
  const hg_update *u = s->tile->update;
  const int64_t ry = s->reach[1], rz = s->reach[2], rows = u->together + 2 * ry;
  const void *row[rows * (u->planes + 2 * rz)];
  void *out[u->together * u->planes];
  if (s->slow == 1 && high == u->together) {
    compute_at(s, to, units, y, z, (const void *const *)hg_lane_slot(from, y - ry), (void *const *)hg_lane_slot(to, y));
  } else {
    for (int64_t i = 0; i < u->planes + 2 * rz; i++)
      for (int64_t j = 0; j < rows; j++)
        row[i * rows + j] =
            hg_lane_row(s, from, y - ry + hg_min(j, high - 1 + 2 * ry), z - rz + hg_min(i, deep - 1 + 2 * rz));
    for (int i = 0; i < u->planes; i++)
      for (int j = 0; j < u->together; j++)
        out[i * u->together + j] = i < deep && j < high ? hg_lane_row(s, to, y + j, z + i) : s->spare + s->around;
    compute_at(s, to, units, y, z, row, out);
  }
  for (int i = 0; i < deep; i++)
    for (int j = 0; s->mends && j < high; j++)
      mend_row(s, to, hg_lane_row(s, from, y + j, z + i), hg_lane_row(s, to, y + j, z + i));
}

/* How many of lo .. hi - 1, `most` at most, are held as lo is. */
static int alike(const hg_lane_sweep *s, int axis, int64_t lo, int64_t hi, int most)
{
  int n = 1;
  while (n < most && lo + n < hi && held(s, axis, lo + n) == held(s, axis, lo)) n++;
  return n;
}

/* Rows lo .. hi - 1 of planes z .. z + deep - 1, which are all held or not. */
static void compute_range(const hg_lane_sweep *s, hg_lane_level *from, hg_lane_level *to, hg_units *units, int64_t lo,
                          int64_t hi, int64_t z, int deep)
{
  for (int64_t y = lo; y < hi;) {
    const int high = alike(s, 1, y, hi, s->tile->update->together);
    if (!held(s, 1, y) && !held(s, 2, z))
      compute_rows(s, from, to, units, y, high, z, deep);
    else
      for (int i = 0; i < deep; i++)
        for (int j = 0; j < high; j++)
          copy_row(s, hg_lane_row(s, from, y + j, z + i), hg_lane_row(s, to, y + j, z + i));
    y += high;
  }
}

/* Of a plane after step l: takes the rows that the strip before left, and leaves those that the next one reads. */
static void exchange_edge(const hg_lane_sweep *s, const hg_lane_level *to, int l, int steps, int64_t z)
{
  const int64_t rows = 2 * s->reach[1], bytes = rows * s->row, before = l * s->reach[1] + rows;
  char *edge = s->edges + (z * (steps - 1) + l - 1) * bytes;
  if (s->cut[0] > 0) memcpy(hg_lane_row(s, to, s->cut[0] - before, z) - s->around, edge, (size_t)bytes);
  if (s->cut[1] < s->tile->shape->n[1])
    memcpy(edge, hg_lane_row(s, to, s->cut[1] - before, z) - s->around, (size_t)bytes);
}

/* The rows of a plane that are images. */
static void mirror_rows(const hg_lane_sweep *s, const hg_lane_level *l, int64_t z)
{
  const hg_units_range *r = &l->has;
  for (int64_t y = r->lo[1]; y < r->first[1]; y++)
    copy_row(s, hg_lane_row(s, l, 2 * r->first[1] - 1 - y, z), hg_lane_row(s, l, y, z));
  for (int64_t y = r->end[1]; y < r->hi[1]; y++)
    copy_row(s, hg_lane_row(s, l, 2 * r->end[1] - 1 - y, z), hg_lane_row(s, l, y, z));
}

static void mirror_layer(hg_lane_sweep *s, hg_lane_level *l, int64_t from, int64_t to)
{
  hg_lane_take(s, l, to);
  memcpy(*hg_lane_slot(l, to) - s->around, *hg_lane_slot(l, from) - s->around, (size_t)s->layer);
}

/* The layers that are images of those at .. at + wave - 1, before the first, or are among these, behind the last. */
static void mirror_layers(hg_lane_sweep *s, hg_lane_level *l, int64_t at)
{
  const int64_t lo = l->has.lo[s->slow], first = l->has.first[s->slow], end = l->has.end[s->slow];
  for (int64_t i = hg_max(at, first); i < hg_min(at + s->wave, hg_min(end, 2 * first - lo)); i++)
    mirror_layer(s, l, i, 2 * first - 1 - i);
  for (int64_t i = hg_max(at, end); i < hg_min(at + s->wave, l->has.hi[s->slow]); i++)
    mirror_layer(s, l, 2 * end - 1 - i, i);
}

/* The layers at .. at + wave - 1 of a step, as far as it has them. */
static void compute_layers(hg_lane_sweep *s, hg_lane_level *from, hg_lane_level *to, hg_units *units, int64_t at, int l,
                           int steps)
{
  const hg_units_range *r = &to->has;
  const int64_t lo = hg_max(at, r->first[s->slow]), hi = hg_min(at + s->wave, r->end[s->slow]);
  for (int64_t i = lo; i < hi; i++) hg_lane_take(s, to, i);
  if (s->slow == 1) compute_range(s, from, to, units, lo, hi, 0, 1);
  for (int64_t z = lo, deep; s->slow == 2 && z < hi; z += deep) {
    deep = alike(s, 2, z, hi, s->tile->update->planes);
    compute_range(s, from, to, units, r->first[1], r->end[1], z, (int)deep);
    for (int64_t i = z; i < z + deep; i++) {
      mirror_rows(s, to, i);
      if (l < steps) exchange_edge(s, to, l, steps, i);
    }
  }
  mirror_layers(s, to, at);
}

/* What a strip has of a plane after step l. */
static void clip_rows(const hg_lane_sweep *s, hg_units_range *has, int l)
{
  const int64_t back = l > 0 ? l * s->reach[1] : 2 * s->reach[1];
  if (s->cut[0] > 0) has->first[1] = has->lo[1] = hg_max(has->lo[1], s->cut[0] - back);
  if (s->cut[1] < s->tile->shape->n[1]) has->end[1] = has->hi[1] = hg_min(has->hi[1], s->cut[1] - l * s->reach[1]);
}

/* Layers enter in waves, and all steps go on before the next one enters. */
static void advance_strip(hg_lane_sweep *s, int64_t first, int steps, hg_units *units, const void *before, void *after)
{
  const int64_t reach = s->reach[s->slow], layers = s->tile->shape->n[s->slow];
  const int rows = (int)(s->wave * (s->slow == 2 ? s->cut[1] - s->cut[0] : 1) / steps) + 1;
  hg_lane_level l[steps + 1];
  hg_lane_layers(s);
  for (int i = 0; i <= steps; i++) {
    l[i] = (hg_lane_level){.has = hg_units_valid(s->tile, i, steps)};
    if (s->slow == 2) clip_rows(s, &l[i].has, i);
  }
  for (int64_t at = 0; at < layers + steps * reach; at += s->wave) {
    hg_lane_enter(s, &l[0], before, at);
    s->next = (hg_lane_expectation){at + s->wave, l[0].has.lo[1], at + 2 * s->wave, rows};
    for (int i = 1; i <= steps; i++) {
      const int64_t here = at - i * reach;
      units->step = first + i - 1;
      hg_lane_expect(s, &l[0], before);
      compute_layers(s, &l[i - 1], &l[i], units, here, i, steps);
      hg_lane_return(s, &l[i - 1], here - reach, here - reach + s->wave);
    }
    hg_lane_leave(s, &l[steps], after, at - steps * reach);
  }
}

bool hg_lanes_advance(const hg_units_tile *t, int64_t first, int steps, const void *before, void *after, void *work)
{
  const int64_t n = t->shape->n[1];
  hg_fault fault = {HG_FAULT_NONE};
  hg_units units = t->units;
  units.fault = &fault;
  units.at[0] = t->lo[0];
  hg_lane_sweep s = hg_lane_sweep_start(t, steps, work);
  const int64_t count = s.count;
  for (int64_t i = 0; i < s.strips; i++) {
    s.count = count;
    s.cut[0] = n * i / s.strips;
    s.cut[1] = n * (i + 1) / s.strips;
    s.base = i > 0 ? s.cut[0] - hg_lane_lean(&s, steps) : 0;
    advance_strip(&s, first, steps, &units, before, after);
  }
  return fault.kind == HG_FAULT_NONE;
}
