/* SPDX-License-Identifier: MIT */
#include "traces/chrome.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/shown.h"

/* Numbers of a rank's threads: its workers, the same for what is not a task, and its messages. */
enum { STATES = 100000, MESSAGES = 200000 };
static const double INSTANT = 1; /* us: the slices at both ends of a message */

typedef struct writer {
  FILE *out;
  const hg_trace *trace;
  int64_t events;
} writer;

/* UTF-8 stays; other bytes are taken for Latin-1, so that all texts are valid. */
static void put_text(FILE *out, const char *text)
{
  putc('"', out);
  for (const char *c = text; *c;) {
    const int length = hg_text_character(c);
    if (*c == '"' || *c == '\\') putc('\\', out);
    if (length > 0)
      fprintf(out, "%.*s", length, c);
    else
      fprintf(out, "\\u%04x", (unsigned char)*c);
    c += length > 1 ? length : 1;
  }
  putc('"', out);
}

/* The beginning of an event, up to its time. */
static void begin(writer *w, const char *phase, const char *name, int process, int thread)
{
  fputs(w->events++ ? ",\n{\"ph\":" : "\n{\"ph\":", w->out);
  put_text(w->out, phase);
  fputs(",\"name\":", w->out);
  put_text(w->out, name);
  fprintf(w->out, ",\"pid\":%d,\"tid\":%d", process, thread);
}

static double micro(const writer *w, double time)
{
  return 1e6 * (time - w->trace->start);
}

static void put_name(writer *w, const char *what, int process, int thread, const char *name)
{
  begin(w, "M", what, process, thread);
  fputs(",\"args\":{\"name\":", w->out);
  put_text(w->out, name);
  fputs("}}", w->out);
}

/* A thread's row: its name, and its place among the rows. */
static void put_row(writer *w, int process, int thread, const char *name, const char *more)
{
  char text[200];
  snprintf(text, sizeof text, "%.150s%s", name, more);
  put_name(w, "thread_name", process, thread, text);
  begin(w, "M", "thread_sort_index", process, thread);
  fprintf(w->out, ",\"args\":{\"sort_index\":%d}}", 2 * (thread % STATES) + thread / STATES);
}

static void put_rows(writer *w)
{
  const hg_trace *t = w->trace;
  for (int i = 0; i < t->workers; i++) {
    const hg_trace_worker *k = &t->worker[i];
    char rank[32];
    snprintf(rank, sizeof rank, "rank %d", k->rank);
    if (i == 0 || t->worker[i - 1].rank != k->rank) {
      put_name(w, "process_name", k->rank, k->id, rank);
      if (t->ranks > 1) put_name(w, "thread_name", k->rank, MESSAGES, "messages");
    }
    put_row(w, k->rank, k->id, k->name, "");
    if (k->has_states) put_row(w, k->rank, STATES + k->id, k->name, ": not in a task");
  }
}

static bool is_shown(const hg_trace_task *k)
{
  return k->kind >= 0 && k->worker >= 0 && isfinite(k->end - k->start);
}

static bool is_complete(const hg_trace_copy *m)
{
  return isfinite(m->end - m->start) && isfinite(m->bytes);
}

static void put_task(writer *w, const hg_trace_task *k)
{
  const hg_trace *t = w->trace;
  const hg_trace_worker *by = &t->worker[k->worker];
  begin(w, "X", t->kind[k->kind].name, by->rank, by->id);
  fprintf(w->out, ",\"cat\":\"task\",\"ts\":%.3f,\"dur\":%.3f,\"args\":{\"job\":%" PRId64, micro(w, k->start),
          1e6 * (k->end - k->start), k->job);
  if (k->iteration >= 0) fprintf(w->out, ",\"iteration\":%" PRId64, k->iteration);
  if (k->flops > 0 && isfinite(k->flops)) fprintf(w->out, ",\"flops\":%.17g", k->flops);
  if (isfinite(k->submit)) fprintf(w->out, ",\"submitted_us\":%.3f", micro(w, k->submit));
  if (k->tiles) {
    const int64_t *at = t->tile[t->written[k->first_tile]].at;
    fprintf(w->out, ",\"tile\":[%" PRId64 ",%" PRId64 ",%" PRId64 "]", at[0], at[1], at[2]);
  }
  fputs("}}", w->out);
}

static void put_tasks(writer *w)
{
  const hg_trace *t = w->trace;
  for (int64_t i = 0; i < t->tasks; i++)
    if (is_shown(&t->task[i])) put_task(w, &t->task[i]);
}

static void put_states(writer *w)
{
  const hg_trace *t = w->trace;
  for (int64_t i = 0; i < t->intervals; i++) {
    const hg_trace_interval *v = &t->interval[i];
    const hg_trace_worker *by = &t->worker[v->worker];
    if (!isfinite(v->end - v->start)) continue;
    begin(w, "X", v->state == HG_TRACE_TRANSFER ? "transfer" : "overhead", by->rank, STATES + by->id);
    fprintf(w->out, ",\"cat\":\"state\",\"ts\":%.3f,\"dur\":%.3f}", micro(w, v->start), 1e6 * (v->end - v->start));
  }
}

/* One end of a message: a short slice, and the end of the arrow that is bound to it. */
static void put_end(writer *w, const hg_trace_copy *m, int64_t id, bool sent)
{
  char name[64];
  const int process = sent ? m->from : m->to;
  const double at = micro(w, sent ? m->start : m->end);
  snprintf(name, sizeof name, sent ? "send to %d" : "receive from %d", sent ? m->to : m->from);
  begin(w, "X", name, process, MESSAGES);
  fprintf(w->out, ",\"cat\":\"message\",\"ts\":%.3f,\"dur\":%g,\"args\":{\"bytes\":%.0f}}", at, INSTANT, m->bytes);
  begin(w, sent ? "s" : "f", "message", process, MESSAGES);
  fprintf(w->out, ",\"cat\":\"message\",\"id\":%" PRId64 ",\"ts\":%.3f%s}", id, at, sent ? "" : ",\"bp\":\"e\"");
}

static void put_copy(writer *w, const hg_trace_copy *m, int64_t id)
{
  char name[64];
  snprintf(name, sizeof name, "memory %d to %d", m->from, m->to);
  for (int i = 0; i < 2; i++) {
    begin(w, i ? "e" : "b", name, m->rank, 0);
    fprintf(w->out, ",\"cat\":\"copy\",\"id\":%" PRId64 ",\"ts\":%.3f", id, micro(w, i ? m->end : m->start));
    fprintf(w->out, i ? "}" : ",\"args\":{\"bytes\":%.0f}}", m->bytes);
  }
}

static void put_copies(writer *w)
{
  const hg_trace *t = w->trace;
  for (int64_t i = 0; i < t->copies; i++) {
    const hg_trace_copy *m = &t->copy[i];
    if (!is_complete(m)) continue;
    if (!m->network) {
      put_copy(w, m, i);
      continue;
    }
    put_end(w, m, i, true);
    put_end(w, m, i, false);
  }
}

/* --- what tasks waited for ---------------------------------------------------------------------------------------- */

/* A task that ran, or the last to end of those that a step of StarPU's own passes on; -1: none. */
static int64_t find_need(const hg_trace *t, int64_t i, int depth)
{
  const hg_trace_task *k = &t->task[i];
  int64_t last = -1;
  if (is_shown(k)) return i;
  for (int64_t j = 0; j < k->needs && depth > 0; j++) {
    const int64_t need = find_need(t, t->need[k->first_need + j], depth - 1);
    if (need >= 0 && (last < 0 || t->task[need].end > t->task[last].end)) last = need;
  }
  return last;
}

/* From within a task to the beginning of another. */
static void put_arrow(writer *w, const hg_trace_task *from, const hg_trace_task *to, int64_t id)
{
  const hg_trace *t = w->trace;
  const double within = fmax(micro(w, from->start), micro(w, from->end) - .001);
  for (int i = 0; i < 2; i++) {
    const hg_trace_worker *by = &t->worker[i ? to->worker : from->worker];
    begin(w, i ? "f" : "s", "dependency", by->rank, by->id);
    fprintf(w->out, ",\"cat\":\"dependency\",\"id\":%" PRId64 ",\"ts\":%.3f%s}", id, i ? micro(w, to->start) : within,
            i ? ",\"bp\":\"e\"" : "");
  }
}

static void put_arrows(writer *w)
{
  enum { STEPS = 3 };
  const hg_trace *t = w->trace;
  for (int64_t i = 0; i < t->tasks; i++)
    for (int64_t j = 0; is_shown(&t->task[i]) && j < t->task[i].needs; j++) {
      const int64_t at = t->task[i].first_need + j, need = find_need(t, t->need[at], STEPS);
      if (need >= 0) put_arrow(w, &t->task[need], &t->task[i], at);
    }
}

/* --- counters ----------------------------------------------------------------------------------------------------- */

/* What changes at a time. */
typedef struct change {
  double time, amount;
  int process;
} change;

static int by_process_and_time(const void *a, const void *b)
{
  const change *s = a, *t = b;
  if (s->process != t->process) return s->process < t->process ? -1 : 1;
  return s->time < t->time ? -1 : s->time > t->time;
}

static void put_counter(writer *w, const char *name, const char *unit, change *list, int64_t count)
{
  double sum = 0;
  qsort(list, (size_t)count, sizeof *list, by_process_and_time);
  for (int64_t i = 0; i < count; i++) {
    const bool last = i + 1 == count || list[i + 1].process != list[i].process;
    sum += list[i].amount;
    if (last || list[i + 1].time > list[i].time) {
      begin(w, "C", name, list[i].process, 0);
      fprintf(w->out, ",\"ts\":%.3f,\"args\":{\"%s\":%.0f}}", micro(w, list[i].time), unit, sum);
    }
    if (last) sum = 0;
  }
}

/* Submitted, and all it needs has ended. */
static double ready_since(const hg_trace *t, const hg_trace_task *k)
{
  double since = isfinite(k->submit) ? k->submit : t->start;
  for (int64_t j = 0; j < k->needs; j++) {
    const int64_t need = find_need(t, t->need[k->first_need + j], 1);
    if (need >= 0) since = fmax(since, t->task[need].end);
  }
  return fmin(since, k->start);
}

static void put_counters(writer *w, change *list)
{
  const hg_trace *t = w->trace;
  int64_t count = 0;
  for (int64_t i = 0; i < t->tasks; i++) {
    const hg_trace_task *k = &t->task[i];
    if (!is_shown(k)) continue;
    list[count++] = (change){ready_since(t, k), 1, t->worker[k->worker].rank};
    list[count++] = (change){k->start, -1, t->worker[k->worker].rank};
  }
  put_counter(w, "ready tasks", "tasks", list, count);
  count = 0;
  for (int64_t i = 0; i < t->copies; i++) {
    const hg_trace_copy *m = &t->copy[i];
    if (!is_complete(m)) continue;
    list[count++] = (change){m->start, m->bytes, m->network ? m->from : m->rank};
    list[count++] = (change){fmax(m->start, m->end), -m->bytes, m->network ? m->from : m->rank};
  }
  put_counter(w, "bytes in flight", "bytes", list, count);
}

hg_status hg_trace_write_chrome(FILE *out, const hg_trace *t, const hg_trace_summary *s)
{
  writer w = {out, t, 0};
  change *changes;
  HG_TRY(hg_allocate("counters", 2 * (size_t)(t->tasks + t->copies + 1) * sizeof *changes, (void **)&changes));
  fprintf(out, "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"title\":");
  put_text(out, t->title);
  fprintf(out, ",\"seconds\":%.9g},\n\"traceEvents\":[", s->seconds);
  put_rows(&w);
  put_tasks(&w);
  put_states(&w);
  put_copies(&w);
  put_arrows(&w);
  put_counters(&w, changes);
  free(changes);
  fputs("\n]}\n", out);
  return ferror(out) ? hg_fail(HG_IO, "writing events: %s", strerror(errno)) : HG_OK;
}
