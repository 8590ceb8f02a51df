/* SPDX-License-Identifier: MIT */
/* Divisible jobs through the public interface: each item is processed once whatever its arrays, failures are named, and
 * there may be few items and overlapping passes. */
#include "divisible/divisible.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tap.h"

/* y[j] = sum of the shared table times x[j] + j, z[j] += 1. */
static hg_status combine(const hg_items *items)
{
  const double *x = items->array[0], *table = items->array[1];
  double *y = items->array[2], *z = items->array[3];
  for (int64_t i = 0; i < items->count; i++) {
    y[i] = (table[0] + table[1]) * x[i] + (double)(items->first + i);
    z[i] += 1;
  }
  return HG_OK;
}

static hg_status passes(const hg_divisible *job, int count)
{
  hg_divisible_run *run;
  HG_TRY(hg_divisible_open(job, &run));
  hg_status status = HG_OK;
  for (int i = 0; i < count && status == HG_OK; i++) status = hg_divisible_pass(run);
  const hg_status closed = hg_divisible_close(run);
  return status == HG_OK ? closed : status;
}

static void every_item_once(int64_t n, bool agglomerative)
{
  double x[200], y[200], z[200] = {0}, table[2] = {2, 3};
  bool good = true;
  for (int i = 0; i < 200; i++) x[i] = i * .5, y[i] = -1;
  const hg_divisible job = {.name = "combine",
                            .grid = {n},
                            .arrays = 4,
                            .array = {{x, 8},
                                      {table, 16, .access = HG_ITEM_SHARED},
                                      {y, 8, .access = HG_ITEM_WRITE},
                                      {z, 8, .access = HG_ITEM_UPDATE}},
                            .cpu = combine,
                            .agglomerative = agglomerative};
  const hg_status status = passes(&job, 3);
  for (int i = 0; i < 200; i++) good = good && y[i] == (i < n ? 5 * x[i] + i : -1) && z[i] == (i < n ? 3 : 0);
  tap_ok(status == HG_OK && good, "%lld items, %s, are each done once per pass %s", (long long)n,
         agglomerative ? "many at once" : "one at a time", status ? hg_message() : "");
}

/* Records which worker was called, and on how many cores a thread that it starts would run. */
typedef struct seen {
  atomic_int calls, at_once, most, cores, bound;
} seen;

static void *look(void *arg)
{
  cpu_set_t set;
  if (pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0) *(int *)arg = CPU_COUNT(&set);
  return NULL;
}

static hg_status work_together(const hg_items *items)
{
  seen *s = items->arg;
  pthread_t thread;
  int bound = 0;
  const int now = atomic_fetch_add(&s->at_once, 1) + 1;
  if (now > atomic_load(&s->most)) atomic_store(&s->most, now);
  if (pthread_create(&thread, NULL, look, &bound) == 0) pthread_join(thread, NULL);
  for (int64_t i = 0; i < items->count; i++) ((double *)items->array[0])[i] += 1;
  s->calls++;
  s->cores = items->cores;
  s->bound = bound;
  s->at_once--;
  return HG_OK;
}

static void cores_together(void)
{
  double x[100] = {0};
  seen s = {0};
  bool good = true;
  hg_divisible job = {.name = "together",
                      .grid = {100},
                      .arrays = 1,
                      .array = {{x, 8, .access = HG_ITEM_UPDATE}},
                      .cpu = work_together,
                      .agglomerative = true,
                      .workers = "cpu",
                      .arg = &s,
                      .together = true};
  for (int i = 0; i < 70; i++) good = good && passes(&job, 3) == HG_OK;
  for (int i = 0; i < 100; i++) good = good && x[i] == 210;
  tap_ok(good, "a parallel routine does each item once %s", hg_message());
  tap_int(s.calls, 210, "it is called once per pass");
  tap_int(s.most, 1, "... and never twice at the same time");
  tap_int(s.cores, 2, "it receives its number of cores");
  tap_ok(s.bound != 1, "its threads are not bound to one of them (%d)", (int)s.bound);
}

enum { ROWS = 5, WIDE = 77 };

/* An item is three columns: three cells of each row. */
static hg_status scale(const hg_items *items)
{
  char *at = items->array[0];
  for (int r = 0; r < ROWS; r++, at += items->stride[0])
    for (int64_t i = 0; i < 3 * items->count; i++) ((float *)at)[i] *= 2;
  return HG_OK;
}

static void columns_of_a_matrix(void)
{
  static float a[ROWS][3 * WIDE + 2];
  bool good = true;
  for (int r = 0; r < ROWS; r++)
    for (int i = 0; i < 3 * WIDE + 2; i++) a[r][i] = (float)(r * 1000 + i);
  const hg_divisible job = {.name = "columns",
                            .grid = {WIDE},
                            .arrays = 1,
                            .array = {{a, 12, ROWS, sizeof a[0], HG_ITEM_UPDATE}},
                            .cpu = scale,
                            .agglomerative = true};
  const hg_status status = passes(&job, 2);
  for (int r = 0; r < ROWS; r++)
    for (int i = 0; i < 3 * WIDE + 2; i++) good = good && a[r][i] == (float)((r * 1000 + i) * (i < 3 * WIDE ? 4 : 1));
  tap_ok(status == HG_OK && good, "items that are columns of a matrix %s", status ? hg_message() : "");
}

/* y[j] = 2 x[j] + j; both arrays are divided. */
static hg_status affine(const hg_items *items)
{
  const double *x = items->array[0];
  double *y = items->array[1];
  for (int64_t i = 0; i < items->count; i++) y[i] = 2 * x[i] + (double)(items->first + i);
  return HG_OK;
}

static void divided_arrays(void)
{
  const hg_divisible job = {
      .name = "affine",
      .grid = {50},
      .arrays = 2,
      .array = {{.bytes = 8, .divided = true}, {.bytes = 8, .access = HG_ITEM_WRITE, .divided = true}},
      .cpu = affine,
      .agglomerative = true};
  hg_divisible other = job;
  hg_divisible_run *run, *next, *alike;
  hg_item_part part;
  double x[50], y[50];
  bool good = true;
  for (int i = 0; i < 50; i++) x[i] = 3 * i;
  hg_divisible_open(&job, &run);
  const hg_divisible_report *before = hg_divisible_report_of(run);
  tap_ok(before->pass == 0 && before->ranks == 1 && before->workers > 0 && before->share[0] == 0 &&
             strcmp(before->state, "learning") == 0,
         "before the first pass the report knows ranks and workers");
  other.grid[0] = 49;
  hg_divisible_open(&other, &next);
  good = hg_divisible_scatter(run, 0, x) == HG_OK && hg_divisible_pass(run) == HG_OK &&
         hg_divisible_gather(run, 1, y) == HG_OK;
  for (int i = 0; i < 50; i++) good = good && y[i] == 7 * i;
  tap_ok(good, "arrays without a base are the library's");
  good = hg_divisible_part(run, 1, &part) == HG_OK && part.first == 0 && part.count == 50;
  tap_ok(good && ((double *)part.base)[49] == 343, "... and can be read in place");
  tap_ok(hg_divisible_hand_over(run, 1, next, 0) == HG_INVALID, "50 items are not 49: %s", hg_message());
  tap_ok(hg_divisible_hand_over(run, 1, run, 1) == HG_INVALID, "an array and itself: %s", hg_message());
  tap_ok(hg_divisible_part(run, 2, &part) == HG_INVALID, "there is no third array: %s", hg_message());
  tap_ok(hg_divisible_part(run, 1, NULL) == HG_INVALID, "no argument for the part: %s", hg_message());
  tap_ok(hg_divisible_scatter(run, 0, NULL) == HG_INVALID, "nothing to scatter: %s", hg_message());
  tap_ok(hg_divisible_gather(run, 1, NULL) == HG_INVALID, "no room to gather: %s", hg_message());
  other = job;
  hg_divisible_open(&other, &alike);
  hg_divisible_submit(run, NULL);
  tap_ok(hg_divisible_part(run, 1, &part) == HG_INVALID, "not in a pass: %s", hg_message());
  tap_ok(hg_divisible_hand_over(run, 1, alike, 0) == HG_INVALID, "... nor from one: %s", hg_message());
  tap_ok(hg_divisible_hand_over(alike, 1, run, 0) == HG_INVALID, "... nor to one: %s", hg_message());
  hg_divisible_wait(run);
  hg_divisible_close(alike);
  hg_divisible_close(next);
  hg_divisible_close(run);
}

static hg_divisible shaped(int64_t items, int64_t rows, int64_t bytes)
{
  return (hg_divisible){.name = "shape",
                        .grid = {items},
                        .arrays = 1,
                        .array = {{.bytes = bytes, .rows = rows, .divided = true}},
                        .cpu = affine};
}

/* Whether an array can be handed over from items of one shape to those of another. */
static hg_status handed_over(const hg_divisible *a, const hg_divisible *b)
{
  hg_divisible_run *from, *to;
  if (hg_divisible_open(a, &from) != HG_OK || hg_divisible_open(b, &to) != HG_OK) return HG_RUNTIME;
  const hg_status status = hg_divisible_hand_over(from, 0, to, 0);
  hg_divisible_close(to);
  hg_divisible_close(from);
  return status;
}

static void arrays_go_on_by_rows_and_columns(void)
{
  const hg_divisible rows = shaped(4, 1, 16), columns = shaped(2, 4, 8), planes = shaped(4, 2, 16);
  tap_int(handed_over(&rows, &columns), HG_OK, "items that are rows of others'");
  tap_int(handed_over(&columns, &rows), HG_OK, "... and back");
  tap_int(handed_over(&planes, &columns), HG_INVALID, "items of two rows are not rows");
  tap_int(handed_over(&columns, &planes), HG_INVALID, "... nor the other way round");
}

static void no_items_need_no_memory(void)
{
  const hg_divisible job = shaped(0, 1, 8);
  hg_divisible_run *run;
  if (hg_divisible_open(&job, &run) != HG_OK) return;
  tap_ok(hg_divisible_scatter(run, 0, NULL) == HG_OK && hg_divisible_gather(run, 0, NULL) == HG_OK,
         "arrays of no items need no memory");
  hg_divisible_close(run);
}

static hg_status fail_at_7(const hg_items *items)
{
  for (int64_t i = items->first; i < items->first + items->count; i++)
    if (i == 7) return hg_fail(HG_MISMATCH, "item %d is not to my taste", 7);
  return HG_OK;
}

static void failures(void)
{
  const hg_divisible job = {.name = "seven", .grid = {5, 2}, .cpu = fail_at_7};
  tap_ok(passes(&job, 2) == HG_MISMATCH, "a function that fails ends the pass");
  tap_contains(hg_message(), "seven: items 5 to 9 on CPU", "... by items and device");
  tap_contains(hg_message(), "item 7 is not to my taste", "... and reason");
}

static bool silent;

static hg_status do_nothing(const hg_items *items)
{
  (void)items;
  return HG_OK;
}

static hg_status find_wrong(void *arg)
{
  (void)arg;
  return HG_MISMATCH;
}

static hg_status fail_loudly_first(const hg_items *items)
{
  (void)items;
  return silent ? HG_IO : hg_fail(HG_MISMATCH, "a reason of the first pass");
}

static void failures_without_words(void)
{
  const hg_divisible job = {.name = "silent", .grid = {8}, .cpu = fail_loudly_first, .agglomerative = true};
  hg_divisible_run *run;
  if (hg_divisible_open(&job, &run) != HG_OK) return;
  tap_int(hg_divisible_pass(run), HG_MISMATCH, "a function that fails with a reason");
  silent = true;
  tap_int(hg_divisible_pass(run), HG_IO, "... and without, in the next pass");
  tap_contains(hg_message(), hg_status_text(HG_IO), "... whose message gives its status, not an earlier reason");
  hg_divisible_close(run);
  char name[] = "checked", quiet[] = "--quiet", *arguments[] = {name, quiet, NULL};
  const hg_divisible checked = {.name = "checked", .grid = {8}, .cpu = do_nothing};
  tap_int(hg_divisible_main(2, arguments, &checked, find_wrong), 1, "results that a program finds wrong");
  tap_contains(hg_message(), "the check of the results: ", "... without a reason");
}

/* A failure that a worker reports before the submission of its task returns counts. */
static void quick_failures(void)
{
  enum { PASSES = 3000 };
  const hg_divisible job = {.name = "quick", .grid = {8}, .cpu = fail_at_7};
  hg_divisible_run *run;
  int failed = 0;
  tap_ok(hg_divisible_open(&job, &run) == HG_OK, "short items that fail");
  for (int i = 0; i < PASSES; i++) failed += hg_divisible_pass(run) == HG_MISMATCH;
  hg_divisible_close(run);
  tap_ok(failed == PASSES, "... fail each time, %d of %d", failed, PASSES);
}

static void refused(hg_divisible job, const char *message)
{
  hg_divisible_run *run;
  job.name = "wrong";
  tap_ok(hg_divisible_open(&job, &run) == HG_INVALID, "refused: %s", message);
  tap_contains(hg_message(), message, "... by name");
}

static void wrong_items(void)
{
  static double x[9];
  const hg_divisible good = {.grid = {9}, .cpu = fail_at_7, .arrays = 1, .array = {{x, 8}}};
  hg_divisible job = good;
  job.grid[1] = -2, refused(job, "grid is 9 x -2"), job = good;
  job.grid[0] = job.grid[1] = job.grid[2] = INT64_C(1) << 40, refused(job, "below 2^31"), job = good;
  job.cpu = NULL, refused(job, "function for CPUs is missing"), job = good;
  job.arrays = 9, refused(job, "9 arrays, must be in 0..8"), job = good;
  job.array[0].base = NULL, refused(job, "array 0: base is NULL"), job = good;
  job.array[0].bytes = 0, refused(job, "array 0: 0 bytes"), job = good;
  job.array[0].rows = 2, job.array[0].stride = 71, refused(job, "stride is 71 bytes, must be >= 72"), job = good;
  job.array[0].access = (hg_item_access)4, refused(job, "access is 4"), job = good;
  job.array[0].divided = true, job.array[0].access = HG_ITEM_SHARED, refused(job, "cannot be divided"), job = good;
  job.epsilon = 1, refused(job, "epsilon is 1"), job = good;
  job.epsilon = NAN, refused(job, "epsilon is nan"), job = good;
  job.epsilon = -.1, refused(job, "wrong: epsilon is -0.1"), job = good;
  job.array[0].rows = -1, refused(job, "in -1 rows"), job = good;
  job.strategy = "", refused(job, "strategy: '' is unknown"), job = good;
  job.strategy = "best", refused(job, "strategy: 'best' is unknown"), job = good;
  job.strategy = "fixed:0", refused(job, "fixed:K"), job = good;
  tap_ok(hg_divisible_open(NULL, NULL) == HG_INVALID, "no job at all");
  tap_ok(hg_divisible_pass(NULL) == HG_INVALID && hg_divisible_close(NULL) == HG_OK, "no run");
  tap_ok(hg_divisible_submit(NULL, NULL) == HG_INVALID && hg_divisible_wait(NULL) == HG_INVALID &&
             hg_divisible_scatter(NULL, 0, x) == HG_INVALID && hg_divisible_gather(NULL, 0, x) == HG_INVALID &&
             hg_divisible_hand_over(NULL, 0, NULL, 0) == HG_INVALID && hg_divisible_report_of(NULL)->pass == 0,
         "... for any function: %s", hg_message());
  tap_int(hg_divisible_main(0, NULL, NULL, NULL), 2, "no job for hg_divisible_main");
}

static atomic_int running, together;

/* Records whether two functions ever run at the same time; waits a while for the other. */
static hg_status meet(const hg_items *items)
{
  (void)items;
  atomic_fetch_add(&running, 1);
  for (int i = 0; i < 100000000 && !together; i++)
    if (atomic_load(&running) == 2) together = 1;
  atomic_fetch_sub(&running, 1);
  return HG_OK;
}

static void two_runs(void)
{
  const hg_divisible job = {.name = "meet", .grid = {2}, .cpu = meet};
  hg_divisible_run *one, *two;
  hg_divisible_open(&job, &one);
  hg_divisible_open(&job, &two);
  bool good = hg_divisible_submit(one, NULL) == HG_OK && hg_divisible_submit(two, NULL) == HG_OK;
  tap_ok(hg_divisible_submit(one, NULL) == HG_INVALID, "a pass is submitted once: %s", hg_message());
  good = hg_divisible_wait(two) == HG_OK && hg_divisible_wait(one) == HG_OK && good;
  tap_ok(good, "two runs are open at once, and waited for in any order");
  tap_ok(hg_divisible_wait(one) == HG_INVALID, "a pass that was not submitted is not waited for");
  good = hg_divisible_submit(one, NULL) == HG_OK && hg_divisible_submit(two, one) == HG_OK &&
         hg_divisible_wait(two) == HG_OK && hg_divisible_wait(one) == HG_INVALID;
  tap_ok(good, "a run after another waits for it");
  tap_int(hg_divisible_report_of(two)->pass, 2, "passes are counted");
  hg_divisible_close(one);
  hg_divisible_close(two);
  tap_ok(together || getenv("STARPU_NCPU") == NULL, "workers work at the same time");
}

typedef struct prepared {
  int calls;
  int64_t most;
} prepared;

static hg_status prepare(const hg_items *items)
{
  prepared *p = items->arg;
  p->calls++;
  if (items->count > p->most) p->most = items->count;
  return items->grid[0] == 13 ? hg_fail(HG_MEMORY, "thirteen") : HG_OK;
}

static hg_status nothing(const hg_items *items)
{
  return items->count <= ((prepared *)items->arg)->most ? HG_OK : hg_fail(HG_MISMATCH, "unprepared");
}

static void preparations(void)
{
  prepared p = {0};
  hg_divisible job = {.grid = {1000}, .cpu = nothing, .prepare = prepare, .agglomerative = true, .arg = &p};
  const hg_status status = passes(&job, 4);
  tap_ok(status == HG_OK && p.calls >= 2, "workers are prepared for their counts (%d calls) %s", p.calls,
         status == HG_OK ? "" : hg_message());
  p = (prepared){0};
  job.agglomerative = false;
  tap_ok(passes(&job, 4) == HG_OK && p.most == 1, "... of one item at a time");
  job.agglomerative = true;
  job.grid[0] = 13, job.grid[1] = 2;
  tap_ok(passes(&job, 1) == HG_MEMORY, "a preparation that fails: %s", hg_message());
}

static atomic_int done;

static hg_status take_a_while(const hg_items *items)
{
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  done += (int)items->count;
  return HG_OK;
}

/* Another run keeps the session open; closing the session would wait for all tasks. */
static void passes_end_before_their_runs(void)
{
  const hg_divisible job = {.name = "slow", .grid = {10}, .cpu = take_a_while};
  hg_divisible_run *run, *other;
  if (hg_divisible_open(&job, &other) != HG_OK || hg_divisible_open(&job, &run) != HG_OK) return;
  tap_int(hg_divisible_submit(run, NULL), HG_OK, "a pass is submitted");
  hg_divisible_close(run);
  tap_int(done, 10, "... and all its items are done once its run is closed");
  hg_divisible_close(other);
}

static hg_status wait_a_little(const hg_items *items)
{
  return nanosleep(&(struct timespec){.tv_nsec = 100000 * items->count}, NULL) ? HG_RUNTIME : HG_OK;
}

static void reports(void)
{
  const hg_divisible job = {.name = "little", .grid = {20}, .cpu = wait_a_little, .agglomerative = true};
  hg_divisible_run *run;
  if (hg_divisible_open(&job, &run) != HG_OK || hg_divisible_pass(run) != HG_OK) return;
  const hg_divisible_report *r = hg_divisible_report_of(run);
  int64_t items = 0;
  bool busy = true;
  for (int w = 0; w < r->workers; w++) {
    items += r->share[w];
    busy = busy && r->busy[w] >= 1e-4 * (double)r->share[w] && r->busy[w] <= r->seconds;
  }
  tap_int(items, 20, "workers' shares sum to all items");
  tap_ok(busy, "... and each was busy at least as long as its items took, and no longer than the pass");
  hg_divisible_close(run);
}

int main(void)
{
  static const int64_t counts[] = {0, 1, 2, 3, 7, 100, 200};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    every_item_once(counts[i], true);
    every_item_once(counts[i], false);
  }
#ifndef __SANITIZE_THREAD__ /* StarPU reads and writes its own fields of parallel tasks without a lock */
  cores_together();
#endif
  columns_of_a_matrix();
  divided_arrays();
  arrays_go_on_by_rows_and_columns();
  no_items_need_no_memory();
  failures();
  failures_without_words();
  quick_failures();
  wrong_items();
  two_runs();
  preparations();
  passes_end_before_their_runs();
  reports();
  return tap_done();
}
