/* SPDX-License-Identifier: MIT */
/* Jobs within a process that also does other work: MPI is already initialised, other jobs ran before, or StarPU is in
 * use. Each case is an argument; results are compared bit for bit with plain loops. */
#define HG_VALUE double
#define HG_DIMS 2
#define HG_RADIUS 1
#include <dirent.h>
#include <hetgrid/app.h>
#include <hetgrid/divisible.h>
#include <malloc.h>
#include <mpi.h>
#include <sched.h>
#include <starpu.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"

HG_UPDATE(average)
{
  return (hg_at(u, -1, 0) + hg_at(u, 1, 0) + hg_at(u, 0, -1) + hg_at(u, 0, 1)) / 4;
}

static hg_status start(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  (void)input, (void)arg;
  *(double *)value = (double)(cell->id * 7919 % 1009);
  return HG_OK;
}

static hg_job make(int64_t nx, int64_t ny, int64_t steps, const MPI_Comm *comm)
{
  return (hg_job){.size = {nx, ny, 1}, .update = &average, .init = start, .steps = steps, .communicator = comm};
}

/* --- reference by plain loops --- */

static void sweep(int64_t nx, int64_t ny, const double *t, double *next)
{
  memcpy(next, t, (size_t)(nx * ny) * sizeof *t);
  for (int64_t y = 1; y < ny - 1; y++)
    for (int64_t x = 1; x < nx - 1; x++) {
      const int64_t i = x + nx * y;
      next[i] = (t[i - 1] + t[i + 1] + t[i - nx] + t[i + nx]) / 4;
    }
}

static bool is_right(const hg_job *j, const double *got)
{
  const int64_t nx = j->size[0], units = nx * j->size[1];
  double *t = malloc((size_t)units * sizeof *t), *next = malloc((size_t)units * sizeof *t);
  for (int64_t i = 0; i < units; i++) t[i] = (double)(i * 7919 % 1009);
  for (int64_t s = 0; s < j->steps; s++) {
    sweep(nx, j->size[1], t, next);
    double *was = t;
    t = next;
    next = was;
  }
  const bool same = memcmp(t, got, (size_t)units * sizeof *t) == 0;
  free(t);
  free(next);
  return same;
}

/* --- jobs --- */

static bool advances_right(hg_run *run, const hg_job *j)
{
  const int64_t units = j->size[0] * j->size[1];
  double *value = malloc((size_t)units * sizeof *value);
  int64_t *id = malloc((size_t)units * sizeof *id);
  for (int64_t i = 0; i < units; i++) id[i] = i;
  const bool good = hg_advance(run, j->steps) == HG_OK &&
                    hg_values_get(run, units, id, value, sizeof *value) == HG_OK && is_right(j, value);
  free(value);
  free(id);
  return good;
}

/* Runs a whole job, given its ranks and this process' rank. */
static bool works(int64_t nx, int64_t ny, const MPI_Comm *comm, int rank, int ranks)
{
  const hg_job job = make(nx, ny, 25, comm);
  hg_run *run;
  if (hg_start(&job, &run) != HG_OK) {
    printf("# %s\n", hg_message());
    return false;
  }
  const bool good = hg_rank(run) == rank && hg_ranks(run) == ranks && advances_right(run, &job);
  return hg_finish(run) == HG_OK && good;
}

static void is_refused(const hg_job *job, hg_status expected, const char *pattern, const char *name)
{
  hg_run *run = NULL;
  const hg_status status = hg_start(job, &run);
  tap_ok(status == expected && strstr(hg_message(), pattern), "%s (%s: %s)", name, hg_status_text(status),
         hg_message());
  if (status == HG_OK) hg_free(run);
}

/* --- cases; `rank` and `ranks` are those of MPI, or 0 and 1 --- */

static void jobs(int rank, int ranks)
{
  tap_ok(works(40, 30, NULL, rank, ranks), "a job");
  tap_ok(works(33, 50, NULL, rank, ranks), "another one after it");
  tap_ok(works(60, 20, NULL, rank, ranks), "and a third");
}

static void communicator(int rank, int ranks)
{
  MPI_Comm world = MPI_COMM_WORLD, group;
  int sum = 1;
  tap_ok(works(40, 30, &world, rank, ranks), "a job on MPI_COMM_WORLD");
  MPI_Comm_split(world, rank % 2, -rank, &group);
  int mine, members;
  MPI_Comm_rank(group, &mine);
  MPI_Comm_size(group, &members);
  for (int i = 0; i < 2; i++)
    tap_ok(works(30 + 20 * (rank % 2), 30, &group, mine, members), "half of the ranks do a job of their own");
  MPI_Comm_free(&group);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, world);
  tap_int(sum, ranks, "the program's own messages in between");
  tap_ok(works(44, 30, NULL, rank, ranks), "then all of them do one");
}

static void null(int rank, int ranks)
{
  MPI_Comm comm = MPI_COMM_NULL;
  (void)ranks;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? 0 : MPI_UNDEFINED, 0, &comm);
  const hg_job job = make(20, 20, 5, &comm);
  if (rank == 0)
    tap_ok(works(20, 20, &comm, 0, 1), "the only rank of a communicator does a job");
  else
    is_refused(&job, HG_INVALID, "MPI_COMM_NULL", "a rank without communicator is refused");
}

static void unlike(int rank, int ranks)
{
  const hg_job job = make(20, 20, 5 + rank, NULL);
  is_refused(&job, HG_INVALID, "--steps: is 6, on rank 0 it is 5", "jobs that differ between ranks are refused on all");
  tap_ok(works(20, 20, NULL, rank, ranks), "... and a job that is the same on all ranks runs");
}

static void live(int rank, int ranks)
{
  const hg_job job = make(40, 30, 12, NULL);
  hg_run *run;
  tap_int(hg_start(&job, &run), HG_OK, "a run begins");
  is_refused(&job, HG_UNSUPPORTED, "another run exists", "a second one at the same time is refused");
  tap_ok(advances_right(run, &job), "... and the first continues");
  hg_free(run);
  tap_ok(works(20, 20, NULL, rank, ranks), "once it is freed there is room for another");
}

/* Workers on all cores leave them to other threads while idle. */
static void idle(int rank, int ranks)
{
  const hg_job job = make(40, 30, 12, NULL);
  hg_run *run;
  (void)rank, (void)ranks;
  tap_int(hg_start(&job, &run), HG_OK, "a run begins");
  const clock_t before = clock();
  sleep(1);
  const double busy = (double)(clock() - before) / CLOCKS_PER_SEC / starpu_cpu_worker_get_count();
  tap_ok(busy < .2, "... and while idle each worker takes %.3f s of a second, must be < 0.2", busy);
  tap_ok(advances_right(run, &job), "... and continues");
  tap_int(hg_finish(run), HG_OK, "... to its end");
}

static void own_starpu(int rank, int ranks)
{
  const hg_job job = make(40, 30, 12, NULL);
  tap_int(starpu_init(NULL), 0, "a program starts StarPU itself");
  is_refused(&job, HG_UNSUPPORTED, "StarPU itself", "another job at the same time is refused");
  starpu_shutdown();
  tap_ok(works(20, 20, NULL, rank, ranks), "... and works after it");
}

static void process(int rank, int ranks)
{
  cpu_set_t before, after;
  setenv("STARPU_SCHED", "hetgrid-even", 1);
  sched_getaffinity(0, sizeof before, &before);
  const bool good = works(40, 30, NULL, rank, ranks);
  sched_getaffinity(0, sizeof after, &after);
  tap_ok(good && CPU_EQUAL(&before, &after), "after a job the process has its cores");
  const char *policy = getenv("STARPU_SCHED");
  tap_ok(policy && strcmp(policy, "hetgrid-even") == 0, "... and its environment");
}

static size_t memory(void)
{
  const struct mallinfo2 m = mallinfo2();
  return m.uordblks + m.hblkhd;
}

static void leaks(int rank, int ranks)
{
  enum { WARM = 5, JOBS = 20, BOUND = 16 << 10 };
  bool good = true;
  size_t before = 0;
  for (int i = 0; i < WARM + JOBS; i++) {
    if (i == WARM) before = memory();
    good = works(300, 200, NULL, rank, ranks) && good;
  }
  const double each = ((double)memory() - (double)before) / JOBS;
  tap_ok(good && each < BOUND, "a job leaves no memory behind (%.0f bytes each, must be < %d)", each, BOUND);
}

/* Number of entries of a folder of /proc. */
static int entries(const char *path)
{
  int count = 0;
  DIR *folder = opendir(path);
  while (folder && readdir(folder)) count++;
  if (folder) closedir(folder);
  return count;
}

/* Starts that are refused at several stages, and runs that are abandoned. */
static void give_up(int i)
{
  static const char *const outputs[] = {"no/such/folder/out.npy", "folder.npy", "out.doc"};
  hg_job job = make(300, 200, 25, NULL);
  hg_run *run;
  if (i % 5 < 3) job.output = outputs[i % 5];
  if (i % 5 == 3) job.boundary = "none";
  if (hg_start(&job, &run) != HG_OK) return;
  hg_advance(run, i);
  hg_free(run);
}

static void failures(int rank, int ranks)
{
  enum { WARM = 10, JOBS = 40, BOUND = 16 << 10 };
  size_t before = 0;
  int files = 0, threads = 0;
  (void)ranks, (void)rank;
  for (int i = 0; i < WARM + JOBS; i++) {
    if (i == WARM) before = memory(), files = entries("/proc/self/fd"), threads = entries("/proc/self/task");
    give_up(i);
  }
  const double each = ((double)memory() - (double)before) / JOBS;
  tap_ok(each < BOUND, "jobs that are refused or abandoned leave no memory behind (%.0f bytes each, must be < %d)",
         each, BOUND);
  tap_int(entries("/proc/self/fd"), files, "... nor open files");
  tap_int(entries("/proc/self/task"), threads, "... nor threads");
}

static void wrong(int rank, int ranks)
{
  const hg_job job = make(20, 20, 5, NULL);
  const int64_t id[] = {3, 400};
  double value[2];
  hg_run *run = NULL;
  (void)rank, (void)ranks;
  tap_int(hg_start(NULL, &run), HG_INVALID, "no job");
  tap_int(hg_start(&job, NULL), HG_INVALID, "no place for the run");
  tap_int(hg_advance(NULL, 1), HG_INVALID, "no run to advance");
  tap_contains(hg_message(), "hg_advance: the run is NULL", "... says so");
  tap_int(hg_finish(NULL), HG_INVALID, "no run to finish");
  tap_int(hg_values_get(NULL, 1, id, value, 8), HG_INVALID, "no run to read");
  tap_int(hg_values_set(NULL, 1, id, value, 8), HG_INVALID, "no run to write");
  tap_ok(hg_steps_done(NULL) == -1 && hg_rank(NULL) == -1 && hg_ranks(NULL) == -1 && !hg_is_finished(NULL) &&
             isnan(hg_reduced(NULL)),
         "what is asked of no run");
  hg_free(NULL);
  tap_int(hg_main(0, NULL, NULL), 2, "no job for hg_main");
  tap_int(hg_start(&job, &run), HG_OK, "a run");
  tap_int(hg_advance(run, -1), HG_INVALID, "steps back");
  tap_int(hg_values_get(run, -1, id, value, 8), HG_INVALID, "a negative count");
  tap_int(hg_values_get(run, 1, NULL, value, 8), HG_INVALID, "no identifiers");
  tap_int(hg_values_get(run, 1, id, NULL, 8), HG_INVALID, "no room for values");
  tap_int(hg_values_set(run, 1, id, NULL, 8), HG_INVALID, "no values");
  tap_int(hg_values_get(run, 2, id, value, 8), HG_INVALID, "a unit outside the grid");
  tap_int(hg_values_get(run, 1, id, value, 4), HG_INVALID, "values of another size");
  tap_ok(advances_right(run, &job), "the run continues after all that");
  tap_int(hg_finish(run), HG_OK, "... and ends");
}

static hg_status double_all(const hg_items *items)
{
  double *x = items->array[0];
  for (int64_t i = 0; i < items->count; i++) x[i] *= 2;
  return HG_OK;
}

static hg_divisible divisible_of(double *x, int64_t count, const MPI_Comm *comm)
{
  return (hg_divisible){.grid = {count},
                        .arrays = 1,
                        .array = {{x, sizeof *x, .access = HG_ITEM_UPDATE}},
                        .cpu = double_all,
                        .agglomerative = true,
                        .communicator = comm};
}

/* Divisible jobs share one StarPU and therefore the same ranks; other ranks are refused meanwhile. */
static void divisible(int rank, int ranks)
{
  double x[] = {1, 2, 3}, y[] = {4, 5};
  const MPI_Comm world = MPI_COMM_WORLD, self = MPI_COMM_SELF, none = MPI_COMM_NULL;
  const hg_divisible first = divisible_of(x, 3, NULL), again = divisible_of(y, 2, &world),
                     alone = divisible_of(y, 2, &self), nowhere = divisible_of(y, 2, &none);
  const hg_job grid = make(20, 20, 5, NULL);
  hg_divisible_run *run, *other, *refused;
  tap_int(hg_divisible_open(&first, &run), HG_OK, "a divisible job");
  tap_int(hg_divisible_report_of(run)->rank, rank, "... whose report knows the rank before the first pass");
  tap_int(hg_divisible_open(&again, &other), HG_OK, "another one of the same ranks");
  tap_ok(hg_divisible_open(&alone, &refused) == (ranks > 1 ? HG_UNSUPPORTED : HG_OK), "one of other ranks: %s",
         hg_message());
  if (ranks == 1) hg_divisible_close(refused);
  tap_ok(hg_divisible_open(&nowhere, &refused) == HG_UNSUPPORTED, "one of no rank: %s", hg_message());
  is_refused(&grid, HG_UNSUPPORTED, "another run exists", "a grid's job at the same time is refused");
  const bool good = hg_divisible_pass(run) == HG_OK && hg_divisible_pass(other) == HG_OK;
  tap_ok(good && (rank > 0 || (x[2] == 6 && y[1] == 10)), "both continue");
  hg_divisible_close(run);
  hg_divisible_close(other);
  tap_ok(works(20, 20, NULL, rank, ranks), "then there is room for a grid's job");
  tap_int(hg_divisible_open(&alone, &run), HG_OK, "... and for a divisible one of other ranks");
  tap_ok(hg_divisible_pass(run) == HG_OK && y[0] == (rank > 0 ? 8 : 16), "... on each rank for itself");
  hg_divisible_close(run);
}

static void output(int rank, int ranks)
{
  hg_job job = make(20, 20, 5, NULL);
  (void)rank, (void)ranks;
  job.output = "no/such/folder/out.npy";
  is_refused(&job, HG_IO, "no/such/folder", "an output in a missing folder is found when the job starts");
  job.output = "folder.npy";
  is_refused(&job, HG_IO, "folder.npy: is a directory", "... one that is a folder");
  job.output = "out.doc";
  is_refused(&job, HG_INVALID, "out.doc: unknown ending", "... one of an unknown format");
}

static void ended(int rank, int ranks)
{
  const hg_job job = make(20, 20, 5, NULL);
  (void)rank, (void)ranks;
  MPI_Finalize();
  is_refused(&job, HG_RUNTIME, "finalised", "a job after MPI has ended is refused");
}

static void threads(int rank, int ranks)
{
  const hg_job job = make(20, 20, 5, NULL);
  (void)rank, (void)ranks;
  is_refused(&job, HG_RUNTIME, "MPI_THREAD_MULTIPLE", "an MPI without MPI_THREAD_MULTIPLE is refused");
}

static void missing(int rank, int ranks)
{
  const MPI_Comm world = MPI_COMM_WORLD;
  const hg_job job = make(20, 20, 5, &world);
  (void)rank, (void)ranks;
  is_refused(&job, HG_INVALID, "MPI is not initialised", "a communicator without MPI is refused");
}

/* The program uses MPI_ERRORS_RETURN; the job's messages must nevertheless not fail silently. */
static void errors(int rank, int ranks)
{
  MPI_Comm world = MPI_COMM_WORLD;
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  tap_ok(works(20, 20, &world, rank, ranks), "a job with MPI_ERRORS_RETURN");
}

/* A rank that exits between two jobs must not make the others wait for ever. */
static void leaves(int rank, int ranks)
{
  tap_ok(works(20, 20, NULL, rank, ranks), "a job");
  if (rank == 1) exit(3);
  works(20, 20, NULL, rank, ranks);
}

typedef struct test {
  const char *name;
  void (*run)(int rank, int ranks);
  int threads; /* thread level for MPI_Init_thread; -1: MPI is not initialised */
} test;

int main(int argc, char **argv)
{
  static const test tests[] = {{"jobs", jobs, -1},
                               {"initialised", jobs, MPI_THREAD_MULTIPLE},
                               {"communicator", communicator, MPI_THREAD_MULTIPLE},
                               {"null", null, MPI_THREAD_MULTIPLE},
                               {"threads", threads, MPI_THREAD_SINGLE},
                               {"ended", ended, MPI_THREAD_MULTIPLE},
                               {"missing", missing, -1},
                               {"unlike", unlike, -1},
                               {"live", live, -1},
                               {"idle", idle, -1},
                               {"starpu", own_starpu, -1},
                               {"process", process, -1},
                               {"leaks", leaks, -1},
                               {"failures", failures, -1},
                               {"wrong", wrong, -1},
                               {"output", output, -1},
                               {"divisible", divisible, MPI_THREAD_MULTIPLE},
                               {"errors", errors, MPI_THREAD_MULTIPLE},
                               {"leaves", leaves, -1},
                               {NULL, NULL, 0}};
  const char *rank_text = getenv("OMPI_COMM_WORLD_RANK"), *ranks_text = getenv("OMPI_COMM_WORLD_SIZE");
  const test *t = tests;
  while (t->name && (argc < 2 || strcmp(t->name, argv[1]) != 0)) t++;
  if (!t->name) return 99;
  int provided, over = 0;
  if (t->threads >= 0) MPI_Init_thread(&argc, &argv, t->threads, &provided);
  t->run(rank_text ? atoi(rank_text) : 0, ranks_text ? atoi(ranks_text) : 1);
  if (t->threads >= 0) MPI_Finalized(&over);
  if (t->threads >= 0 && !over) MPI_Finalize();
  return tap_done();
}
