/* SPDX-License-Identifier: MIT */
/* From applications' lists of neighbours to positions in the state of a tile. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "graph/units_tiles.h"

hg_cell hg_unit_cell(const hg_unit_graph *g, int64_t id, int64_t step)
{
  const int64_t *n = g->base.tiling->domain.n;
  hg_cell c = {id, id % n[0], id / n[0] % n[1], id / n[0] / n[1], step, 1, {n[0], n[1], n[2]}};
  if (g->dependence->length) {
    HG_PROGRAMS_LOCALE;
    c.length = g->dependence->length(&c, g->dependence->arg);
  }
  return c;
}

int64_t hg_unit_length(const hg_unit_graph *g, int64_t id)
{
  return g->dependence->length ? hg_unit_cell(g, id, 0).length : 1;
}

int hg_unit_tile_of(const hg_unit_graph *g, int64_t id)
{
  const int64_t *n = g->base.tiling->domain.n, at[3] = {id % n[0], id / n[0] % n[1], id / n[0] / n[1]};
  return hg_tile_at(g->base.tiling, at);
}

int64_t hg_unit_position(const hg_unit_graph *g, const hg_unit_tile *t, int64_t id)
{
  const int64_t *n = g->base.tiling->domain.n, at[3] = {id % n[0], id / n[0] % n[1], id / n[0] / n[1]};
  for (int a = 0; a < 3; a++)
    if (at[a] < t->core.lo[a] || at[a] >= t->core.hi[a]) return -1;
  return at[0] - t->core.lo[0] +
         hg_box_extent(&t->core, 0) * (at[1] - t->core.lo[1] + hg_box_extent(&t->core, 1) * (at[2] - t->core.lo[2]));
}

/* Identifiers in the order in which the application named them. */
typedef struct wishes {
  int64_t *id, count;
  hg_status status;
} wishes;

struct hg_set {
  const hg_unit_graph *graph;
  hg_cell cell;
  int64_t first; /* first wish of this unit */
  wishes *wishes;
};

struct hg_zone {
  const hg_unit_graph *graph;
  const hg_unit_tile *tile;
  int64_t step;
  hg_unit_index *index;
  wishes *wishes;
};

enum { MOST_NEIGHBOURS = 1 << 30 }; /* per tile: positions have 32 bits */

static void wish(wishes *w, int64_t id)
{
  w->status = w->count < MOST_NEIGHBOURS
                  ? hg_grow("neighbours of a tile", (void **)&w->id, w->count, sizeof *w->id)
                  : hg_fail(HG_INVALID, "tile: more than %d neighbours; use smaller tiles (--tile)", MOST_NEIGHBOURS);
  if (w->status == HG_OK) w->id[w->count++] = id;
}

static int64_t units_of(const hg_unit_graph *g)
{
  const int64_t *n = g->base.tiling->domain.n;
  return n[0] * n[1] * n[2];
}

void hg_set_add(hg_set *s, int64_t id)
{
  wishes *w = s->wishes;
  const hg_cell *c = &s->cell;
  const int64_t units = units_of(s->graph);
  if (w->status != HG_OK) return;
  if (id < 0 || id >= units)
    w->status = hg_fail(HG_INVALID,
                        "unit %" PRId64 " (%" PRId64 ", %" PRId64 ", %" PRId64 "), step %" PRId64 ": neighbour %" PRId64
                        ", must be in 0..%" PRId64,
                        c->id, c->x, c->y, c->z, c->step, id, units - 1);
  else if (w->count - s->first >= s->graph->dependence->limit)
    w->status = hg_fail(HG_INVALID,
                        "unit %" PRId64 " (%" PRId64 ", %" PRId64 ", %" PRId64 "), step %" PRId64
                        ": more neighbours than the limit (--neighbours; nNeighbor in job files) of %d",
                        c->id, c->x, c->y, c->z, c->step, s->graph->dependence->limit);
  else
    wish(w, id);
}

static bool outside(int64_t lo, int64_t n, int64_t extent)
{
  return lo < 0 || lo > extent || n > extent - lo;
}

const int64_t *hg_zone_size(const hg_zone *z)
{
  return z->graph->base.tiling->domain.n;
}

void hg_zone_add(hg_zone *z, int64_t x, int64_t y, int64_t zz, int64_t nx, int64_t ny, int64_t nz)
{
  const int64_t *n = hg_zone_size(z);
  hg_unit_index *index = z->index;
  if (z->wishes->status != HG_OK || nx <= 0 || ny <= 0 || nz <= 0) return;
  if (outside(x, nx, n[0]) || outside(y, ny, n[1]) || outside(zz, nz, n[2])) {
    z->wishes->status =
        hg_fail(HG_INVALID,
                "tile %d, step %" PRId64 ": a zone of %" PRId64 " x %" PRId64 " x %" PRId64 " units at (%" PRId64
                ", %" PRId64 ", %" PRId64 "), must lie inside the grid of %" PRId64 " x %" PRId64 " x %" PRId64,
                z->tile->id, z->step, nx, ny, nz, x, y, zz, n[0], n[1], n[2]);
    return;
  }
  if (index->zones == HG_ZONES_MAX) {
    z->wishes->status =
        hg_fail(HG_INVALID, "tile %d, step %" PRId64 ": more than %d zones", z->tile->id, z->step, HG_ZONES_MAX);
    return;
  }
  index->zone[index->zones++] = (hg_zone_box){{x, y, zz}, {nx, ny, nz}, z->wishes->count};
  for (int64_t k = zz; k < zz + nz; k++)
    for (int64_t j = y; j < y + ny; j++)
      for (int64_t i = x; i < x + nx && z->wishes->status == HG_OK; i++) wish(z->wishes, i + n[0] * (j + n[1] * k));
}

/* Calls the application's function for all units of a tile, or for the tile. */
static hg_status ask(const hg_unit_graph *g, const hg_unit_tile *t, int64_t step, hg_unit_index *index, wishes *w)
{
  const hg_dependence *d = g->dependence;
  const int64_t *n = g->base.tiling->domain.n;
  HG_PROGRAMS_LOCALE;
  if (d->zone) {
    hg_zone zone = {g, t, step, index, w};
    d->zone(&t->core, step, &zone, d->arg);
  }
  if (!d->neighbours) return w->status;
  index->start = malloc(((size_t)t->info.own_count + 1) * sizeof *index->start);
  if (!index->start) return hg_fail(HG_MEMORY, "no memory for the neighbours of a tile");
  int64_t unit = 0;
  index->start[0] = 0;
  for (int64_t z = t->core.lo[2]; z < t->core.hi[2]; z++)
    for (int64_t y = t->core.lo[1]; y < t->core.hi[1]; y++)
      for (int64_t x = t->core.lo[0]; x < t->core.hi[0] && w->status == HG_OK; x++) {
        hg_set set = {g, hg_unit_cell(g, x + n[0] * (y + n[1] * z), step), w->count, w};
        d->neighbours(&set.cell, &set, d->arg);
        index->start[++unit] = w->count;
      }
  return w->status;
}

static int by_tile(const void *a, const void *b)
{
  const hg_ghost *s = a, *t = b;
  if (s->tile != t->tile) return s->tile < t->tile ? -1 : 1;
  return (s->id > t->id) - (s->id < t->id);
}

/* Set of units of other tiles, a hash table with open addressing. */
typedef struct directory {
  int32_t *slot; /* [size] index in `ghost` + 1; 0: free */
  int64_t size;  /* a power of two */
  hg_ghost *ghost;
  int64_t count;
} directory;

static int64_t place_of(const directory *d, int64_t id)
{
  int64_t at = (int64_t)((uint64_t)id * 0x9e3779b97f4a7c15u >> 20) & (d->size - 1);
  while (d->slot[at] && d->ghost[d->slot[at] - 1].id != id) at = (at + 1) & (d->size - 1);
  return at;
}

/* Doubles the slots; ghosts keep their order. */
static hg_status widen(directory *d)
{
  free(d->slot);
  d->size = d->size ? 2 * d->size : 256;
  d->slot = calloc((size_t)d->size, sizeof *d->slot);
  if (!d->slot) return hg_fail(HG_MEMORY, "no memory for %" PRId64 " units of other tiles", d->count);
  for (int64_t i = 0; i < d->count; i++) d->slot[place_of(d, d->ghost[i].id)] = (int32_t)i + 1;
  return HG_OK;
}

/* Index of a unit in the directory; adds it if it is new. */
static hg_status enter(directory *d, int64_t id, int32_t *number)
{
  if (2 * d->count >= d->size) HG_TRY(widen(d));
  const int64_t at = place_of(d, id);
  if (!d->slot[at]) {
    HG_TRY(hg_grow("units of other tiles", (void **)&d->ghost, d->count, sizeof *d->ghost));
    d->ghost[d->count] = (hg_ghost){-1, id};
    d->slot[at] = (int32_t)++d->count;
  }
  *number = d->slot[at] - 1;
  return HG_OK;
}

/* Sorts the ghosts and gives members their final positions; until then, indices into the directory are negative. */
static hg_status settle(const hg_unit_graph *g, const hg_unit_tile *t, directory *d, hg_unit_index *index)
{
  int32_t *rank = malloc(((size_t)d->count + 1) * sizeof *rank);
  hg_ghost *sorted = malloc(((size_t)d->count + 1) * sizeof *sorted);
  index->ghost = sorted;
  index->ghosts = d->count;
  if (!rank || !sorted) {
    free(rank);
    return hg_fail(HG_MEMORY, "no memory for %" PRId64 " units of other tiles", d->count);
  }
  for (int64_t i = 0; i < d->count; i++) d->ghost[i].tile = hg_unit_tile_of(g, d->ghost[i].id);
  if (d->count) memcpy(sorted, d->ghost, (size_t)d->count * sizeof *sorted);
  qsort(sorted, (size_t)d->count, sizeof *sorted, by_tile);
  for (int64_t i = 0; i < d->count; i++)
    rank[d->slot[place_of(d, sorted[i].id)] - 1] = (int32_t)(t->info.own_count + i);
  for (int64_t i = 0; i < index->members; i++)
    if (index->member[i] < 0) index->member[i] = rank[-index->member[i] - 1];
  free(rank);
  return HG_OK;
}

static hg_status set_members(const hg_unit_graph *g, const hg_unit_tile *t, directory *d, hg_unit_index *index)
{
  index->members = index->wishes;
  index->member = malloc(((size_t)index->members + 1) * sizeof *index->member);
  if (!index->member) return hg_fail(HG_MEMORY, "no memory for %" PRId64 " neighbours", index->members);
  for (int64_t i = 0; i < index->members; i++) {
    const int64_t own = hg_unit_position(g, t, index->wish[i]);
    int32_t number = 0;
    if (own < 0) HG_TRY(enter(d, index->wish[i], &number));
    index->member[i] = own < 0 ? -number - 1 : (int32_t)own;
  }
  return HG_OK;
}

hg_status hg_unit_index_ask(const hg_unit_graph *g, const hg_unit_tile *t, int64_t step, hg_unit_index *out)
{
  wishes w = {.status = HG_OK};
  *out = (hg_unit_index){0};
  const hg_status status = ask(g, t, step, out, &w);
  out->wish = w.id;
  out->wishes = w.count;
  if (status != HG_OK) hg_unit_index_free(out);
  return status;
}

static hg_status make_index(const hg_unit_graph *g, const hg_unit_tile *t, hg_unit_index *index)
{
  directory d = {0};
  hg_status status = set_members(g, t, &d, index);
  if (status == HG_OK && t->info.own_count + d.count >= INT32_MAX)
    status = hg_fail(HG_INVALID, "tile: %" PRId64 " units with those of other tiles, must be < 2^31",
                     t->info.own_count + d.count);
  if (status == HG_OK) status = settle(g, t, &d, index);
  free(index->wish);
  index->wish = NULL;
  free(d.slot);
  free(d.ghost);
  return status;
}

/* Tables under construction; a thread that fails leaves its message for the caller. */
typedef struct making {
  const hg_unit_graph *graph;
  hg_unit_index *index;
  pthread_mutex_t lock;
  hg_status status;
  char message[512];
} making;

static void make_some(void *arg, int part, int parts)
{
  making *m = arg;
  for (int i = part; i < m->graph->tiles; i += parts) {
    const hg_status status = make_index(m->graph, &m->graph->tile[i], &m->index[i]);
    if (status == HG_OK) continue;
    pthread_mutex_lock(&m->lock);
    if (m->status == HG_OK) {
      m->status = status;
      snprintf(m->message, sizeof m->message, "%s", hg_message());
    }
    pthread_mutex_unlock(&m->lock);
  }
}

/* Threads do not pay for few neighbours. */
hg_status hg_unit_indices_make(const hg_unit_graph *g, hg_unit_index *index)
{
  enum { WORTH_A_THREAD = 4000 };
  making m = {.graph = g, .index = index, .lock = PTHREAD_MUTEX_INITIALIZER, .status = HG_OK};
  int64_t most = 0;
  for (int i = 0; i < g->tiles; i++) most += index[i].wishes;
  most /= WORTH_A_THREAD;
  hg_parallel(most < g->tiles ? (int)most : g->tiles, make_some, &m);
  return m.status == HG_OK ? HG_OK : hg_fail(m.status, "%s", m.message);
}

void hg_unit_index_free(hg_unit_index *index)
{
  free(index->start);
  free(index->member);
  free(index->ghost);
  free(index->wish);
  *index = (hg_unit_index){0};
}

bool hg_unit_same_ghosts(const hg_unit_tile *t, const hg_unit_index *index)
{
  bool same = t->ghosts == index->ghosts;
  for (int64_t i = 0; same && i < t->ghosts; i++) same = by_tile(&t->ghost[i], &index->ghost[i]) == 0;
  return same;
}
