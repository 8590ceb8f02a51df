/* SPDX-License-Identifier: MIT */
#include "runtime/paje_order.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>

#include "base/file.h"
#include "base/memory.h"

/* A line of the trace. Definitions, which have no time, come first, unchanged. */
typedef struct line {
  const char *text;
  size_t length;
  double time;
} line;

typedef struct trace {
  line *list;
  int64_t count;
  bool timed[256]; /* by event number: the event's first field is its time */
  int defining;
  double begin, end; /* begin and end of the run, ms */
} trace;

enum { NO_TIME = -1 };

/* %EventDef NAME ID, then its fields: % Time date. */
static void note_definition(trace *t, const char *text)
{
  char name[64];
  int id;
  if (sscanf(text, "%%EventDef %63s %d", name, &id) == 2)
    t->defining = id >= 0 && id < 256 ? id : 0;
  else if (t->defining && sscanf(text, "%% %63s", name) == 1) {
    t->timed[t->defining] = strcmp(name, "Time") == 0;
    t->defining = 0;
  }
}

static double time_of(const trace *t, const char *text)
{
  int id;
  double time;
  const bool timed = sscanf(text, "%d %lf", &id, &time) == 2 && id > 0 && id < 256 && t->timed[id];
  return timed ? time : NO_TIME;
}

/* Notes the marks of each rank; the first and the last of them count. */
static void note_bounds(trace *t, const char *text, double time)
{
  if (strstr(text, "\"start_profiling\"") && !(t->begin <= time)) t->begin = time;
  if (strstr(text, "\"stop_profiling\"") && !(t->end >= time)) t->end = time;
}

static hg_status add_line(trace *t, const char *text, size_t length)
{
  char begin[128];
  snprintf(begin, sizeof begin, "%.*s", (int)(length < 127 ? length : 127), text);
  HG_TRY(hg_grow("the lines of a trace", (void **)&t->list, t->count, sizeof *t->list));
  if (*begin == '%') note_definition(t, begin);
  t->list[t->count++] = (line){text, length, *begin == '%' ? NO_TIME : time_of(t, begin)};
  note_bounds(t, begin, t->list[t->count - 1].time);
  return HG_OK;
}

static hg_status find_lines(trace *t, const char *text, size_t size)
{
  for (const char *at = text, *end = text + size; at < end;) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    const char *next = newline ? newline + 1 : end;
    HG_TRY(add_line(t, at, (size_t)(next - at)));
    at = next;
  }
  return HG_OK;
}

/* Lines of the same time keep their order, which is that of their addresses. */
static int by_time(const void *a, const void *b)
{
  const line *s = a, *t = b;
  if (s->time != t->time) return s->time < t->time ? -1 : 1;
  return (s->text > t->text) - (s->text < t->text);
}

/* Waiting becomes grey, so that tasks stand out: StarPU's red is also that of many tasks. Components of codelets'
 * colours go up to 255, Paje's up to 1. The colour is the last string of a line. */
static bool repair_colour(const line *l, FILE *out)
{
  static const double waiting[] = {.9, .1, 0};
  char text[1024];
  double c[3];
  if (l->time != NO_TIME || *l->text != '6' || l->length >= sizeof text) return false;
  snprintf(text, sizeof text, "%.*s", (int)l->length, l->text);
  char *end = strrchr(text, '"');
  if (!end) return false;
  *end = '\0';
  char *start = strrchr(text, '"');
  if (!start || sscanf(start + 1, "%lf %lf %lf", &c[0], &c[1], &c[2]) != 3) return false;
  const bool waits = memcmp(c, waiting, sizeof c) == 0, large = c[0] > 1 || c[1] > 1 || c[2] > 1;
  if (!waits && !large) return false;
  *start = '\0';
  if (waits)
    fprintf(out, "%s\"0.92 0.92 0.92\"\n", text);
  else
    fprintf(out, "%s\"%.6f %.6f %.6f\"\n", text, c[0] / 255, c[1] / 255, c[2] / 255);
  return true;
}

/* Empty names become - : pj_dump stops at them. */
static void put_rest(const char *at, const char *end, FILE *out)
{
  const char *empty;
  while ((empty = memmem(at, (size_t)(end - at), "\"\"", 2))) {
    fwrite(at, 1, (size_t)(empty - at), out);
    fputs("\"-\"", out);
    at = empty + 2;
  }
  fwrite(at, 1, (size_t)(end - at), out);
}

/* Times become relative to the beginning of the run; earlier and later ones are clamped to its ends. */
static void put_line(const trace *t, const line *l, FILE *out)
{
  const char *at = l->text, *end = at + l->length;
  if (l->time != NO_TIME) {
    at += strspn(at, "0123456789");
    at += strspn(at, " \t");
    fprintf(out, "%.*s%.9f", (int)(at - l->text), l->text, fmin(fmax(l->time, t->begin), t->end) - t->begin);
    at += strcspn(at, " \t\n");
  }
  put_rest(at, end, out);
}

static hg_status write_lines(const char *path, const trace *t)
{
  char temporary[HG_PATH_MAX];
  FILE *out;
  HG_TRY(hg_file_begin(path, temporary, &out));
  for (int64_t i = 0; i < t->count; i++)
    if (!repair_colour(&t->list[i], out)) put_line(t, &t->list[i], out);
  return hg_file_end(out, temporary, path, HG_OK);
}

/* StarPU then leaves an empty file. */
static bool is_on_full_disk(const char *path)
{
  struct statvfs info;
  return statvfs(path, &info) == 0 && info.f_bavail == 0;
}

hg_status hg_paje_repair(const char *path, double *origin)
{
  void *text;
  size_t size;
  trace t = {.begin = NAN, .end = NAN};
  hg_status status = hg_file_map(path, &text, &size);
  if (status != HG_OK && is_on_full_disk(path)) return hg_fail(HG_IO, "%s: %s", path, strerror(ENOSPC));
  HG_TRY(status);
  status = find_lines(&t, text, size);
  if (isnan(t.begin)) t.begin = 0;
  if (isnan(t.end)) t.end = INFINITY;
  *origin = t.begin;
  if (status == HG_OK) {
    qsort(t.list, (size_t)t.count, sizeof *t.list, by_time);
    status = write_lines(path, &t);
  }
  free(t.list);
  munmap(text, size);
  return status;
}
