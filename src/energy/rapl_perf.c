/* SPDX-License-Identifier: MIT */
/* RAPL's counters by perf events, which need no root where perf_event_paranoid allows them. */
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "energy/rapl.h"
#include "energy/sysfs.h"

enum { CPUS_MAX = 1024, EVENTS = 2 };

/* An event of the PMU: its number, and the J per count. */
typedef struct event {
  uint64_t config;
  double scale;
  bool there;
} event;

/* A counter of a package. */
typedef struct counter {
  int file;
  double scale;
  uint64_t at; /* at the beginning of the window */
} counter;

typedef struct rapl {
  hg_energy_source source;
  counter counter[CPUS_MAX * EVENTS];
  int counters;
} rapl;

static hg_status read_counter(const counter *c, uint64_t *value)
{
  if (read(c->file, value, sizeof *value) == sizeof *value) return HG_OK;
  return hg_fail(HG_IO, "rapl: a perf event cannot be read any more: %s", strerror(errno));
}

static hg_status begin(hg_energy_source *source)
{
  rapl *r = (rapl *)source;
  for (int i = 0; i < r->counters; i++) HG_TRY(read_counter(&r->counter[i], &r->counter[i].at));
  source->begun = hg_now();
  return HG_OK;
}

static hg_status end(hg_energy_source *source, double *joules)
{
  rapl *r = (rapl *)source;
  uint64_t now;
  *joules = 0;
  source->seconds = hg_now() - source->begun;
  for (int i = 0; i < r->counters; i++) {
    const counter *c = &r->counter[i];
    HG_TRY(read_counter(c, &now));
    if (now < c->at)
      return hg_fail(HG_RUNTIME, "rapl: a counter went from %" PRIu64 " back to %" PRIu64 ": it was reset", c->at, now);
    const double counted = (double)(now - c->at) * c->scale;
    HG_TRY(hg_energy_check("rapl: a counter", counted, source->seconds, HG_ENERGY_MOST));
    *joules += counted;
  }
  return HG_OK;
}

static void close_perf(hg_energy_source *source)
{
  rapl *r = (rapl *)source;
  for (int i = 0; i < r->counters; i++) close(r->counter[i].file);
  free(r);
}

/* events/NAME contains "event=0x02", events/NAME.scale the J per count. */
static hg_status read_event(const char *unit, const char *name, event *e)
{
  char file[64], text[64], *stop;
  snprintf(file, sizeof file, "events/%s", name);
  HG_TRY(hg_sysfs_text(unit, file, text, sizeof text));
  const char *number = strncmp(text, "event=", 6) == 0 ? text + 6 : "";
  e->config = strtoull(number, &stop, 0);
  if (stop == number || *stop) return hg_fail(HG_FORMAT, "%s/%s: '%s', must be event=N", unit, file, text);
  snprintf(file, sizeof file, "events/%s.scale", name);
  HG_TRY(hg_sysfs_text(unit, file, text, sizeof text));
  HG_TRY(hg_parse_double(text, file, 1e-30, 1e6, &e->scale));
  e->there = true;
  return HG_OK;
}

/* "0,18" or "0-1": a processor of each package. */
static hg_status read_cpus(const char *unit, int *cpu, int *count)
{
  char text[4096], *at = text;
  HG_TRY(hg_sysfs_text(unit, "cpumask", text, sizeof text));
  for (*count = 0; *at; at += *at == ',') {
    int last = 0, length = 0, first = 0;
    const int read = sscanf(at, "%d%n-%d%n", &first, &length, &last, &length);
    if (read < 1 || first < 0 || (at[length] && at[length] != ','))
      return hg_fail(HG_FORMAT, "%s/cpumask: '%s' is not a list of processors", unit, text);
    for (int i = first; i <= (read == 2 ? last : first); i++) {
      if (*count == CPUS_MAX) return hg_fail(HG_FORMAT, "%s/cpumask: more than %d processors", unit, CPUS_MAX);
      cpu[(*count)++] = i;
    }
    at += length;
  }
  return *count ? HG_OK : hg_fail(HG_FORMAT, "%s/cpumask: is empty", unit);
}

static hg_status add_counter(rapl *r, uint64_t type, const event *e, int cpu)
{
  struct perf_event_attr attributes = {.type = (uint32_t)type, .size = sizeof attributes, .config = e->config};
  const long file = syscall(SYS_perf_event_open, &attributes, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
  if (file < 0)
    return hg_fail(HG_IO, "perf events of the PMU `power` on processor %d: %s%s", cpu, strerror(errno),
                   errno == EACCES || errno == EPERM ? " (needs CAP_PERFMON, or kernel.perf_event_paranoid <= 0)" : "");
  r->counter[r->counters++] = (counter){.file = (int)file, .scale = e->scale};
  return HG_OK;
}

static hg_status add_counters(rapl *r, const char *unit)
{
  int cpu[CPUS_MAX], cpus;
  uint64_t type;
  event package = {.there = false}, dram = {.there = false};
  HG_TRY(hg_sysfs_int(unit, "type", &type));
  HG_TRY(read_cpus(unit, cpu, &cpus));
  HG_TRY(read_event(unit, "energy-pkg", &package));
  if (read_event(unit, "energy-ram", &dram) != HG_OK) dram.there = false;
  for (int i = 0; i < cpus; i++) HG_TRY(add_counter(r, type, &package, cpu[i]));
  for (int i = 0; i < cpus && dram.there; i++) HG_TRY(add_counter(r, type, &dram, cpu[i]));
  r->source.coverage = HG_RAPL_COVERAGE(dram.there);
  return HG_OK;
}

hg_status hg_rapl_perf_open(hg_energy_source **out)
{
  char unit[HG_PATH_MAX];
  HG_TRY(hg_file_in(hg_sysfs_root(), "bus/event_source/devices/power", unit));
  if (access(unit, F_OK) != 0) return hg_fail(HG_UNSUPPORTED, "there is no %s", unit);
  rapl *r = calloc(1, sizeof *r);
  if (!r) return hg_fail(HG_MEMORY, "no memory for counters");
  r->source =
      (hg_energy_source){.name = "rapl", .shortest = HG_RAPL_SHORTEST, .begin = begin, .end = end, .close = close_perf};
  const hg_status status = add_counters(r, unit);
  if (status == HG_OK)
    *out = &r->source;
  else
    close_perf(&r->source);
  return status;
}
