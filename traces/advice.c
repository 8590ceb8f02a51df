/* SPDX-License-Identifier: MIT */
/* What to try: the causes of lost time, each with the share of all workers' time that it cost, and the option that
 * acts on it. Only what cost more than a twentieth is worth a line, and only the two that cost most get one. */
#include <math.h>
#include <string.h>

#include "traces/summary.h"

#define WORTH_IT .05    /* share of the workers' time */
#define UNEVEN 1.1      /* imbalance beyond which shares are to blame for waiting */
#define CHAINED .8      /* of the run in one chain of dependent tasks */
#define SHORT_TASK 1e-3 /* s */

typedef struct advice {
  double share; /* of the workers' time */
  char text[320];
} advice;

static double share_of(const hg_trace *t, const hg_trace_summary *s, double seconds)
{
  return seconds / (s->seconds * t->workers);
}

/* The kind of task that most was waited for. */
static const char *waited_for(const hg_trace *t, const hg_trace_summary *s)
{
  int most = 0;
  for (int i = 1; i < t->kinds; i++)
    if (s->waited_kind[i] > s->waited_kind[most]) most = i;
  return t->kind[most].name;
}

/* The worker with most, or least, to do. */
static const char *extreme(const hg_trace *t, const hg_trace_summary *s, int sign, char *out, size_t size)
{
  int at = 0;
  for (int w = 1; w < t->workers; w++)
    if (sign * s->worker[w].busy > sign * s->worker[at].busy) at = w;
  snprintf(out, size, t->ranks > 1 ? "%s of rank %d" : "%s", t->worker[at].name, t->worker[at].rank);
  return out;
}

static double mean_task(const hg_trace *t, const hg_trace_summary *s)
{
  double busy = 0;
  for (int w = 0; w < t->workers; w++) busy += s->worker[w].busy;
  return busy / fmax(1, (double)s->tasks);
}

/* For other tasks of the rank, and for the end. */
static void advise_on_balance(const hg_trace *t, const hg_trace_summary *s, advice *a)
{
  char most[80], least[80];
  const char *kind = waited_for(t, s);
  a->share = share_of(t, s, s->lost[HG_TRACE_ON_TASK] + s->lost[HG_TRACE_ON_END]);
  if (strstr(kind, "panel") || strstr(kind, "getrf"))
    snprintf(a->text, sizeof a->text,
             "workers wait for %s, which a single worker computes: smaller tiles (--nb) shorten it", kind);
  else if (s->imbalance > UNEVEN)
    snprintf(
        a->text, sizeof a->text,
        "%s has the most work, %s the least: divide by measured speeds (hetgrid-calibrate, then --speeds tables:), "
        "or use --rebalance auto in a longer run",
        extreme(t, s, 1, most, sizeof most), extreme(t, s, -1, least, sizeof least));
  else if (s->longest_chain > CHAINED * s->seconds)
    snprintf(a->text, sizeof a->text,
             "one chain of dependent tasks takes %.0f %% of the run: smaller tiles (--tile, --nb) let more of it run "
             "in parallel",
             100 * s->longest_chain / s->seconds);
  else
    snprintf(a->text, sizeof a->text,
             "workers take turns waiting for %s: more tiles per worker (--tile), or --sched lws", kind);
}

static void advise_on_messages(const hg_trace *t, const hg_trace_summary *s, advice *a)
{
  const char *kind = waited_for(t, s);
  const bool panels = strstr(kind, "lu_") != NULL;
  a->share = share_of(t, s, s->lost[HG_TRACE_ON_MESSAGE]);
  snprintf(
      a->text, sizeof a->text, "ranks wait for messages after %s: %s", kind,
      panels
          ? "keep panels on one rank (--ranks 1xQ)"
          : "more steps per task (--time-block) send fewer of them, and shares by speed (--speeds) balance the ranks");
}

static void advise_on_data(const hg_trace *t, const hg_trace_summary *s, advice *a)
{
  a->share = share_of(t, s, s->lost[HG_TRACE_ON_DATA]);
  snprintf(
      a->text, sizeof a->text,
      "workers wait for transfers between memories: larger tiles (--tile), more steps per task (--time-block), or a "
      "policy that plans transfers (--sched hetgrid or dmdas)");
}

static void advise_on_runtime(const hg_trace *t, const hg_trace_summary *s, advice *a)
{
  const double mean = mean_task(t, s);
  a->share = share_of(t, s, s->lost[HG_TRACE_ON_RUNTIME]);
  if (mean < SHORT_TASK)
    snprintf(a->text, sizeof a->text,
             "tasks last %.2g ms, and each costs some microseconds: larger tiles (--tile, --nb) or more steps per task "
             "(--time-block)",
             1e3 * mean);
  else
    snprintf(
        a->text, sizeof a->text,
        "workers wait for submission or scheduling: other programs on these cores, or more ranks than cores? fewer "
        "workers (STARPU_NCPU) leave a core to the threads that submit and send");
}

static void advise_on_start(const hg_trace *t, const hg_trace_summary *s, advice *a)
{
  a->share = share_of(t, s, s->lost[HG_TRACE_ON_START]);
  snprintf(a->text, sizeof a->text, "the run is short compared with its start: more steps, or --warmup 1");
}

void hg_trace_advise(FILE *out, const hg_trace *t, const hg_trace_summary *s)
{
  enum { CAUSES = 5, MOST = 2 };
  void (*const of[CAUSES])(const hg_trace *, const hg_trace_summary *, advice *) = {
      advise_on_balance, advise_on_messages, advise_on_data, advise_on_runtime, advise_on_start};
  advice all[CAUSES];
  int said = 0;
  for (int i = 0; i < CAUSES; i++) of[i](t, s, &all[i]);
  fprintf(out, "\nwhat to try\n");
  for (; said < MOST; said++) {
    int worst = 0;
    for (int i = 1; i < CAUSES; i++)
      if (all[i].share > all[worst].share) worst = i;
    if (all[worst].share <= WORTH_IT) break;
    fprintf(out, "  %.0f %% of the workers' time: %s\n", 100 * all[worst].share, all[worst].text);
    all[worst].share = 0;
  }
  if (said == 0) fprintf(out, "  nothing cost more than %.0f %%: faster kernels or more processors\n", 100 * WORTH_IT);
}
