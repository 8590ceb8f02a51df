/* SPDX-License-Identifier: MIT */
/* The summary of a trace as text and as CSV. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/shown.h"
#include "traces/summary.h"

static double percent(double part, double whole)
{
  return whole > 0 ? 100 * part / whole : 0;
}

static const char *const reasons[HG_TRACE_REASONS] = {"start", "task", "message", "data", "runtime", "end"};

static const char *worker_name(const hg_trace *t, int w, char *out, size_t size)
{
  if (t->ranks > 1)
    snprintf(out, size, "%d:%s", t->worker[w].rank, t->worker[w].name);
  else
    snprintf(out, size, "%s", t->worker[w].name);
  return out;
}

static const char *node_name(const hg_trace_link_sum *l, int node, char *out, size_t size)
{
  if (l->network)
    snprintf(out, size, "rank %d", node);
  else
    snprintf(out, size, "%d:memory %d", l->rank, node);
  return out;
}

/* Kind, place and iteration of a task. */
static const char *task_name(const hg_trace *t, int64_t i, char *out, size_t size)
{
  const hg_trace_task *k = &t->task[i];
  int n = snprintf(out, size, "%.60s", t->kind[k->kind].name);
  if (k->tiles) {
    const int64_t *at = t->tile[t->written[k->first_tile]].at;
    n += snprintf(out + n, size - (size_t)n, " at %" PRId64 ",%" PRId64, at[0], at[1]);
  }
  if (k->iteration >= 0) snprintf(out + n, size - (size_t)n, " of iteration %" PRId64, k->iteration);
  return out;
}

static void print_workers(FILE *out, const hg_trace *t, const hg_trace_summary *s)
{
  fprintf(out, "\n%-14s %8s %9s %9s %9s %9s\n", "worker", "tasks", "busy %", "transf. %", "overh. %", "idle %");
  for (int w = 0; w < t->workers; w++) {
    char name[64];
    const hg_trace_share *h = &s->worker[w];
    fprintf(out, "%-14s %8" PRId64 " %9.2f", worker_name(t, w, name, sizeof name), h->tasks,
            percent(h->busy, s->seconds));
    if (t->worker[w].has_states)
      fprintf(out, " %9.2f %9.2f", percent(h->transfer, s->seconds), percent(h->overhead, s->seconds));
    else
      fprintf(out, " %9s %9s", "-", "-");
    fprintf(out, " %9.2f\n", percent(h->idle, s->seconds));
  }
}

static void print_kinds(FILE *out, const hg_trace *t, const hg_trace_summary *s)
{
  double all = 0;
  for (int i = 0; i < t->kinds; i++) all += s->kind[i].seconds;
  fprintf(out, "\n%-26s %8s %11s %11s %8s %9s %8s\n", "kind of task", "tasks", "seconds", "mean ms", "share %",
          "GFLOP/s", "path %");
  for (int i = 0; i < t->kinds; i++) {
    const hg_trace_kind_time *k = &s->kind[i];
    fprintf(out, "%-26s %8" PRId64 " %11.6f %11.4f %8.2f %9.2f %8.2f\n", t->kind[i].name, k->tasks, k->seconds,
            1e3 * k->seconds / (double)k->tasks, percent(k->seconds, all),
            k->seconds > 0 ? k->flops / k->seconds * 1e-9 : 0, percent(s->path_kind[i], s->seconds));
  }
}

/* Of a run that did not wait: how often a neighbour's values were read that were so many sweeps old. */
static void print_ages(FILE *out, const hg_trace *t)
{
  static const char *const age[HG_AGES] = {"new", "1", "2..3", "4..7", "8..15", "16..31", "32..63", "64.."};
  if (t->blocks == 0) return;
  fprintf(out, "\n%-8s %9s %8s %8s   %s\n%-8s %9s %8s %8s", "block", "sweeps", "old %", "oldest",
          "reads of neighbours' values by their age in sweeps", "", "", "", "");
  for (int k = 0; k < HG_AGES; k++) fprintf(out, " %7s", age[k]);
  fputc('\n', out);
  for (int i = 0; i < t->blocks; i++) {
    const hg_block_ages *a = &t->ages[i];
    fprintf(out, "%-8d %9.0f %8.2f %8.0f", i, a->sweeps, percent(a->stale, a->sweeps), a->oldest);
    for (int k = 0; k < HG_AGES; k++) fprintf(out, " %7.0f", a->age[k]);
    fputc('\n', out);
  }
}

/* Whether what happened between tasks was recorded. */
static bool has_states(const hg_trace *t)
{
  bool any = false;
  for (int w = 0; w < t->workers; w++) any = any || t->worker[w].has_states;
  return any;
}

/* Whether a link's messages were recorded, and not just planned. */
static bool is_recorded(const hg_trace *t, const hg_trace_link_sum *l)
{
  return l->messages > 0 || has_states(t);
}

static void print_links(FILE *out, const hg_trace *t, const hg_trace_summary *s)
{
  if (s->links == 0) return;
  fprintf(out, "\n%-14s %-14s %9s %14s %14s\n", "from", "to", "messages", "bytes", "planned");
  for (int i = 0; i < s->links; i++) {
    char from[32], to[32];
    const hg_trace_link_sum *l = &s->link[i];
    fprintf(out, "%-14s %-14s", node_name(l, l->from, from, sizeof from), node_name(l, l->to, to, sizeof to));
    if (is_recorded(t, l))
      fprintf(out, " %9" PRId64 " %14.0f", l->messages, l->bytes);
    else
      fprintf(out, " %9s %14s", "-", "-");
    if (isnan(l->planned))
      fprintf(out, " %14s\n", "-");
    else
      fprintf(out, " %14.0f\n", l->planned);
  }
}

static void print_waits(FILE *out, const hg_trace *t, const hg_trace_summary *s)
{
  fprintf(out, "\n%-14s %12s %12s  %s\n", "waiting worker", "from s", "for ms", "longest waits, and for what");
  for (int i = 0; i < s->waits; i++) {
    const hg_trace_wait *w = &s->wait[i];
    char name[64], cause[160] = "", from[64] = "";
    if (w->cause >= 0) {
      task_name(t, w->cause, cause, sizeof cause);
      worker_name(t, t->task[w->cause].worker, from, sizeof from);
    }
    fprintf(out, "%-14s %12.6f %12.4f  ", worker_name(t, w->worker, name, sizeof name), w->start,
            1e3 * (w->end - w->start));
    if (w->reason == HG_TRACE_ON_END)
      fprintf(out, "the end of the run: no more tasks\n");
    else if (w->reason == HG_TRACE_ON_TASK)
      fprintf(out, "%s on %s\n", cause, from);
    else if (w->reason == HG_TRACE_ON_MESSAGE)
      fprintf(out, "the message after %s on %s\n", cause, from);
    else if (w->reason == HG_TRACE_ON_DATA)
      fprintf(out, "data of %s\n", task_name(t, w->next, cause, sizeof cause));
    else
      fprintf(out, "%s%s\n",
              w->reason == HG_TRACE_ON_START ? "the start: submission of " : "submission or scheduling of ",
              task_name(t, w->next, cause, sizeof cause));
  }
}

void hg_trace_summary_print(FILE *out, const hg_trace *t, const hg_trace_summary *s)
{
  fprintf(out, "%s\n%" PRId64 " tasks in %.6f s on %d worker%s of %d rank%s\n", t->title, s->tasks, s->seconds,
          t->workers, t->workers == 1 ? "" : "s", t->ranks, t->ranks == 1 ? "" : "s");
  fprintf(out, "imbalance (max/mean busy time) %.4f\n", s->imbalance);
  print_workers(out, t, s);
  print_kinds(out, t, s);
  print_ages(out, t);
  print_links(out, t, s);
  fprintf(out,
          "\nlongest chain of dependent tasks: %.6f s in %" PRId64 " tasks, %.1f %% of the run\n"
          "what delayed the end: %" PRId64
          " tasks one after another, %.6f s (%.1f %%), and %.6f s (%.1f %%) between them\n",
          s->longest_chain, s->chain_tasks, percent(s->longest_chain, s->seconds), s->path_length, s->path_tasks,
          percent(s->path_tasks, s->seconds), s->path_waits, percent(s->path_waits, s->seconds));
  print_waits(out, t, s);
  hg_trace_advise(out, t, s);
}

static void ages_csv(FILE *out, const hg_trace *t)
{
  for (int i = 0; i < t->blocks; i++) {
    const hg_block_ages *a = &t->ages[i];
    fprintf(out, "block,%d,sweeps,%.0f\nblock,%d,stale_sweeps,%.0f\nblock,%d,oldest,%.0f\n", i, a->sweeps, i, a->stale,
            i, a->oldest);
    for (int k = 0; k < HG_AGES; k++)
      fprintf(out, "block,%d,reads_of_age_%d,%.0f\n", i, k ? 1 << (k - 1) : 0, a->age[k]);
  }
}

void hg_trace_summary_csv(FILE *out, const hg_trace *t, const hg_trace_summary *s)
{
  fprintf(out, "section,item,quantity,value\n");
  fprintf(out, "run,,seconds,%.9g\nrun,,tasks,%" PRId64 "\nrun,,ranks,%d\nrun,,workers,%d\nrun,,imbalance,%.6g\n",
          s->seconds, s->tasks, t->ranks, t->workers, s->imbalance);
  fprintf(out, "run,,longest_chain_seconds,%.9g\nrun,,path_task_seconds,%.9g\nrun,,path_wait_seconds,%.9g\n",
          s->longest_chain, s->path_tasks, s->path_waits);
  for (int i = 0; i < HG_TRACE_REASONS; i++) fprintf(out, "lost,%s,seconds,%.9g\n", reasons[i], s->lost[i]);
  for (int w = 0; w < t->workers; w++) {
    const hg_trace_share *h = &s->worker[w];
    char worker[64], name[2 * sizeof worker];
    snprintf(worker, sizeof worker, "%d:%s", t->worker[w].rank, t->worker[w].name);
    hg_text_csv(worker, name, sizeof name);
    fprintf(out, "worker,%s,tasks,%" PRId64 "\nworker,%s,busy_seconds,%.9g\nworker,%s,idle_seconds,%.9g\n", name,
            h->tasks, name, h->busy, name, h->idle);
    if (t->worker[w].has_states)
      fprintf(out, "worker,%s,transfer_seconds,%.9g\nworker,%s,overhead_seconds,%.9g\n", name, h->transfer, name,
              h->overhead);
  }
  for (int i = 0; i < t->kinds; i++) {
    const hg_trace_kind_time *k = &s->kind[i];
    char name[2 * strlen(t->kind[i].name) + 4]; /* quoted */
    hg_text_csv(t->kind[i].name, name, sizeof name);
    fprintf(out, "kind,%s,tasks,%" PRId64 "\nkind,%s,seconds,%.9g\nkind,%s,flops,%.9g\nkind,%s,path_seconds,%.9g\n",
            name, k->tasks, name, k->seconds, name, k->flops, name, s->path_kind[i]);
  }
  ages_csv(out, t);
  for (int i = 0; i < s->links; i++) {
    const hg_trace_link_sum *l = &s->link[i];
    char from[32], to[32];
    node_name(l, l->from, from, sizeof from);
    node_name(l, l->to, to, sizeof to);
    if (is_recorded(t, l))
      fprintf(out, "link,%s > %s,messages,%" PRId64 "\nlink,%s > %s,bytes,%.0f\n", from, to, l->messages, from, to,
              l->bytes);
    if (!isnan(l->planned)) fprintf(out, "link,%s > %s,planned_bytes,%.0f\n", from, to, l->planned);
  }
}

/* NaN: it was not recorded. */
static void put_number(FILE *out, double number)
{
  if (isnan(number))
    fprintf(out, " %14s", "-");
  else
    fprintf(out, " %14.6g", number);
}

static void compare_row(FILE *out, const char *what, double a, double b)
{
  fprintf(out, "%-34s", what);
  put_number(out, a);
  put_number(out, b);
  if (a > 0 && !isnan(b))
    fprintf(out, " %9.3f\n", b / a);
  else
    fprintf(out, " %9s\n", "-");
}

static void total_shares(const hg_trace *t, const hg_trace_summary *s, double sum[4])
{
  for (int i = 0; i < 4; i++) sum[i] = 0;
  for (int w = 0; w < t->workers; w++) {
    sum[0] += s->worker[w].busy;
    sum[1] += s->worker[w].transfer;
    sum[2] += s->worker[w].overhead;
    sum[3] += s->worker[w].idle;
  }
  if (!has_states(t)) sum[1] = sum[2] = NAN;
}

static double total_bytes(const hg_trace *t, const hg_trace_summary *s, bool network)
{
  double sum = 0;
  for (int i = 0; i < s->links; i++)
    if (s->link[i].network == network) sum += s->link[i].bytes;
  return sum > 0 || has_states(t) ? sum : NAN;
}

static int main_worker(const double *seconds, int workers)
{
  int best = 0;
  for (int w = 1; w < workers; w++)
    if (seconds[w] > seconds[best]) best = w;
  return best;
}

/* Tiles of both runs whose worker is another. */
static void compare_tiles(FILE *out, const hg_trace *a, const hg_trace *b)
{
  double *mine = NULL, *other = NULL;
  int64_t common = 0, moved = 0;
  if (a->tiles == 0 || b->tiles == 0 || a->workers != b->workers) return;
  if (hg_trace_tile_times(a, &mine) == HG_OK && hg_trace_tile_times(b, &other) == HG_OK)
    for (int64_t i = 0, j = 0; i < a->tiles; i++) {
      while (j < b->tiles && memcmp(a->tile[i].at, b->tile[j].at, sizeof a->tile[i].at) != 0) j++;
      if (j == b->tiles) {
        j = 0;
        continue;
      }
      common++;
      moved += main_worker(mine + i * a->workers, a->workers) != main_worker(other + j * b->workers, b->workers);
    }
  free(mine);
  free(other);
  if (common)
    fprintf(out, "%" PRId64 " of %" PRId64 " common tiles belong to another worker in the second run\n", moved, common);
}

void hg_trace_compare(FILE *out, const hg_trace *a, const hg_trace_summary *sa, const hg_trace *b,
                      const hg_trace_summary *sb)
{
  double first[4], second[4];
  static const char *const share[] = {"busy, all workers, s", "transfers, s", "overhead, s", "idle, s"};
  total_shares(a, sa, first);
  total_shares(b, sb, second);
  fprintf(out, "A: %s\nB: %s\n\n%-34s %14s %14s %9s\n", a->title, b->title, "", "A", "B", "B / A");
  compare_row(out, "time, s", sa->seconds, sb->seconds);
  compare_row(out, "workers", a->workers, b->workers);
  compare_row(out, "tasks", (double)sa->tasks, (double)sb->tasks);
  compare_row(out, "imbalance", sa->imbalance, sb->imbalance);
  for (int i = 0; i < 4; i++) compare_row(out, share[i], first[i], second[i]);
  compare_row(out, "longest chain, s", sa->longest_chain, sb->longest_chain);
  compare_row(out, "waits on the path to the end, s", sa->path_waits, sb->path_waits);
  compare_row(out, "bytes between ranks", total_bytes(a, sa, true), total_bytes(b, sb, true));
  compare_row(out, "bytes between memories", total_bytes(a, sa, false), total_bytes(b, sb, false));
  for (int i = 0; i < a->kinds; i++)
    for (int j = 0; j < b->kinds; j++)
      if (strcmp(a->kind[i].name, b->kind[j].name) == 0) {
        char label[64];
        snprintf(label, sizeof label, "%.24s, s", a->kind[i].name);
        compare_row(out, label, sa->kind[i].seconds, sb->kind[j].seconds);
      }
  compare_tiles(out, a, b);
}
