/* SPDX-License-Identifier: MIT */
/* Joules from a file of watts written by a meter: the integral between two times, as soon as the file covers them. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "base/clock.h"
#include "base/file.h"
#include "energy/meterlog.h"
#include "energy/source.h"

static const double LOOK = .05, PATIENCE = 10, /* s between reads of a file; s until it counts as ended */
    NODE_MOST = 5e4;                           /* W that no node exceeds */

typedef struct meter {
  hg_energy_source source;
  char path[HG_PATH_MAX];
  double offset, begun, started; /* the latter by a clock that nobody sets */
  int nodes;
} meter;

/* UNIX seconds by the meter's clock, the only time that meters use. */
static double meter_now(const meter *m)
{
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec + m->offset;
}

static hg_status read_log(const meter *m, hg_meterlog *log)
{
  void *text;
  size_t size;
  HG_TRY(hg_file_map(m->path, &text, &size));
  const hg_status status = hg_meterlog_parse(text, size, m->path, log);
  munmap(text, size);
  HG_TRY(status);
  if (log->columns == m->nodes) return HG_OK;
  const int columns = log->columns;
  hg_meterlog_free(log);
  return hg_fail(HG_INVALID, "%s: %d columns of watts, must be %d: one for each node of the run", m->path, columns,
                 m->nodes);
}

static hg_status begin(hg_energy_source *source)
{
  meter *m = (meter *)source;
  m->begun = meter_now(m);
  m->started = hg_now();
  return HG_OK;
}

/* A clock that was set during the run says of no sample whether it was taken then. */
static hg_status check_clock(const meter *m, double passed)
{
  const double steady = hg_now() - m->started, ahead = passed - steady;
  if (fabs(ahead) <= 1 + .01 * steady) return HG_OK;
  return hg_fail(HG_RUNTIME, "%s: this machine's clock was set %s by %.3g s during the run, or it slept", m->path,
                 ahead > 0 ? "forward" : "back", fabs(ahead));
}

/* Seconds since the file was last written to. */
static double age_of(const char *path)
{
  struct stat info;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return stat(path, &info) == 0 ? difftime(now.tv_sec, info.st_mtim.tv_sec) : PATIENCE;
}

/* Waits until there is a sample after `end`, or nothing has been written for long. */
static hg_status read_until(const meter *m, double end, hg_meterlog *log)
{
  const struct timespec look = {.tv_nsec = (long)(LOOK * 1e9)};
  for (;;) {
    const bool grows = age_of(m->path) < PATIENCE;
    HG_TRY(read_log(m, log));
    if (hg_meterlog_end(log) >= end || !grows) return HG_OK;
    hg_meterlog_free(log);
    nanosleep(&look, NULL);
  }
}

static hg_status end(hg_energy_source *source, double *joules)
{
  const meter *m = (meter *)source;
  const double end_time = meter_now(m);
  hg_meterlog log;
  source->seconds = end_time - m->begun;
  HG_TRY(check_clock(m, source->seconds));
  HG_TRY(read_until(m, end_time, &log));
  const hg_status status = hg_meterlog_joules(&log, m->path, m->begun, end_time, joules);
  hg_meterlog_free(&log);
  return status == HG_OK ? hg_energy_check(m->path, *joules, source->seconds, m->nodes * NODE_MOST) : status;
}

static void close_meter(hg_energy_source *source)
{
  free(source);
}

hg_status hg_meter_open(const char *path, double offset, int nodes, hg_energy_source **out)
{
  meter *m = calloc(1, sizeof *m);
  hg_meterlog log;
  if (!m) return hg_fail(HG_MEMORY, "no memory for a meter");
  m->source = (hg_energy_source){.name = "meter", .coverage = "node", .begin = begin, .end = end, .close = close_meter};
  m->offset = offset;
  m->nodes = nodes;
  snprintf(m->path, sizeof m->path, "%s", path);
  const hg_status status = read_log(m, &log);
  if (status != HG_OK) {
    free(m);
    return status;
  }
  hg_meterlog_free(&log);
  *out = &m->source;
  return HG_OK;
}
