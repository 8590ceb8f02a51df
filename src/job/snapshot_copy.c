/* SPDX-License-Identifier: MIT */
#include "job/snapshot_copy.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "job/value_rows.h"
#include "result/shared_file.h"

/* --- what is copied ----------------------------------------------------------------------------------------------- */

static bool is_mine(const hg_run *r, int tile)
{
  return hg_tile_region(r->tiling, tile)->rank == r->session.rank;
}

static int64_t count_rows(const hg_run *r)
{
  int64_t rows = 0;
  for (int i = 0; i < r->tiling->tiles; i++) {
    const hg_box core = hg_tile_core(r->tiling, i);
    if (is_mine(r, i)) rows += hg_box_extent(&core, 1) * hg_box_extent(&core, 2);
  }
  return rows;
}

/* Appends to the last stretch what directly follows it; values without elements have no bytes. There is room. */
static void add(hg_copy *c, int64_t at, int64_t bytes)
{
  hg_stretch *last = c->count > 0 ? &c->stretch[c->count - 1] : NULL;
  if (bytes == 0) return;
  if (last && last->at + last->bytes == at)
    last->bytes += bytes;
  else
    c->stretch[c->count++] = (hg_stretch){.at = at, .bytes = bytes};
}

static void add_row(hg_copy *c, int64_t id, int64_t count)
{
  const int64_t at = hg_copy_at(c, id);
  add(c, at, hg_copy_at(c, id + count) - at);
}

static void add_tile(hg_copy *c, const hg_box *core)
{
  const int64_t *n = c->run->domain.n;
  for (int64_t z = core->lo[2]; z < core->hi[2]; z++)
    for (int64_t y = core->lo[1]; y < core->hi[1]; y++)
      add_row(c, core->lo[0] + n[0] * (y + n[1] * z), hg_box_extent(core, 0));
}

static int ascending(const void *a, const void *b)
{
  const int64_t x = ((const hg_stretch *)a)->at, y = ((const hg_stretch *)b)->at;
  return (x > y) - (x < y);
}

/* Sorts by position in the file and joins adjacent stretches. */
static void order(hg_copy *c)
{
  bool ordered = true;
  for (int64_t i = 1; i < c->count && ordered; i++) ordered = c->stretch[i - 1].at <= c->stretch[i].at;
  if (!ordered) qsort(c->stretch, (size_t)c->count, sizeof *c->stretch, ascending);
  const int64_t count = c->count;
  c->count = 0;
  for (int64_t i = 0; i < count; i++) add(c, c->stretch[i].at, c->stretch[i].bytes);
}

/* Places the stretches; returns the bytes of the copy. */
static size_t place(hg_copy *c)
{
  size_t end = 0;
  for (int64_t i = 0; i < c->count; i++) {
    hg_stretch *s = &c->stretch[i];
    if (s->bytes >= HG_SHARED_LARGE) end += ((size_t)s->at - end) % HG_SHARED_PAGE;
    s->from = end;
    end += (size_t)s->bytes;
  }
  return end;
}

static bool list(hg_copy *c, size_t *bytes)
{
  const hg_tiling *g = c->run->tiling;
  hg_stretch *room = realloc(c->stretch, ((size_t)count_rows(c->run) + 1) * sizeof *room);
  if (!room) return false;
  c->stretch = room;
  c->count = 0;
  for (int i = 0; i < g->tiles; i++) {
    const hg_box core = hg_tile_core(g, i);
    if (is_mine(c->run, i)) add_tile(c, &core);
  }
  order(c);
  *bytes = place(c);
  return true;
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

static void drop_values(hg_copy *c)
{
  if (c->values) munmap(c->values, c->room);
  c->values = NULL;
  c->room = 0;
}

bool hg_copy_make_room(hg_copy *c)
{
  size_t bytes;
  if (!list(c, &bytes)) return false;
  if (c->values && c->room >= bytes) return true;
  drop_values(c);
  if ((double)bytes > (double)hg_memory_available()) return false;
  const size_t room = bytes > 0 ? bytes : 1;
  void *values = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (values == MAP_FAILED) return false;
  madvise(values, room, MADV_HUGEPAGE); /* a hint; it may be refused */
  c->values = values;
  c->room = room;
  return true;
}

void hg_copy_drop(hg_copy *c)
{
  drop_values(c);
  free(c->stretch);
  c->stretch = NULL;
}

/* --- copying ------------------------------------------------------------------------------------------------------ */

/* The stretch that contains a byte of the file. */
static const hg_stretch *find(const hg_copy *c, int64_t at)
{
  int64_t low = 0, high = c->count;
  while (high - low > 1) {
    const int64_t middle = (low + high) / 2;
    if (c->stretch[middle].at <= at)
      low = middle;
    else
      high = middle;
  }
  return &c->stretch[low];
}

static void copy_row(void *arg, int64_t id, int64_t count, const char *values)
{
  const hg_copy *c = arg;
  const int64_t at = hg_copy_at(c, id), bytes = hg_copy_at(c, id + count) - at;
  if (bytes == 0) return;
  const hg_stretch *s = find(c, at);
  memcpy(c->values + s->from + (at - s->at), values, (size_t)bytes);
}

/* Rows of a tile; each thread copies a part of them. */
typedef struct copying {
  hg_copy *copy;
  const hg_tile_view *tile;
} copying;

static void copy_part(void *arg, int part, int parts)
{
  const copying *c = arg;
  const int64_t rows = hg_box_extent(&c->tile->core, 1) * hg_box_extent(&c->tile->core, 2);
  hg_run_some_rows(c->copy->run, c->tile, rows * part / parts, rows * (part + 1) / parts, copy_row, c->copy);
}

static hg_status copy_tile(void *arg, const hg_tile_view *t)
{
  enum { BYTES_OF_A_THREAD = 1 << 19 };
  copying c = {arg, t};
  const hg_run *r = c.copy->run;
  const int64_t most = hg_box_cells(&t->core) * r->job->update->value_bytes / BYTES_OF_A_THREAD;
  if (r->job->length)
    hg_run_each_row(r, t, copy_row, arg);
  else
    hg_parallel(most < INT_MAX ? (int)most : INT_MAX, copy_part, &c);
  return HG_OK;
}

hg_status hg_copy_take(hg_copy *c, hg_run *run)
{
  return hg_run_visit(run, copy_tile, c);
}
