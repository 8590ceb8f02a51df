/* SPDX-License-Identifier: MIT */
/* Tasks, handles and messages of a trace: StarPU's .rec files. Times there are milliseconds. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "traces/build.h"
#include "traces/rec.h"

static const double MILLI = 1e-3;
enum { LARGEST_WORKER = 100000 };

static unsigned palette(int i)
{
  static const unsigned colour[] = {0x1f77b4, 0xff7f0e, 0x2ca02c, 0xd62728, 0x9467bd, 0x8c564b, 0xe377c2, 0xbcbd22};
  return colour[i % (int)(sizeof colour / sizeof *colour)];
}

/* Calls `take` for each stanza of a file; one that is not there has none. */
static hg_status each_stanza(hg_trace_build *b, const char *name, hg_status (*take)(hg_trace_build *, const hg_rec *))
{
  char path[HG_PATH_MAX];
  hg_rec rec;
  bool more = true;
  HG_TRY(hg_file_in(b->folder, name, path));
  if (access(path, F_OK) != 0) return HG_OK;
  HG_TRY(hg_rec_open(path, &rec));
  hg_status status = hg_rec_next(&rec, &more);
  while (status == HG_OK && more) {
    status = take(b, &rec);
    if (status == HG_OK) status = hg_rec_next(&rec, &more);
  }
  hg_rec_close(&rec);
  return status;
}

static hg_status read_rank(const hg_rec *rec, int *rank)
{
  int64_t value;
  HG_TRY(hg_rec_int(rec, "MPIRank", 0, &value));
  if (value < -1 || value > INT32_MAX / 2)
    return hg_fail(HG_FORMAT, "%s:%" PRId64 ": MPIRank %" PRId64 " is out of range", rec->path, rec->line, value);
  *rank = value < 0 ? 0 : (int)value; /* -1: without MPI */
  return HG_OK;
}

/* "34" or "RANK_34". */
static bool parse_job(const char *text, char **end, int *rank, int64_t *job)
{
  *job = strtoll(text, end, 10);
  if (*end == text || *job < 0) return false;
  if (**end != '_') return true;
  *rank = *job > INT32_MAX / 2 ? 0 : (int)*job;
  text = *end + 1;
  *job = strtoll(text, end, 10);
  return *end != text && *job >= 0;
}

static int compare_handles(const void *a, const void *b)
{
  const hg_trace_handle *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  return x->address < y->address ? -1 : x->address > y->address;
}

static int compare_tiles(const void *a, const void *b)
{
  const hg_trace_tile *x = a, *y = b;
  for (int i = 2; i >= 0; i--)
    if (x->at[i] != y->at[i]) return x->at[i] < y->at[i] ? -1 : 1;
  return 0;
}

static hg_status take_handle(hg_trace_build *b, const hg_rec *rec)
{
  const char *address = hg_rec_text(rec, "Handle"), *coordinates = hg_rec_text(rec, "Coordinates");
  hg_trace *t = b->trace;
  hg_trace_tile tile = {.at = {0, 0, 0}, .extent = {1, 1, 1}};
  hg_trace_handle h = {.tile = t->tiles};
  if (!address || !coordinates || !*coordinates) return HG_OK;
  HG_TRY(read_rank(rec, &h.rank));
  h.address = strtoull(address, NULL, 16);
  char *end = (char *)coordinates;
  for (int i = 0; i < 3 && *end; i++) tile.at[i] = strtoll(end, &end, 10);
  HG_TRY(hg_grow("the trace", (void **)&t->tile, t->tiles, sizeof tile));
  t->tile[t->tiles++] = tile;
  HG_TRY(hg_grow("the trace", (void **)&b->handle, b->handles, sizeof h));
  b->handle[b->handles++] = h;
  return HG_OK;
}

/* Handles of the same place (states before and after, copies on other ranks) are one tile. */
hg_status hg_trace_read_data(hg_trace_build *b)
{
  hg_trace *t = b->trace;
  HG_TRY(each_stanza(b, "data.rec", take_handle));
  if (t->tiles == 0) return HG_OK;
  hg_trace_tile *all = malloc((size_t)t->tiles * sizeof *all);
  if (!all) return hg_fail(HG_MEMORY, "no memory for %" PRId64 " tiles", t->tiles);
  memcpy(all, t->tile, (size_t)t->tiles * sizeof *all);
  qsort(t->tile, (size_t)t->tiles, sizeof *all, compare_tiles);
  int64_t kept = 0;
  for (int64_t i = 0; i < t->tiles; i++)
    if (i == 0 || compare_tiles(&t->tile[kept - 1], &t->tile[i]) != 0) t->tile[kept++] = t->tile[i];
  t->tiles = kept;
  for (int64_t i = 0; i < b->handles; i++) {
    const hg_trace_tile *tile =
        bsearch(&all[b->handle[i].tile], t->tile, (size_t)t->tiles, sizeof *tile, compare_tiles);
    b->handle[i].tile = tile - t->tile;
  }
  free(all);
  qsort(b->handle, (size_t)b->handles, sizeof *b->handle, compare_handles);
  return HG_OK;
}

static hg_status kind_index(hg_trace *t, const char *name, int *index)
{
  char *copy = hg_text_shown(name);
  for (*index = 0; copy && *index < t->kinds; ++*index)
    if (strcmp(t->kind[*index].name, copy) == 0) {
      free(copy);
      return HG_OK;
    }
  hg_status status = hg_grow("the trace", (void **)&t->kind, t->kinds, sizeof *t->kind);
  if (!copy || status != HG_OK) {
    free(copy);
    return hg_fail(HG_MEMORY, "no memory for the trace");
  }
  t->kind[t->kinds] = (hg_trace_kind){.name = copy, .colour = palette(t->kinds)};
  t->kinds++;
  return HG_OK;
}

static hg_status add_want(hg_trace_build *b, hg_trace_want want)
{
  HG_TRY(hg_grow("the trace", (void **)&b->want, b->wants, sizeof want));
  b->want[b->wants++] = want;
  return HG_OK;
}

static hg_status read_needs(hg_trace_build *b, const hg_rec *rec, const hg_trace_task *task)
{
  const char *text = hg_rec_text(rec, "DependsOn");
  while (text && *text) {
    hg_trace_want want = {task->rank, task->job, task->rank, 0};
    char *end;
    if (!parse_job(text, &end, &want.needs_rank, &want.needs_job))
      return hg_fail(HG_FORMAT, "%s:%" PRId64 ": DependsOn '%.40s' is not a job", rec->path, rec->line, text);
    HG_TRY(add_want(b, want));
    text = end + strspn(end, " ");
  }
  return HG_OK;
}

/* The tiles written: handles in the order of their modes. */
static hg_status read_written(hg_trace_build *b, const hg_rec *rec, hg_trace_task *task)
{
  const char *handles = hg_rec_text(rec, "Handles"), *modes = hg_rec_text(rec, "Modes");
  hg_trace *t = b->trace;
  task->first_tile = t->written_count;
  while (handles && modes && *handles && *modes) {
    size_t mode = strcspn(modes, " ");
    char *end;
    const hg_trace_handle key = {.rank = task->rank, .address = strtoull(handles, &end, 16)};
    if (end == handles) break;
    const hg_trace_handle *found = memchr(modes, 'W', mode) && b->handles
                                       ? bsearch(&key, b->handle, (size_t)b->handles, sizeof key, compare_handles)
                                       : NULL;
    if (found) {
      HG_TRY(hg_grow("the trace", (void **)&t->written, t->written_count, sizeof *t->written));
      t->written[t->written_count++] = found->tile;
      task->tiles++;
    }
    handles = end + strspn(end, " ");
    modes += mode + strspn(modes + mode, " ");
  }
  return HG_OK;
}

static hg_status read_run(hg_trace_build *b, const hg_rec *rec, hg_trace_task *task)
{
  int64_t worker;
  double flops;
  HG_TRY(hg_rec_int(rec, "WorkerId", -1, &worker));
  HG_TRY(hg_rec_double(rec, "SubmitTime", NAN, &task->submit));
  HG_TRY(hg_rec_double(rec, "StartTime", NAN, &task->start));
  HG_TRY(hg_rec_double(rec, "EndTime", NAN, &task->end));
  HG_TRY(hg_rec_double(rec, "GFlop", 0, &flops));
  HG_TRY(hg_rec_int(rec, "Iteration", -1, &task->iteration));
  task->submit *= MILLI;
  task->start *= MILLI;
  task->end *= MILLI;
  task->flops = 1e9 * flops;
  if (task->end < task->start)
    return hg_fail(HG_FORMAT, "%s:%" PRId64 ": EndTime %.9g is before StartTime %.9g", rec->path, rec->line,
                   task->end / MILLI, task->start / MILLI);
  const char *name = hg_rec_text(rec, "Name");
  if (worker < 0 || worker > LARGEST_WORKER || !name || !(task->end >= task->start)) return HG_OK; /* did not run */
  task->worker = hg_trace_worker_index(b->trace, task->rank, (int)worker);
  if (task->worker < 0) return HG_MEMORY;
  return kind_index(b->trace, name, &task->kind);
}

static hg_status take_task(hg_trace_build *b, const hg_rec *rec)
{
  hg_trace *t = b->trace;
  hg_trace_task task = {.kind = -1, .worker = -1};
  const char *job = hg_rec_text(rec, "JobId");
  char *end;
  if (!job || hg_rec_text(rec, "Control")) return HG_OK;
  HG_TRY(read_rank(rec, &task.rank));
  if (!parse_job(job, &end, &task.rank, &task.job))
    return hg_fail(HG_FORMAT, "%s:%" PRId64 ": JobId '%.40s' is not a job", rec->path, rec->line, job);
  HG_TRY(read_run(b, rec, &task));
  HG_TRY(read_needs(b, rec, &task));
  HG_TRY(read_written(b, rec, &task));
  HG_TRY(hg_grow("the trace", (void **)&t->task, t->tasks, sizeof task));
  t->task[t->tasks++] = task;
  return HG_OK;
}

hg_status hg_trace_read_tasks(hg_trace_build *b)
{
  char path[HG_PATH_MAX];
  HG_TRY(hg_file_in(b->folder, "tasks.rec", path));
  if (access(path, R_OK) != 0) return hg_fail(HG_IO, "%s: %s", path, strerror(errno));
  return each_stanza(b, "tasks.rec", take_task);
}

/* Of task profiling; otherwise paje.trace names them. */
static hg_status take_worker(hg_trace_build *b, const hg_rec *rec)
{
  int rank;
  int64_t id;
  HG_TRY(read_rank(rec, &rank));
  HG_TRY(hg_rec_int(rec, "WorkerId", -1, &id));
  const char *name = hg_rec_text(rec, "WorkerName");
  if (id < 0 || id > LARGEST_WORKER || !name)
    return hg_fail(HG_FORMAT, "%s:%" PRId64 ": a worker needs a WorkerId of 0 to %d and a WorkerName", rec->path,
                   rec->line, LARGEST_WORKER);
  const int index = hg_trace_worker_index(b->trace, rank, (int)id);
  if (index < 0) return HG_MEMORY;
  hg_trace_worker *w = &b->trace->worker[index];
  if (!w->name) w->name = hg_text_shown(name);
  return w->name ? HG_OK : hg_fail(HG_MEMORY, "no memory for the trace");
}

hg_status hg_trace_read_workers(hg_trace_build *b)
{
  return each_stanza(b, "workers.rec", take_worker);
}

static hg_status take_message(hg_trace_build *b, const hg_rec *rec)
{
  hg_trace *t = b->trace;
  int64_t from, to;
  hg_trace_copy copy = {.network = true};
  HG_TRY(hg_rec_int(rec, "Src", -1, &from));
  HG_TRY(hg_rec_int(rec, "Dst", -1, &to));
  HG_TRY(hg_rec_double(rec, "SendTime", NAN, &copy.start));
  HG_TRY(hg_rec_double(rec, "RecvTime", NAN, &copy.end));
  HG_TRY(hg_rec_double(rec, "Size", 0, &copy.bytes));
  if (from < 0 || to < 0 || from > INT32_MAX / 2 || to > INT32_MAX / 2 || isnan(copy.start) || isnan(copy.end))
    return hg_fail(HG_FORMAT, "%s:%" PRId64 ": a message needs Src, Dst, SendTime and RecvTime", rec->path, rec->line);
  copy.from = (int)from;
  copy.to = (int)to;
  copy.start *= MILLI;
  copy.end *= MILLI;
  HG_TRY(hg_grow("the trace", (void **)&t->copy, t->copies, sizeof copy));
  t->copy[t->copies++] = copy;
  const char *sent = hg_rec_text(rec, "SendJobId"), *received = hg_rec_text(rec, "RecvJobId");
  char *end;
  hg_trace_want want = {copy.to, 0, copy.from, 0};
  if (!sent || !received || !parse_job(sent, &end, &want.needs_rank, &want.needs_job) ||
      !parse_job(received, &end, &want.rank, &want.job))
    return HG_OK;
  return add_want(b, want);
}

hg_status hg_trace_read_messages(hg_trace_build *b)
{
  return each_stanza(b, "comms.rec", take_message);
}

static hg_status take_flops(hg_trace_build *b, const hg_rec *rec)
{
  const char *name = hg_rec_text(rec, "JobId");
  char *end;
  int rank = 0;
  int64_t job;
  double flops;
  HG_TRY(hg_rec_double(rec, "Flops", NAN, &flops));
  if (!name || !parse_job(name, &end, &rank, &job) || !(flops >= 0))
    return hg_fail(HG_FORMAT, "%s:%" PRId64 ": needs JobId, and Flops >= 0", rec->path, rec->line);
  const int64_t task = hg_trace_find_job(b->trace, rank, job);
  if (task >= 0) b->trace->task[task].flops = flops;
  return HG_OK;
}

hg_status hg_trace_read_flops(hg_trace_build *b)
{
  return each_stanza(b, "flops.rec", take_flops);
}
