/* SPDX-License-Identifier: MIT */
#include "codelets/units/lane_sweep.h"

#include <string.h>

#include "base/topology.h"
#include "base/integers.h"
#include "codelets/isa.h"
#include "codelets/units/lane_words.h"

enum { LINE = 64 };

static hg_lane_set set_of_processor(void)
{
#ifdef HG_HAVE_X86_ISA
  return hg_isa_has_avx512() ? HG_LANES_AVX512 : hg_isa_has_avx2() ? HG_LANES_AVX2 : HG_LANES_BASELINE;
#else
  return HG_LANES_BASELINE;
#endif
}

/* The widest vectors that both the processor and the update support. */
hg_lane_set hg_lane_set_of(const hg_update *u)
{
  int set = (int)set_of_processor();
  while (set > HG_LANES_BASELINE && !u->lanes[set]) set--;
  return (hg_lane_set)set;
}

/* Rows that a strip leans over all steps. */
static int64_t lean(const hg_lane_sweep *s)
{
  return s->steps * s->reach[1];
}

/* Number of strips per plane of a 3-D tile: as high as the L2 cache allows or, where that is too low to pay, higher
 * ones in the L3 cache. What a strip reads, and its images, must not extend beyond the neighbouring strip. */
static int64_t count_strips(const hg_lane_sweep *s)
{
  enum { LEAST = 24, HIGH = 48 };
  const hg_tile_shape *shape = s->tile->shape;
  if (s->slow == 1) return 1;
  const int64_t n = shape->n[1], room = hg_l2_cache_bytes() / 4 * 3 / s->count / s->row - 2 * s->reach[1],
                high = room >= n + lean(s) ? n + lean(s)
                       : room < LEAST      ? HIGH
                                           : room,
                fewest = 2 * (lean(s) + 2 * s->reach[1]) + shape->margin[1][HG_LO] + shape->margin[1][HG_HI];
  return hg_max(hg_min((n + lean(s) + high - 1) / high, n / fewest), 1);
}

static int64_t edge_bytes(const hg_lane_sweep *s)
{
  return s->strips > 1 ? s->tile->shape->n[2] * (s->steps - 1) * 2 * s->reach[1] * s->row : 0;
}

hg_lane_sweep hg_lane_sweep_start(const hg_units_tile *t, int steps, const char *before)
{
  const hg_update *u = t->update;
  const hg_tile_shape *shape = t->shape;
  const hg_lane_set set = hg_lane_set_of(u);
  hg_lane_sweep s = {.tile = t,
                     .rows = hg_lane_rows_of(set, u->word_bytes),
                     .before = before,
                     .slow = shape->dims == 3 ? 2 : 1,
                     .steps = steps,
                     .bytes = u->value_bytes};
  for (int a = 0; a < shape->dims; a++) s.reach[a] = u->radius;
  s.wave = shape->dims == 3 ? u->planes : u->together;
  s.count = 2 * (steps + 1) * s.reach[s.slow] + s.wave;
  s.vector = (int64_t)16 << set;
  s.vectors = (shape->n[0] * u->word_bytes + s.vector - 1) / s.vector;
  s.around = u->radius * s.vector * (s.bytes / u->word_bytes);
  s.row = (s.vectors * s.vector * (s.bytes / u->word_bytes) + 2 * s.around + LINE - 1) / LINE * LINE | LINE;
  s.strips = count_strips(&s);
  s.layer = s.row; /* an odd number of lines, to spread rows over the cache sets */
  if (shape->dims == 3) s.layer *= (shape->n[1] + lean(&s) + s.strips - 1) / s.strips + 2 * s.reach[1];
  s.compute = u->lanes[set];
  hg_units_open(t, s.open, s.close);
  return s;
}

static int64_t line_up(int64_t bytes)
{
  return (bytes + LINE - 1) / LINE * LINE;
}

static int64_t pointer_bytes(const hg_lane_sweep *s)
{
  return line_up(2 * s->count * (int64_t)sizeof(char *));
}

/* A unit is restored in its place, and may be in one beside a row's end; the outermost units in all places beyond
 * them. */
static int64_t restore_bytes(const hg_lane_sweep *s)
{
  const int64_t radius = s->tile->update->radius, units = 2 * radius;
  return line_up(units * (2 + radius) * (s->bytes / s->tile->update->word_bytes) * (int64_t)sizeof(hg_lane_restore));
}

/* Rows that are computed at once besides the first one. */
static int64_t spares(const hg_lane_sweep *s)
{
  return s->tile->update->together * s->tile->update->planes - 1;
}

size_t hg_lane_workspace(const hg_lane_sweep *s)
{
  return (size_t)((1 + spares(s)) * s->row + pointer_bytes(s) + restore_bytes(s) + s->count * s->layer + edge_bytes(s));
}

/* The unit in lane l of vector j, which may lie beside the row. */
static int64_t unit_at(const hg_lane_sweep *s, int64_t j, int64_t l, int64_t lanes)
{
  const int64_t unit = l * s->vectors + j;
  return unit < 0 ? 0 : hg_min(unit, lanes * s->vectors - 1);
}

/* Position of unit x in a row: the byte offset of its first word. */
static int64_t place_of(const hg_lane_sweep *s, int64_t x)
{
  const int64_t word = s->tile->update->word_bytes;
  return x % s->vectors * (s->bytes / word) * s->vector + x / s->vectors * word;
}

/* Lists the positions of held units and images in a row. */
static void list_restores(hg_lane_sweep *s)
{
  const hg_tile_shape *shape = s->tile->shape;
  const int64_t word = s->tile->update->word_bytes, words = s->bytes / word, lanes = s->vector / word,
                radius = s->reach[0], n = shape->n[0], lo = shape->images[0][HG_LO], hi = n - shape->images[0][HG_HI];
  s->restores = 0;
  for (int64_t j = -radius; j < s->vectors + radius; j++)
    for (int64_t l = 0; l < lanes; l++) {
      const int64_t x = unit_at(s, j, l, lanes);
      const bool image = (x < lo && x >= lo - radius) || (x >= hi && x < hg_min(n, hi + radius)),
                 is_held = x < n && (x < s->open[0] || x >= s->close[0]);
      for (int64_t w = 0; (image || is_held) && w < words; w++)
        s->restore[s->restores++] =
            (hg_lane_restore){.to = (j * words + w) * s->vector + l * word,
                              .from = place_of(s, is_held ? x : 2 * (x < lo ? lo : hi) - 1 - x) + w * s->vector,
                              .image = !is_held};
    }
}

void hg_lane_lay_out(hg_lane_sweep *s, char *work)
{
  s->flat = work;
  s->spare = work + s->row + s->around;
  s->slot = (char **)(void *)(work + (1 + spares(s)) * s->row);
  s->restore = (hg_lane_restore *)(void *)((char *)s->slot + pointer_bytes(s));
  char *first = (char *)s->restore + restore_bytes(s);
  for (int64_t k = 0; k < 2 * s->count; k++) s->slot[k] = first + k % s->count * s->layer + s->around;
  s->edges = first + s->count * s->layer;
  list_restores(s);
}

void hg_lane_strip(hg_lane_sweep *s, int64_t i)
{
  const int64_t n = s->tile->shape->n[1], all = n + lean(s);
  s->cut[0] = i > 0 ? all * i / s->strips - lean(s) : 0;
  s->cut[1] = i + 1 < s->strips ? all * (i + 1) / s->strips - lean(s) : n;
  s->base = i > 0 ? s->cut[0] : -lean(s);
}

/* Calls f(.., bytes of a word), compiled for each word size. */
#define BY_WORD(S, F, ...)                                                                                             \
  switch ((S)->tile->update->word_bytes) {                                                                             \
  case 1: F(S, __VA_ARGS__, 1); break;                                                                                 \
  case 2: F(S, __VA_ARGS__, 2); break;                                                                                 \
  case 4: F(S, __VA_ARGS__, 4); break;                                                                                 \
  default: F(S, __VA_ARGS__, 8);                                                                                       \
  }

static inline __attribute__((always_inline)) void keep(const hg_lane_sweep *s, const char *former, uint64_t *kept,
                                                       size_t word)
{
  for (int i = 0; i < s->restores; i++) memcpy(&kept[i], former + s->restore[i].from, word);
}

static inline __attribute__((always_inline)) void restore(const hg_lane_sweep *s, const uint64_t *kept, char *row,
                                                          size_t word)
{
  for (int i = 0; i < s->restores; i++) {
    const hg_lane_restore *m = &s->restore[i];
    memcpy(row + m->to, m->image ? row + m->from : (const char *)&kept[i], word);
  }
}

void hg_lane_keep(const hg_lane_sweep *s, const char *former, uint64_t *kept)
{
  BY_WORD(s, keep, former, kept)
}

void hg_lane_restore_row(const hg_lane_sweep *s, const uint64_t *kept, char *row)
{
  BY_WORD(s, restore, kept, row)
}

/* Fills the vectors around a row: each lane gets what lies beside it in the next lane. The outermost units stand in
 * for those beyond them. */
static void surround(const hg_lane_sweep *s, char *row)
{
  const int64_t word = s->tile->update->word_bytes, rest = s->vector - word, value = s->bytes / word * s->vector;
  char *const end = row + s->vectors * value;
  for (int64_t i = 0; i < s->around; i += s->vector) {
    char *west = row - s->around + i, *east = end + i;
    memcpy(west + word, end - s->around + i, (size_t)rest);
    memcpy(west, row + i % value, (size_t)word);
    memcpy(east, row + i + word, (size_t)rest);
    memcpy(east + rest, end - value + i % value + rest, (size_t)word);
  }
}

/* --- rows enter and leave ---------------------------------------------------------------------------------------- */

/* Loads a row of the previous state. Its last unit is repeated behind it, instead of reading what follows in memory,
 * since nothing follows the last row. */
static void enter_row(const hg_lane_sweep *s, const hg_lane_level *l, int64_t y, int64_t z)
{
  const hg_tile_shape *shape = s->tile->shape;
  const int64_t cells = shape->n[0], word = s->tile->update->word_bytes, all = s->vectors * s->vector / word;
  const char *from = s->before + (y * shape->stride[1] + z * shape->stride[2]) * s->bytes;
  char *row = hg_lane_row(s, l, y, z);
  const int64_t end = place_of(s, cells - 1);
  if (y + 1 == shape->n[1] && z + 1 == shape->n[2]) from = memcpy(s->flat, from, (size_t)(cells * s->bytes));
  s->rows->in(row, from, s->vectors * (s->bytes / word));
  for (int64_t x = cells; x < all; x++)
    for (int64_t w = 0; w < s->bytes; w += word)
      memcpy(row + place_of(s, x) + w / word * s->vector, row + end + w / word * s->vector, (size_t)word);
  surround(s, row);
}

/* Writes the core of a row. */
static void leave_row(const hg_lane_sweep *s, const hg_lane_level *l, char *after, int64_t y, int64_t z)
{
  const hg_tile_shape *shape = s->tile->shape;
  const int64_t x = l->has.first[0], cells = l->has.end[0] - x;
  char *to = after + (x + y * shape->stride[1] + z * shape->stride[2]) * s->bytes;
  s->rows->out(s->flat, hg_lane_row(s, l, y, z), s->vectors * (s->bytes / s->tile->update->word_bytes));
  if (shape->stream)
    hg_units_stream(to, s->flat + x * s->bytes, cells * s->bytes);
  else
    memcpy(to, s->flat + x * s->bytes, (size_t)(cells * s->bytes));
}

/* Rows of layer i; of a plane, all that the level has. */
static void layer_rows(const hg_lane_sweep *s, const hg_units_range *has, int64_t i, int64_t *lo, int64_t *hi)
{
  *lo = s->slow == 2 ? has->lo[1] : i;
  *hi = s->slow == 2 ? has->hi[1] : i + 1;
}

void hg_lane_enter(const hg_lane_sweep *s, const hg_lane_level *l, int64_t at)
{
  int64_t lo, hi;
  for (int64_t i = hg_max(at, l->has.lo[s->slow]); i < hg_min(at + s->wave, l->has.hi[s->slow]); i++) {
    layer_rows(s, &l->has, i, &lo, &hi);
    for (int64_t y = lo; y < hi; y++) enter_row(s, l, y, s->slow == 2 ? i : 0);
  }
}

/* Prefetches as many of the next wave's rows as each step has to. */
void hg_lane_expect(hg_lane_sweep *s, const hg_lane_level *l)
{
  const hg_tile_shape *shape = s->tile->shape;
  hg_lane_expectation *e = &s->next;
  for (int r = 0; r < e->rows && e->layer < hg_min(e->end, l->has.hi[s->slow]); r++) {
    const char *from =
        s->before +
        (s->slow == 2 ? e->layer * shape->stride[2] + e->y * shape->stride[1] : e->layer * shape->stride[1]) * s->bytes;
    for (int64_t i = 0; i < shape->n[0] * s->bytes; i += LINE) __builtin_prefetch(from + i, 0, 2);
    if (s->slow == 1 || ++e->y == l->has.hi[1]) e->y = l->has.lo[1], e->layer++;
  }
}

void hg_lane_leave(const hg_lane_sweep *s, const hg_lane_level *l, char *after, int64_t at)
{
  int64_t lo, hi;
  for (int64_t i = hg_max(at, l->has.lo[s->slow]); i < hg_min(at + s->wave, l->has.hi[s->slow]); i++) {
    layer_rows(s, &l->has, i, &lo, &hi);
    for (int64_t y = lo; y < hi; y++) leave_row(s, l, after, y, s->slow == 2 ? i : 0);
  }
}
