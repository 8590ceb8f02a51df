/* SPDX-License-Identifier: MIT */
/* Workers' states, copies between memory nodes, and colours of a trace: StarPU's paje.trace, whose times are
 * milliseconds; and hetgrid's own notes on the run. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "traces/build.h"
#include "traces/paje.h"
#include "traces/rec.h"

enum { DEPTH = 64 };

/* What a worker is doing: states lie on a stack, `set` replaces the lowest. */
typedef struct stack {
  int kind[DEPTH]; /* hg_trace_state, or -1 */
  int depth;
  double since;
} stack;

/* A copy under way. */
typedef struct copying {
  char key[32];
  int from;
  double start, bytes;
} copying;

typedef struct reader {
  hg_trace_build *build;
  stack *worker; /* [trace->workers] */
  copying *open;
  int64_t opened;
} reader;

/* StarPU's short names of states (its definitions stand in the file's head). */
static int state_kind(const char *value)
{
  static const char *const transfer[] = {"Fi", "Po"}, *const overhead[] = {"B", "Sc", "C", "Su", "Bu", "Th", "Ps", "U"};
  for (size_t i = 0; i < sizeof transfer / sizeof *transfer; i++)
    if (strcmp(value, transfer[i]) == 0) return HG_TRACE_TRANSFER;
  for (size_t i = 0; i < sizeof overhead / sizeof *overhead; i++)
    if (strcmp(value, overhead[i]) == 0) return HG_TRACE_OVERHEAD;
  return -1;
}

/* "w3" or "RANK_w3" (also mm3): the number after the letters; false for other names. */
static bool parse_alias(const char *alias, const char *letters, int *rank, int *number)
{
  char *end;
  *rank = 0;
  if (isdigit((unsigned char)*alias)) {
    *rank = (int)strtol(alias, &end, 10);
    if (*end != '_') return false;
    alias = end + 1;
  }
  size_t n = strlen(letters);
  if (strncmp(alias, letters, n) != 0 || !isdigit((unsigned char)alias[n])) return false;
  *number = (int)strtol(alias + n, &end, 10);
  return *end == '\0' && *rank >= 0 && *number >= 0;
}

static int find_worker(const hg_trace *t, int rank, int id)
{
  for (int i = 0; i < t->workers; i++)
    if (t->worker[i].rank == rank && t->worker[i].id == id) return i;
  return -1;
}

/* "0_CPU0" -> "CPU0"; StarPU names CUDA workers "CUDA0.0" and the like. */
static hg_status take_container(reader *r, const hg_paje_event *e)
{
  hg_trace *t = r->build->trace;
  int rank, id;
  if (strcmp(e->type, "W") != 0 || !parse_alias(e->alias, "w", &rank, &id)) return HG_OK;
  int before = t->workers, w = hg_trace_worker_index(t, rank, id); /* workers that did nothing appear here first */
  if (w < 0) return HG_MEMORY;
  if (t->workers > before) {
    stack *larger = realloc(r->worker, (size_t)t->workers * sizeof *larger);
    if (!larger) return hg_fail(HG_MEMORY, "no memory for %d workers", t->workers);
    r->worker = larger;
    larger[w] = (stack){.depth = 0, .since = e->time};
  }
  const char *name = e->name + strspn(e->name, "0123456789");
  name = *name == '_' ? name + 1 : e->name;
  free(t->worker[w].name);
  t->worker[w].name = hg_text_shown(name);
  return t->worker[w].name ? HG_OK : hg_fail(HG_MEMORY, "no memory for the trace");
}

static hg_status close_state(reader *r, int w, double now)
{
  hg_trace *t = r->build->trace;
  stack *s = &r->worker[w];
  int kind = s->depth ? s->kind[(s->depth < DEPTH ? s->depth : DEPTH) - 1] : -1;
  if (kind >= 0 && now > s->since) {
    hg_trace_interval *last = t->intervals ? &t->interval[t->intervals - 1] : NULL;
    const hg_trace_interval i = {w, (hg_trace_state)kind, s->since * 1e-3, now * 1e-3};
    if (last && last->worker == w && last->state == i.state && last->end >= i.start) {
      last->end = i.end;
    } else {
      HG_TRY(hg_grow("the trace", (void **)&t->interval, t->intervals, sizeof i));
      t->interval[t->intervals++] = i;
    }
  }
  s->since = now;
  return HG_OK;
}

static hg_status take_state(reader *r, const hg_paje_event *e)
{
  hg_trace *t = r->build->trace;
  int rank, id;
  if (strcmp(e->type, "WS") != 0 || !parse_alias(e->container, "w", &rank, &id)) return HG_OK;
  int w = find_worker(t, rank, id);
  if (w < 0) return HG_OK;
  HG_TRY(close_state(r, w, e->time));
  stack *s = &r->worker[w];
  t->worker[w].has_states = true;
  if (e->kind == HG_PAJE_POP) {
    if (s->depth > 0) s->depth--;
    return HG_OK;
  }
  if (e->kind == HG_PAJE_SET) s->depth = 0;
  if (s->depth < DEPTH) s->kind[s->depth] = state_kind(e->value);
  s->depth++;
  return HG_OK;
}

/* Copies between memory nodes; those between ranks stand in comms.rec. */
static hg_status take_link(reader *r, const hg_paje_event *e)
{
  hg_trace *t = r->build->trace;
  int rank, node;
  if (!parse_alias(e->container, "mm", &rank, &node)) return HG_OK;
  if (e->kind == HG_PAJE_START_LINK) {
    copying l = {.from = node, .start = e->time * 1e-3, .bytes = strtod(e->value, NULL)};
    snprintf(l.key, sizeof l.key, "%d.%.20s", rank, e->key);
    HG_TRY(hg_grow("the trace", (void **)&r->open, r->opened, sizeof l));
    r->open[r->opened++] = l;
    return HG_OK;
  }
  char key[32];
  snprintf(key, sizeof key, "%d.%.20s", rank, e->key);
  for (int64_t i = r->opened - 1; i >= 0; i--)
    if (strcmp(r->open[i].key, key) == 0) {
      const copying *l = &r->open[i];
      hg_trace_copy copy = {l->from, node, rank, false, l->start, e->time * 1e-3, l->bytes};
      r->open[i] = r->open[--r->opened];
      HG_TRY(hg_grow("the trace", (void **)&t->copy, t->copies, sizeof copy));
      t->copy[t->copies++] = copy;
      break;
    }
  return HG_OK;
}

/* "R G B", each up to 1. */
static void take_colour(reader *r, const hg_paje_event *e)
{
  hg_trace *t = r->build->trace;
  double c[3];
  if (strcmp(e->type, "WS") != 0 || sscanf(e->colour, "%lf %lf %lf", &c[0], &c[1], &c[2]) != 3) return;
  unsigned colour = 0;
  for (int i = 0; i < 3; i++) colour = colour << 8 | (unsigned)lrint(255 * fmin(fmax(c[i], 0), 1));
  for (int i = 0; i < t->kinds; i++)
    if (strcmp(t->kind[i].name, e->name) == 0) t->kind[i].colour = colour;
}

static hg_status take(void *arg, const hg_paje_event *event)
{
  hg_paje_event shifted = *event, *e = &shifted;
  e->time += ((const reader *)arg)->build->trace->origin;
  switch (e->kind) {
  case HG_PAJE_CONTAINER: return take_container(arg, e);
  case HG_PAJE_SET:
  case HG_PAJE_PUSH:
  case HG_PAJE_POP: return take_state(arg, e);
  case HG_PAJE_START_LINK:
  case HG_PAJE_END_LINK: return take_link(arg, e);
  case HG_PAJE_VALUE: take_colour(arg, e); return HG_OK;
  case HG_PAJE_KINDS: break;
  }
  return HG_OK;
}

static hg_status each_line(hg_trace_build *b, const char *name, hg_status (*take_line)(hg_trace *, const char *))
{
  char path[HG_PATH_MAX], *line = NULL;
  size_t size = 0;
  int64_t number = 0;
  hg_status status = HG_OK;
  HG_TRY(hg_file_in(b->folder, name, path));
  FILE *file;
  if (access(path, F_OK) != 0) return HG_OK;
  HG_TRY(hg_file_open(path, &file));
  while (status == HG_OK && getline(&line, &size, file) >= 0) {
    status = hg_rec_check_end(path, ++number, line);
    if (status == HG_OK) status = take_line(b->trace, line);
  }
  free(line);
  fclose(file);
  return status;
}

/* Of run.csv. */
static hg_status take_origin(hg_trace *t, const char *line)
{
  double origin;
  if (sscanf(line, "origin,%lf", &origin) == 1 && isfinite(origin)) t->origin = origin;
  return HG_OK;
}

hg_status hg_trace_read_states(hg_trace_build *b)
{
  char path[HG_PATH_MAX];
  reader r = {.build = b, .worker = calloc((size_t)b->trace->workers + 1, sizeof(stack))};
  if (!r.worker) return hg_fail(HG_MEMORY, "no memory for %d workers", b->trace->workers);
  hg_status status = each_line(b, "run.csv", take_origin);
  if (status == HG_OK) status = hg_file_in(b->folder, "paje.trace", path);
  if (status == HG_OK && access(path, F_OK) == 0) status = hg_paje_read(path, take, &r);
  free(r.worker);
  free(r.open);
  return status;
}

/* A line of tiles.csv: first cell and extents along each axis. */
static hg_status take_extents(hg_trace *t, const char *line)
{
  hg_trace_tile read;
  if (sscanf(line, "%" SCNd64 ",%" SCNd64 ",%" SCNd64 ",%" SCNd64 ",%" SCNd64 ",%" SCNd64, &read.at[0], &read.at[1],
             &read.at[2], &read.extent[0], &read.extent[1], &read.extent[2]) != 6)
    return HG_OK;
  for (int i = 0; i < 3; i++)
    if (read.extent[i] < 1) return HG_OK;
  int64_t lo = 0, hi = t->tiles; /* tiles are sorted by z, y, x */
  while (lo < hi) {
    int64_t mid = lo + (hi - lo) / 2;
    const int64_t *at = t->tile[mid].at;
    bool below = at[2] != read.at[2]   ? at[2] < read.at[2]
                 : at[1] != read.at[1] ? at[1] < read.at[1]
                                       : at[0] < read.at[0];
    if (below)
      lo = mid + 1;
    else
      hi = mid;
  }
  if (lo < t->tiles && memcmp(t->tile[lo].at, read.at, sizeof read.at) == 0) t->tile[lo] = read;
  return HG_OK;
}

/* A line of run.csv: title,TEXT or planned,FROM,TO,BYTES. */
static hg_status take_note(hg_trace *t, const char *line)
{
  static const char title[] = "title,";
  hg_trace_plan plan;
  if (strncmp(line, title, sizeof title - 1) == 0) {
    free(t->title);
    char text[HG_PATH_MAX];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(line + sizeof title - 1, "\r\n"), line + sizeof title - 1);
    t->title = hg_text_shown(text);
    if (!t->title) return hg_fail(HG_MEMORY, "no memory for the trace");
  }
  if (sscanf(line, "planned,%d,%d,%lf", &plan.from, &plan.to, &plan.bytes) != 3) return HG_OK;
  HG_TRY(hg_grow("the trace", (void **)&t->plan, t->plans, sizeof plan));
  t->plan[t->plans++] = plan;
  return HG_OK;
}

/* A line of ages.csv, behind its head; blocks are numbered in order. */
static hg_status take_ages(hg_trace *t, const char *line)
{
  hg_block_ages a;
  int block, used = 0;
  if (sscanf(line, "%d,%lf,%lf,%lf%n", &block, &a.sweeps, &a.stale, &a.oldest, &used) != 4 || block != t->blocks)
    return HG_OK;
  for (int i = 0, more = 0; i < HG_AGES; i++, used += more)
    if (sscanf(line + used, ",%lf%n", &a.age[i], &more) != 1) return HG_OK;
  HG_TRY(hg_grow("the trace", (void **)&t->ages, t->blocks, sizeof a));
  t->ages[t->blocks++] = a;
  return HG_OK;
}

hg_status hg_trace_read_notes(hg_trace_build *b)
{
  HG_TRY(each_line(b, "ages.csv", take_ages));
  HG_TRY(each_line(b, "tiles.csv", take_extents));
  HG_TRY(each_line(b, "run.csv", take_note));
  if (b->trace->title) return HG_OK;
  b->trace->title = hg_text_shown(b->folder);
  return b->trace->title ? HG_OK : hg_fail(HG_MEMORY, "no memory for the trace");
}
