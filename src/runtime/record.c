/* SPDX-License-Identifier: MIT */
#include "runtime/record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <starpu.h>
#include <starpu_fxt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "runtime/late_flops.h"
#include "runtime/paje_order.h"
#include "runtime/profile.h"
#include "traces/notes.h"
#include "traces/report.h"

static const char *const results[] = {
    "paje.trace",    "tasks.rec",    "data.rec",   "comms.rec", "sched_tasks.rec",    "trace.rec",   "dag.dot",
    "activity.data", "distrib.data", "trace.html", "papi.rec",  "number_events.data", "summary.txt", "summary.csv",
    "gantt.svg",     "map.svg",      "run.csv",    "tiles.csv", "ages.csv",           "flops.rec",   "workers.rec"};

static char recording[HG_PATH_MAX]; /* folder; "" while nothing is recorded */
static bool by_profiling, running;

bool hg_record_wants_profiling(void)
{
#ifdef STARPU_USE_FXT
  const char *how = getenv("HETGRID_TRACE");
  return how && strcmp(how, "profiling") == 0;
#else
  return true;
#endif
}

/* Keeps other runs out of the folder until this process records elsewhere or ends. File systems without such locks are
 * used without one. */
static hg_status lock_folder(const char *folder)
{
  static int locked = -1;
  if (locked >= 0) close(locked);
  locked = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (locked < 0 || flock(locked, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return HG_OK;
  return hg_fail(HG_IO, "--trace: %s: another run is recording there", folder);
}

static hg_status clear_folder(const char *folder)
{
  struct stat info;
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) return hg_fail(HG_IO, "--trace: %s: %s", folder, strerror(errno));
  if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode)) return hg_fail(HG_IO, "--trace: %s: is not a folder", folder);
  if (access(folder, W_OK) != 0) return hg_fail(HG_IO, "--trace: %s: %s", folder, strerror(errno));
  HG_TRY(lock_folder(folder));
  for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
    char path[HG_PATH_MAX];
    HG_TRY(hg_file_in(folder, results[i], path));
    unlink(path);
  }
  return HG_OK;
}

hg_status hg_record_make_folder(const char *folder, char marker[HG_PATH_MAX])
{
  char path[HG_PATH_MAX];
  int fd;
  HG_TRY(clear_folder(folder));
  char *whole = realpath(folder, NULL);
  hg_status status =
      whole ? hg_file_in(whole, "ranks", path) : hg_fail(HG_IO, "--trace: %s: %s", folder, strerror(errno));
  free(whole);
  if (status == HG_OK) status = hg_file_create(path, marker, &fd);
  if (status == HG_OK) close(fd);
  snprintf(recording, sizeof recording, "%s", folder);
  return status;
}

hg_status hg_record_find_folder(const char *marker)
{
  char folder[HG_PATH_MAX];
  snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(marker, '/') - marker), marker);
  if (access(marker, F_OK) != 0)
    return hg_fail(HG_IO, "--trace: there is no folder %s here that rank 0 writes to; all ranks must see it", folder);
  if (access(folder, W_OK) != 0) return hg_fail(HG_IO, "--trace: %s: %s", folder, strerror(errno));
  strcpy(recording, folder);
  return HG_OK;
}

/* StarPU aborts if it cannot start its threads beside the buffer of events. */
static hg_status check_room(void)
{
  enum { BUFFER = 64, START = 128 }; /* StarPU's default; as for a run without a trace */
  const char *value = getenv("STARPU_TRACE_BUFFER_SIZE");
  const int64_t need = START + (value && *value ? strtol(value, NULL, 10) : BUFFER), have = hg_memory_available() >> 20;
  if (have >= need) return HG_OK;
  return hg_fail(HG_MEMORY,
                 "--trace: recording needs %" PRId64 " MB, %" PRId64
                 " MB are available; HETGRID_TRACE=profiling needs less",
                 need, have);
}

hg_status hg_record_prepare(int rank)
{
  char prefix[HG_PATH_MAX];
  HG_TRY(hg_file_in(recording, "", prefix)); /* ends with the slash that StarPU expects */
  by_profiling = hg_record_wants_profiling();
  if (by_profiling) {
    if (rank == 0)
      hg_log(HG_INFO, "the trace is recorded by task profiling: it has no worker states between tasks, "
                      "and no messages");
    return HG_OK;
  }
  HG_TRY(check_room());
  setenv("STARPU_FXT_TRACE", "1", 1);
  setenv("STARPU_FXT_PREFIX", prefix, 1);
  setenv("STARPU_FXT_SUFFIX", "fxt", 1);
  setenv("STARPU_GENERATE_TRACE", "0", 1); /* hetgrid converts the trace, after all ranks have ended */
  starpu_fxt_autostart_profiling(0);
  return HG_OK;
}

void hg_record_start(void)
{
  running = *recording != '\0';
  if (!running) return;
  if (by_profiling)
    hg_profile_start();
  else
    starpu_fxt_start_profiling();
}

void hg_record_stop(void)
{
  if (running && !by_profiling) starpu_fxt_stop_profiling();
  running = false;
}

hg_record_callback *hg_record_task(void)
{
  return running && by_profiling ? hg_profile_task : NULL;
}

hg_record_callback *hg_record_counting_task(void)
{
  return !running ? NULL : by_profiling ? hg_profile_task : hg_counted_task;
}

void *hg_record_number(void)
{
  return running && by_profiling ? hg_profile_number() : NULL;
}

hg_status hg_record_save(int rank)
{
  if (!*recording) return HG_OK;
  return by_profiling ? hg_profile_save(recording, rank) : hg_counted_save(recording, rank);
}

#ifdef STARPU_USE_FXT
static hg_status convert_fxt(const char *folder, int ranks)
{
  struct starpu_fxt_options *options = malloc(sizeof *options);
  char path[HG_PATH_MAX], file[32];
  hg_status status = options ? HG_OK : hg_fail(HG_MEMORY, "no memory to convert the trace");
  if (ranks > STARPU_FXT_MAX_FILES)
    status =
        hg_fail(HG_UNSUPPORTED, "%d ranks: StarPU converts traces of at most %d ranks", ranks, STARPU_FXT_MAX_FILES);
  if (status != HG_OK) {
    free(options);
    return status;
  }
  starpu_fxt_options_init(options);
  options->per_task_colour = options->no_acquire = 1;
  options->dir = (char *)folder;
  for (int r = 0; r < ranks && status == HG_OK; r++) {
    snprintf(file, sizeof file, "fxt_%d", r);
    status = hg_file_in(folder, file, path);
    if (status == HG_OK && access(path, R_OK) != 0) status = hg_fail(HG_IO, "%s: %s", path, strerror(errno));
    if (status != HG_OK) break;
    options->filenames[r] = strdup(path);
    options->ninputfiles = (unsigned)r + 1;
  }
  if (status == HG_OK) starpu_fxt_generate_trace(options);
  for (unsigned r = 0; r < options->ninputfiles; r++) free(options->filenames[r]);
  starpu_fxt_options_shutdown(options);
  free(options);
  if (status == HG_OK) status = hg_file_in(folder, "paje.trace", path);
  double origin = 0;
  if (status == HG_OK) status = hg_paje_repair(path, &origin);
  return status == HG_OK ? hg_trace_note_origin(folder, origin) : status;
}
#else
static hg_status convert_fxt(const char *folder, int ranks)
{
  return hg_fail(HG_UNSUPPORTED, "%s: this StarPU has no FxT to convert the trace of %d ranks", folder, ranks);
}
#endif

/* Concatenates the ranks' parts; makes no file if they are empty. */
static hg_status join_parts(const char *folder, const char *name, int ranks)
{
  char path[HG_PATH_MAX], temporary[HG_PATH_MAX], file[64];
  snprintf(file, sizeof file, "%s.rec", name);
  HG_TRY(hg_file_in(folder, file, path));
  FILE *out;
  HG_TRY(hg_file_begin(path, temporary, &out));
  bool good = true;
  for (int r = 0; r < ranks && good; r++) {
    char part[HG_PATH_MAX], block[65536];
    snprintf(file, sizeof file, "%s_%d.rec", name, r);
    good = hg_file_in(folder, file, part) == HG_OK;
    FILE *in = good ? fopen(part, "re") : NULL;
    good = in != NULL;
    for (size_t n; good && (n = fread(block, 1, sizeof block, in)) > 0;) good = fwrite(block, 1, n, out) == n;
    if (in) fclose(in);
    if (good) unlink(part);
  }
  const bool empty = good && ftell(out) == 0;
  HG_TRY(hg_file_end(out, temporary, path, good ? HG_OK : hg_fail(HG_IO, "%s: %s", path, strerror(errno))));
  if (empty) unlink(path);
  return HG_OK;
}

hg_status hg_record_finish(const char *folder, int ranks)
{
  if (by_profiling) {
    HG_TRY(join_parts(folder, "tasks", ranks));
    HG_TRY(join_parts(folder, "data", ranks));
    HG_TRY(join_parts(folder, "workers", ranks));
  } else {
    HG_TRY(convert_fxt(folder, ranks));
    HG_TRY(join_parts(folder, "flops", ranks));
  }
  return hg_trace_report(folder);
}
