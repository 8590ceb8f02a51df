/* SPDX-License-Identifier: MIT */
#include "schedulers/owners.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "partition/partition.h"

void hg_owners_free(hg_owners *o)
{
  free(o->tile);
  hg_map_clear(&o->of_key);
  *o = (hg_owners){.tile = NULL};
}

/* The fewest and the most times that any tile has been written. */
static void count_writes(hg_owners *o)
{
  o->least = INT64_MAX;
  o->most = 0;
  for (int i = 0; i < o->tiles; i++) {
    const hg_tile_owner *t = &o->tile[i];
    if (!t->key) continue;
    if (t->written < o->least) o->at_least = 0;
    if (t->written <= o->least) {
      o->least = t->written;
      o->at_least++;
    }
    if (t->written > o->most) o->most = t->written;
  }
}

static void forget(hg_owners *o, int i)
{
  hg_map_forget(&o->of_key, o->tile[i].key);
  o->tile[i] = (hg_tile_owner){.worker = o->free};
  o->free = i + 1;
  o->known--;
}

/* Forgets tiles that no task waits for and that were not written for long; returns whether there were any. Leaves
 * small tables as they are. */
static bool purge(hg_owners *o)
{
  enum { SMALL = 4096 };
  const int64_t long_ago = o->writes - o->known / 2;
  const int before = o->known;
  if (before < SMALL) return false;
  for (int i = 0; i < o->tiles; i++)
    if (o->tile[i].key && o->tile[i].live == 0 && o->tile[i].last < long_ago) forget(o, i);
  if (o->known == before) return false;
  count_writes(o);
  return true;
}

static bool grow(hg_owners *o)
{
  const int room = o->room ? 2 * o->room : 64;
  hg_tile_owner *tile = realloc(o->tile, (size_t)room * sizeof *tile);
  if (!tile) return false;
  o->tile = tile;
  o->room = room;
  return true;
}

int hg_owners_tile(hg_owners *o, const void *key, int dims, const int *at)
{
  hg_tile_owner fresh = {.key = key, .worker = -1, .last = o->writes};
  for (int a = 0; a < dims && a < 3; a++) fresh.at[a] = at[a];
  const int known = hg_map_find(&o->of_key, key);
  if (known >= 0 && (o->tile[known].live > 0 || memcmp(o->tile[known].at, fresh.at, sizeof fresh.at) == 0))
    return known;
  if (known >= 0) forget(o, known);
  if (!o->free && o->tiles == o->room && !(o->room && purge(o)) && !grow(o)) return -1;
  const int i = o->free ? o->free - 1 : o->tiles;
  if (!hg_map_set(&o->of_key, key, i)) return -1;
  if (o->free)
    o->free = o->tile[i].worker;
  else
    o->tiles++;
  o->tile[i] = fresh;
  o->known++;
  return i;
}

void hg_owners_submitted(hg_owners *o, int tile)
{
  hg_tile_owner *t = &o->tile[tile];
  t->last = ++o->writes;
  t->live++;
  if (t->written++ == 0) {
    if (o->least != 1) o->at_least = 0;
    o->at_least++;
    o->least = 1;
    if (o->most == 0) o->most = 1;
    return;
  }
  if (t->written > o->most) o->most = t->written;
  if (t->written - 1 == o->least && --o->at_least == 0) count_writes(o);
}

void hg_owners_counts(int tiles, int workers, const double *seconds, const int *least, int *count)
{
  double speed = 0;
  int left = tiles, kept = 0;
  for (int w = 0; w < workers; w++) {
    speed += 1 / seconds[w];
    kept += least[w];
  }
  for (int w = 0; w < workers; w++) {
    /* no worker gets fewer than this in the end */
    const double share = kept == 0 && isfinite(seconds[w]) ? ceil(tiles / (seconds[w] * speed) * (1 - 1e-12)) - 1 : 0;
    left -= count[w] = share > 0 ? (int)share : least[w];
  }
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
  return o->most - o->least <= 1 + o->most / 8;
}

/* The tiles being handed out, sorted again for every cut. */
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

int hg_owners_extents(const hg_owners *o, int64_t n[3])
{
  int64_t lo[3] = {INT64_MAX, INT64_MAX, INT64_MAX}, hi[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
  int dims = 1;
  for (int i = 0; i < o->tiles; i++)
    for (int a = 0; o->tile[i].key && a < 3; a++) {
      if (o->tile[i].at[a] < lo[a]) lo[a] = o->tile[i].at[a];
      if (o->tile[i].at[a] > hi[a]) hi[a] = o->tile[i].at[a];
    }
  for (int a = 0; a < 3; a++) {
    n[a] = hi[a] - lo[a] + 1;
    if (n[a] > 1) dims = a + 1;
  }
  return dims;
}

/* The partitioner's tree with the given number of tiles per worker, on the box that the tiles span. */
static hg_status make_tree(const hg_owners *o, const char *partitioner, int workers, const int *count, hg_tree *tree)
{
  double speed[workers];
  int64_t n[3];
  hg_partition_request r = {.parts = workers, .speed = speed, .dims = hg_owners_extents(o, n)};
  const hg_partitioner *p;
  for (int w = 0; w < workers; w++) speed[w] = count[w];
  for (int a = 0; a < 3; a++) r.size[a] = (double)n[a];
  HG_TRY(hg_partition_find(partitioner, &p));
  return hg_partition_tree(p->divide, &r, tree);
}

hg_status hg_owners_assign(hg_owners *o, const char *partitioner, int workers, const double *seconds)
{
  int least[workers], count[workers], loose = 0; /* tiles kept, tiles in all; tiles to hand out */
  if (o->known == 0 || workers == 0) return HG_OK;
  memset(least, 0, sizeof least);
  int *list = malloc((size_t)o->tiles * sizeof *list);
  if (!list) return hg_fail(HG_MEMORY, "no memory for %d tiles", o->tiles);
  for (int i = 0; i < o->tiles; i++) {
    if (!o->tile[i].key) continue;
    if (o->tile[i].settled)
      least[o->tile[i].worker]++;
    else
      list[loose++] = i;
  }
  hg_owners_counts(o->known, workers, seconds, least, count);
  hg_tree tree = {0};
  hg_status status = make_tree(o, partitioner, workers, count, &tree);
  for (int w = 0; w < workers; w++) count[w] -= least[w];
  const handing h = {.o = o, .tree = &tree, .count = count};
  if (status == HG_OK) hand_out(&h, 0, list, loose);
  hg_tree_free(&tree);
  free(list);
  o->assigned = o->known;
  return status;
}
