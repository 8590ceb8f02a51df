/* SPDX-License-Identifier: MIT */
/* apps/examples/average.c with its neighbours stored in a set, or (first argument `zones`) in zones: what they cost. */
#define HG_VALUE double
#include <hetgrid/app.h>
#include <inttypes.h>
#include <stdio.h>

static bool at_side(int64_t x, int64_t y, const int64_t size[2])
{
  return x == 0 || y == 0 || x == size[0] - 1 || y == size[1] - 1;
}

HG_UPDATE(stored)
{
  if (hg_neighbours(u) < 4) return hg_value(u);
  return (hg_neighbour(u, 0) + hg_neighbour(u, 1) + hg_neighbour(u, 2) + hg_neighbour(u, 3)) / 4;
}

HG_UPDATE(zoned)
{
  const int64_t x = hg_x(u), y = hg_y(u);
  if (x == 0 || y == 0 || x == hg_extent(u, 0) - 1 || y == hg_extent(u, 1) - 1) return hg_value(u);
  return (hg_get(u, x - 1, y, 0) + hg_get(u, x + 1, y, 0) + hg_get(u, x, y - 1, 0) + hg_get(u, x, y + 1, 0)) / 4;
}

static void neighbours(const hg_cell *cell, hg_set *set, void *arg)
{
  const int64_t *size = (const int64_t *)arg, x = cell->x, y = cell->y;
  if (at_side(x, y, size)) return;
  const int64_t id[4] = {cell->id - 1, cell->id + 1, cell->id - size[0], cell->id + size[0]};
  for (int i = 0; i < 4; i++) hg_set_add(set, id[i]);
}

static void zone(const hg_box *tile, int64_t step, hg_zone *zone, void *arg)
{
  const int64_t *size = (const int64_t *)arg;
  (void)step;
  const int64_t x = tile->lo[0], y = tile->lo[1], nx = tile->hi[0] - x, ny = tile->hi[1] - y;
  if (y > 0) hg_zone_add(zone, x, y - 1, 0, nx, 1, 1);
  if (y + ny < size[1]) hg_zone_add(zone, x, y + ny, 0, nx, 1, 1);
  if (x > 0) hg_zone_add(zone, x - 1, y, 0, 1, ny, 1);
  if (x + nx < size[0]) hg_zone_add(zone, x + nx, y, 0, 1, ny, 1);
}

static hg_status start(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  (void)input;
  (void)arg;
  *(double *)value = (double)(cell->id * 7919 % 1009);
  return HG_OK;
}

int main(int argc, char **argv)
{
  const bool zones = argc > 1 && strcmp(argv[1], "zones") == 0;
  static int64_t size[2] = {1000, 1000}; /* for the functions above, which are not told */
  for (int i = 1; i < argc - 1; i++)
    if (strcmp(argv[i], "--size") == 0) sscanf(argv[i + 1], "%" SCNd64 ",%" SCNd64, &size[0], &size[1]);
  hg_job job = {.dims = 2, .size = {size[0], size[1], 1}, .init = start, .steps = 100, .arg = size};
  job.update = zones ? &zoned : &stored;
  if (zones)
    job.zone = zone;
  else
    job.neighbours = neighbours;
  return hg_main(argc - zones, argv + zones, &job);
}
