/* SPDX-License-Identifier: MIT */
#include "placement/choose.h"

#include <math.h>

#include "base/topology.h"
#include "base/integers.h"
#include "placement/tiling.h"

/* At most a quarter of the smallest extent of a region along an axis that has margins, in steps of `radius` cells; a
 * sixth in 3-D, where there are margins on more sides. */
static int64_t limit_depth(const hg_domain *d, int64_t depth, int regions, const hg_box *box)
{
  const int64_t parts = d->dims == 3 ? 6 : 4;
  for (int i = 0; i < regions; i++)
    for (int axis = 0; axis < d->dims && hg_box_cells(&box[i]) > 0; axis++) {
      int64_t extent = hg_box_extent(&box[i], axis);
      bool cut = extent < d->n[axis] || d->side[axis][0] != HG_FIXED || d->side[axis][1] != HG_FIXED;
      if (cut) depth = hg_min(depth, hg_max(extent / parts / d->radius, 1));
    }
  return hg_min(depth, hg_tiling_max_depth(d));
}

/* Steps for updates by points on CPUs, whose tiles are cut into pieces that fit in the caches: more steps save little,
 * and compute more margins. In 3-D an L2 cache of 1 MB holds rows of planes of 12 steps (256 x 256 x 128 doubles: 1.92
 * GStencil/s, in 8 steps 1.65). */
static int64_t depth_by_pieces(const hg_domain *d)
{
  enum { MB = 1 << 20 };
  const int64_t in_space = hg_l2_cache_bytes() >= MB ? 12 : 8;
  return (d->dims == 2 ? 32 : in_space) / hg_max(d->radius, 1);
}

/* As many steps as have their intermediate layers in half of the L2 cache. */
static int64_t depth_by_cache(const hg_choice *c, bool cuda, int regions, const hg_box *box)
{
  enum { MOST = 12, LINE_STEPS = 32 };
  const hg_domain *d = c->domain;
  int64_t layer = 1;
  if (d->dims == 1) return LINE_STEPS;
  for (int i = 0; i < regions; i++) {
    const int64_t row = hg_box_extent(&box[i], 0), rows = d->dims > 2 ? hg_box_extent(&box[i], 1) : 1;
    layer = hg_max(layer, row * rows * c->value_bytes);
  }
  return hg_max(hg_min(hg_l2_cache_bytes() / 2 / (layer * (2 * d->radius + 1)) + 1, MOST),
                cuda ? 1 : depth_by_pieces(d));
}

/* Cells that a worker advances by a step in the overhead of a task where workers wait for each other: about 40 us at
 * about 4e9 cells/s. Tasks of a single worker cost half of that. */
enum { TASK_CELLS = 160000, DEEPEST = 256 };

/* Steps for which a task's overhead is a fiftieth of the work in the largest region, if that fits in the L2 cache;
 * else 0. */
static int64_t depth_by_task(const hg_choice *c, int regions, const hg_box *box)
{
  int64_t cells = 1;
  for (int i = 0; i < regions; i++) cells = hg_max(cells, hg_box_cells(&box[i]));
  return cells * c->value_bytes > hg_l2_cache_bytes() / 4 * 3 ? 0 : hg_min(50 * (TASK_CELLS / 2) / cells, DEEPEST);
}

int hg_choose_depth(const hg_choice *c, bool cuda, int regions, const hg_box *box)
{
  const int64_t by_task = cuda ? 0 : depth_by_task(c, regions, box),
                wanted = c->depth[cuda] ? hg_max(c->depth[cuda], by_task) : depth_by_cache(c, cuda, regions, box);
  return (int)hg_max(hg_min(limit_depth(c->domain, wanted, regions, box), hg_max(c->steps, 1)), 1);
}

/* Cost of a step, in cells, with blocks of k steps: a worker's part, margins along `cuts` sides of a part `extent`
 * cells wide, and the task. */
static double step_cells(double part, double extent, int cuts, int64_t k)
{
  return part * (1 + (double)cuts * (double)(k - 1) / 2 / extent) + TASK_CELLS / (double)k;
}

bool hg_choose_alone(const hg_choice *c, int workers)
{
  const hg_domain *d = c->domain;
  const double cells = (double)d->n[0] * (double)d->n[1] * (double)d->n[2];
  int64_t longest = hg_max(d->n[0], hg_max(d->n[1], d->n[2]));
  const int64_t deepest = hg_min(c->steps, DEEPEST), most = hg_min(deepest, longest / workers / 4);
  double divided = INFINITY;
  if (c->depth[0] == 0 || workers < 2 || c->steps < DEEPEST) return false;
  for (int64_t k = 1; k <= hg_max(most, 1); k++)
    divided = fmin(divided, step_cells(cells / workers, (double)longest / workers, workers > 2 ? 2 : 1, k));
  return step_cells(cells, 1, 0, deepest) < divided;
}

/* Bytes of the largest layer between two regions: the longest border across a cut axis. */
static double border_bytes(const hg_choice *c, int regions, const hg_box *box)
{
  const hg_domain *d = c->domain;
  double most = 0;
  for (int i = 0; i < regions; i++)
    for (int axis = 0; axis < d->dims && hg_box_cells(&box[i]) > 0; axis++)
      if (hg_box_extent(&box[i], axis) < d->n[axis])
        most = fmax(most, (double)hg_box_cells(&box[i]) / (double)hg_box_extent(&box[i], axis));
  return most * d->radius * (double)c->value_bytes;
}

int hg_choose_depth_by_network(const hg_choice *c, const hg_network_level *wire, const hg_network_level *node,
                               int regions, const hg_box *box)
{
  enum { MOST = 64 };
  const double layer = border_bytes(c, regions, box), large = node->point[node->points - 1].bytes,
               per_byte = hg_network_time(node, large) / fmax(large, 1);
  const int64_t most = hg_max(hg_min(limit_depth(c->domain, MOST, regions, box), hg_max(c->steps, 1)), 1);
  double least = INFINITY;
  int best = 1;
  for (int k = 1; k <= most && layer > 0; k++) {
    const double step = 2 * hg_network_time(wire, k * layer) / k + (k - 1) / 2. * layer * per_byte;
    if (step < least) least = step, best = k;
  }
  return best;
}

/* Equal parts of an extent, none longer than `most`. */
static int64_t equal_parts(int64_t extent, double most)
{
  const int64_t parts = (int64_t)ceil((double)extent / fmax(most, 1));
  return (extent + parts - 1) / parts;
}

/* Cuts squares (in 3-D of whole rows), so that the required number of tiles fits. */
static void cut_to_memory(const hg_choice *c, int64_t tile[3])
{
  enum { STATES = 2, TILES = 4 };
  const double most = c->memory / (STATES * TILES) / (double)c->value_bytes;
  const int first = c->domain->dims == 3, other = c->domain->dims > 1 ? first + 1 : first;
  const double square = first ? most / (double)tile[0] : most;
  const int shorter = tile[first] < tile[other] ? first : other, longer = first + other - shorter;
  if (shorter != longer) tile[shorter] = equal_parts(tile[shorter], sqrt(square));
  tile[longer] = equal_parts(tile[longer], shorter != longer ? square / (double)tile[shorter] : square);
}

/* Cuts slabs along the border with other regions; the last one is computed while the border's cells are sent. Smaller
 * slabs do not fill the device (H100: 8192^2 1270 GStencil/s, 4096^2 1051). */
static bool cut_along_border(const hg_domain *d, int64_t tile[3])
{
  enum { SLABS = 3, LEAST = 1 << 25 };
  int axis = d->dims - 1;
  while (axis >= 0 && tile[axis] == d->n[axis]) axis--;
  const int64_t slabs = hg_min(tile[0] * tile[1] * tile[2] / LEAST, SLABS);
  if (axis < 0 || slabs < 2) return false;
  tile[axis] = (tile[axis] + slabs - 1) / slabs;
  return true;
}

/* Tiles of a GPU: slabs if it has neighbours, else squares that fill the device; in 3-D whole regions. */
static void cut_for_gpu(const hg_choice *c, int64_t tile[3])
{
  enum { GPU_TILE = 8192 };
  if (c->memory <= 0 && cut_along_border(c->domain, tile)) return;
  for (int axis = 0; axis < 2 && c->domain->dims == 2; axis++) tile[axis] = hg_min(tile[axis], GPU_TILE);
  if (c->memory > 0) cut_to_memory(c, tile);
}

static void extents_of(const hg_box *region, int64_t tile[3])
{
  for (int axis = 0; axis < 3; axis++) tile[axis] = hg_max(hg_box_extent(region, axis), 1);
}

int hg_choose_depth_by_bus(const hg_choice *c, int regions, const hg_box *box)
{
  /* 32000^2 in 12 GB, GStencil/s: 139 with 24 steps, 243 with 96, 371 with 192 (H100). 16000^2 in 400 MB took 1.03 s
   * with margins of a sixteenth, which kept the bus busy, and 0.83 with a tenth (timed node) */
  enum { BUS_STEPS = 192, MARGINS = 10 };
  const hg_domain *d = c->domain;
  const int64_t steps = hg_max(c->steps, 1);
  int64_t depth = BUS_STEPS;
  for (int i = 0; i < regions; i++) {
    int64_t tile[3];
    extents_of(&box[i], tile);
    cut_for_gpu(c, tile);
    for (int axis = 0; axis < d->dims && hg_box_cells(&box[i]) > 0; axis++)
      depth = hg_min(depth, tile[axis] / MARGINS / hg_max(d->radius, 1));
  }
  depth = hg_max(hg_min(limit_depth(d, depth, regions, box), steps), 1);
  const int64_t tasks = (steps + depth - 1) / depth;
  return (int)((steps + tasks - 1) / tasks);
}

static void cut_bands(int slow, int64_t margin, int64_t tile[3])
{
  enum { TILE_CELLS = 1 << 28 };
  tile[slow] = hg_choose_band(tile[slow], margin);
  while (tile[0] * tile[1] * tile[2] > TILE_CELLS && tile[slow] > 1) tile[slow] = (tile[slow] + 1) / 2;
}

/* Batches so small that the others can make up for a worker that is slower than expected. A GPU needs many units to be
 * busy. */
static void cut_batches(int slow, bool cuda, int64_t tile[3])
{
  enum { ON_CPUS = 24, ON_GPUS = 4 };
  const int64_t batches = cuda ? ON_GPUS : ON_CPUS;
  tile[slow] = hg_max((tile[slow] + batches - 1) / batches, 1);
}

/* If the cache decides, a tile of a 1-D grid fits in it with two intermediate states. */
void hg_choose_tile(const hg_choice *c, const hg_box *region, bool cuda, int depth, int64_t tile[3])
{
  const hg_domain *d = c->domain;
  extents_of(region, tile);
  if (c->independent) {
    cut_batches(d->dims - 1, cuda, tile);
    return;
  }
  if (!cuda) cut_bands(d->dims - 1, (int64_t)depth * d->radius, tile);
  if (!cuda && d->dims == 1 && depth > 1 && !c->depth[0])
    tile[0] = hg_min(tile[0], hg_max(hg_l2_cache_bytes() / 4 / c->value_bytes, 1));
  if (cuda) cut_for_gpu(c, tile);
}

/* Number of tiles of a region, and the work of a tile's task, in cells times steps. */
static int64_t count_tiles(const hg_box *region, int depth, const int64_t tile[3], int64_t *work)
{
  int64_t tiles = 1;
  *work = depth;
  for (int axis = 0; axis < 3; axis++) {
    const int64_t extent = hg_max(hg_box_extent(region, axis), 1);
    tiles *= (extent + tile[axis] - 1) / tile[axis];
    *work *= hg_min(tile[axis], extent);
  }
  return tiles;
}

bool hg_choose_wider(const hg_box *region, int depth, int64_t tile[3])
{
  enum { MANY = 100, WORK = 8 * TASK_CELLS };
  int64_t work;
  bool wider = false;
  while (count_tiles(region, depth, tile, &work) > MANY && work < WORK) {
    int narrow = -1;
    for (int axis = 0; axis < 3; axis++)
      if (tile[axis] < hg_box_extent(region, axis) && (narrow < 0 || tile[axis] < tile[narrow])) narrow = axis;
    tile[narrow] *= 2;
    wider = true;
  }
  return wider;
}

int hg_choose_nb(int64_t n, bool cuda)
{
  if (cuda) return n < 2000 ? 256 : n < 8000 ? 512 : 1024; /* H100, n = 20000: 512 take 1.25 times as long */
  return n < 700 ? 96 : n < 1500 ? 128 : n < 3000 ? 192 : n < 6000 ? 256 : 384;
}
