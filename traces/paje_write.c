/* SPDX-License-Identifier: MIT */
#include "traces/paje_write.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const char HEAD[] =
    "%EventDef PajeDefineContainerType 1\n% Alias string\n% Type string\n% Name string\n"
    "%EndEventDef\n"
    "%EventDef PajeDefineStateType 2\n% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineLinkType 3\n% Alias string\n% Type string\n% StartContainerType string\n"
    "% EndContainerType string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineEntityValue 4\n% Alias string\n% Type string\n% Name string\n"
    "% Color color\n%EndEventDef\n"
    "%EventDef PajeCreateContainer 5\n% Time date\n% Alias string\n% Type string\n"
    "% Container string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDestroyContainer 6\n% Time date\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeSetState 7\n% Time date\n% Type string\n% Container string\n% Value string\n"
    "%EndEventDef\n"
    "%EventDef PajeStartLink 8\n% Time date\n% Type string\n% Container string\n"
    "% StartContainer string\n% Value string\n% Key string\n%EndEventDef\n"
    "%EventDef PajeEndLink 9\n% Time date\n% Type string\n% Container string\n"
    "% EndContainer string\n% Value string\n% Key string\n%EndEventDef\n"
    "1 run 0 Run\n1 rank run Rank\n1 worker rank Worker\n2 task worker Task\n"
    "3 message run rank rank Message\n4 waiting task waiting \"0.92 0.92 0.92\"\n";

/* What happens at a time; what ends comes before what begins then. */
typedef struct event {
  double time; /* ms */
  enum { TASK_ENDS, MESSAGE_ENDS, TASK_BEGINS, MESSAGE_BEGINS } what;
  int64_t of; /* task or message */
} event;

static int by_time(const void *a, const void *b)
{
  const event *s = a, *t = b;
  if (s->time != t->time) return s->time < t->time ? -1 : 1;
  return s->what != t->what ? (int)s->what - (int)t->what : (s->of > t->of) - (s->of < t->of);
}

/* A name in quotes, which cannot hold one. */
static void put_name(FILE *out, const char *name)
{
  putc('"', out);
  for (const char *c = name; *c; c++) putc(*c == '"' || (unsigned char)*c < ' ' ? '_' : *c, out);
  fputs("\"\n", out);
}

static void put_kinds(FILE *out, const hg_trace *t)
{
  for (int i = 0; i < t->kinds; i++) {
    const unsigned colour = t->kind[i].colour;
    fprintf(out, "4 k%d task \"%s\" \"%.6f %.6f %.6f\"\n", i, t->kind[i].name, (double)(colour >> 16 & 255) / 255,
            (double)(colour >> 8 & 255) / 255, (double)(colour & 255) / 255);
  }
}

static void put_containers(FILE *out, const hg_trace *t)
{
  fputs("5 0.000000 run run 0 ", out);
  put_name(out, t->title);
  for (int r = 0; r < t->ranks; r++) fprintf(out, "5 0.000000 rank%d rank run \"rank %d\"\n", r, r);
  for (int w = 0; w < t->workers; w++) {
    const hg_trace_worker *k = &t->worker[w];
    fprintf(out, "5 0.000000 worker%d worker rank%d ", w, k->rank);
    put_name(out, k->name);
  }
  for (int w = 0; w < t->workers; w++) fprintf(out, "7 0.000000 task worker%d waiting\n", w);
}

static bool is_shown(const hg_trace_task *k)
{
  return k->kind >= 0 && k->worker >= 0 && isfinite(k->end - k->start);
}

static int64_t collect(const hg_trace *t, event *list)
{
  int64_t count = 0;
  for (int64_t i = 0; i < t->tasks; i++) {
    const hg_trace_task *k = &t->task[i];
    if (!is_shown(k)) continue;
    list[count++] = (event){1e3 * (k->start - t->start), TASK_BEGINS, i};
    list[count++] = (event){1e3 * (k->end - t->start), TASK_ENDS, i};
  }
  for (int64_t i = 0; i < t->copies; i++) {
    const hg_trace_copy *m = &t->copy[i];
    if (!m->network || !isfinite(m->end - m->start) || !isfinite(m->bytes)) continue;
    list[count++] = (event){1e3 * (m->start - t->start), MESSAGE_BEGINS, i};
    list[count++] = (event){1e3 * (fmax(m->end, m->start) - t->start), MESSAGE_ENDS, i};
  }
  qsort(list, (size_t)count, sizeof *list, by_time);
  return count;
}

static void put_event(FILE *out, const hg_trace *t, const event *e)
{
  const hg_trace_task *k = &t->task[e->of];
  const hg_trace_copy *m = &t->copy[e->of];
  const double time = fmax(e->time, 0);
  switch (e->what) {
  case TASK_BEGINS: fprintf(out, "7 %.6f task worker%d k%d\n", time, k->worker, k->kind); break;
  case TASK_ENDS: fprintf(out, "7 %.6f task worker%d waiting\n", time, k->worker); break;
  case MESSAGE_BEGINS:
    fprintf(out, "8 %.6f message run rank%d %.0f m%" PRId64 "\n", time, m->from, m->bytes, e->of);
    break;
  case MESSAGE_ENDS: fprintf(out, "9 %.6f message run rank%d %.0f m%" PRId64 "\n", time, m->to, m->bytes, e->of); break;
  }
}

hg_status hg_trace_write_paje(FILE *out, const hg_trace *t, const hg_trace_summary *s)
{
  event *list;
  (void)s;
  HG_TRY(hg_allocate("events", 2 * (size_t)(t->tasks + t->copies + 1) * sizeof *list, (void **)&list));
  const int64_t count = collect(t, list);
  fputs(HEAD, out);
  put_kinds(out, t);
  put_containers(out, t);
  for (int64_t i = 0; i < count; i++) put_event(out, t, &list[i]);
  const double end = fmax(count ? list[count - 1].time : 0, 1e3 * (t->end - t->start));
  for (int w = 0; w < t->workers; w++) fprintf(out, "6 %.6f worker worker%d\n", end, w);
  for (int r = 0; r < t->ranks; r++) fprintf(out, "6 %.6f rank rank%d\n", end, r);
  fprintf(out, "6 %.6f run run\n", end);
  free(list);
  return ferror(out) ? hg_fail(HG_IO, "writing events: %s", strerror(errno)) : HG_OK;
}
