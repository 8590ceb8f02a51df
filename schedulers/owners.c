/* SPDX-License-Identifier: MIT */
#include "schedulers/owners.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "partition/partition.h"

void hg_owners_free(hg_owners *o)
{
  free(o->tile);
  free(o->slot);
  *o = (hg_owners){.rule = o->rule};
}

static uint64_t hash(const int64_t at[3])
{
  return hg_random_bits((uint64_t)at[0] * 31 + (uint64_t)at[1], (uint64_t)at[2] * 17 + (uint64_t)at[1]);
}

/* Slot of the tile, or the free one where it belongs. */
static int find_slot(const hg_owners *o, const int64_t at[3])
{
  int s = (int)(hash(at) % (uint64_t)o->slots);
  while (o->slot[s] && memcmp(o->tile[o->slot[s] - 1].at, at, sizeof o->tile->at) != 0) s = (s + 1) % o->slots;
  return s;
}

static bool grow(hg_owners *o)
{
  const int room = o->room ? 2 * o->room : 64, slots = 4 * room;
  hg_tile_owner *tile = realloc(o->tile, (size_t)room * sizeof *tile);
  if (tile) o->tile = tile;
  int *slot = calloc((size_t)slots, sizeof *slot);
  if (!tile || !slot) {
    free(slot);
    return false;
  }
  free(o->slot);
  o->slot = slot;
  o->slots = slots;
  o->room = room;
  for (int i = 0; i < o->tiles; i++) o->slot[find_slot(o, o->tile[i].at)] = i + 1;
  return true;
}

int hg_owners_tile(hg_owners *o, int dims, const int *at)
{
  int64_t key[3] = {0, 0, 0};
  for (int a = 0; a < dims && a < 3; a++) key[a] = at[a];
  if (o->tiles == o->room && !grow(o)) return -1;
  int s = find_slot(o, key);
  if (!o->slot[s]) {
    hg_tile_owner *t = &o->tile[o->tiles++];
    *t = (hg_tile_owner){.worker = -1};
    memcpy(t->at, key, sizeof key);
    o->slot[s] = o->tiles;
  }
  return o->slot[s] - 1;
}

int hg_owners_beside(const hg_owners *o, int i, int axis, int step)
{
  int64_t at[3];
  memcpy(at, o->tile[i].at, sizeof at);
  at[axis] += step;
  return o->slot[find_slot(o, at)] - 1;
}

void hg_owners_counts(int tiles, int workers, const double *seconds, const int *least, int *count)
{
  int left = tiles;
  for (int w = 0; w < workers; w++) left -= count[w] = least[w];
  for (; left > 0; left--) {
    int best = -1;
    for (int w = 0; w < workers; w++)
      if (isfinite(seconds[w]) && (best < 0 || (count[w] + 1) * seconds[w] < (count[best] + 1) * seconds[best]))
        best = w;
    if (best < 0) return;
    count[best]++;
  }
}

bool hg_owners_uniform(const hg_owners *o)
{
  int64_t least = INT64_MAX, most = 0;
  for (int i = 0; i < o->tiles; i++) {
    if (o->tile[i].submitted < least) least = o->tile[i].submitted;
    if (o->tile[i].submitted > most) most = o->tile[i].submitted;
  }
  return most - least <= 1 + most / 8;
}

/* Tiles that are shared out, sorted again along every cut. */
typedef struct handing {
  hg_owners *o;
  const hg_tree *tree;
  const int *count; /* [workers] */
} handing;

static _Thread_local const hg_tile_owner *sorted_tiles;
static _Thread_local int sorted_axis;

static int along_axis(const void *a, const void *b)
{
  const int64_t *p = sorted_tiles[*(const int *)a].at, *q = sorted_tiles[*(const int *)b].at;
  for (int i = 0; i < 3; i++) {
    int axis = (sorted_axis + i) % 3;
    if (p[axis] != q[axis]) return p[axis] < q[axis] ? -1 : 1;
  }
  return 0;
}

static int tiles_below(const handing *h, int node)
{
  const hg_node *n = &h->tree->node[node];
  if (n->leaf >= 0) return h->count[n->leaf];
  int sum = 0;
  for (int c = n->first; c >= 0; c = h->tree->node[c].next) sum += tiles_below(h, c);
  return sum;
}

/* The tiles in `list` go to the workers below `node`. */
static void hand_out(const handing *h, int node, int *list, int tiles)
{
  const hg_node *n = &h->tree->node[node];
  if (n->leaf >= 0) {
    for (int i = 0; i < tiles; i++) h->o->tile[list[i]].worker = n->leaf;
    return;
  }
  sorted_tiles = h->o->tile;
  sorted_axis = n->axis;
  qsort(list, (size_t)tiles, sizeof *list, along_axis);
  for (int c = n->first; c >= 0; c = h->tree->node[c].next) {
    int part = tiles_below(h, c);
    if (part > tiles) part = tiles;
    hand_out(h, c, list, part);
    list += part;
    tiles -= part;
  }
}

/* The tree for as many tiles as each worker gets, on the box that the tiles span. */
static hg_status make_tree(const hg_owners *o, int workers, const int *count, hg_tree *tree)
{
  double speed[workers];
  int64_t lo[3] = {INT64_MAX, INT64_MAX, INT64_MAX}, hi[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
  hg_partition_request r = {.parts = workers, .speed = speed};
  const hg_partitioner *p;
  for (int w = 0; w < workers; w++) speed[w] = count[w];
  for (int i = 0; i < o->tiles; i++)
    for (int a = 0; a < 3; a++) {
      if (o->tile[i].at[a] < lo[a]) lo[a] = o->tile[i].at[a];
      if (o->tile[i].at[a] > hi[a]) hi[a] = o->tile[i].at[a];
    }
  for (int a = 0; a < 3; a++) {
    r.size[a] = (double)(hi[a] - lo[a]) + 1;
    if (hi[a] > lo[a] || a == 0) r.dims = a + 1;
  }
  HG_TRY(hg_partition_find(o->rule == HG_OWNERS_ROWS ? "rows" : "nphp", &p));
  return hg_partition_tree(p->divide, &r, tree);
}

hg_status hg_owners_assign(hg_owners *o, int workers, const double *seconds)
{
  int least[workers], count[workers], loose = 0; /* tiles kept, tiles in all; tiles to hand out */
  double alike[workers];
  if (o->tiles == 0 || workers == 0) return HG_OK;
  memset(least, 0, sizeof least);
  memset(alike, 0, sizeof alike);
  int *list = malloc((size_t)o->tiles * sizeof *list);
  if (!list) return hg_fail(HG_MEMORY, "no memory for %d tiles", o->tiles);
  for (int i = 0; i < o->tiles; i++) {
    if (o->tile[i].settled)
      least[o->tile[i].worker]++;
    else
      list[loose++] = i;
  }
  for (int w = 0; w < workers; w++) alike[w] = isfinite(seconds[w]) ? 1 : seconds[w];
  hg_owners_counts(o->tiles, workers, o->rule == HG_OWNERS_EVEN ? alike : seconds, least, count);
  hg_tree tree = {0};
  hg_status status = make_tree(o, workers, count, &tree);
  for (int w = 0; w < workers; w++) count[w] -= least[w];
  const handing h = {.o = o, .tree = &tree, .count = count};
  if (status == HG_OK) hand_out(&h, 0, list, loose);
  hg_tree_free(&tree);
  free(list);
  o->assigned = o->tiles;
  return status;
}
