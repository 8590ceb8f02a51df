/* SPDX-License-Identifier: MIT */
/* RAPL's counters by powercap's files; each zone is read before its counter can wrap. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "energy/rapl.h"
#include "energy/sysfs.h"
#include "energy/ticker.h"

enum { ZONES_MAX = 256 };
static const double EVERY = 5; /* s: a counter of 65.5 kJ takes far longer to wrap, and resets cannot look like wraps */

/* A package or its memory. */
typedef struct zone {
  char folder[HG_PATH_MAX];
  uint64_t range; /* microjoules at which it wraps; 0: unknown */
  uint64_t at;    /* its last reading */
  double time;    /* of that reading, by hg_now() */
  uint64_t sum;   /* microjoules since the beginning of the window */
  double most;    /* W, the most it can draw */
} zone;

typedef struct rapl {
  hg_energy_source source;
  hg_ticker ticker;
  zone *zone;
  int zones;
  hg_status failed; /* status of readings within the window */
  char why[512];
} rapl;

/* A counter that decreases has wrapped, unless the zone would have drawn more than it can: then it was reset. */
static hg_status advance(zone *z)
{
  uint64_t now;
  HG_TRY(hg_sysfs_int(z->folder, "energy_uj", &now));
  const bool back = now < z->at, lost = back && z->range < z->at;
  const uint64_t step = back ? z->range - z->at + now : now - z->at;
  const double time = hg_now(), seconds = time - z->time;
  if (step > 0 && (lost || hg_energy_check(z->folder, (double)step * 1e-6, seconds, z->most) != HG_OK))
    return hg_fail(HG_RUNTIME,
                   "rapl: %s went from %" PRIu64 " %sto %" PRIu64 " microjoules in %.3g s, range %" PRIu64
                   ", at most %.4g W: it was reset",
                   z->folder, z->at, back ? "back " : "", now, seconds, z->range, z->most);
  z->sum += step;
  z->at = now;
  z->time = time;
  return HG_OK;
}

static void read_between(void *arg)
{
  rapl *r = arg;
  for (int i = 0; i < r->zones && r->failed == HG_OK; i++) {
    r->failed = advance(&r->zone[i]);
    if (r->failed != HG_OK) snprintf(r->why, sizeof r->why, "%s", hg_message());
  }
}

static hg_status begin(hg_energy_source *source)
{
  rapl *r = (rapl *)source;
  hg_status status = HG_OK;
  pthread_mutex_lock(&r->ticker.lock);
  r->failed = HG_OK;
  for (int i = 0; i < r->zones && status == HG_OK; i++) {
    status = hg_sysfs_int(r->zone[i].folder, "energy_uj", &r->zone[i].at);
    r->zone[i].time = hg_now();
    r->zone[i].sum = 0;
  }
  source->begun = hg_now();
  pthread_mutex_unlock(&r->ticker.lock);
  return status;
}

static hg_status end(hg_energy_source *source, double *joules)
{
  rapl *r = (rapl *)source;
  uint64_t sum = 0;
  pthread_mutex_lock(&r->ticker.lock);
  source->seconds = hg_now() - source->begun;
  read_between(r);
  hg_status status = r->failed == HG_OK ? HG_OK : hg_fail(r->failed, "%s", r->why);
  for (int i = 0; i < r->zones && status == HG_OK; i++) {
    sum += r->zone[i].sum;
    status = hg_energy_check(r->zone[i].folder, (double)r->zone[i].sum * 1e-6, source->seconds, r->zone[i].most);
  }
  *joules = (double)sum * 1e-6;
  pthread_mutex_unlock(&r->ticker.lock);
  return status;
}

static void close_powercap(hg_energy_source *source)
{
  rapl *r = (rapl *)source;
  hg_ticker_stop(&r->ticker);
  free(r->zone);
  free(r);
}

/* "intel-rapl:N" whose name is package-N, and "intel-rapl:N:M" whose name is dram. */
static bool is_wanted(const char *folder, const char *entry, bool *dram)
{
  char name[64];
  if (strncmp(entry, "intel-rapl:", 11) != 0) return false;
  if (hg_sysfs_text(folder, "name", name, sizeof name) != HG_OK) return false;
  *dram = strcmp(name, "dram") == 0;
  return *dram || (strncmp(name, "package", 7) == 0 && !strchr(entry + 11, ':'));
}

/* Twice the largest of its limits, which apply to averages over a second and more. */
static double most_watts(const char *folder)
{
  static const char *const names[] = {"max_power_uw", "power_limit_uw"};
  uint64_t limit = 0;
  for (int i = 0; i < 6; i++) {
    char name[64];
    uint64_t one = 0;
    snprintf(name, sizeof name, "constraint_%d_%s", i / 2, names[i % 2]);
    if (hg_sysfs_int(folder, name, &one) == HG_OK && one > limit) limit = one;
  }
  const double watts = 2e-6 * (double)limit;
  return limit > 0 && watts < HG_ENERGY_MOST ? watts : HG_ENERGY_MOST;
}

/* Memory whose counter has never changed is not covered. */
static hg_status add_zone(rapl *r, const char *folder, bool *dram)
{
  zone *z = &r->zone[r->zones];
  if (r->zones == ZONES_MAX) return hg_fail(HG_UNSUPPORTED, "more than %d packages", ZONES_MAX);
  snprintf(z->folder, sizeof z->folder, "%s", folder);
  const hg_status status = hg_sysfs_int(folder, "energy_uj", &z->at);
  if (status != HG_OK) {
    char why[1024];
    snprintf(why, sizeof why, "%.1000s", hg_message());
    return hg_fail(status, "%s%s", why, errno == EACCES ? " (only root may read it since Linux 5.10)" : "");
  }
  if (*dram && z->at == 0) {
    *dram = false;
    return HG_OK;
  }
  if (hg_sysfs_int(folder, "max_energy_range_uj", &z->range) != HG_OK) z->range = 0;
  z->most = most_watts(folder);
  r->zones++;
  return HG_OK;
}

static hg_status find_zones(rapl *r, const char *root)
{
  char folder[HG_PATH_MAX];
  bool dram = false, any_dram = false, any = false;
  DIR *list = opendir(root);
  if (!list) return hg_fail(HG_UNSUPPORTED, "there is no %s", root);
  hg_status status = HG_OK;
  for (struct dirent *e = readdir(list); e && status == HG_OK; e = readdir(list)) {
    if (hg_file_in(root, e->d_name, folder) != HG_OK || !is_wanted(folder, e->d_name, &dram)) continue;
    any |= !dram;
    status = add_zone(r, folder, &dram);
    any_dram |= dram;
  }
  closedir(list);
  HG_TRY(status);
  r->source.coverage = HG_RAPL_COVERAGE(any_dram);
  return any ? HG_OK : hg_fail(HG_UNSUPPORTED, "%s: has no package", root);
}

hg_status hg_rapl_powercap_open(hg_energy_source **out)
{
  char root[HG_PATH_MAX];
  HG_TRY(hg_file_in(hg_sysfs_root(), "class/powercap", root));
  rapl *r = calloc(1, sizeof *r);
  if (r) r->zone = calloc(ZONES_MAX, sizeof *r->zone);
  if (!r || !r->zone) {
    free(r);
    return hg_fail(HG_MEMORY, "no memory for counters");
  }
  r->source = (hg_energy_source){
      .name = "rapl", .shortest = HG_RAPL_SHORTEST, .begin = begin, .end = end, .close = close_powercap};
  hg_status status = find_zones(r, root);
  if (status == HG_OK) status = hg_ticker_start(&r->ticker, EVERY, read_between, r);
  if (status == HG_OK)
    *out = &r->source;
  else
    close_powercap(&r->source);
  return status;
}
