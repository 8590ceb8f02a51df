/* SPDX-License-Identifier: MIT */
#include "runtime/profile.h"

#include <inttypes.h>
#include <pthread.h>
#include <starpu.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

/* A finished task. */
typedef struct note {
  const char *name;
  unsigned long job;
  int worker;
  double submit, start, end; /* ms since the start of recording */
  double gflop;
  int64_t first_access, accesses;
} note;

enum { COORDINATES = 5 };

/* Use of a handle by a task. */
typedef struct use {
  starpu_data_handle_t handle;
  unsigned long job;
  bool reads, writes;
  unsigned dimensions;
  int at[COORDINATES]; /* coordinates of the handle, which may no longer exist when this is written */
} use;

/* `task` depends on `need`. */
typedef struct edge {
  unsigned long task, need;
} edge;

static struct {
  pthread_mutex_t lock;
  double origin; /* ms */
  note *note;
  use *access;
  int64_t notes, accesses;
  bool full; /* memory ran out: later tasks are not recorded */
} store = {.lock = PTHREAD_MUTEX_INITIALIZER};

void hg_profile_start(void)
{
  starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
  store.origin = starpu_timing_now() * 1e-3;
}

static double since_start(const struct timespec *time)
{
  return starpu_timing_timespec_to_us((struct timespec *)time) * 1e-3 - store.origin;
}

void *hg_profile_number(void)
{
  static atomic_ulong submitted;
  return (void *)(uintptr_t)(atomic_fetch_add(&submitted, 1) + 1);
}

/* The name that FxT's conversion gives to such tasks. */
static const char *kind_name(const struct starpu_codelet *codelet)
{
  if (codelet->model && codelet->model->symbol) return codelet->model->symbol;
  return codelet->name ? codelet->name : "task";
}

static hg_status add_note(const struct starpu_task *task, unsigned long number)
{
  const unsigned buffers = STARPU_TASK_GET_NBUFFERS(task);
  const struct starpu_profiling_task_info *info = task->profiling_info;
  note n = {.name = kind_name(task->cl),
            .job = number,
            .worker = info->workerid,
            .submit = since_start(&info->submit_time),
            .start = since_start(&info->start_time),
            .end = since_start(&info->end_time),
            .gflop = task->flops * 1e-9,
            .first_access = store.accesses,
            .accesses = buffers};
  HG_TRY(hg_grow("the trace", (void **)&store.note, store.notes, sizeof n));
  for (unsigned i = 0; i < buffers; i++) {
    HG_TRY(hg_grow("the trace", (void **)&store.access, store.accesses, sizeof *store.access));
    use *u = &store.access[store.accesses++];
    *u = (use){.handle = STARPU_TASK_GET_HANDLE(task, i),
               .job = n.job,
               .reads = (STARPU_TASK_GET_MODE(task, i) & STARPU_R) != 0,
               .writes = (STARPU_TASK_GET_MODE(task, i) & STARPU_W) != 0};
    u->dimensions = starpu_data_get_coordinates_array(u->handle, COORDINATES, u->at);
  }
  store.note[store.notes++] = n;
  return HG_OK;
}

void hg_profile_task(void *number)
{
  const struct starpu_task *task = starpu_task_get_current();
  if (!task || !task->cl || !task->profiling_info) return;
  pthread_mutex_lock(&store.lock);
  if (!store.full) store.full = add_note(task, (unsigned long)(uintptr_t)number) != HG_OK;
  pthread_mutex_unlock(&store.lock);
}

static int by_handle_and_job(const void *a, const void *b)
{
  const use *x = a, *y = b;
  if (x->handle != y->handle) return x->handle < y->handle ? -1 : 1;
  return x->job < y->job ? -1 : x->job > y->job;
}

static int by_job(const void *a, const void *b)
{
  const note *x = a, *y = b;
  return x->job < y->job ? -1 : x->job > y->job;
}

static int by_edge(const void *a, const void *b)
{
  const edge *x = a, *y = b;
  if (x->task != y->task) return x->task < y->task ? -1 : 1;
  return x->need < y->need ? -1 : x->need > y->need;
}

static hg_status add_edge(edge **list, int64_t *count, unsigned long task, unsigned long need)
{
  if (task == need) return HG_OK;
  HG_TRY(hg_grow("the trace", (void **)list, *count, sizeof **list));
  (*list)[(*count)++] = (edge){task, need};
  return HG_OK;
}

/* Sequential consistency: a reader waits for the last writer; a writer waits for the last writer and all readers
 * since. */
static hg_status derive(const use *sorted, int64_t n, edge **list, int64_t *count)
{
  int64_t writer = -1, readers = 0; /* readers: index of the first access since the writer */
  for (int64_t i = 0; i < n; i++) {
    if (i == 0 || sorted[i].handle != sorted[i - 1].handle) {
      writer = -1;
      readers = i;
    }
    if (writer >= 0) HG_TRY(add_edge(list, count, sorted[i].job, sorted[writer].job));
    if (!sorted[i].writes) continue;
    for (int64_t j = readers; j < i; j++) HG_TRY(add_edge(list, count, sorted[i].job, sorted[j].job));
    writer = i;
    readers = i + 1;
  }
  return HG_OK;
}

/* "CUDA 0.0 (a model)" -> CUDA0.0 */
static void write_worker(FILE *out, int rank, int worker)
{
  char name[128];
  starpu_worker_get_name(worker, name, sizeof name);
  name[strcspn(name, "(")] = '\0';
  fprintf(out, "WorkerId: %d\nMPIRank: %d\nWorkerName: ", worker, rank);
  for (const char *c = name; *c; c++)
    if (*c != ' ') putc(*c, out);
  fprintf(out, "\n\n");
}

static const char *mode_of(const use *u)
{
  return !u->writes ? "R" : u->reads ? "RW" : "W";
}

static void write_task(FILE *out, int rank, const note *n, const edge *need, int64_t needs)
{
  fprintf(out, "Name: %s\nJobId: %d_%lu\n", n->name, rank, n->job);
  for (int64_t i = 0; i < needs; i++) fprintf(out, "%s%d_%lu", i ? " " : "DependsOn: ", rank, need[i].need);
  fprintf(out, "%sWorkerId: %d\nSubmitTime: %.6f\nStartTime: %.6f\nEndTime: %.6f\nGFlop: %.9f\n", needs ? "\n" : "",
          n->worker, n->submit, n->start, n->end, n->gflop);
  for (int64_t i = 0; i < n->accesses; i++)
    fprintf(out, "%s%lx", i ? " " : "Handles: ", (unsigned long)(uintptr_t)store.access[n->first_access + i].handle);
  for (int64_t i = 0; i < n->accesses; i++)
    fprintf(out, "%s%s", i ? " " : "\nModes: ", mode_of(&store.access[n->first_access + i]));
  fprintf(out, "%sMPIRank: %d\n\n", n->accesses ? "\n" : "", rank);
}

/* The records when the program ends. */
typedef struct records {
  const edge *edge; /* rising */
  const use *use;   /* by handle and job */
  int64_t edges;
} records;

static void write_tasks(FILE *out, int rank, const records *r)
{
  for (int64_t i = 0, at = 0; i < store.notes; i++) {
    int64_t first = at;
    while (at < r->edges && r->edge[at].task == store.note[i].job) at++;
    write_task(out, rank, &store.note[i], r->edge + first, at - first);
  }
}

/* Lists all workers: one that ran no task waited all the time. */
static void write_workers(FILE *out, int rank, const records *r)
{
  (void)r;
  for (unsigned w = 0; w < starpu_worker_get_count(); w++) write_worker(out, rank, (int)w);
}

static void write_handles(FILE *out, int rank, const records *r)
{
  const use *sorted = r->use;
  for (int64_t i = 0; i < store.accesses; i++) {
    if (i > 0 && sorted[i].handle == sorted[i - 1].handle) continue;
    if (sorted[i].dimensions == 0) continue;
    fprintf(out, "Handle: %lx\nMPIRank: %d\nCoordinates:", (unsigned long)(uintptr_t)sorted[i].handle, rank);
    for (unsigned j = 0; j < sorted[i].dimensions && j < COORDINATES; j++) fprintf(out, " %d", sorted[i].at[j]);
    fprintf(out, "\n\n");
  }
}

/* FOLDER/NAME_RANK.rec. */
static hg_status write_file(const char *folder, const char *name, int rank, const records *r,
                            void (*write)(FILE *out, int rank, const records *r))
{
  char file[64], path[HG_PATH_MAX], temporary[HG_PATH_MAX];
  FILE *out;
  snprintf(file, sizeof file, "%s_%d.rec", name, rank);
  HG_TRY(hg_file_in(folder, file, path));
  HG_TRY(hg_file_begin(path, temporary, &out));
  write(out, rank, r);
  return hg_file_end(out, temporary, path, HG_OK);
}

static hg_status save(const char *folder, int rank, use *sorted)
{
  edge *list = NULL;
  int64_t count = 0, kept = 0;
  qsort(sorted, (size_t)store.accesses, sizeof *sorted, by_handle_and_job);
  qsort(store.note, (size_t)store.notes, sizeof *store.note, by_job);
  hg_status status = derive(sorted, store.accesses, &list, &count);
  if (count) qsort(list, (size_t)count, sizeof *list, by_edge);
  for (int64_t i = 0; i < count; i++)
    if (i == 0 || by_edge(&list[kept - 1], &list[i]) != 0) list[kept++] = list[i];
  const records all = {.edge = list, .use = sorted, .edges = kept};
  if (status == HG_OK) status = write_file(folder, "tasks", rank, &all, write_tasks);
  if (status == HG_OK) status = write_file(folder, "workers", rank, &all, write_workers);
  if (status == HG_OK) status = write_file(folder, "data", rank, &all, write_handles);
  free(list);
  return status;
}

hg_status hg_profile_save(const char *folder, int rank)
{
  if (store.full) return hg_fail(HG_MEMORY, "no memory to record more than %" PRId64 " tasks", store.notes);
  use *sorted = malloc(((size_t)store.accesses + 1) * sizeof *sorted);
  if (!sorted) return hg_fail(HG_MEMORY, "no memory to sort %" PRId64 " accesses", store.accesses);
  if (store.accesses) memcpy(sorted, store.access, (size_t)store.accesses * sizeof *sorted);
  hg_status status = save(folder, rank, sorted);
  free(sorted);
  free(store.note);
  free(store.access);
  store.note = NULL;
  store.access = NULL;
  store.notes = store.accesses = 0;
  return status;
}
