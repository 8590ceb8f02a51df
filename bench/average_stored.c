/* SPDX-License-Identifier: MIT */
/* apps/examples/average.c with neighbours stored in a set, or (first argument `zones`) in zones, to compare costs. */
#define HG_VALUE double
#include <hetgrid/app.h>
#include <string.h>

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
  const int64_t *n = cell->n, x = cell->x, y = cell->y;
  (void)arg;
  if (x == 0 || y == 0 || x == n[0] - 1 || y == n[1] - 1) return;
  const int64_t id[4] = {cell->id - 1, cell->id + 1, cell->id - n[0], cell->id + n[0]};
  for (int i = 0; i < 4; i++) hg_set_add(set, id[i]);
}

static void zone(const hg_box *tile, int64_t step, hg_zone *zone, void *arg)
{
  const int64_t *n = hg_zone_size(zone);
  (void)step;
  (void)arg;
  const int64_t x = tile->lo[0], y = tile->lo[1], nx = tile->hi[0] - x, ny = tile->hi[1] - y;
  if (y > 0) hg_zone_add(zone, x, y - 1, 0, nx, 1, 1);
  if (y + ny < n[1]) hg_zone_add(zone, x, y + ny, 0, nx, 1, 1);
  if (x > 0) hg_zone_add(zone, x - 1, y, 0, 1, ny, 1);
  if (x + nx < n[0]) hg_zone_add(zone, x + nx, y, 0, 1, ny, 1);
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
  hg_job job = {.dims = 2, .size = {1000, 1000, 1}, .init = start, .steps = 100};
  job.update = zones ? &zoned : &stored;
  if (zones)
    job.zone = zone;
  else
    job.neighbours = neighbours;
  return hg_main(argc - zones, argv + zones, &job);
}
