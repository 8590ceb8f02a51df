/* SPDX-License-Identifier: MIT */
/* Values of single units by number, whatever the graph and the tile that holds them; initial values of units; and what
 * distinguishes two problems. */
#define HG_VALUE bool
#include "job/app.h"

#include "codelets/heat/heat_update.h"
#include "hetgrid.h"
#include "job/run.h"
#include "tap.h"

enum { NX = 7, NY = 6, NZ = 5, UNITS = NX * NY * NZ };

/* A unit's value is its number. */
static hg_status start(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  (void)input;
  (void)arg;
  *(double *)value = (double)cell->id;
  return HG_OK;
}

static void compute(const hg_units *u, int64_t count, void *out)
{
  const int64_t first = u->at[0] + NX * (u->at[1] + NY * u->at[2]);
  for (int64_t i = 0; i < count; i++) ((double *)out)[i] = (double)(first + i);
}

/* Number of units whose value is not their number, except one that was set; -1: an error. */
static int wrong_values(hg_run *run, int64_t changed, double value)
{
  int64_t id[UNITS];
  double got[UNITS];
  int wrong = 0;
  for (int i = 0; i < UNITS; i++) id[i] = UNITS - 1 - i;
  if (hg_values_get(run, UNITS, id, got, sizeof *got) != HG_OK) return -1;
  for (int i = 0; i < UNITS; i++) wrong += got[i] != (id[i] == changed ? value : (double)id[i]);
  return wrong;
}

static void are_found(const hg_job *job, const char *name)
{
  hg_run *run;
  const int64_t one = UNITS - NX - 3;
  const double half = .5;
  if (!tap_ok(hg_start(job, &run) == HG_OK && hg_advance(run, 1) == HG_OK, "%s: a step %s", name, hg_message())) return;
  tap_int(wrong_values(run, -1, 0), 0, "... units without their own values");
  hg_values_set(run, 1, &one, &half, sizeof half);
  tap_int(wrong_values(run, one, half), 0, "... and after one of them was set");
  hg_free(run);
}

static void copy(const hg_units *u, int64_t count, void *out)
{
  memcpy(out, u->row[0], (size_t)count);
}

static void keep(const hg_units *u, int64_t count, void *out)
{
  memcpy(out, u->values, (size_t)count);
}

HG_UPDATE(truth)
{
  return !hg_value(u);
}

/* Three steps of units of some bytes, which start with a number; if there are sides, neighbours are by formula. */
static hg_status start_whole(char type, int bytes, const char *number, const char *boundary)
{
  const hg_update update = {.name = "bytes",
                            .radius = boundary ? 1 : 0,
                            .value_bytes = bytes,
                            .value_type = type,
                            .run = boundary ? copy : keep};
  hg_run *run = NULL;
  hg_status status = hg_start(
      &(hg_job){.dims = 1, .size = {4, 1, 1}, .update = &update, .input = number, .boundary = boundary, .steps = 3},
      &run);
  if (status == HG_OK) status = hg_advance(run, 3);
  hg_free(run);
  return status;
}

static hg_status start_bytes(char type, const char *number, const char *boundary)
{
  return start_whole(type, 1, number, boundary);
}

/* Numbers of inputs, sides and results are doubles. */
static void whole_numbers_are_exact(void)
{
  for (int t = 0; t < 2; t++) {
    const char type = "iu"[t];
    tap_int(start_whole(type, 8, "9007199254740991", NULL), HG_OK, "the largest whole number below 2^53");
    tap_int(start_whole(type, 8, "9007199254740993", NULL), HG_FORMAT, "one beyond, which double rounds to another");
    tap_ok(strstr(hg_message(), "9007199254740991") != NULL, "... with its bound (%s)", hg_message());
    tap_int(start_whole(type, 8, "1", "fixed=9007199254740993"), HG_INVALID, "... on a side");
  }
}

static void bytes_hold_what_they_can(void)
{
  static const struct {
    char type;
    const char *fits[2], *beyond[3];
  } list[] = {{'u', {"0", "255"}, {"-1", "256", "1.5"}},
              {'i', {"-128", "127"}, {"-129", "128", "-.5"}},
              {'b', {"0", "1"}, {"255", "-1", ".5"}}};
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < 3; i++) {
      if (i < 2) tap_int(start_bytes(list[t].type, list[t].fits[i], NULL), HG_OK, list[t].fits[i]);
      tap_int(start_bytes(list[t].type, list[t].beyond[i], NULL), HG_FORMAT, list[t].beyond[i]);
      tap_contains(hg_message(), "does not fit into a value of type", "... is refused");
    }
}

static void truth_is_no_byte(void)
{
  const hg_job job = {.dims = 1, .size = {4, 1, 1}, .update = &truth, .input = "1", .steps = 1};
  hg_run *run = NULL;
  bool value = true;
  hg_status status = hg_start(&job, &run);
  if (status == HG_OK) status = hg_advance(run, 1);
  if (status == HG_OK) status = hg_values_get(run, 1, &(int64_t){2}, &value, sizeof value);
  tap_ok(truth.value_type == 'b' && status == HG_OK && !value, "an HG_VALUE of bool is 0 or 1: %c", truth.value_type);
  hg_free(run);
}

/* The same for sides: by a number, a row of a file, and between two of its rows. */
static void sides_hold_what_values_can(void)
{
  static const struct {
    const char *rows, *boundary, *wrong;
  } list[] = {{NULL, "fixed=200", NULL},
              {NULL, "fixed=256", "boundary: the value of a side is 256"},
              {NULL, "fixed=2.5", "boundary: the value of a side is 2.5"},
              {NULL, "fixed=-1", "must be a whole number in 0..255"},
              {"0,1\n3,4\n", "fixed=sides.csv", NULL},
              {"0,1\n1,300\n", "fixed=sides.csv", "sides.csv: row 2: the value is 300"},
              {"0,.5\n1,1\n", "fixed=sides.csv", "sides.csv: row 1: the value is 0.5"},
              {"-1,2\n1,3\n", "fixed=sides.csv", "sides.csv: before step 0, at 0 s, the value is 2.5"},
              {"0,2\n2,3\n", "fixed=sides.csv", "sides.csv: before step 1, at 1 s, the value is 2.5"}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    FILE *f = list[i].rows ? fopen("sides.csv", "w") : NULL;
    if (f) fputs(list[i].rows, f);
    if (f) fclose(f);
    const hg_status status = start_bytes('u', "0", list[i].boundary);
    tap_ok(list[i].wrong ? status != HG_OK && strstr(hg_message(), list[i].wrong) : status == HG_OK,
           "bytes with the sides %s, %s: %s", list[i].boundary, list[i].rows ? "of a file" : "of a number",
           list[i].wrong ? hg_message() : "are so");
  }
  remove("sides.csv");
}

/* A line with a fraction. */
static void lines_hold_whole_numbers(void)
{
  FILE *f = fopen("whole.txt", "w");
  if (f) fputs("1\n2\n2.5\n3\n", f);
  if (f) fclose(f);
  tap_int(start_bytes('u', "whole.txt", NULL), HG_FORMAT, "a line with a fraction in a file of whole numbers");
  tap_contains(hg_message(), "whole.txt: 2.5 for unit 2 does not fit", "... is named");
  tap_contains(hg_message(), "must be a whole number in 0..255: line 3", "... with its line and valid values");
  remove("whole.txt");
}

/* The number by which a checkpoint identifies its problem; 0: there is none. */
static uint64_t identity_of(hg_job job, const char *source, int64_t seed)
{
  hg_run *run = NULL;
  job.source = source;
  job.seed = seed;
  const bool known = hg_start(&job, &run) == HG_OK && hg_run_know_problem(run) == HG_OK;
  const uint64_t identity = known ? hg_problem_identity(run->problem) : 0;
  hg_free(run);
  return identity;
}

static void problems_are_told_apart(const hg_job *job)
{
  const uint64_t plain = identity_of(*job, NULL, 3), random = identity_of(*job, "random", 3);
  tap_ok(plain && random && plain != random, "a problem with a source is another one");
  tap_ok(identity_of(*job, "random", 3) == random, "... the same as when it is given again");
  tap_ok(identity_of(*job, "random", 4) != random, "... but not with another seed");
  tap_ok(identity_of(*job, NULL, 4) != plain, "... and so is one with another seed of the input");
}

static int64_t outside[3], beside; /* a zone of beside^3 units at `outside` */

static void add_outside(const hg_box *tile, int64_t step, hg_zone *zone, void *arg)
{
  (void)tile;
  (void)step;
  (void)arg;
  hg_zone_add(zone, outside[0], outside[1], outside[2], beside, beside, beside);
}

/* A zone beyond a side of the grid. */
static void zones_stay_inside(void)
{
  const hg_update update = {.name = "zones", .value_bytes = 8, .value_type = 'd', .run = compute};
  const hg_job job = {
      .dims = 3, .size = {NX, NY, NZ}, .update = &update, .init = start, .zone = add_outside, .steps = 1};
  static const int64_t beyond[][3] = {{NX - 1, 0, 0}, {0, NY - 1, 0}, {0, 0, NZ - 1}, {0, -1, 0}};
  beside = 2;
  for (int i = 0; i < 4; i++) {
    hg_run *run = NULL;
    memcpy(outside, beyond[i], sizeof outside);
    hg_status status = hg_start(&job, &run);
    if (status == HG_OK) status = hg_advance(run, 1);
    tap_ok(status == HG_INVALID && strstr(hg_message(), "must lie inside the grid"), "a zone is refused: %s",
           hg_message());
    hg_free(run);
  }
}

/* A grid of fewer dimensions has one unit along the others. */
static void sizes_fit_dimensions(void)
{
  const hg_update update = {.name = "flat", .value_bytes = 8, .value_type = 'd', .run = compute, .independent = true};
  static const int64_t size[][3] = {{4, 2, 1}, {4, 1, 2}, {4, 4, 2}, {4, 1, 1}};
  for (int i = 0; i < 4; i++) {
    hg_run *run = NULL;
    const hg_job job = {
        .dims = i == 2 ? 2 : 1, .size = {size[i][0], size[i][1], size[i][2]}, .update = &update, .steps = 1};
    tap_int(hg_start(&job, &run), i < 3 ? HG_INVALID : HG_OK, i < 3 ? "a size beyond the dimensions" : "a line");
    hg_free(run);
  }
}

/* --- cached neighbours -------------------------------------------------------------------------------------------- */

static double growth;
static int64_t asked; /* the first step for which neighbours were asked */

static void grow_values(const hg_units *u, int64_t count, void *out)
{
  double by;
  memcpy(&by, u->parameters, sizeof by);
  for (int64_t i = 0; i < count; i++) ((double *)out)[i] = ((const double *)(const void *)u->values)[u->local + i] + by;
}

static hg_status grow_faster(hg_run *run, int64_t step, void *arg)
{
  (void)run, (void)step, (void)arg;
  growth += 1;
  return HG_OK;
}

static void ask(const hg_cell *cell, hg_set *set, void *arg)
{
  (void)arg;
  if (asked < 0) asked = cell->step;
  hg_set_add(set, (cell->id + 1) % (NX * NY));
}

/* Computes `steps` of 12 steps. Returns the value of unit 3. */
static double grown(const hg_job_options *options, int64_t steps)
{
  const hg_update update = {.name = "grow", .value_bytes = 8, .value_type = 'd', .run = grow_values};
  const hg_job job = {.dims = 2,
                      .size = {NX, NY, 1},
                      .update = &update,
                      .init = start,
                      .steps = 12,
                      .neighbours = ask,
                      .neighbours_every = 4,
                      .dynamic = grow_faster,
                      .dynamic_every = 3,
                      .parameters = &growth,
                      .parameter_bytes = sizeof growth};
  double value = -1;
  hg_run *run = NULL;
  growth = 1;
  asked = -1;
  hg_status status = hg_run_start(&job, options, &run);
  if (status == HG_OK) status = hg_advance(run, steps);
  if (status == HG_OK && options->grid.checkpoint) status = hg_run_checkpoint(run, options->grid.checkpoint);
  if (status == HG_OK) status = hg_run_saved(run, NULL);
  if (status == HG_OK) status = hg_values_get(run, 1, &(int64_t){3}, &value, sizeof value);
  tap_int(status, HG_OK, hg_message());
  hg_free(run);
  return value;
}

static int64_t by_number(const hg_cell *cell, void *arg)
{
  (void)arg;
  return cell->id * cell->id % 3;
}

static hg_status start_list(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  (void)input, (void)arg;
  for (int64_t i = 0; i < cell->length; i++) ((double *)value)[i] = (double)(cell->id + i * UNITS);
  return HG_OK;
}

/* In tiles a column wide, so that many rows of them hold nothing. */
static void values_without_elements_are_kept(void)
{
  const hg_update update = {.name = "lists", .value_bytes = 8, .value_type = 'd', .run = compute, .arrays = true};
  hg_job job = {.dims = 2, .size = {NX, NY, 1}, .update = &update, .init = start_list, .steps = 1, .length = by_number};
  hg_job_options options = {.grid = {.tile = {1, NY, 1}, .checkpoint = "lists.h5"}};
  double got[2 * NX * NY], *next = got;
  int64_t id[NX * NY];
  int wrong = 0;
  for (int i = 0; i < NX * NY; i++) id[i] = i;
  for (int again = 0; again < 2; again++) {
    hg_run *run = NULL;
    hg_status status = hg_run_start(&job, &options, &run);
    if (status == HG_OK && !again) status = hg_run_checkpoint(run, "lists.h5");
    if (status == HG_OK) status = hg_run_saved(run, NULL);
    if (status == HG_OK) status = hg_values_get(run, NX * NY, id, got, 0);
    tap_int(status, HG_OK, hg_message());
    hg_free(run);
    options.grid.restart = "lists.h5";
  }
  remove("lists.h5");
  for (int i = 0; i < NX * NY; i++)
    for (int j = 0; j < i * i % 3; j++) wrong += *next++ != i + j * UNITS;
  tap_int(wrong, 0, "a checkpoint: wrong elements where some values have none");
}

static int64_t none(const hg_cell *cell, void *arg)
{
  (void)cell, (void)arg;
  return 0;
}

static void nothing_but_values_without_elements(void)
{
  const hg_update update = {.name = "nothing", .value_bytes = 8, .value_type = 'd', .run = compute, .arrays = true};
  hg_job job = {.dims = 2, .size = {NX, NY, 1}, .update = &update, .init = start_list, .steps = 1, .length = none};
  hg_job_options options = {.grid = {.checkpoint = "nothing.h5"}};
  for (int again = 0; again < 2; again++) {
    hg_run *run = NULL;
    hg_status status = hg_run_start(&job, &options, &run);
    if (status == HG_OK && !again) status = hg_run_checkpoint(run, "nothing.h5");
    if (status == HG_OK) status = hg_run_saved(run, NULL);
    tap_int(status, HG_OK, again ? "... and read again" : "values of which none has elements are kept");
    hg_free(run);
    options.grid.restart = "nothing.h5";
  }
  remove("nothing.h5");
}

static int64_t by_step(const hg_cell *cell, void *arg)
{
  (void)arg;
  return 1 + cell->step;
}

static void lengths_do_not_depend_on_the_step(void)
{
  const hg_update update = {.name = "grow", .value_bytes = 8, .value_type = 'd', .run = compute, .arrays = true};
  const hg_job job = {.dims = 3, .size = {NX, NY, NZ}, .update = &update, .init = start, .steps = 2, .length = by_step};
  hg_run *run = NULL;
  hg_status status = hg_start(&job, &run);
  if (status == HG_OK) status = hg_advance(run, 2);
  tap_int(status, HG_OK, hg_message());
  tap_int(wrong_values(run, -1, 0), 0, "wrong values whose lengths follow the step");
  hg_free(run);
}

static void what_changes_between_steps_is_kept(void)
{
  const hg_job_options none = {0}, to = {.grid.checkpoint = "grown.h5"}, from = {.grid.restart = "grown.h5"};
  const double whole = grown(&none, 12);
  grown(&to, 7);
  const double rest = grown(&from, 12);
  tap_ok(whole == rest, "parameters changed by `dynamic` are resumed from a checkpoint: %g, and %g", rest, whole);
  tap_int(asked, 4, "... and neighbours are asked for as of the last step that may change them");
  remove("grown.h5");
}

static void what_is_no_number_is_not_written(const hg_job *stencil)
{
  hg_job job = *stencil;
  hg_run *run = NULL;
  job.output = "nonfinite.npy";
  const hg_status status = hg_start(&job, &run);
  if (status == HG_OK) hg_values_set(run, 1, &(int64_t){NX + 2}, &(double){NAN}, sizeof(double));
  tap_int(run ? hg_finish(run) : status, HG_MISMATCH, "hg_finish with values that are not finite");
  tap_contains(hg_message(), "the value at (2, 1, 0) is infinite or not a number", "... names the first one");
  tap_ok(fopen("nonfinite.npy", "r") == NULL, "... and writes nothing");
}

static void snapshots_are_of_cells(const hg_job *stencil)
{
  static const struct {
    hg_box box;
    int64_t stride[3];
    const char *wrong;
  } list[] = {{{{1, 1, 0}, {4, 4, 0}}, {0, 0, 0}, "of axis z are none"},
              {{{1, 4, 0}, {4, 2, 1}}, {0, 0, 0}, "of axis y are none"},
              {{{1, 1, 0}, {NX + 1, 4, 1}}, {0, 0, 0}, "the grid has 0..6"},
              {{{-1, 1, 0}, {4, 4, 1}}, {0, 0, 0}, "the grid has 0..6"},
              {{{0, 0, 0}, {0, 0, 0}}, {0, -1, 0}, "-1 along axis y, must be in 1..6"},
              {{{0, 0, 0}, {3, 3, 3}}, {4, 1, 1}, "4 along axis x, must be in 1..3"}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    hg_job job = *stencil;
    hg_run *run = NULL;
    job.snapshot_every = 1;
    job.snapshot_box = list[i].box;
    memcpy(job.snapshot_stride, list[i].stride, sizeof job.snapshot_stride);
    tap_int(hg_start(&job, &run), HG_INVALID, "snapshots of no cells");
    tap_contains(hg_message(), list[i].wrong, "... are refused with what is wrong");
    hg_free(run);
  }
}

int main(void)
{
  const hg_update heat = hg_heat_update(3, hg_heat_kernel_find("auto"), false),
                  batch = {.name = "batch", .value_bytes = 8, .value_type = 'd', .run = compute, .independent = true};
  hg_heat_coef alpha = {{0, 0, 0}};
  const hg_job stencil = {.dims = 3,
                          .size = {NX, NY, NZ},
                          .update = &heat,
                          .init = start,
                          .steps = 2,
                          .parameters = &alpha,
                          .parameter_bytes = sizeof alpha};
  are_found(&stencil, "a stencil");
  are_found(&(hg_job){.dims = 3, .size = {NX, NY, NZ}, .update = &batch, .steps = 2}, "independent units");
  zones_stay_inside();
  sizes_fit_dimensions();
  whole_numbers_are_exact();
  bytes_hold_what_they_can();
  truth_is_no_byte();
  sides_hold_what_values_can();
  lines_hold_whole_numbers();
  problems_are_told_apart(&stencil);
  what_changes_between_steps_is_kept();
  values_without_elements_are_kept();
  nothing_but_values_without_elements();
  lengths_do_not_depend_on_the_step();
  what_is_no_number_is_not_written(&stencil);
  snapshots_are_of_cells(&stencil);
  return tap_done();
}
