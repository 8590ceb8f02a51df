/* SPDX-License-Identifier: MIT */
/* Pictures of partitions. */
#include "partition/draw.h"

#include <stdlib.h>
#include <unistd.h>

#include "tap.h"

/* Files of two pictures, drawn one after the other. Their bytes do not depend on that order. */
static char picture[2][1 << 20];
static size_t bytes[2];

static void keep(const char *path, int number)
{
  FILE *in = fopen(path, "r");
  bytes[number] = in ? fread(picture[number], 1, sizeof picture[0], in) : 0;
  if (in) fclose(in);
}

static bool differ(void)
{
  return bytes[0] > 0 && (bytes[0] != bytes[1] || memcmp(picture[0], picture[1], bytes[0]) != 0);
}

/* Two equal parts differ only by their numbers, and runs that differ in upper layers only there. */
static void pictures_tell_parts_and_layers_apart(void)
{
  char path[] = "/tmp/hetgrid-parts-XXXXXX.png";
  const double speed[] = {1, 1};
  const hg_partition_request r = {.dims = 2, .size = {40, 40, 1}, .parts = 2, .speed = speed};
  const hg_rect rect[] = {{{0, 0, 0}, {20, 40, 1}}, {{20, 0, 0}, {40, 40, 1}}, {{0, 0, 0}, {20, 40, 1}}};
  const int64_t n[] = {4, 4, 3}, start[2][3] = {{0, 20, 48}, {0, 40, 48}};
  close(mkstemps(path, 4));
  for (int i = 0; i < 2; i++) {
    tap_ok(hg_partition_draw(path, "T", &r, rect + i, 0) == HG_OK, "two equal parts are drawn");
    keep(path, i);
  }
  tap_ok(differ(), "... but differ if they change places");
  for (int i = 0; i < 2; i++) {
    tap_ok(hg_points_draw(path, n, 2, start[i]) == HG_OK, "three layers are drawn");
    keep(path, i);
  }
  tap_ok(differ(), "... but differ if the upper ones do");
  unlink(path);
}

/* The largest number of layers that is drawn, and halos that reach beyond all cells. */
static void pictures_end_with_the_grid(void)
{
  char path[] = "/tmp/hetgrid-parts-XXXXXX.png";
  const double speed[] = {1, 1}, halo[] = {30, 3000};
  const hg_partition_request r = {.dims = 3, .size = {40, 40, 6}, .parts = 2, .speed = speed};
  const hg_rect rect[] = {{{0, 0, 0}, {20, 40, 6}}, {{20, 0, 0}, {40, 40, 6}}};
  const int64_t n[] = {4, 4, 6}, start[] = {0, 48, 96};
  close(mkstemps(path, 4));
  for (int i = 0; i < 2; i++) {
    tap_ok(hg_points_draw(path, n, 2, start) == HG_OK, "six layers are drawn");
    keep(path, i);
  }
  tap_ok(bytes[0] > 0 && !differ(), "... the same again");
  for (int i = 0; i < 2; i++) {
    tap_ok(hg_partition_draw(path, "T", &r, rect, halo[i]) == HG_OK, "halos of %g cells are drawn", halo[i]);
    keep(path, i);
  }
  tap_ok(bytes[0] > 0 && !differ(), "... which end with the grid");
  unlink(path);
}

/* Finds the ends of the next halo in an .svg, from left to right; NULL: there is none. */
static const char *next_halo(const char *at, double end[2])
{
  at = strstr(at, "fill-opacity:0.35");
  const char *path = at ? strstr(at, " d=\"M ") : NULL;
  return path && sscanf(path + 6, "%lf %*f L %lf", &end[0], &end[1]) == 2 ? path : NULL;
}

/* Two parts above each other on a wide grid: the halo of either is as wide as the grid. */
static void halos_go_along_whole_sides(void)
{
  char path[] = "/tmp/hetgrid-parts-XXXXXX.svg";
  const double speed[] = {1, 1};
  const hg_partition_request r = {.dims = 2, .size = {60, 20, 1}, .parts = 2, .speed = speed};
  const hg_rect rect[] = {{{0, 0, 0}, {60, 10, 1}}, {{0, 10, 0}, {60, 20, 1}}};
  double end[2][2] = {{0}};
  close(mkstemps(path, 4));
  tap_ok(hg_partition_draw(path, "T", &r, rect, 2) == HG_OK, "two wide parts and their halos are drawn");
  keep(path, 0);
  picture[0][bytes[0] < sizeof picture[0] ? bytes[0] : 0] = '\0';
  const char *at = picture[0];
  for (int i = 0; at && i < 2; i++) at = next_halo(at, end[i]);
  tap_ok(at && end[0][0] == end[1][0] && end[0][1] == end[1][1] && end[0][1] > end[0][0],
         "... which are equally wide: %g .. %g and %g .. %g", end[0][0], end[0][1], end[1][0], end[1][1]);
  unlink(path);
}

int main(void)
{
  halos_go_along_whole_sides();
  pictures_tell_parts_and_layers_apart();
  pictures_end_with_the_grid();
  return tap_done();
}
