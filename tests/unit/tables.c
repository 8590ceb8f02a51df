/* SPDX-License-Identifier: MIT */
/* A scheduling policy's use of speed tables: the class of a task, the table of a device, a tile's time. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hetgrid.h"
#include "speed/kernel_classes.h"
#include "schedulers/tile_times.h"
#include "tap.h"

static const char *nearest(const char *name, double operations, double accesses)
{
  const hg_class *order[HG_CLASSES];
  hg_classes_by_distance(name, operations, accesses, order);
  for (int i = 0; i < HG_CLASSES; i++)
    for (int j = 0; j < i; j++)
      if (order[i] == order[j]) return "a class that comes twice";
  return order[0]->app;
}

static void classes_are_told_by_operations_per_access(void)
{
  tap_contains(nearest("tile", 7, 2), "heat", "five points");
  tap_contains(nearest("tile", 70, 20), "heat", "... in ten steps");
  tap_contains(nearest("gemm", 400, 4), "elimination", "a product of 200 x 200 tiles");
  tap_contains(nearest("dot", 2, 2), "adr", "one operation per access");
  tap_contains(nearest("paths", 1e6, 1), "pricer", "hardly any accesses");
  tap_contains(nearest("pricer_chunk", 7, 2), "pricer", "a name is nearer than numbers");
  tap_contains(nearest(NULL, 0, 3), "heat", "operations are unknown");
}

static char folder[] = "/tmp/hetgrid-tables-XXXXXX";

/* A table with two sizes of exchange, the larger of which costs 1 s more. */
static void write_table(const char *kernel, const char *device, double speed)
{
  char path[HG_PATH_MAX];
  hg_speed_table t;
  hg_table_path("heat", kernel, "double", device, path);
  hg_speed_table_make(2, 2, &t);
  t.c[1] = 100;
  for (int i = 0; i < 2; i++) {
    t.w[i] = i == 0 ? 1000 : 1e6;
    t.time[2 * i] = t.w[i] / speed;
    t.time[2 * i + 1] = t.time[2 * i] + 1;
  }
  hg_speed_table_write(path, "a test", &t);
  hg_speed_table_free(&t);
}

static hg_status find(const char *app, const char *device, double *speed)
{
  hg_speed_table t;
  *speed = 0;
  HG_TRY(hg_table_of_device(app, "double", device, 1e6, &t));
  if (t.nw > 0) *speed = t.w[1] / t.time[t.nc];
  hg_speed_table_free(&t);
  return HG_OK;
}

static void tables_are_found_for_whatever_kernel(void)
{
  double speed;
  if (!mkdtemp(folder)) return;
  setenv("HETGRID_TABLES", folder, 1);
  write_table("avx2", "Some-CPU", 2e9);
  write_table("avx512", "Some-CPU", 3e9);
  write_table("baseline", "Some-CPU", 1e9);
  write_table("avx512", "Some-CPU-2-cores", 9e9);
  tap_ok(find("heat", "Some-CPU", &speed) == HG_OK, "a table is found");
  tap_near(speed, 3e9, 100, "... of the fastest kernel, not that of several cores");
  tap_ok(find("heat", "CPU", &speed) == HG_OK && speed <= 0, "the end of a name does not match");
  tap_ok(find("heat", "Some-CPU-worker-1", &speed) == HG_OK && speed <= 0, "another device has no table");
  tap_ok(find("elimination", "Some-CPU", &speed) == HG_OK && speed <= 0, "nor another application");
  setenv("HETGRID_TABLES", "/nowhere", 1);
  tap_ok(find("heat", "Some-CPU", &speed) == HG_IO && strstr(hg_message(), "/nowhere"), "no folder: %s", hg_message());
}

static void a_table_becomes_a_partial_function(void)
{
  hg_speed_table t;
  hg_partial_speed s;
  double item;
  setenv("HETGRID_TABLES", folder, 1);
  if (!tap_ok(hg_table_of_device("heat", "double", "Some-CPU", 1, &t) == HG_OK && t.nw == 2, "a table")) return;
  hg_speed_table_partial(&t, &s, &item);
  tap_near(hg_partial_time(&s, 1e6), 1e6 / 3e9, 1e-12, "... as a partial function gives the same times");
  tap_near(item, .01, 1e-9, "... an item costs what the table says");
  hg_speed_table_free(&t);
  char command[sizeof folder + 16];
  snprintf(command, sizeof command, "rm -r %s", folder);
  tap_int(system(command), 0, "the tables are gone again");
}

static hg_speed_model constant(hg_partial_speed *s, double speed)
{
  *s = (hg_partial_speed){0};
  hg_partial_learn(s, 1, 1 / speed);
  return (hg_speed_model){.kind = HG_SPEED_PARTIAL, .partial = s};
}

static void tiles_take_what_they_take_at_the_share(void)
{
  const int64_t n[3] = {300, 1, 1};
  hg_partial_speed s[2];
  hg_speed_model model[2] = {constant(&s[0], 1), constant(&s[1], 1)};
  double seconds[2];
  hg_partial_learn(&s[0], 100, 100);
  hg_partial_learn(&s[0], 300, 600);
  tap_ok(hg_tile_times(1, n, 2, model, "nphp", seconds) == HG_OK, "tiles of a core that leaves its cache");
  tap_near(seconds[0], 1.117, .01, "... take the time that they take at its share");
  tap_near(seconds[1], 1, 1e-9, "... and the other's the usual time");
  model[1] = constant(&s[1], .25);
  model[1].tc = 1000;
  tap_ok(hg_tile_times(1, n, 2, model, "nphp", seconds) == HG_OK, "a border that costs more than it gains");
  tap_near(seconds[0], 2, 1e-9, "... leaves all to one");
  tap_ok(hg_tile_times(1, n, 0, model, "nphp", seconds) == HG_INVALID, "no worker: %s", hg_message());
}

/* All 300 tiles exceed the cache of one of 20 workers, but still take less time than borders between workers. */
static void borders_of_many_workers_count(void)
{
  enum { MANY = 20 };
  const int64_t n[3] = {300, 1, 1};
  static hg_partial_speed s[MANY];
  hg_speed_model model[MANY];
  double seconds[MANY];
  for (int i = 0; i < MANY; i++) {
    model[i] = constant(&s[i], i ? .25 : 1);
    model[i].tc = i ? 1000 : 0;
  }
  hg_partial_learn(&s[0], 100, 100);
  hg_partial_learn(&s[0], 300, 600);
  tap_ok(hg_tile_times(1, n, MANY, model, "nphp", seconds) == HG_OK,
         "20 workers whose borders cost more than they gain");
  tap_near(seconds[0], 2, 1e-9, "... leave all to one");
}

static void many_workers_are_divided_in_no_time(void)
{
  enum { MANY = 60 };
  static hg_partial_speed s[MANY];
  static hg_speed_model model[MANY];
  double seconds[MANY];
  const int64_t n[3] = {400, 300, 1};
  for (int parts = 16; parts <= MANY; parts += MANY - 16) {
    for (int i = 0; i < parts; i++) model[i] = constant(&s[i], 1 + i % 7);
    const double start = hg_now();
    const hg_status status = hg_tile_times(2, n, parts, model, "nphp", seconds);
    const double took = hg_now() - start;
    tap_ok(status == HG_OK && took < 1, "120 000 tiles, %d workers: %.2g s", parts, took);
    tap_near(seconds[3], .25, 1e-9, "... each as fast as it is");
  }
}

int main(void)
{
  classes_are_told_by_operations_per_access();
  tables_are_found_for_whatever_kernel();
  a_table_becomes_a_partial_function();
  tiles_take_what_they_take_at_the_share();
  borders_of_many_workers_count();
  many_workers_are_divided_in_no_time();
  return tap_done();
}
