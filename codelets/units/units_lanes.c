/* SPDX-License-Identifier: MIT */
#include "codelets/units/units_lanes.h"

#include <string.h>

#include "base/topology.h"
#include "base/integers.h"
#include "codelets/heat/heat_internal.h"
#include "codelets/isa.h"
#include "codelets/units/units_tile.h"

/* Rows that enter together: as many as an update computes at once. */
enum { WAVE = 2, VECTOR = HG_VECTOR_BYTES };

/* The state after some step: the last rows of it. */
typedef struct level {
  char *base;
  hg_units_range has;
} level;

/* A tile on its way. */
typedef struct sweep {
  const hg_units_tile *tile;
  const hg_lane_rows *rows;
  int reach;                 /* rows, units that a step reads on each side */
  int64_t bytes, vectors;    /* of an element; of a row */
  int64_t row, ring;         /* bytes of a row with the vectors around it; rows of a level, a power of two */
  int64_t open[3], close[3]; /* units outside open <= i < close are held */
  char *flat, *spare;        /* a row in natural order; one that nobody reads */
} sweep;

static const hg_lane_rows *rows_of(int64_t bytes)
{
  const hg_heat_isa *isa = &hg_heat_isa_baseline;
#ifdef HG_HAVE_X86_ISA
  if (hg_isa_has_avx512())
    isa = &hg_heat_isa_avx512;
  else if (hg_isa_has_avx2())
    isa = &hg_heat_isa_avx2;
#endif
  return bytes == 8 ? &isa->rows[0] : bytes == 4 ? &isa->rows[1] : NULL;
}

/* A power of two, so that no row is found by a division. */
static int64_t rows_held(int radius)
{
  int64_t rows = WAVE;
  while (rows < 2 * radius + WAVE) rows *= 2;
  return rows;
}

static sweep start(const hg_units_tile *t, char *work)
{
  const int64_t bytes = t->update->value_bytes, cells = VECTOR / bytes, vectors = (t->shape->n[0] + cells - 1) / cells;
  sweep s = {.tile = t, .rows = rows_of(bytes), .reach = t->update->radius, .bytes = bytes, .vectors = vectors};
  s.row = ((vectors + 2 * s.reach) | 1) * VECTOR; /* an odd number of lines: rows spread over the cache's sets */
  s.ring = rows_held(s.reach);
  s.flat = work;
  s.spare = work + s.row;
  hg_units_open(t, s.open, s.close);
  return s;
}

bool hg_lanes_suit(const hg_units_tile *t, int steps)
{
  enum { FEWEST_STEPS = 6, FEWEST_VECTORS = 8 };
  if (t->shape->dims != 2 || !t->update->run_lanes || steps < FEWEST_STEPS || !rows_of(t->update->value_bytes))
    return false;
  return t->shape->n[0] * t->update->value_bytes >= (int64_t)VECTOR * FEWEST_VECTORS * t->update->radius;
}

int64_t hg_lanes_widest(const hg_units_tile *t, int steps)
{
  const int64_t near = hg_l1_cache_bytes() / 4 * 3 / (2 * t->update->radius + 2 * WAVE),
                all = hg_l2_cache_bytes() / 4 * 3 / (rows_held(t->update->radius) * (steps + 1));
  return hg_min(near, all) / t->update->value_bytes;
}

size_t hg_lanes_workspace(const hg_units_tile *t, int steps)
{
  const sweep s = start(t, NULL);
  return (size_t)(s.row * (2 + s.ring * (steps + 1)));
}

static char *row_of(const sweep *s, const level *l, int64_t y)
{
  return l->base + (y & (s->ring - 1)) * s->row + s->reach * VECTOR;
}

/* The vectors around a row: in each lane what lies beside it in the next one; the outermost units stand for what lies
 * beyond them. `bytes` is known where it is inlined, or each copy would be a call. */
static inline __attribute__((always_inline)) void surround_with(const sweep *s, char *row, const size_t bytes)
{
  char *const end = row + s->vectors * VECTOR;
  for (int64_t g = 1; g <= s->reach; g++) {
    char *west = row - g * VECTOR, *east = end + (g - 1) * VECTOR;
    memcpy(west + bytes, end - g * VECTOR, VECTOR - bytes);
    memcpy(west, row, bytes);
    memcpy(east, row + (g - 1) * VECTOR + bytes, VECTOR - bytes);
    memcpy(east + VECTOR - bytes, end - bytes, bytes);
  }
}

static void surround(const sweep *s, char *row)
{
  if (s->bytes == 8)
    surround_with(s, row, 8);
  else
    surround_with(s, row, 4);
}

static int64_t place_of(const sweep *s, int64_t x)
{
  return x % s->vectors * VECTOR + x / s->vectors * s->bytes;
}

/* A row of the state before comes in; behind its last unit that one again, not what follows in memory (of which there
 * is none behind the last row). The row that comes in after the next is asked for, so that it is there when all steps
 * have been computed. */
static void enter(const sweep *s, const level *l, const void *before, int64_t y)
{
  const int64_t cells = s->tile->shape->n[0], pitch = s->tile->shape->stride[1] * s->bytes;
  const char *from = (const char *)before + y * pitch;
  const bool last = y + 1 == s->tile->shape->n[1];
  char *row = row_of(s, l, y);
  if (last) from = memcpy(s->flat, from, (size_t)(cells * s->bytes));
  s->rows->in(row, from, s->vectors);
  for (int64_t x = cells; x < s->vectors * VECTOR / s->bytes; x++)
    memcpy(row + place_of(s, x), row + place_of(s, cells - 1), (size_t)s->bytes);
  surround(s, row);
  for (int64_t i = 0; i < cells * s->bytes && y + WAVE < l->has.hi[1]; i += VECTOR)
    __builtin_prefetch(from + WAVE * pitch + i, 0, 2);
}

/* The core of a row goes out. */
static void leave(const sweep *s, const level *l, void *after, int64_t y)
{
  const int64_t x = l->has.first[0], cells = l->has.end[0] - x;
  char *to = (char *)after + (x + y * s->tile->shape->stride[1]) * s->bytes;
  s->rows->out(s->flat, row_of(s, l, y), s->vectors);
  if (s->tile->shape->stream)
    hg_units_stream(to, s->flat + x * s->bytes, cells * s->bytes);
  else
    memcpy(to, s->flat + x * s->bytes, (size_t)(cells * s->bytes));
}

static void copy_units(const sweep *s, const char *from, char *to, int64_t begin, int64_t end)
{
  for (int64_t x = begin; x < end; x++) memcpy(to + place_of(s, x), from + place_of(s, x), (size_t)s->bytes);
}

/* The images in a row. */
static void mirror_units(const sweep *s, const level *l, char *row)
{
  const hg_units_range *r = &l->has;
  for (int64_t x = r->lo[0]; x < r->first[0]; x++)
    memcpy(row + place_of(s, x), row + place_of(s, 2 * r->first[0] - 1 - x), (size_t)s->bytes);
  for (int64_t x = r->end[0]; x < r->hi[0]; x++)
    memcpy(row + place_of(s, x), row + place_of(s, 2 * r->end[0] - 1 - x), (size_t)s->bytes);
}

/* Rows y .. y + together - 1 of a step from those around them of the step before. A row alone is computed as the first
 * of two, of which the second is nothing. */
static void compute(const sweep *s, const level *from, const level *to, hg_units *units, int64_t y, int together)
{
  const hg_lanes lanes = {s->vectors, hg_max(to->has.first[0], s->open[0]), hg_min(to->has.end[0], s->close[0]) - 1};
  const void *rows[2 * s->reach + WAVE];
  char *out[WAVE] = {row_of(s, to, y), together > 1 ? row_of(s, to, y + 1) : s->spare + s->reach * VECTOR};
  for (int64_t i = 0; i < 2 * s->reach + WAVE; i++)
    rows[i] = row_of(s, from, y - s->reach + hg_min(i, 2 * s->reach + together - 1));
  units->row = rows;
  units->at[1] = s->tile->lo[1] + y;
  s->tile->update->run_lanes(units, &lanes, out[0], out[1]);
  for (int i = 0; i < together; i++) {
    const char *former = row_of(s, from, y + i);
    copy_units(s, former, out[i], 0, s->open[0]);
    copy_units(s, former, out[i], s->close[0], s->tile->shape->n[0]);
    mirror_units(s, to, out[i]);
    surround(s, out[i]);
  }
}

static bool held(const sweep *s, int64_t y)
{
  return y < s->open[1] || y >= s->close[1];
}

/* A row with the vectors around it. */
static void copy_row(const sweep *s, const level *from, int64_t y, const level *to, int64_t to_y)
{
  const int64_t around = s->reach * VECTOR;
  memcpy(row_of(s, to, to_y) - around, row_of(s, from, y) - around, (size_t)s->row);
}

/* The rows that are images of those at .. at + WAVE - 1, before the first, or are among these, behind the last. */
static void mirror_rows(const sweep *s, const level *l, int64_t at)
{
  const int64_t lo = l->has.lo[1], first = l->has.first[1], end = l->has.end[1];
  for (int64_t y = hg_max(at, first); y < hg_min(at + WAVE, hg_min(end, 2 * first - lo)); y++)
    copy_row(s, l, y, l, 2 * first - 1 - y);
  for (int64_t y = hg_max(at, end); y < hg_min(at + WAVE, l->has.hi[1]); y++) copy_row(s, l, 2 * end - 1 - y, l, y);
}

/* Rows at .. at + WAVE - 1 of a step, as far as it has them. */
static void compute_rows(const sweep *s, const level *from, const level *to, hg_units *units, int64_t at)
{
  const int64_t end = hg_min(at + WAVE, to->has.end[1]);
  for (int64_t y = hg_max(at, to->has.first[1]); y < end;) {
    const int together = y + 1 < end && !held(s, y) && !held(s, y + 1) ? 2 : 1;
    if (held(s, y))
      copy_row(s, from, y, to, y);
    else
      compute(s, from, to, units, y, together);
    y += together;
  }
  mirror_rows(s, to, at);
}

bool hg_lanes_advance(const hg_units_tile *t, int64_t first, int steps, const void *before, void *after, void *work)
{
  const sweep s = start(t, work);
  hg_fault fault = {HG_FAULT_NONE};
  hg_units units = t->units;
  level l[steps + 1];
  units.fault = &fault;
  units.at[0] = t->lo[0];
  for (int i = 0; i <= steps; i++) {
    l[i].base = s.spare + s.row * (1 + i * s.ring);
    l[i].has = hg_units_valid(t, i, steps);
  }
  for (int64_t at = 0; at < t->shape->n[1] + (int64_t)steps * s.reach; at += WAVE) {
    for (int64_t y = at; y < hg_min(at + WAVE, l[0].has.hi[1]); y++) enter(&s, &l[0], before, y);
    for (int i = 1; i <= steps; i++) {
      units.step = first + i - 1;
      compute_rows(&s, &l[i - 1], &l[i], &units, at - (int64_t)i * s.reach);
    }
    const int64_t done = at - (int64_t)steps * s.reach;
    for (int64_t y = hg_max(done, l[steps].has.lo[1]); y < hg_min(done + WAVE, l[steps].has.hi[1]); y++)
      leave(&s, &l[steps], after, y);
  }
  return fault.kind == HG_FAULT_NONE;
}
