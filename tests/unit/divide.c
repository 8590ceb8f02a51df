/* SPDX-License-Identifier: MIT */
/* A grid is divided by the tables of the workers' kinds, which hetgrid-calibrate names after their models. */
#include <stdlib.h>
#include <string.h>

#include "hetgrid.h"
#include "runtime/task_data.h"
#include "tap.h"

static char folder[] = "/tmp/hetgrid-divide-XXXXXX";

/* A table of a device that computes that many cells/s. */
static void write_table(const char *kernel, const char *device, double speed, const char *head)
{
  char path[HG_PATH_MAX];
  hg_speed_table t;
  hg_table_path("heat", kernel, "double", device, path);
  hg_speed_table_make(2, 1, &t);
  t.c[0] = 0;
  for (int i = 0; i < 2; i++) {
    t.w[i] = i == 0 ? 1000 : 1e6;
    t.time[i] = t.w[i] / speed;
  }
  tap_ok(hg_speed_table_write(path, head, &t) == HG_OK, "a table of %g cells/s: %s", speed, path);
  hg_speed_table_free(&t);
}

/* One rank with a GPU and two cores. */
static hg_session mixed_machine(int *rank, hg_worker_kind *kind, char (*model)[HG_MODEL_NAME])
{
  static const char *const names[] = {"NVIDIA Test 9000", "Some CPU (R) @ 2 GHz", "Some CPU (R) @ 2 GHz"};
  for (int i = 0; i < 3; i++) {
    rank[i] = 0;
    kind[i] = i == 0 ? HG_CUDA_WORKER : HG_CPU_WORKER;
    snprintf(model[i], HG_MODEL_NAME, "%s", names[i]);
  }
  return (hg_session){.ranks = 1,
                      .workers = 3,
                      .all_workers = 3,
                      .worker_rank = rank,
                      .kind = kind,
                      .model = model,
                      .cpu_workers = 2,
                      .cuda_workers = 1};
}

static void check_mixed(void)
{
  int rank[3];
  hg_worker_kind kind[3];
  char model[3][HG_MODEL_NAME];
  const hg_session s = mixed_machine(rank, kind, model);
  const hg_division d = {
      .partition = "auto", .tables = "", .app = "heat", .kernel = "some-kernel", .precision = "double"};
  const int64_t n[3] = {1000, 1000, 1};
  hg_box box[3];
  tap_ok(hg_divide(&s, 2, n, &d, NULL, box) == HG_IO && strstr(hg_message(), "heat-cuda-double-NVIDIA-Test-9000.csv"),
         "the table that is missing is named: %s", hg_message());
  hg_division silent = d;
  silent.tables = NULL;
  tap_ok(hg_divide(&s, 2, n, &silent, NULL, box) == HG_OK && hg_box_cells(&box[0]) == 1000000,
         "without tables the GPU gets all, and waits for no core");
  silent.cpus_only = true;
  tap_ok(hg_divide(&s, 2, n, &silent, NULL, box) == HG_OK && hg_box_cells(&box[1]) == 500000 &&
             hg_box_cells(&box[2]) == 500000,
         "unless it cannot run the tasks");
  silent.cpus_only = false;
  double of_rank[] = {3};
  silent.speed = of_rank;
  silent.speeds = 1;
  tap_ok(hg_divide(&s, 2, n, &silent, NULL, box) == HG_OK && hg_box_cells(&box[0]) == 1000000,
         "a rank's part goes to its GPU");
  static const char rough[] = "error of lines between the points at most 0.43, wanted 0.05: MISSED",
                    fair[] = "a test\nerror of lines between the points at most 0.3, wanted 0.05: MISSED";
  write_table("cuda", "NVIDIA-Test-9000", 8e8, rough);
  write_table("some-kernel", "Some-CPU-R-2-GHz", 1e8, "a test");
  silent.speeds = 0;
  tap_ok(hg_divide(&s, 2, n, &silent, NULL, box) == HG_OK && hg_box_cells(&box[0]) == 1000000 &&
             strstr(hg_message(), "off by 0.43, must be at most 0.4"),
         "a table that missed its error by far does not divide by itself: %s", hg_message());
  tap_ok(hg_divide(&s, 2, n, &d, NULL, box) == HG_OK && hg_box_cells(&box[0]) < 1000000,
         "... where tables are asked for it does, with a warning");
  write_table("cuda", "NVIDIA-Test-9000", 8e8, fair);
  tap_ok(hg_divide(&s, 2, n, &d, NULL, box) == HG_OK, "a mix of kinds is divided by their own tables");
  const double cells = (double)hg_box_cells(&box[0]);
  tap_ok(cells > .79e6 && cells < .81e6, "the GPU, 8 times as fast as each of two cores, gets %.0f of 1000000 cells",
         cells);
  hg_box again[3];
  silent.speeds = 0;
  tap_ok(hg_divide(&s, 2, n, &silent, NULL, again) == HG_OK && memcmp(box, again, sizeof box) == 0,
         "so it is where the user says nothing of speeds");
  double equal[] = {1, 1, 1};
  silent.speed = equal;
  silent.speeds = 3;
  tap_ok(hg_divide(&s, 2, n, &silent, NULL, again) == HG_OK && hg_box_cells(&again[0]) < 340000,
         "but not against their word");
  tap_ok(hg_box_cells(&box[1]) + hg_box_cells(&box[2]) + hg_box_cells(&box[0]) == 1000000, "nothing is left over");
}

/* Whether tasks may use each worker of the mixed machine, one digit per worker. */
static int allowed(const hg_division *d, const hg_box *box)
{
  int rank[3], users = 0;
  hg_worker_kind kind[3];
  char model[3][HG_MODEL_NAME];
  hg_session s = mixed_machine(rank, kind, model);
  for (int twice = 0; twice < 2; twice++)
    tap_ok(hg_division_bind(&s, d, box) == HG_OK, "tasks are bound, time %d", twice + 1);
  for (int w = 0; w < 3; w++) users = 10 * users + (s.allowed_words == 0 || (s.allowed[0] >> w & 1));
  static const struct starpu_codelet of_cores, of_both = {.cuda_funcs = {(starpu_cuda_func_t)abort}};
  const unsigned words[] = {hg_task_allowed_words(&s, &of_both, false), hg_task_allowed_words(&s, &of_cores, false),
                            hg_task_allowed_words(&s, &of_both, true)};
  tap_ok(users != 100 || (words[0] == 1 && words[1] == 0 && words[2] == 0),
         "where only GPUs are allowed, tasks for cores alone have a worker: %u word of those for both, %u and %u",
         words[0], words[1], words[2]);
  free(s.allowed);
  return users;
}

static void cores_rest_where_nothing_is_known(void)
{
  const hg_box on_gpu[3] = {{{0, 0, 0}, {9, 9, 1}}}, shared[3] = {{{0, 0, 0}, {9, 5, 1}}, {{0, 5, 0}, {9, 9, 1}}},
               on_core[3] = {{{0}, {0}}, {{0, 0, 0}, {9, 9, 1}}};
  double of_each[] = {1, 0, 0}, of_rank[] = {1};
  hg_division d = {.partition = "auto"};
  int users = allowed(&d, on_gpu);
  tap_ok(users == 100, "a grid that goes to the GPU alone is not tried on cores: %03d", users);
  users = allowed(&d, shared);
  tap_ok(users == 111, "if a core has a part all may help: %03d", users);
  users = allowed(&d, on_core);
  tap_ok(users == 111, "also if no GPU has one: %03d", users);
  d.cpus_only = true;
  users = allowed(&d, on_gpu);
  tap_ok(users == 111, "tasks that run on cores alone stay there: %03d", users);
  d = (hg_division){.partition = "auto", .speed = of_rank, .speeds = 1};
  users = allowed(&d, on_gpu);
  tap_ok(users == 100, "a rank's speed does not give its cores': %03d", users);
  d = (hg_division){.partition = "auto", .speed = of_each, .speeds = 3};
  users = allowed(&d, on_gpu);
  tap_ok(users == 111, "speeds of all do: %03d", users);
  d = (hg_division){.partition = "auto", .tables = ""};
  users = allowed(&d, on_gpu);
  tap_ok(users == 111, "tables do: %03d", users);
  d = (hg_division){.partition = "boxes.csv"};
  users = allowed(&d, on_gpu);
  tap_ok(users == 111, "given boxes are not changed: %03d", users);
  d = (hg_division){.partition = "auto", .objective = HG_BY_ENERGY};
  users = allowed(&d, shared);
  tap_ok(users == 110, "an objective leaves workers out: %03d", users);
}

static void speeds_are_numbers_or_tables(void)
{
  double room[HG_SPEEDS_MAX];
  hg_division d = {0};
  tap_ok(hg_division_speeds("3,1", room, &d) == HG_OK && d.speeds == 2 && d.speed[1] == 1 && !d.tables,
         "speeds are numbers");
  d = (hg_division){0};
  tap_ok(hg_division_speeds("tables:some/folder", room, &d) == HG_OK && d.speeds == 0 && d.tables &&
             strcmp(d.tables, "some/folder") == 0,
         "or the name of a folder of tables");
}

/* Border cells between parts of different groups. */
static double between(const hg_box *box, int parts, const int *group, const double *speed)
{
  const hg_partition_request r = {
      .dims = 2, .size = {400, 400, 1}, .parts = parts, .speed = speed, .levels = 1, .group = {group}};
  hg_rect rect[parts];
  hg_partition_metrics m;
  hg_boxes_to_rects(parts, box, rect);
  hg_partition_measure(&r, rect, NULL, &m);
  return m.between[0];
}

/* Four ranks of two workers, on one machine or two. */
static void ranks_and_machines_get_one_box(void)
{
  enum { WORKERS = 8 };
  int rank[WORKERS], one[WORKERS] = {0}, two[WORKERS];
  hg_worker_kind kind[WORKERS] = {HG_CPU_WORKER};
  char model[WORKERS][HG_MODEL_NAME] = {""};
  const int64_t n[3] = {400, 400, 1};
  double speed[] = {2.5, 1, 2.5, 1, 2.5, 1, 2.5, 1};
  hg_box box[WORKERS];
  hg_division d = {.partition = "auto", .speed = speed, .speeds = WORKERS, .item_bytes = 8};
  for (int i = 0; i < WORKERS; i++) rank[i] = i / 2, two[i] = i / 4 * 2;
  hg_session s = {.ranks = 4,
                  .workers = 2,
                  .all_workers = WORKERS,
                  .worker_rank = rank,
                  .worker_host = one,
                  .kind = kind,
                  .model = model,
                  .cpu_workers = WORKERS};
  tap_ok(hg_divide(&s, 2, n, &d, NULL, box) == HG_OK, "four ranks on a machine");
  tap_near(between(box, WORKERS, rank, speed), 800, 1e-9, "... have a quarter of the grid each");
  s.worker_host = two;
  tap_ok(hg_divide(&s, 2, n, &d, NULL, box) == HG_OK, "two on each of two machines");
  tap_near(between(box, WORKERS, two, speed), 400, 1e-9, "... which have a half each");
  tap_near(between(box, WORKERS, rank, speed), 800, 1e-9, "... their ranks a quarter");
  hg_speed_model measured[WORKERS];
  for (int i = 0; i < WORKERS; i++) measured[i] = (hg_speed_model){.smax = 1e6 * speed[i]};
  tap_ok(hg_divide(&s, 2, n, &d, measured, box) == HG_OK, "redivided by measurements");
  tap_near(between(box, WORKERS, two, speed), 400, 1e-9, "... machines still have a half each");
  int64_t least = INT64_MAX;
  for (int i = 0; i < WORKERS; i++) least = hg_box_cells(&box[i]) < least ? hg_box_cells(&box[i]) : least;
  tap_ok(least > 10000, "... and every worker a part: at least %lld of 160000 cells", (long long)least);
}

int main(void)
{
  speeds_are_numbers_or_tables();
  cores_rest_where_nothing_is_known();
  ranks_and_machines_get_one_box();
  if (!mkdtemp(folder)) return 99;
  setenv("HETGRID_TABLES", folder, 1);
  check_mixed();
  char command[128];
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command) == 0 ? tap_done() : 99;
}
