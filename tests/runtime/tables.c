/* SPDX-License-Identifier: MIT */
/* Speed tables that the policy reads itself (HETGRID_TABLES): how many of a stencil's tiles each worker does in the
 * first rounds, if the tables say that one of two equal workers is three times as fast. With the argument "plugin",
 * STARPU_SCHED_LIB and STARPU_SCHED name the policy. */
#include <math.h>
#include <starpu.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "speed/tables.h"
#include "schedulers/speeds.h"
#include "schedulers/hetgrid_sched.h"
#include "tap.h"

enum { NX = 8, NY = 10, TILES = NX * NY, SIDE = 16, ROUNDS = 12, AT_FIRST = 2 };

static bool plugin;
static char folder[] = "/tmp/hetgrid-policy-tables-XXXXXX";
static atomic_int done[ROUNDS][2]; /* by which worker */
static useconds_t task_us[2];
static double first_rounds; /* s */

/* Sleeps instead of computing, so that other load on the machine slows no worker. */
static void work_cpu(void *buffer[], void *arg)
{
  (void)buffer;
  const int w = starpu_worker_get_id() == 0 ? 0 : 1;
  done[*(int *)arg][w]++;
  usleep(task_us[w]);
}

static struct starpu_codelet tile_codelet = {
    .cpu_funcs = {work_cpu}, .nbuffers = 1, .modes = {STARPU_RW}, .name = "tile"};

/* A table of worker 0 or 1 for an application: cells/s with 10 tiles or fewer, and with 40 or more. */
static void write_table(const char *app, int worker, double speed, double crowded)
{
  char path[HG_PATH_MAX], model[128], key[128], device[160];
  hg_speed_table t;
  hg_cpu_model(model, sizeof model);
  hg_device_key(model, key, sizeof key);
  snprintf(device, sizeof device, "%s-worker-%d", key, worker);
  hg_table_path(app, "test", "double", device, path);
  hg_speed_table_make(2, 1, &t);
  t.time[0] = (t.w[0] = 10 * SIDE * SIDE) / speed;
  t.time[1] = (t.w[1] = 40 * SIDE * SIDE) / crowded;
  hg_speed_table_write(path, "a test", &t);
  hg_speed_table_free(&t);
}

static bool start(const char *policy)
{
  struct starpu_conf conf;
  starpu_conf_init(&conf);
  conf.sched_policy = plugin ? NULL : hg_sched_find(policy);
  conf.ncuda = 0;
  conf.ncpus = 2;
  if (plugin) setenv("STARPU_SCHED", policy, 1);
  memset(done, 0, sizeof done);
  return starpu_init(&conf) == 0;
}

static void register_tiles(starpu_data_handle_t *handle, int owner)
{
  static double memory[TILES][SIDE * SIDE];
  for (int i = 0; i < TILES; i++) {
    starpu_matrix_data_register(&handle[i], STARPU_MAIN_RAM, (uintptr_t)memory[i], SIDE, SIDE, SIDE, sizeof(double));
    starpu_data_set_coordinates(handle[i], 2, i % NX, i / NX);
    if (owner >= 0) hg_sched_set_owner(handle[i], i % 4 ? 1 - owner : owner);
  }
}

static void submit(starpu_data_handle_t *handle, int *round, double flops)
{
  for (int i = 0; i < TILES; i++)
    starpu_task_insert(&tile_codelet, STARPU_RW, handle[i], STARPU_CL_ARGS_NFREE, round, sizeof *round, STARPU_FLOPS,
                       flops, 0);
}

/* Rounds over the tiles. Two are submitted before any task begins (for hetgrid three, which it needs to recognise
 * rounds), so nothing is measured when tiles are divided; later ones when the previous one is done.
 * @param flops  of a task; 0: not given
 * @param owner  worker to which the program gives a quarter of the tiles; -1: the policy divides them */
static bool sweep(const char *policy, double flops, int owner)
{
  static int round[ROUNDS];
  starpu_data_handle_t handle[TILES];
  if (!start(policy)) return false;
  register_tiles(handle, owner);
  for (int r = 0; r < ROUNDS; r++) round[r] = r;
  starpu_pause();
  for (int r = 0; r < AT_FIRST; r++) submit(handle, &round[r], flops);
  const double begun = starpu_timing_now();
  starpu_resume();
  starpu_task_wait_for_all();
  first_rounds = (starpu_timing_now() - begun) * 1e-6;
  for (int r = AT_FIRST; r < ROUNDS; r++) {
    submit(handle, &round[r], flops);
    starpu_task_wait_for_all();
  }
  for (int i = 0; i < TILES; i++) starpu_data_unregister(handle[i]);
  starpu_shutdown();
  return true;
}

/* Tiles of worker 0 in the first and in the last round; -1: any number. */
static void expect(const char *what, const char *policy, double flops, int first, int last)
{
  sweep(policy, flops, -1);
  const int begun = done[0][0], ended = done[ROUNDS - 1][0];
  tap_ok(abs(begun - first) <= 2 && (last < 0 || abs(ended - last) <= 8),
         "%s: %s: worker 0 does %d of %d tiles first (expected %d), %d last (%d)", policy, what, begun, TILES, first,
         ended, last);
}

static void workers_take(useconds_t first, useconds_t second)
{
  task_us[0] = first;
  task_us[1] = second;
}

static void divisions_follow_tables(void)
{
  workers_take(500, 500);
  expect("a folder without tables", "hetgrid-rows", 0, TILES / 2, -1);
  write_table("heat", 0, 3e9, 3e9);
  expect("a worker without a table", "hetgrid-rows", 0, TILES / 2, -1);
  write_table("heat", 1, 1e9, 1e9);
  expect("tables of 3 to 1", "hetgrid-rows", 0, TILES * 3 / 4, TILES * 3 / 4);
  expect("tables of 3 to 1", "hetgrid-dfpa", 0, TILES * 3 / 4, -1);
  expect("equal parts whatever tables say", "hetgrid-even", 0, TILES / 2, TILES / 2);
  sweep("hetgrid-rows", 0, 0);
  tap_int(done[0][0], TILES / 4, "owners that the program names stay, whatever tables say");
}

/* Within the cache both are equal. The first takes 10 s for 10 tiles, 400 s for 40, x / (1 - 0.03 (x - 10)) s for x; at
 * x = 26.7 that equals the time 80 - x of the second for the other tiles. */
static void shares_count(void)
{
  workers_take(500, 500);
  write_table("heat", 0, SIDE * SIDE, .1 * SIDE * SIDE);
  write_table("heat", 1, SIDE * SIDE, SIDE * SIDE);
  expect("a worker that leaves its cache", "hetgrid-rows", 0, 27, 27);
  write_table("heat", 0, 3e9, 3e9);
  write_table("heat", 1, 1e9, 1e9);
}

static double equal_cost(struct starpu_task *task, unsigned worker, unsigned implementation)
{
  (void)task;
  (void)worker;
  (void)implementation;
  return 500;
}

static void models_are_nearer_than_tables(void)
{
  static struct starpu_perfmodel model = {
      .type = STARPU_PER_WORKER, .worker_cost_function = equal_cost, .symbol = "hetgrid_tables_test"};
  workers_take(500, 500);
  tile_codelet.model = &model;
  expect("a model that knows the times", "hetgrid-rows", 0, TILES / 2, TILES / 2);
  workers_take(3000, 1000);
  sweep("hetgrid-dfpa", 0, -1);
  tap_ok(abs(done[0][0] - TILES / 2) <= 2 && done[ROUNDS - 1][0] <= TILES * 3 / 8,
         "... or thinks so, of workers of 1 to 3: hetgrid-dfpa begins with %d tiles of worker 0 and ends with %d (%d)",
         done[0][0], done[ROUNDS - 1][0], TILES / 4);
  tile_codelet.model = NULL;
}

static void measured_times_refine_tables(void)
{
  workers_take(3000, 1000);
  sweep("hetgrid-dfpa", 0, -1);
  const int begun = done[0][0], ended = done[ROUNDS - 1][0];
  tap_ok(abs(begun - TILES * 3 / 4) <= 2 && ended <= TILES / 2,
         "tables of 3 to 1, workers of 1 to 3: hetgrid-dfpa begins with %d tiles of worker 0 and ends with %d (%d)",
         begun, ended, TILES / 4);
}

/* Sleeps may last longer on a busy machine: the shortest of some runs counts. */
static void first_rounds_are_shorter(void)
{
  double with = INFINITY, without = INFINITY;
  workers_take(2000, 6000);
  for (int run = 0; run < 5 && !(with < .85 * without); run++) {
    sweep("hetgrid-rows", 0, -1);
    if (first_rounds < with) with = first_rounds;
    unsetenv("HETGRID_TABLES");
    sweep("hetgrid-rows", 0, -1);
    setenv("HETGRID_TABLES", folder, 1);
    if (first_rounds < without) without = first_rounds;
  }
  tap_ok(with < .85 * without, "workers of 3 to 1: two rounds take %.3f s with tables, %.3f s without", with, without);
}

static void tables_are_of_the_nearest_class(void)
{
  workers_take(100, 100);
  write_table("elimination", 0, 1e9, 1e9);
  write_table("elimination", 1, 7e9, 7e9);
  expect("few operations: heat's tables", "hetgrid-rows", 7 * SIDE * SIDE, TILES * 3 / 4, -1);
  expect("many operations: elimination's tables", "hetgrid-rows", 400 * SIDE * SIDE, TILES / 8, -1);
}

/* The policy's messages on stderr. */
static void expect_warning(const char *what, const char *part)
{
  char text[2000] = "", path[sizeof folder + 8];
  snprintf(path, sizeof path, "%s.log", folder);
  fflush(stderr);
  const int kept = dup(STDERR_FILENO);
  if (!freopen(path, "w", stderr)) return;
  expect(what, "hetgrid-rows", 0, TILES / 2, -1);
  fflush(stderr);
  dup2(kept, STDERR_FILENO);
  FILE *f = fopen(path, "r");
  if (f) text[fread(text, 1, sizeof text - 1, f)] = 0;
  if (f) fclose(f);
  unlink(path);
  const char *first = strstr(text, "HETGRID_TABLES");
  tap_ok(first && strstr(first, part) && !strstr(first + 1, "HETGRID_TABLES"), "... and says so once: %.*s",
         (int)strcspn(text, "\n"), text);
}

static void bad_tables_are_named(void)
{
  char path[sizeof folder + 200], command[sizeof folder + 300];
  workers_take(100, 100);
  snprintf(command, sizeof command, "for f in %s/heat-*; do echo 1000,0,-3 > $f; done", folder);
  if (system(command) != 0) return;
  expect_warning("a table with a negative time", "time -3 s");
  snprintf(path, sizeof path, "rm -r %s", folder);
  if (system(path) != 0) return;
  expect_warning("a missing folder", "No such file");
}

static void gpus_are_known_by_their_model(void)
{
  char key[64] = "";
  tap_ok(hg_sched_gpu_key("CUDA 0.0 (NVIDIA H200 139.7 GiB 07:00.0)", key, sizeof key) &&
             strcmp(key, "NVIDIA-H200") == 0,
         "a GPU's model from the name of its worker: %s", key);
  tap_ok(!hg_sched_gpu_key("CPU 1", key, sizeof key), "a core has no such name");
}

int main(int argc, char **argv)
{
  plugin = argc > 1 && strcmp(argv[1], "plugin") == 0;
  if (!mkdtemp(folder)) return 99;
  setenv("HETGRID_SCHED_STEAL", "0", 1);
  setenv("HETGRID_TABLES", folder, 1);
  setenv("STARPU_NCPU", "2", 1);
  gpus_are_known_by_their_model();
  divisions_follow_tables();
  shares_count();
  models_are_nearer_than_tables();
  measured_times_refine_tables();
  first_rounds_are_shorter();
  tables_are_of_the_nearest_class();
  bad_tables_are_named();
  return tap_done();
}
