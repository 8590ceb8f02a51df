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

/* The widest vectors that the processor and the update have. */
hg_lane_set hg_lane_set_of(const hg_update *u)
{
  int set = (int)set_of_processor();
  while (set > HG_LANES_BASELINE && !u->lanes[set]) set--;
  return (hg_lane_set)set;
}

/* Layers of all levels: what a step has computed and the next one not yet read, what is read and written now. */
static int64_t layers_held(const hg_lane_sweep *s, int steps)
{
  return (int64_t)(steps + 2) * 2 * s->reach[s->slow] + 2 * s->wave;
}

/* Rows that planes hold before those of a strip: it leans by `reach` with each step, and reads what precedes it. */
int64_t hg_lane_lean(const hg_lane_sweep *s, int steps)
{
  return (steps + 2) * s->reach[1];
}

/* Strips of the planes of a 3-D tile: as high as the L2 cache allows, or, where that is too low to be worth it, higher
 * ones in the L3 cache. A strip may not be left by what it reads, nor by images. */
static int64_t count_strips(const hg_lane_sweep *s, int steps)
{
  enum { LEAST = 24, HIGH = 48 };
  const hg_tile_shape *shape = s->tile->shape;
  if (s->slow == 1) return 1;
  const int64_t n = shape->n[1], room = hg_l2_cache_bytes() / 4 * 3 / layers_held(s, steps) / s->row,
                high = room >= n                               ? n
                       : room - hg_lane_lean(s, steps) < LEAST ? HIGH
                                                               : room - hg_lane_lean(s, steps),
                fewest = 2 * hg_lane_lean(s, steps) + shape->margin[1][HG_LO] + shape->margin[1][HG_HI];
  return hg_max(hg_min((n + high - 1) / high, n / fewest), 1);
}

static int64_t edge_bytes(const hg_lane_sweep *s, int steps)
{
  return s->strips > 1 ? s->tile->shape->n[2] * (steps - 1) * 2 * s->reach[1] * s->row : 0;
}

hg_lane_sweep hg_lane_sweep_start(const hg_units_tile *t, int steps, char *work)
{
  const hg_update *u = t->update;
  const hg_tile_shape *shape = t->shape;
  const hg_lane_set set = hg_lane_set_of(u);
  hg_lane_sweep s = {.tile = t,
                     .rows = hg_lane_rows_of(set, u->word_bytes),
                     .slow = shape->dims == 3 ? 2 : 1,
                     .bytes = u->value_bytes};
  for (int a = 0; a < shape->dims; a++) s.reach[a] = u->radius;
  s.wave = shape->dims == 3 ? u->planes : u->together;
  s.vector = (int64_t)16 << set;
  s.vectors = (shape->n[0] * u->word_bytes + s.vector - 1) / s.vector;
  s.around = u->radius * s.vector * (s.bytes / u->word_bytes);
  s.row = (s.vectors * s.vector * (s.bytes / u->word_bytes) + 2 * s.around + LINE - 1) / LINE * LINE | LINE;
  s.strips = count_strips(&s, steps);
  s.layer = s.row; /* an odd number of lines: rows spread over the cache's sets */
  if (shape->dims == 3)
    s.layer *= (shape->n[1] + s.strips - 1) / s.strips + (s.strips > 1 ? hg_lane_lean(&s, steps) : 0);
  s.compute = u->lanes[set];
  hg_units_open(t, s.open, s.close);
  s.mends = s.open[0] > 0 || s.close[0] < shape->n[0] || shape->images[0][HG_LO] || shape->images[0][HG_HI];
  s.flat = work;
  s.spare = work + s.row;
  s.unused = (char **)(void *)(work + 2 * s.row);
  s.count = layers_held(&s, steps);
  return s;
}

static int64_t pointer_bytes(const hg_lane_sweep *s)
{
  return (s->count * (int64_t)sizeof(char *) + LINE - 1) / LINE * LINE;
}

size_t hg_lane_workspace(const hg_lane_sweep *s, int steps)
{
  return (size_t)(2 * s->row + pointer_bytes(s) + s->count * s->layer + edge_bytes(s, steps));
}

void hg_lane_layers(hg_lane_sweep *s)
{
  char *first = (char *)s->unused + s->around + pointer_bytes(s);
  for (int64_t i = 0; i < s->count; i++) s->unused[i] = first + (s->count - 1 - i) * s->layer;
  s->edges = first - s->around + s->count * s->layer;
}

/* A place for layer i, the one that was read last: it is still in the cache. */
void hg_lane_take(hg_lane_sweep *s, hg_lane_level *l, int64_t i)
{
  hg_lane_slot(l, i)[0] = hg_lane_slot(l, i)[HG_LANE_RING] = s->unused[--s->count];
}

/* Layers lo .. hi - 1 hold nothing any more. */
void hg_lane_return(hg_lane_sweep *s, hg_lane_level *l, int64_t lo, int64_t hi)
{
  for (int64_t i = hg_max(lo, l->has.lo[s->slow]); i < hg_min(hi, l->has.hi[s->slow]); i++) {
    if (hg_lane_slot(l, i)[0]) s->unused[s->count++] = hg_lane_slot(l, i)[0];
    hg_lane_slot(l, i)[0] = NULL;
  }
}

/* Byte of word w of unit x in a row. */
static int64_t place_of(const hg_lane_sweep *s, int64_t x, int64_t w)
{
  const int64_t word = s->tile->update->word_bytes, words = s->bytes / word;
  return (x % s->vectors * words + w) * s->vector + x / s->vectors * word;
}

void hg_lane_copy(const hg_lane_sweep *s, const char *from, int64_t at, char *to, int64_t x)
{
  const int64_t word = s->tile->update->word_bytes;
  for (int64_t w = 0; w < s->bytes / word; w++) {
    const char *source = from + place_of(s, at, w);
    char *target = to + place_of(s, x, w);
    if (word == 8)
      memcpy(target, source, 8);
    else
      memcpy(target, source, (size_t)word);
  }
}

/* The vectors around a row: in each lane what lies beside it in the next one; the outermost units stand for what lies
 * beyond them. */
void hg_lane_surround(const hg_lane_sweep *s, char *row)
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

/* --- rows come and go -------------------------------------------------------------------------------------------- */

/* A row of the state before comes in; behind its last unit that one again, not what follows in memory (of which there
 * is none behind the last row). */
static void enter_row(const hg_lane_sweep *s, const hg_lane_level *l, const char *before, int64_t y, int64_t z)
{
  const hg_tile_shape *shape = s->tile->shape;
  const int64_t cells = shape->n[0], all = s->vectors * s->vector / s->tile->update->word_bytes;
  const char *from = before + (y * shape->stride[1] + z * shape->stride[2]) * s->bytes;
  char *row = hg_lane_row(s, l, y, z);
  if (y + 1 == shape->n[1] && z + 1 == shape->n[2]) from = memcpy(s->flat, from, (size_t)(cells * s->bytes));
  s->rows->in(row, from, s->vectors * (s->bytes / s->tile->update->word_bytes));
  for (int64_t x = cells; x < all; x++) hg_lane_copy(s, row, cells - 1, row, x);
  hg_lane_surround(s, row);
}

/* The core of a row goes out. */
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

/* Rows of layer i: of a plane all that a level has. */
static void layer_rows(const hg_lane_sweep *s, const hg_units_range *has, int64_t i, int64_t *lo, int64_t *hi)
{
  *lo = s->slow == 2 ? has->lo[1] : i;
  *hi = s->slow == 2 ? has->hi[1] : i + 1;
}

void hg_lane_enter(hg_lane_sweep *s, hg_lane_level *l, const char *before, int64_t at)
{
  int64_t lo, hi;
  for (int64_t i = hg_max(at, l->has.lo[s->slow]); i < hg_min(at + s->wave, l->has.hi[s->slow]); i++) {
    hg_lane_take(s, l, i);
    layer_rows(s, &l->has, i, &lo, &hi);
    for (int64_t y = lo; y < hi; y++) enter_row(s, l, before, y, s->slow == 2 ? i : 0);
  }
}

/* Asks for as many of the rows of the next wave as are due with each step. */
void hg_lane_expect(hg_lane_sweep *s, const hg_lane_level *l, const char *before)
{
  const hg_tile_shape *shape = s->tile->shape;
  hg_lane_expectation *e = &s->next;
  for (int r = 0; r < e->rows && e->layer < hg_min(e->end, l->has.hi[s->slow]); r++) {
    const char *from =
        before +
        (s->slow == 2 ? e->layer * shape->stride[2] + e->y * shape->stride[1] : e->layer * shape->stride[1]) * s->bytes;
    for (int64_t i = 0; i < shape->n[0] * s->bytes; i += LINE) __builtin_prefetch(from + i, 0, 2);
    if (s->slow == 1 || ++e->y == l->has.hi[1]) e->y = l->has.lo[1], e->layer++;
  }
}

void hg_lane_leave(hg_lane_sweep *s, hg_lane_level *l, char *after, int64_t at)
{
  int64_t lo, hi;
  for (int64_t i = hg_max(at, l->has.lo[s->slow]); i < hg_min(at + s->wave, l->has.hi[s->slow]); i++) {
    layer_rows(s, &l->has, i, &lo, &hi);
    for (int64_t y = lo; y < hi; y++) leave_row(s, l, after, y, s->slow == 2 ? i : 0);
  }
  hg_lane_return(s, l, at, at + s->wave);
}
