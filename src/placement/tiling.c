/* SPDX-License-Identifier: MIT */
#include "placement/tiling.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"

int64_t hg_tiling_max_depth(const hg_domain *d)
{
  int64_t margin = INT32_MAX / 4;
  for (int axis = 0; axis < d->dims; axis++)
    for (int side = 0; side < 2; side++)
      if (d->side[axis][side] != HG_FIXED && d->n[axis] < margin) margin = d->n[axis];
  return margin / d->radius;
}

static hg_status set_region(hg_region *r, const hg_box *box, int rank, const int64_t tile[3], int64_t *tiles)
{
  *r = (hg_region){.box = *box, .rank = rank, .first_tile = (int)*tiles};
  int64_t count = hg_box_cells(box) > 0;
  for (int axis = 0; axis < 3 && count > 0; axis++) {
    int64_t size = tile[axis] > 0 ? tile[axis] : 1;
    int64_t m = (hg_box_extent(box, axis) + size - 1) / size;
    count *= m;
    if (count > 1 << 24)
      return hg_fail(HG_INVALID, "tile: %" PRId64 " cells along axis %d give more than 2^24 tiles", size, axis);
    r->mesh[axis] = (int)m;
  }
  *tiles += count;
  if (*tiles > 1 << 24) return hg_fail(HG_INVALID, "tile: more than 2^24 tiles");
  return HG_OK;
}

hg_status hg_tiling_make(const hg_domain *d, int regions, const hg_box *box, const int *rank, int depth,
                         const int64_t (*tile)[3], hg_tiling *out)
{
  int64_t max_depth = hg_tiling_max_depth(d), tiles = 0;
  if (depth < 1 || depth > max_depth)
    return hg_fail(HG_INVALID, "block: %d steps, must be in 1..%" PRId64 " on this grid", depth, max_depth);
  hg_tiling t = {.domain = *d, .depth = depth, .regions = regions};
  t.region = calloc((size_t)regions, sizeof *t.region);
  if (!t.region) return hg_fail(HG_MEMORY, "no memory for %d regions", regions);
  for (int i = 0; i < regions; i++) {
    hg_status status = set_region(&t.region[i], &box[i], rank[i], tile[i], &tiles);
    if (status != HG_OK) {
      free(t.region);
      return status;
    }
  }
  t.tiles = (int)tiles;
  *out = t;
  return HG_OK;
}

void hg_tiling_free(hg_tiling *t)
{
  free(t->region);
  t->region = NULL;
}

/* Regions are in the order of their first tiles; an empty one has the same first tile as its successor, which is the
 * one found. */
const hg_region *hg_tile_region(const hg_tiling *t, int tile)
{
  int lo = 0, hi = t->regions - 1;
  while (lo < hi) {
    int mid = (lo + hi + 1) / 2;
    if (t->region[mid].first_tile <= tile)
      lo = mid;
    else
      hi = mid - 1;
  }
  return &t->region[lo];
}

/* Tile i of m along an axis of a region covers start(i) .. start(i+1)-1. */
static int64_t cut(const hg_region *r, int axis, int64_t i)
{
  return r->box.lo[axis] + hg_box_extent(&r->box, axis) * i / r->mesh[axis];
}

static hg_box mesh_box(const hg_region *r, const int at[3])
{
  hg_box b;
  for (int axis = 0; axis < 3; axis++) {
    b.lo[axis] = cut(r, axis, at[axis]);
    b.hi[axis] = cut(r, axis, at[axis] + 1);
  }
  return b;
}

hg_box hg_tile_core(const hg_tiling *t, int tile)
{
  const hg_region *r = hg_tile_region(t, tile);
  int i = tile - r->first_tile;
  const int at[3] = {i % r->mesh[0], i / r->mesh[0] % r->mesh[1], i / r->mesh[0] / r->mesh[1]};
  return mesh_box(r, at);
}

hg_box hg_tile_padded(const hg_tiling *t, const hg_box *core)
{
  hg_box b = *core;
  const hg_domain *d = &t->domain;
  for (int axis = 0; axis < d->dims; axis++) {
    b.lo[axis] -= t->depth * d->radius;
    b.hi[axis] += t->depth * d->radius;
    if (d->side[axis][0] == HG_FIXED && b.lo[axis] < 0) b.lo[axis] = 0;
    if (d->side[axis][1] == HG_FIXED && b.hi[axis] > d->n[axis]) b.hi[axis] = d->n[axis];
  }
  return b;
}

/* Growing list of pieces. */
typedef struct pieces {
  hg_halo_piece *list;
  int count;
} pieces;

static hg_status add_piece(pieces *p, const hg_halo_piece *piece)
{
  HG_TRY(hg_grow("the pieces of a tile", (void **)&p->list, p->count, sizeof *p->list));
  p->list[p->count] = *piece;
  p->list[p->count].index = p->count;
  p->count++;
  return HG_OK;
}

/* Maps a box `b` of the extended grid to the grid by a piece's map. */
static hg_box map_box(const hg_halo_piece *map, const hg_box *b)
{
  hg_box r;
  for (int a = 0; a < 3; a++) {
    bool same = map->sign[a] > 0;
    r.lo[a] = same ? b->lo[a] + map->offset[a] : map->offset[a] - b->hi[a] + 1;
    r.hi[a] = same ? b->hi[a] + map->offset[a] : map->offset[a] - b->lo[a] + 1;
  }
  return r;
}

hg_box hg_halo_piece_source(const hg_halo_piece *piece)
{
  return map_box(piece, &piece->box);
}

/* Both maps are their own inverse up to the sign of the offset. */
hg_box hg_grid_image_box(const hg_halo_piece *map, const hg_box *b)
{
  hg_halo_piece inverse = *map;
  for (int a = 0; a < 3; a++) inverse.offset[a] = map->sign[a] > 0 ? -map->offset[a] : map->offset[a];
  return map_box(&inverse, b);
}

/* First and last mesh index along an axis of the tiles that intersect lo..hi-1 (which intersects the region). */
static void mesh_range(const hg_region *r, int axis, int64_t lo, int64_t hi, int *first, int *last)
{
  int64_t extent = hg_box_extent(&r->box, axis), m = r->mesh[axis];
  int64_t a = (lo - r->box.lo[axis]) * m / extent, b = (hi - 1 - r->box.lo[axis]) * m / extent;
  while (a > 0 && cut(r, axis, a) > lo) a--;
  while (a < m - 1 && cut(r, axis, a + 1) <= lo) a++;
  while (b < m - 1 && cut(r, axis, b + 1) < hi) b++;
  while (b > 0 && cut(r, axis, b) >= hi) b--;
  *first = (int)a;
  *last = (int)b;
}

int hg_tile_at(const hg_tiling *t, const int64_t at[3])
{
  const hg_box cell = {{at[0], at[1], at[2]}, {at[0] + 1, at[1] + 1, at[2] + 1}};
  const hg_region *r = t->region;
  for (hg_box common = hg_box_meet(&r->box, &cell); hg_box_cells(&common) == 0; common = hg_box_meet(&r->box, &cell))
    r++;
  int mesh[3], last;
  for (int a = 0; a < 3; a++) mesh_range(r, a, at[a], at[a] + 1, &mesh[a], &last);
  return r->first_tile + mesh[0] + r->mesh[0] * (mesh[1] + r->mesh[1] * mesh[2]);
}

/* Adds the pieces of `tile` from region r through the image `map`; `wanted` is the padded box, mapped to the grid. */
static hg_status add_region(pieces *p, const hg_region *r, const hg_halo_piece *map, bool identity,
                            const hg_box *wanted)
{
  hg_box common = hg_box_meet(&r->box, wanted);
  int first[3], last[3], at[3];
  if (hg_box_cells(&common) == 0) return HG_OK;
  for (int a = 0; a < 3; a++) mesh_range(r, a, common.lo[a], common.hi[a], &first[a], &last[a]);
  for (at[2] = first[2]; at[2] <= last[2]; at[2]++)
    for (at[1] = first[1]; at[1] <= last[1]; at[1]++)
      for (at[0] = first[0]; at[0] <= last[0]; at[0]++) {
        hg_halo_piece piece = *map;
        hg_box core = mesh_box(r, at), source = hg_box_meet(&core, wanted);
        piece.from = r->first_tile + at[0] + r->mesh[0] * (at[1] + r->mesh[1] * at[2]);
        piece.box = hg_grid_image_box(map, &source);
        if (hg_box_cells(&source) > 0 && !(identity && piece.from == piece.to)) HG_TRY(add_piece(p, &piece));
      }
  return HG_OK;
}

/* Sets the map (zero before) for image -1, 0 or 1 along an axis; false if that side has no image. */
static bool image(const hg_domain *d, int axis, int number, hg_halo_piece *map)
{
  map->sign[axis] = 1;
  if (number == 0) return true;
  if (axis >= d->dims) return false;
  hg_boundary kind = d->side[axis][number > 0];
  if (kind == HG_PERIODIC) map->offset[axis] = -number * d->n[axis];
  if (kind == HG_INSULATED) {
    map->sign[axis] = -1;
    map->offset[axis] = number > 0 ? 2 * d->n[axis] - 1 : -1;
  }
  return kind != HG_FIXED;
}

bool hg_grid_image(const hg_domain *d, int i, hg_halo_piece *map)
{
  return image(d, 0, i % 3 - 1, map) && image(d, 1, i / 3 % 3 - 1, map) && image(d, 2, i / 9 - 1, map);
}

hg_status hg_tile_halo_pieces(const hg_tiling *t, int tile, hg_halo_piece **list, int *count)
{
  pieces p = {0};
  hg_box core = hg_tile_core(t, tile), padded = hg_tile_padded(t, &core);
  const hg_domain *d = &t->domain;
  const hg_box grid = {{0, 0, 0}, {d->n[0], d->n[1], d->n[2]}};
  for (int i = 0; i < 27; i++) {
    hg_halo_piece map = {.to = tile};
    if (!hg_grid_image(d, i, &map)) continue;
    hg_box mapped = map_box(&map, &padded), wanted = hg_box_meet(&mapped, &grid);
    if (hg_box_cells(&wanted) == 0) continue;
    for (int r = 0; r < t->regions; r++) {
      hg_status status = add_region(&p, &t->region[r], &map, i == 13, &wanted);
      if (status != HG_OK) {
        free(p.list);
        return status;
      }
    }
  }
  *list = p.list;
  *count = p.count;
  return HG_OK;
}
