/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/integers.h"

enum { GROUP_MAX = 4096 }; /* bytes of a cgroup's name */

static int64_t read_number(const char *path)
{
  FILE *f = fopen(path, "r");
  int64_t value = -1;
  if (!f) return -1;
  if (fscanf(f, "%" SCNd64, &value) != 1) value = -1;
  fclose(f);
  return value;
}

static int64_t meminfo_available(void)
{
  FILE *f = fopen("/proc/meminfo", "r");
  char line[128];
  int64_t kib = -1;
  while (f && fgets(line, sizeof line, f))
    if (sscanf(line, "MemAvailable: %" SCNd64, &kib) == 1) break;
  if (f) fclose(f);
  return kib < 0 ? INT64_MAX : kib * 1024;
}

/* Memory that a cgroup may still take; INT64_MAX if it has no limit. */
static int64_t group_available(const char *folder)
{
  char limit[GROUP_MAX + 32], used[GROUP_MAX + 32];
  snprintf(limit, sizeof limit, "%s/memory.max", folder);
  snprintf(used, sizeof used, "%s/memory.current", folder);
  const int64_t most = read_number(limit), now = read_number(used);
  return most < 0 || now < 0 ? INT64_MAX : most > now ? most - now : 0;
}

/* The least of this process's cgroup and those above it (version 2). */
static int64_t groups_available(void)
{
  char group[GROUP_MAX - 32] = "", folder[GROUP_MAX];
  FILE *f = fopen("/proc/self/cgroup", "re");
  if (f && fscanf(f, "0::%4000[^\n]", group) != 1) *group = '\0';
  if (f) fclose(f);
  int64_t available = INT64_MAX;
  for (;;) {
    snprintf(folder, sizeof folder, "/sys/fs/cgroup%s", group);
    available = hg_min(available, group_available(folder));
    char *slash = strrchr(group, '/');
    if (!slash) return available;
    *slash = '\0';
  }
}

/* Under `ulimit -v`. */
static int64_t addresses_available(void)
{
  struct rlimit limit;
  const int64_t pages = read_number("/proc/self/statm");
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || pages < 0) return INT64_MAX;
  const int64_t used = pages * sysconf(_SC_PAGESIZE), most = (int64_t)limit.rlim_cur;
  return most > used ? most - used : 0;
}

int64_t hg_memory_available(void)
{
  return hg_min(meminfo_available(), hg_min(groups_available(), addresses_available()));
}

hg_status hg_memory_check(const char *what, const int64_t n[3], int64_t bytes_per_cell)
{
  double need = (double)n[0] * (double)n[1] * (double)n[2] * (double)bytes_per_cell;
  double have = (double)hg_memory_available();
  if (need <= have) return HG_OK;
  return hg_fail(HG_MEMORY, "%s of %" PRId64 " x %" PRId64 " x %" PRId64 " cells needs %.1f GB, %.1f GB are available",
                 what, n[0], n[1], n[2], need / 1e9, have / 1e9);
}

/* Large blocks may be sent as messages, and are aligned to pages. malloc starts them just behind the start of a page:
 * such a message goes over TCP at a third of the speed, since source and target of the system's copy then have the
 * same offset in their pages. */
hg_status hg_allocate(const char *what, size_t bytes, void **out)
{
  enum { LINE = 64, PAGE = 4096, LARGE = 1 << 16, ASKED = 1 << 28 };
  const size_t unit = bytes < LARGE ? LINE : PAGE, rounded = bytes ? (bytes + unit - 1) / unit * unit : unit;
  if (bytes >= ASKED && bytes > (size_t)hg_memory_available())
    return hg_fail(HG_MEMORY, "%s needs %.1f GB, %.1f GB are available", what, (double)bytes / 1e9,
                   (double)hg_memory_available() / 1e9);
  *out = rounded >= bytes ? aligned_alloc(unit, rounded) : NULL;
  if (!*out) return hg_fail(HG_MEMORY, "%s: %zu bytes could not be allocated", what, bytes);
  memset(*out, 0, rounded);
  return HG_OK;
}

hg_status hg_grow(const char *what, void **list, int64_t count, size_t size)
{
  if (count & (count - 1)) return HG_OK; /* full only at a power of two */
  const size_t room = count ? 2 * (size_t)count : 1;
  void *larger = room > SIZE_MAX / size ? NULL : realloc(*list, room * size);
  if (!larger) return hg_fail(HG_MEMORY, "no memory for %s", what);
  *list = larger;
  return HG_OK;
}

int hg_leading_dimension(int64_t rows, size_t value_bytes)
{
  const int64_t line = 64 / (int64_t)value_bytes;
  int64_t ld = (rows + line - 1) / line * line;
  if (ld % (8 * line) == 0) ld += line;
  return (int)(ld > 0 ? ld : 1);
}

/* --- addresses that are used once --- */

enum { ADDRESS_STEP = 16 };

/* Room for one object at a time, each at an address a step higher; a used-up room is never freed. */
typedef struct room {
  max_align_t *memory;
  struct room *next;
  size_t bytes;  /* size of an object */
  size_t places; /* addresses used so far */
  bool taken;
} room;

static room *rooms;
static pthread_mutex_t rooms_lock = PTHREAD_MUTEX_INITIALIZER;

/* A room is twice as large as an object. */
static room *make_room(size_t bytes)
{
  room *r = calloc(1, sizeof *r);
  if (r) r->memory = malloc(2 * bytes);
  if (!r || !r->memory) {
    free(r);
    return NULL;
  }
  r->bytes = bytes;
  r->next = rooms;
  return rooms = r;
}

static bool has_place(const room *r, size_t bytes)
{
  return !r->taken && r->bytes == bytes && r->places * ADDRESS_STEP <= bytes;
}

void *hg_allocate_distinct(size_t bytes)
{
  pthread_mutex_lock(&rooms_lock);
  room *r = rooms;
  while (r && !has_place(r, bytes)) r = r->next;
  if (!r) r = make_room(bytes);
  void *place = r ? (char *)r->memory + ADDRESS_STEP * r->places++ : NULL;
  if (r) r->taken = true;
  pthread_mutex_unlock(&rooms_lock);
  return place ? memset(place, 0, bytes) : NULL;
}

void hg_free_distinct(void *object)
{
  const char *place = object;
  pthread_mutex_lock(&rooms_lock);
  for (room *r = rooms; r; r = r->next) {
    const char *first = (const char *)r->memory;
    if (place >= first && place < first + 2 * r->bytes) r->taken = false;
  }
  pthread_mutex_unlock(&rooms_lock);
}
