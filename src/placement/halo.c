/* SPDX-License-Identifier: MIT */
/* Intersects each tile's padded box with the boxes of the other regions and their images beyond sides that are not
 * fixed. Example: two regions of 10 x 4 cells side by side, one step, one tile each: both receive 4 cells. With
 * periodic sides each also receives 4 cells of the other's outer column and 4 corners from the other; its own rows at
 * the top and bottom are not sent. */
#include "placement/halo.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/sort.h"
#include "partition/metrics.h"
#include "partition/near.h"

typedef struct exchange {
  hg_rect *tile, *image; /* [tiles] padded; [images] of regions near the grid */
  int *to, *from;        /* regions of these */
  int images;
  hg_halo *halo;
  int64_t *pair; /* to * regions + from of each message */
  int regions, pairs;
  bool failed;
} exchange;

static void add_images(const hg_tiling *t, int region, exchange *e)
{
  const hg_domain *d = &t->domain;
  const hg_box grid = {{0, 0, 0}, {d->n[0], d->n[1], d->n[2]}}, reached = hg_tile_padded(t, &grid);
  for (int i = 0; i < 27; i++) {
    hg_halo_piece image = {0};
    if (!hg_grid_image(d, i, &image)) continue;
    const hg_box box = hg_grid_image_box(&image, &t->region[region].box), common = hg_box_meet(&box, &reached);
    if (hg_box_cells(&common) == 0) continue;
    hg_boxes_to_rects(1, &common, &e->image[e->images]);
    e->from[e->images++] = region;
  }
}

static void note_message(exchange *e, int to, int from)
{
  e->failed = hg_grow("messages", (void **)&e->pair, e->pairs, sizeof *e->pair) != HG_OK;
  if (!e->failed) e->pair[e->pairs++] = (int64_t)to * e->regions + from;
}

static void receive(void *arg, int tile, int image)
{
  exchange *e = arg;
  const hg_rect *a = &e->tile[tile], *b = &e->image[image];
  const int to = e->to[tile], from = e->from[image];
  int64_t cells = 1;
  for (int x = 0; x < 3; x++) {
    const double lo = a->lo[x] > b->lo[x] ? a->lo[x] : b->lo[x], hi = a->hi[x] < b->hi[x] ? a->hi[x] : b->hi[x];
    cells *= hi > lo ? (int64_t)(hi - lo) : 0;
  }
  if (to == from || cells == 0 || e->failed) return;
  e->halo[to].cells += cells;
  note_message(e, to, from);
}

static void count_messages(exchange *e)
{
  if (e->pairs > 0) qsort(e->pair, (size_t)e->pairs, sizeof *e->pair, hg_by_number);
  for (int k = 0; k < e->pairs; k++)
    if (k == 0 || e->pair[k] != e->pair[k - 1]) e->halo[e->pair[k] / e->regions].messages++;
}

static hg_status sweep(const hg_tiling *t, exchange *e)
{
  const double touching[3] = {0, 0, 0};
  for (int i = 0; i < t->tiles; i++) {
    const hg_box core = hg_tile_core(t, i), padded = hg_tile_padded(t, &core);
    hg_boxes_to_rects(1, &padded, &e->tile[i]);
    e->to[i] = (int)(hg_tile_region(t, i) - t->region);
  }
  for (int i = 0; i < t->regions; i++) {
    e->halo[i] = (hg_halo){0};
    add_images(t, i, e);
  }
  HG_TRY(hg_near_pairs(t->tiles, e->tile, e->images, e->image, touching, receive, e));
  if (e->failed) return hg_fail(HG_MEMORY, "no memory for the messages of %d regions", t->regions);
  count_messages(e);
  return HG_OK;
}

hg_status hg_tiling_halos(const hg_tiling *t, hg_halo *halo)
{
  const size_t tiles = (size_t)t->tiles + 1, images = 27 * (size_t)t->regions;
  exchange e = {.tile = malloc(tiles * sizeof *e.tile),
                .to = malloc(tiles * sizeof *e.to),
                .image = malloc(images * sizeof *e.image),
                .from = malloc(images * sizeof *e.from),
                .halo = halo,
                .regions = t->regions};
  const hg_status status = e.tile && e.to && e.image && e.from
                               ? sweep(t, &e)
                               : hg_fail(HG_MEMORY, "no memory for the exchange of %d tiles", t->tiles);
  free(e.tile);
  free(e.to);
  free(e.image);
  free(e.from);
  free(e.pair);
  return status;
}
