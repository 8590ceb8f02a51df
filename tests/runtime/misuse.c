/* SPDX-License-Identifier: MIT */
/* Programs that violate the rules of the interface get a status and a message, and can continue. */
#define HG_VALUE double
#define HG_DIMS 2
#define HG_RADIUS 1
#include <hetgrid/app.h>

#include <hetgrid/divisible.h>
#include <hetgrid/warnings.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

/* What a job's function does wrong. */
typedef enum misuse { NONE, ADVANCE, FINISH, ABANDON, START, MAIN, VALUES, ASK, MISUSES } misuse;
static const char *const names[MISUSES] = {"nothing",  "hg_advance", "hg_finish",     "hg_free",
                                           "hg_start", "hg_main",    "hg_values_get", "hg_steps_done"};

static hg_run *live; /* the run, kept as programs do */
static misuse way;
static int place; /* the step in which it does so */
static hg_status answer;
static char said[200];

static hg_job job_of(void);

static hg_status misuse_now(void)
{
  static char name[] = "misuse", *arguments[] = {name, NULL};
  const hg_job other = job_of();
  hg_run *more = NULL;
  double value = 0;
  const int64_t id = 3;
  hg_clear_message();
  switch (way) {
  case ADVANCE: answer = hg_advance(live, 1); break;
  case FINISH: answer = hg_finish(live); break;
  case ABANDON:
    hg_free(live);
    answer = *hg_message() ? HG_UNSUPPORTED : HG_OK;
    break;
  case START: answer = hg_start(&other, &more); break;
  case MAIN: answer = hg_main(1, arguments, &other) == 0 ? HG_OK : HG_UNSUPPORTED; break;
  case VALUES: answer = hg_values_get(live, 1, &id, &value, sizeof value); break;
  case ASK:
    answer = hg_steps_done(live) >= 0 && hg_rank(live) == 0 && hg_size(live)[1] == 20 ? HG_OK : HG_INVALID;
    break;
  default: break;
  }
  snprintf(said, sizeof said, "%s", hg_message());
  return answer;
}

enum { IN_DYNAMIC = 1, IN_FINISHED, IN_NUMBER, IN_UPDATE, IN_INIT, IN_THREAD };

static hg_status here(int wanted)
{
  return place == wanted ? misuse_now() : HG_OK;
}

HG_UPDATE(average)
{
  if (hg_x(u) == 7 && hg_y(u) == 7 && place == IN_UPDATE && answer == HG_OK) misuse_now();
  return (hg_at(u, -1, 0) + hg_at(u, 1, 0) + hg_at(u, 0, -1) + hg_at(u, 0, 1)) / 4;
}

static hg_status init(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  (void)input, (void)arg;
  if (cell->id == 5) HG_TRY(here(IN_INIT));
  *(double *)value = (double)(cell->id % 17);
  return HG_OK;
}

static hg_status dynamic(hg_run *run, int64_t step, void *arg)
{
  (void)run, (void)arg;
  return step == 4 ? here(IN_DYNAMIC) : HG_OK;
}

static bool finished(hg_run *run, int64_t steps, double reduction, void *arg)
{
  (void)run, (void)steps, (void)reduction, (void)arg;
  here(IN_FINISHED);
  return false;
}

static double number(const void *value, int64_t length, void *arg)
{
  (void)length, (void)arg;
  if (answer == HG_OK) here(IN_NUMBER);
  return *(const double *)value;
}

static hg_job job_of(void)
{
  return (hg_job){.size = {20, 20, 1},
                  .update = &average,
                  .init = init,
                  .steps = 10,
                  .dynamic = dynamic,
                  .dynamic_every = 2,
                  .finished = finished,
                  .check_every = 5,
                  .number = number};
}

static void check_within(int where, const char *function, misuse what, hg_status expected)
{
  static char output[] = "/tmp/hetgrid-misuse.XXXXXX.npy";
  hg_job job = job_of();
  live = NULL;
  if (where == IN_NUMBER) job.output = output;
  way = what;
  place = where;
  answer = HG_OK;
  *said = 0;
  const hg_status started = hg_start(&job, &live);
  const hg_status advanced = started == HG_OK ? hg_advance(live, 10) : started;
  const hg_status ended = started == HG_OK ? hg_finish(live) : started;
  const bool passed_on = where == IN_DYNAMIC ? advanced == expected : where == IN_INIT ? started == expected : true;
  tap_ok(answer == expected && passed_on &&
             (expected == HG_OK || strstr(said, what == MAIN ? "" : "another run") || strstr(said, names[what])),
         "%s calls %s: %d %s (advance %d, finish %d)", function, names[what], (int)answer, said, (int)advanced,
         (int)ended);
  if (job.output) unlink(output);
  place = 0;
  job = job_of();
  const bool goes_on = hg_start(&job, &live) == HG_OK && hg_advance(live, 10) == HG_OK && hg_finish(live) == HG_OK;
  tap_ok(goes_on, "... and the next run works %s", goes_on ? "" : hg_message());
}

static void functions_of_the_job(void)
{
  for (int what = ADVANCE; what <= MAIN; what++) {
    check_within(IN_DYNAMIC, "dynamic", (misuse)what, HG_UNSUPPORTED);
    check_within(IN_FINISHED, "finished", (misuse)what, HG_UNSUPPORTED);
    if (what != MAIN) check_within(IN_NUMBER, "number", (misuse)what, HG_UNSUPPORTED);
    if (what != MAIN) check_within(IN_UPDATE, "an update", (misuse)what, HG_UNSUPPORTED);
  }
  check_within(IN_INIT, "init", START, HG_UNSUPPORTED);
  check_within(IN_NUMBER, "number", VALUES, HG_UNSUPPORTED);
  check_within(IN_UPDATE, "an update", VALUES, HG_UNSUPPORTED);
  for (int what = VALUES; what <= ASK; what++) {
    check_within(IN_DYNAMIC, "dynamic", (misuse)what, HG_OK);
    check_within(IN_FINISHED, "finished", (misuse)what, HG_OK);
  }
}

static void check_ended(const char *how)
{
  double value = -1;
  const int64_t id = 0;
  tap_ok(hg_advance(live, 1) == HG_INVALID, "hg_advance after %s: %s", how, hg_message());
  tap_ok(hg_finish(live) == HG_INVALID, "hg_finish after %s: %s", how, hg_message());
  tap_ok(hg_values_get(live, 1, &id, &value, 8) == HG_INVALID && value == -1, "hg_values_get after %s: %s", how,
         hg_message());
  tap_ok(hg_values_set(live, 1, &id, &value, 8) == HG_INVALID, "hg_values_set after %s: %s", how, hg_message());
  hg_free(live);
  tap_ok(hg_steps_done(live) == -1 && !hg_is_finished(live) && isnan(hg_reduced(live)) && hg_rank(live) == -1 &&
             hg_ranks(live) == -1 && !hg_size(live),
         "what is asked of a run after %s is -1, false, NaN or NULL", how);
}

static void runs_that_have_ended(void)
{
  const hg_job job = job_of();
  hg_start(&job, &live);
  hg_finish(live);
  check_ended("hg_finish");
  hg_start(&job, &live);
  hg_free(live);
  check_ended("hg_free");
  live = (hg_run *)(uintptr_t)&job;
  check_ended("what was never started");
  live = NULL;
  check_ended("nothing");
}

/* StarPU's environment variables. */
static void list_variables(char list[2000])
{
  *list = 0;
  for (char **v = environ; *v; v++)
    if (strncmp(*v, "STARPU_", 7) == 0 && strlen(list) + strlen(*v) + 2 < 2000) strcat(strcat(list, *v), " ");
}

static void the_environment_is_given_back(void)
{
  static const char *const needed[] = {"STARPU_SILENT", "STARPU_MINIMUM_CLEAN_BUFFERS", "STARPU_TARGET_CLEAN_BUFFERS"};
  char before[2000], after[2000];
  const hg_job job = job_of();
  for (int i = 0; i < 3; i++) unsetenv(needed[i]);
  list_variables(before);
  hg_start(&job, &live);
  hg_finish(live);
  list_variables(after);
  tap_ok(strcmp(after, before) == 0, "variables of StarPU after a run are those before it: %s", after);
  setenv("STARPU_SILENT", "0", 1);
  list_variables(before);
  hg_start(&job, &live);
  hg_finish(live);
  list_variables(after);
  tap_ok(strcmp(after, before) == 0, "... and those that the program has set: %s", after);
  unsetenv("STARPU_SILENT");
}

static void keep_warning(const char *text, void *kept)
{
  snprintf(kept, 200, "%s", text);
}

static void warnings_go_where_they_are_wanted(void)
{
  const hg_job job = job_of();
  char kept[200] = "";
  hg_start(&job, &live);
  hg_finish(live);
  hg_on_warning(keep_warning, kept);
  hg_free(live);
  hg_on_warning(NULL, NULL);
  tap_contains(kept, "hg_free: this run has already been finished or freed",
               "hg_free of a run that has ended is a warning");
}

/* A new run has an address of its own. */
static void runs_that_came_before(void)
{
  enum { RUNS = 20 };
  const hg_job job = job_of();
  hg_run *ended[RUNS];
  int taken = 0;
  for (int i = 0; i < RUNS; i++) {
    hg_start(&job, &ended[i]);
    for (int k = 0; k < i; k++) taken += hg_steps_done(ended[k]) != -1 || hg_advance(ended[k], 1) != HG_INVALID;
    hg_free(ended[i]);
  }
  tap_int(taken, 0, "ended runs that are mistaken for a later one");
}

/* `dynamic` fails in step 4 of the second run; a wrong number of steps is refused and does not fail the run. */
static void runs_that_have_failed(void)
{
  static const char output[] = "misuse-failed.npy";
  char before[4096], after[4096];
  size_t bytes = 0;
  for (int i = 0; i < 2; i++) {
    hg_job job = job_of();
    job.output = output;
    place = i ? IN_DYNAMIC : 0;
    way = ADVANCE;
    hg_start(&job, &live);
    tap_int(hg_advance(live, -1), HG_INVALID, "a negative number of steps");
    const hg_status status = hg_advance(live, 10), ended = hg_finish(live);
    place = 0;
    FILE *f = fopen(output, "rb");
    const size_t count = f ? fread(i ? after : before, 1, sizeof before, f) : 0;
    if (f) fclose(f);
    if (i == 0) bytes = count;
    tap_ok(i ? status == HG_UNSUPPORTED && ended == status &&
                   strstr(hg_message(), "hg_finish: the run has failed before: ")
             : status == HG_OK && ended == HG_OK,
           "hg_finish after hg_advance gave %d: %d %s", (int)status, (int)ended, i ? hg_message() : "");
    if (i)
      tap_ok(bytes > 0 && count == bytes && memcmp(before, after, bytes) == 0, "... and the output is the old one");
  }
  unlink(output);
  check_ended("hg_finish of a run that has failed");
}

static void numbers_out_of_range(void)
{
  hg_job job = job_of();
  double *const reals[] = {&job.tolerance, &job.rebalance, &job.flops};
  int64_t *const wholes[] = {&job.neighbours_every, &job.dynamic_every, &job.check_every, &job.snapshot_every,
                             &job.size[0],          &job.size[1],       &job.size[2]};
  int *const ints[] = {&job.dims, &job.neighbour_limit, &job.blocks, &job.threads};
  const double bad[] = {NAN, INFINITY, -INFINITY};
  for (size_t i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++) {
      job = job_of();
      *reals[i] = k < 3 ? bad[k] : 1e306;
      tap_ok(hg_start(&job, &live) == HG_INVALID, "real field %zu is %g: %s", i, *reals[i], hg_message());
    }
  job = job_of();
  job.flops = -1;
  tap_ok(hg_start(&job, &live) == HG_INVALID && strstr(hg_message(), "flops"), "flops -1: %s", hg_message());
  for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
    for (int k = 0; k < 2; k++) {
      job = job_of();
      *wholes[i] = k ? INT64_MIN : -3;
      tap_ok(hg_start(&job, &live) == HG_INVALID, "whole field %zu is %lld: %s", i, (long long)*wholes[i],
             hg_message());
    }
  for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
    for (int k = 0; k < 2; k++) {
      job = job_of();
      *ints[i] = k ? INT32_MIN : -3;
      tap_ok(hg_start(&job, &live) == HG_INVALID, "field %zu is %d: %s", i, *ints[i], hg_message());
    }
  hg_update update = average;
  job = job_of();
  job.update = &update;
  update.value_bytes = 0;
  tap_ok(hg_start(&job, &live) == HG_INVALID, "values of 0 bytes: %s", hg_message());
  update = average;
  update.radius = -1;
  tap_ok(hg_start(&job, &live) == HG_INVALID, "a negative radius: %s", hg_message());
}

static void *start_and_end(void *status)
{
  const hg_job job = job_of();
  hg_run *run = NULL;
  *(hg_status *)status = hg_start(&job, &run);
  if (run) hg_finish(run);
  return NULL;
}

static void a_second_thread(void)
{
  const hg_job job = job_of();
  hg_status status;
  pthread_t thread;
  hg_start(&job, &live);
  pthread_create(&thread, NULL, start_and_end, &status);
  pthread_join(thread, NULL);
  tap_int(status, HG_UNSUPPORTED, "another thread that starts a run meanwhile is refused");
  tap_int(hg_finish(live), HG_OK, "... and this one continues");
}

/* --- divisible jobs ---------------------------------------------------------------------------------------------- */

static hg_divisible_run *pieces;

static void *open_more(void *job)
{
  hg_divisible_run *more;
  answer = hg_divisible_open(job, &more);
  snprintf(said, sizeof said, "%s", hg_message());
  return NULL;
}

static hg_status work(const hg_items *jobs)
{
  double *x = jobs->array[0];
  if (place == IN_THREAD && jobs->first == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, open_more, jobs->arg);
    pthread_join(thread, NULL);
  }
  if (jobs->arg && place == IN_UPDATE) HG_TRY(answer = hg_divisible_pass(pieces));
  for (int64_t i = 0; i < jobs->count; i++) x[i] += 1;
  return HG_OK;
}

static hg_status plan(const hg_items *jobs)
{
  return jobs->arg && place == IN_INIT ? answer = hg_divisible_pass(pieces) : HG_OK;
}

static void divisible_jobs(void)
{
  static double x[100];
  char any = 0;
  hg_item_part part;
  const hg_divisible job = {.grid = {100},
                            .arrays = 1,
                            .array = {{x, 8, .access = HG_ITEM_UPDATE}},
                            .cpu = work,
                            .prepare = plan,
                            .agglomerative = true,
                            .arg = &any};
  for (int where = IN_UPDATE; where <= IN_INIT; where++) {
    place = where;
    answer = HG_OK;
    hg_divisible_open(&job, &pieces);
    const hg_status status = hg_divisible_pass(pieces);
    tap_ok(answer == HG_UNSUPPORTED && status != HG_OK, "a function of divisible jobs calls hg_divisible_pass: %d, %s",
           (int)answer, hg_message());
    place = 0;
    hg_divisible_close(pieces);
  }
  hg_divisible_open(&job, &pieces);
  tap_int(hg_divisible_pass(pieces), HG_OK, "the next run works");
  tap_int(hg_divisible_close(pieces), HG_OK, "... and is closed");
  tap_ok(hg_divisible_close(pieces) == HG_INVALID, "closed twice: %s", hg_message());
  tap_ok(hg_divisible_pass(pieces) == HG_INVALID && hg_divisible_submit(pieces, NULL) == HG_INVALID &&
             hg_divisible_wait(pieces) == HG_INVALID && hg_divisible_part(pieces, 0, &part) == HG_INVALID &&
             hg_divisible_scatter(pieces, 0, x) == HG_INVALID && hg_divisible_gather(pieces, 0, x) == HG_INVALID &&
             hg_divisible_hand_over(pieces, 0, pieces, 0) == HG_INVALID && !hg_divisible_report_of(pieces)->pass,
         "used after its end: %s", hg_message());
  for (int i = 0; i < 4; i++) {
    hg_divisible wrong = job;
    if (i == 0) wrong.flops = NAN;
    if (i == 1) wrong.epsilon = NAN;
    if (i == 2) wrong.grid[1] = -4;
    if (i == 3) wrong.models = "";
    tap_ok(hg_divisible_open(&wrong, &pieces) == HG_INVALID, "a wrong field of a divisible job: %s", hg_message());
  }
}

static void divisible_jobs_in_threads(void)
{
  static double x[100];
  hg_divisible job = {.grid = {100}, .arrays = 1, .array = {{x, 8, .access = HG_ITEM_UPDATE}}, .cpu = work};
  job.arg = &job;
  place = IN_THREAD;
  hg_divisible_open(&job, &pieces);
  const hg_status status = hg_divisible_pass(pieces);
  place = 0;
  tap_int(answer, HG_UNSUPPORTED, "another thread that opens a divisible job during a pass is refused");
  tap_contains(said, "hg_divisible_open: called by another thread or a function of the job during hg_divisible_pass",
               "... says so");
  tap_ok(status == HG_OK && hg_divisible_close(pieces) == HG_OK, "... and this one continues");
}

static bool forked(hg_status status)
{
  return status == HG_UNSUPPORTED && strstr(hg_message(), "this process was forked during a run");
}

/* The threads of a run are not in a process that is forked meanwhile. */
static void check_child(hg_run *run, hg_divisible_run *items)
{
  const hg_job job = job_of();
  const int64_t id = 3;
  double value;
  int status = -1;
  const pid_t child = fork();
  if (child == 0) {
    bool good = forked(hg_start(&job, &live));
    if (run) good = good && forked(hg_values_get(run, 1, &id, &value, 8)) && forked(hg_finish(run));
    good = good && forked(run ? hg_advance(run, 1) : hg_divisible_pass(items));
    _exit(!good);
  }
  waitpid(child, &status, 0);
  tap_ok(status == 0, "a process that is forked during a %s is refused (%d)", run ? "run" : "divisible run", status);
}

static void forked_processes(void)
{
  double x[4] = {0};
  const hg_job job = job_of();
  const hg_divisible items = {.grid = {4}, .arrays = 1, .array = {{x, 8, .access = HG_ITEM_UPDATE}}, .cpu = work};
  hg_start(&job, &live);
  hg_run *const run = live;
  check_child(run, NULL);
  tap_ok(hg_advance(run, 10) == HG_OK && hg_finish(run) == HG_OK, "... and the run continues");
  hg_divisible_open(&items, &pieces);
  check_child(NULL, pieces);
  tap_ok(hg_divisible_pass(pieces) == HG_OK && hg_divisible_close(pieces) == HG_OK, "... and that continues");
}

static void divisible_jobs_that_came_before(void)
{
  enum { RUNS = 20 };
  static double x[100];
  const hg_divisible job = {.grid = {100}, .arrays = 1, .array = {{x, 8, .access = HG_ITEM_UPDATE}}, .cpu = work};
  hg_divisible_run *ended[RUNS];
  int taken = 0;
  place = 0;
  for (int i = 0; i < RUNS; i++) {
    hg_divisible_open(&job, &ended[i]);
    for (int k = 0; k < i; k++) taken += hg_divisible_pass(ended[k]) != HG_INVALID;
    hg_divisible_close(ended[i]);
  }
  tap_int(taken, 0, "ended divisible jobs that are mistaken for a later one");
}

int main(void)
{
  setenv("STARPU_NCUDA", "0", 1);
  functions_of_the_job();
  runs_that_have_ended();
  runs_that_have_failed();
  runs_that_came_before();
  the_environment_is_given_back();
  warnings_go_where_they_are_wanted();
  numbers_out_of_range();
  a_second_thread();
  divisible_jobs();
  divisible_jobs_in_threads();
  divisible_jobs_that_came_before();
  forked_processes();
  return tap_done();
}
