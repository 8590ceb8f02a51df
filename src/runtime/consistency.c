/* SPDX-License-Identifier: MIT */
/* Rank 0's list is sent to all; the lowest rank that differs reports it. */
#include "runtime/consistency.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/version.h"
#include "input/grid.h"

enum { VALUES_MAX = 512, NAME = 40, SHOWN = 120 };

typedef struct value {
  char name[NAME], shown[SHOWN]; /* shown: the value in messages */
  uint64_t hash;                 /* of the whole value */
  bool of_problem;
} value;

struct hg_consistency {
  bool of_problem, read_all; /* of the values that follow */
  bool is_full;              /* there were more than VALUES_MAX values */
  int64_t count;
  value value[VALUES_MAX];
  hg_status unread; /* status of a file that could not be read */
  char reason[2 * HG_PATH_MAX];
};

static void add(hg_consistency *list, const char *name, const char *shown, uint64_t hash)
{
  if (list && list->count == VALUES_MAX) list->is_full = true;
  if (!list || list->is_full) return;
  value *v = &list->value[list->count++];
  snprintf(v->name, sizeof v->name, "%s", name);
  const bool cut = snprintf(v->shown, sizeof v->shown, "%s", shown) >= SHOWN;
  if (cut) strcpy(v->shown + SHOWN - 4, "...");
  v->hash = hash;
  v->of_problem = list->of_problem;
}

static uint64_t hash_of(const void *bytes, size_t size)
{
  uint64_t h = HG_HASH_START;
  hg_hash_mix(&h, bytes, size);
  return h;
}

hg_consistency *hg_consistency_begin(void)
{
  hg_consistency *list = calloc(1, sizeof *list);
  hg_consistency_text(list, "version of hetgrid", HG_VERSION);
  hg_consistency_of_problem(list, true);
  return list;
}

void hg_consistency_of_problem(hg_consistency *list, bool is)
{
  if (list) list->of_problem = is;
}

void hg_consistency_read_all(hg_consistency *list)
{
  if (list) list->read_all = true;
}

void hg_consistency_text(hg_consistency *list, const char *name, const char *text)
{
  add(list, name, text ? text : "not given", text ? hash_of(text, strlen(text)) : 0);
}

void hg_consistency_int(hg_consistency *list, const char *name, int64_t number)
{
  char text[32];
  snprintf(text, sizeof text, "%" PRId64, number);
  hg_consistency_text(list, name, text);
}

/* Prints with the fewest digits, at least 6, that read back as the same number. */
static int print_shortest(char *out, size_t size, const char *before, double number)
{
  int length = 0;
  for (int digits = 6; digits <= 17; digits++) {
    length = snprintf(out, size, "%s%.*g", before, digits, number);
    if (!(strtod(out + strlen(before), NULL) < number) && !(strtod(out + strlen(before), NULL) > number)) break;
  }
  return length;
}

void hg_consistency_doubles(hg_consistency *list, const char *name, int count, const double *number)
{
  char text[SHOWN + 32] = "";
  for (int i = 0, at = 0; i < count && at < SHOWN; i++)
    at += print_shortest(text + at, sizeof text - (size_t)at, i ? "," : "", number[i]);
  add(list, name, count ? text : "not given", hash_of(number, (size_t)count * sizeof *number));
}

void hg_consistency_flag(hg_consistency *list, const char *name, bool given)
{
  add(list, name, given ? "given" : "not given", given);
}

void hg_consistency_bytes(hg_consistency *list, const char *name, const char *shown, const void *bytes, size_t size)
{
  char text[SHOWN + 40];
  uint64_t h = hash_of(bytes, size);
  hg_hash_mix(&h, &size, sizeof size);
  snprintf(text, sizeof text, "%.90s (contents %08" PRIx32 ")", shown, (uint32_t)(h ^ h >> 32));
  add(list, name, text, h);
}

/* Picks evenly spaced parts of a large file. */
static void *pick(const unsigned char *bytes, size_t *size)
{
  enum { PARTS = 1024, PART = 1 << 16 };
  unsigned char *some = malloc((size_t)PARTS * PART + sizeof *size);
  if (!some) return NULL;
  const size_t step = (*size - PART) / (PARTS - 1);
  for (size_t i = 0; i < PARTS; i++) memcpy(some + i * PART, bytes + i * step, PART);
  memcpy(some + (size_t)PARTS * PART, size, sizeof *size);
  *size = (size_t)PARTS * PART + sizeof *size;
  return some;
}

static bool is_file(const char *path)
{
  struct stat about;
  return stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0;
}

static void note_unread(hg_consistency *list, hg_status status)
{
  if (list->unread != HG_OK) return;
  list->unread = status;
  snprintf(list->reason, sizeof list->reason, "%s", hg_message());
}

void hg_consistency_input(hg_consistency *list, const char *name, const char *source)
{
  enum { WHOLE = 64 << 20 };
  char path[HG_PATH_MAX];
  void *bytes;
  size_t size;
  const char *dataset = source ? hg_grid_file(source, path) : NULL;
  if (!list) return;
  const hg_status status = source ? hg_file_map(path, &bytes, &size) : HG_INVALID;
  if (status != HG_OK) {
    if (source && is_file(path)) note_unread(list, status);
    hg_consistency_text(list, name, source);
    return;
  }
  size_t looked_at = size;
  const bool whole = size <= WHOLE || list->read_all;
  void *some = whole ? NULL : pick(bytes, &looked_at);
  if (!some && !whole) note_unread(list, hg_fail(HG_MEMORY, "%s: no memory to compare it", path));
  hg_consistency_bytes(list, name, source, some ? some : bytes, some || whole ? looked_at : 0);
  if (dataset) hg_hash_mix(&list->value[list->count - 1].hash, dataset, strlen(dataset));
  free(some);
  munmap(bytes, size);
}

/* Whether one rank has a file of the name that is all another has. */
static bool has_file(const value *one, const value *other)
{
  static const char contents[] = " (contents ";
  const size_t name = strlen(other->shown);
  return strncmp(one->shown, other->shown, name) == 0 && strncmp(one->shown + name, contents, sizeof contents - 1) == 0;
}

static hg_status differs(const value *first, const value *mine)
{
  if (has_file(first, mine))
    return hg_fail(HG_INVALID, "%s: there is no %s here, rank 0 has one; all ranks must see it", mine->name,
                   mine->shown);
  if (has_file(mine, first))
    return hg_fail(HG_INVALID, "%s: there is no %s on rank 0; all ranks must see it", mine->name, first->shown);
  if (strcmp(first->name, mine->name) != 0)
    return hg_fail(HG_INVALID, "has a value for %s, rank 0 has one for %s; all ranks need the same options", mine->name,
                   first->name);
  return hg_fail(HG_INVALID, "%s: is %s, on rank 0 it is %s; it must be the same on all ranks", mine->name, mine->shown,
                 first->shown);
}

static hg_status compare(const hg_consistency *first, const hg_consistency *mine)
{
  const int64_t count = first->count > mine->count ? first->count : mine->count;
  for (int64_t i = 0; i < count; i++) {
    const value *a = &first->value[i], *b = &mine->value[i];
    if (a->hash != b->hash || strcmp(a->name, b->name) != 0) return differs(a, b);
  }
  return HG_OK;
}

hg_status hg_consistency_end(const hg_session *s, hg_consistency *list)
{
  hg_consistency *first = malloc(sizeof *first);
  hg_status status = list && first ? HG_OK : hg_fail(HG_MEMORY, "no memory to compare the ranks");
  if (status == HG_OK && list->is_full)
    status = hg_fail(HG_UNSUPPORTED, "%s: more than %d options and parameters", list->value[VALUES_MAX - 1].name,
                     VALUES_MAX);
  if (status == HG_OK && list->unread != HG_OK) status = hg_fail(list->unread, "%s", list->reason);
  status = hg_session_agree(s, status);
  if (status == HG_OK) {
    *first = *list;
    hg_session_bcast(s, first, sizeof *first);
    status = hg_session_agree(s, compare(first, list));
  }
  free(first);
  free(list);
  return status;
}

/* --- the problem ------------------------------------------------------------------------------------------------- */

hg_status hg_consistency_problem(const hg_consistency *list, const char *before, char **text)
{
  size_t size;
  *text = NULL;
  if (list && list->unread != HG_OK) return hg_fail(list->unread, "%s", list->reason);
  FILE *out = list ? open_memstream(text, &size) : NULL;
  if (!out) return hg_fail(HG_MEMORY, "no memory to describe the problem");
  fputs(before ? before : "", out);
  for (int64_t i = 0; i < list->count; i++) {
    value v = list->value[i];
    for (char *c = v.shown; *c; c++)
      if ((unsigned char)*c < ' ') *c = '?';
    if (v.of_problem) fprintf(out, "%s\t%016" PRIx64 "\t%s\n", v.name, v.hash, v.shown);
  }
  if (fclose(out) == 0) return HG_OK;
  free(*text);
  *text = NULL;
  return hg_fail(HG_MEMORY, "no memory to describe the problem");
}

/* A line of a problem. */
typedef struct line {
  size_t name, known, all; /* bytes of the name, up to the value in messages, and of the line */
} line;

static line look_at(const char *text)
{
  line l = {.name = strcspn(text, "\t\n"), .all = strcspn(text, "\n")};
  l.known = l.name;
  if (text[l.name] == '\t') l.known += 1 + strcspn(text + l.name + 1, "\t\n");
  return l;
}

static const char *behind(const char *text, line l)
{
  return text + l.all + (text[l.all] == '\n');
}

uint64_t hg_problem_identity(const char *problem)
{
  uint64_t h = HG_HASH_START;
  for (const char *at = problem; *at; at = behind(at, look_at(at))) hg_hash_mix(&h, at, look_at(at).known);
  return h;
}

/* The line of a problem that has the same first `bytes` bytes. */
static const char *find(const char *problem, const char *wanted, size_t bytes)
{
  for (const char *at = problem; *at; at = behind(at, look_at(at)))
    if (strncmp(at, wanted, bytes) == 0 && (at[bytes] == '\t' || at[bytes] == '\n')) return at;
  return NULL;
}

/* Writes a line's value for a message; NULL: there is no such line. */
static void put_value(char *to, size_t room, const char *text, const char *place)
{
  enum { MOST = 100 };
  const line l = text ? look_at(text) : (line){0};
  const size_t from = l.known + (l.known < l.all), bytes = l.all - from;
  snprintf(to, room, "%.*s %s", text ? (int)(bytes < MOST ? bytes : MOST) : 4, text ? text + from : "none", place);
}

static void put_difference(char *text, size_t room, const char *name, const char *there, const char *here)
{
  char shown[2][200];
  const size_t used = strlen(text);
  put_value(shown[0], sizeof shown[0], there, "there");
  put_value(shown[1], sizeof shown[1], here, "here");
  const int size = snprintf(text + used, room - used, "%s%.*s %s, %s", used ? ", " : "", (int)look_at(name).name, name,
                            shown[0], shown[1]);
  if (size < 0 || (size_t)size >= room - used) text[used] = 0;
}

void hg_problem_compare(const char *there, const char *here, char *text, size_t room)
{
  *text = 0;
  for (const char *at = here; *at; at = behind(at, look_at(at)))
    if (!find(there, at, look_at(at).known)) put_difference(text, room, at, find(there, at, look_at(at).name), at);
  for (const char *at = there; *at; at = behind(at, look_at(at)))
    if (!find(here, at, look_at(at).name)) put_difference(text, room, at, at, NULL);
}
