/* SPDX-License-Identifier: MIT */
/* Pairs of ranks are classified by host and memory node: `numa` (same memory node of a host with several), `node`
 * (same host), `network`. A class whose sampled pairs differ by more than 15 % is split; its further parts are called
 * NAME-2 and so on. */
#include "exchange/measure_levels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "codelets/gpu/bus.h"
#include "codelets/gpu/gpu.h"
#include "network/survey.h"

enum { CLASSES = 3, SAMPLED = 8, LEVELS = 32, TRAIN = 16 };
#define ALIKE .15
#define LOAD .1

static const char *const class_names[CLASSES] = {"numa", "node", "network"};

/* What is measured as one level: pairs of ranks, or a bus. */
typedef struct subject {
  char name[HG_NETWORK_NAME];
  int pairs; /* 0: a bus */
  hg_pair pair[SAMPLED];
  hg_bus_kind bus;
} subject;

typedef struct measuring {
  const hg_network_world *world;
  const hg_network_plan *plan;
  subject subject[LEVELS];
  int subjects;
} measuring;

/* What a probe measures. */
typedef struct target {
  const hg_network_world *world;
  const subject *subject;
  hg_bus *bus;
} target;

static hg_status take_times(void *arg, double bytes, int count, double *seconds)
{
  const target *t = arg;
  if (t->subject->pairs > 0) return hg_network_ping(t->world, 1, t->subject->pair, bytes, count, seconds);
  if (hg_bus_times(t->bus, t->subject->bus, (int64_t)bytes, count, seconds) == 0) return HG_OK;
  return hg_fail(HG_RUNTIME, "%s: the device reports an error at %.0f bytes", t->subject->name, bytes);
}

/* --- which levels there are ------------------------------------------------------------------- */

/* Whether a host's ranks are on several memory nodes. */
static bool several_nodes(const hg_network_world *w, int rank)
{
  for (int r = 0; r < w->ranks; r++)
    if (strcmp(w->place[r].host, w->place[rank].host) == 0 && w->place[r].numa != w->place[rank].numa) return true;
  return false;
}

static int class_of(const hg_network_world *w, hg_pair p)
{
  const hg_place *a = &w->place[p.a], *b = &w->place[p.b];
  if (strcmp(a->host, b->host) != 0) return 2;
  return a->numa == b->numa && several_nodes(w, p.a) ? 0 : 1;
}

/* Samples pairs of a class, spread over all of them. */
static int sample_pairs(const hg_network_world *w, int class, hg_pair *pair)
{
  int found = 0, step = 1, taken = 0;
  for (int pass = 0; pass < 2; pass++) {
    int seen = 0;
    for (int a = 0; a < w->ranks; a++)
      for (int b = a + 1; b < w->ranks; b++) {
        if (class_of(w, (hg_pair){a, b}) != class) continue;
        if (pass == 0)
          found++;
        else if (seen++ % step == 0 && taken < SAMPLED)
          pair[taken++] = (hg_pair){a, b};
      }
    step = found > SAMPLED ? found / SAMPLED : 1;
  }
  return taken;
}

static bool same_times(const double *a, const double *b, int sizes)
{
  for (int i = 0; i < sizes; i++)
    if (fabs(a[i] - b[i]) > ALIKE * fmin(a[i], b[i])) return false;
  return true;
}

static hg_status add_subject(measuring *m, const subject *s)
{
  if (m->subjects == LEVELS) return hg_fail(HG_UNSUPPORTED, "more than %d levels", LEVELS);
  m->subject[m->subjects++] = *s;
  return HG_OK;
}

/* Measures a pair briefly at some sizes, to compare pairs. */
static hg_status glance(const measuring *m, hg_pair pair, int sizes, const double *bytes, double *seconds)
{
  enum { SAMPLES = 15 };
  double time[SAMPLES];
  for (int i = 0; i < sizes; i++) {
    HG_TRY(hg_network_ping(m->world, 1, &pair, fmin(bytes[i], m->plan->max_bytes), SAMPLES, time));
    seconds[i] = hg_samples_describe(SAMPLES, time).median;
  }
  return HG_OK;
}

/* Adds the pairs of a class as one level, or several if they differ. */
static hg_status add_class(measuring *m, int class)
{
  enum { SIZES = 3 };
  static const double bytes[SIZES] = {1, 4096, 1 << 20};
  hg_pair pair[SAMPLED];
  double time[SAMPLED][SIZES];
  const int pairs = sample_pairs(m->world, class, pair), first = m->subjects;
  int like[SAMPLED]; /* the pair that started a subject */
  for (int i = 0; i < pairs; i++) {
    int s = first;
    if (pairs > 1) HG_TRY(glance(m, pair[i], SIZES, bytes, time[i]));
    while (s < m->subjects && !same_times(time[like[s - first]], time[i], SIZES)) s++;
    if (s == m->subjects) {
      subject new = {.pairs = 0};
      like[s - first] = i;
      if (s == first)
        snprintf(new.name, sizeof new.name, "%s", class_names[class]);
      else
        snprintf(new.name, sizeof new.name, "%s-%d", class_names[class], s - first + 1);
      HG_TRY(add_subject(m, &new));
    }
    m->subject[s].pair[m->subject[s].pairs++] = pair[i];
  }
  return HG_OK;
}

static bool wanted(const hg_network_plan *plan, const char *name)
{
  const size_t n = strcspn(name, "-");
  if (!plan->levels) return true;
  for (const char *at = plan->levels; *at; at += strcspn(at, ","), at += *at == ',')
    if ((strncmp(at, name, strlen(name)) == 0 && (at[strlen(name)] == ',' || !at[strlen(name)])) ||
        (strncmp(at, name, n) == 0 && (at[n] == ',' || !at[n])))
      return true;
  return false;
}

static hg_status list_subjects(measuring *m)
{
  for (int c = 0; c < CLASSES; c++)
    if (wanted(m->plan, class_names[c])) HG_TRY(add_class(m, c));
  for (int kind = 0; hg_bus_names[kind]; kind++) {
    subject s = {.bus = (hg_bus_kind)kind};
    snprintf(s.name, sizeof s.name, "%s", hg_bus_names[kind]);
    if (wanted(m->plan, s.name) && hg_bus_there(s.bus)) HG_TRY(add_subject(m, &s));
  }
  return HG_OK;
}

/* Checks for requested levels that do not exist here. */
static hg_status check_wanted(const measuring *m)
{
  char name[HG_NETWORK_NAME];
  for (const char *at = m->plan->levels; at && *at; at += strcspn(at, ","), at += *at == ',') {
    int i = 0;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
    while (i < m->subjects && strncmp(m->subject[i].name, name, strlen(name)) != 0) i++;
    if (i == m->subjects)
      return hg_fail(HG_UNSUPPORTED, "--levels: level '%s' does not exist with %d ranks and %d GPUs", name,
                     m->world->ranks, hg_gpu_count());
  }
  if (m->subjects > 0) return HG_OK;
  return hg_fail(HG_UNSUPPORTED, "nothing to measure: one rank and no GPU; start it by mpirun -n 2");
}

/* --- one level -------------------------------------------------------------------------------- */

static hg_status median_train(const measuring *m, const subject *s, int n, double d, double bytes, double *out)
{
  enum { SAMPLES = 11 };
  double time[SAMPLES];
  HG_TRY(hg_network_train_times(m->world, s->pair[0], n, d, bytes, SAMPLES, time));
  *out = hg_samples_describe(SAMPLES, time).median;
  return HG_OK;
}

static hg_status measure_trains(const measuring *m, const subject *s, hg_network_level *l)
{
  enum { MOST = 24 };
  l->train = calloc(MOST, sizeof *l->train);
  if (!l->train) return hg_fail(HG_MEMORY, "no memory for trains");
  l->train_length = TRAIN;
  for (double bytes = 1; bytes <= m->plan->max_bytes && l->trains < MOST; bytes *= 4) {
    hg_network_train *t = &l->train[l->trains++];
    t->bytes = bytes;
    HG_TRY(median_train(m, s, 1, 0, bytes, &t->one)); /* the first message of a size is slower */
    HG_TRY(median_train(m, s, 1, 0, bytes, &t->one));
    HG_TRY(median_train(m, s, TRAIN, 0, bytes, &t->many));
    t->delay = t->one;
    HG_TRY(median_train(m, s, TRAIN, t->delay, bytes, &t->delayed));
  }
  return HG_OK;
}

static bool is_taken(const hg_pair *pair, int count, int rank)
{
  for (int i = 0; i < count; i++)
    if (pair[i].a == rank || pair[i].b == rank) return true;
  return false;
}

/* Pairs of a class without a common rank: between nodes, rank i of one with rank i of the next, so that they share the
 * nodes' link. */
static int disjoint_pairs(const hg_network_world *w, int class, hg_pair *pair)
{
  const int apart = class == 2 ? hg_network_world_group(w).per_node : 1;
  int count = 0;
  for (int a = 0; a < w->ranks; a++)
    for (int b = a + apart; b < w->ranks && count < HG_PAIRS_AT_ONCE && !is_taken(pair, count, a); b++)
      if (class_of(w, (hg_pair){a, b}) == class && !is_taken(pair, count, b)) pair[count++] = (hg_pair){a, b};
  return count;
}

static hg_status measure_loads(const measuring *m, const subject *s, hg_network_level *l)
{
  enum { SIZES = 6, SAMPLES = 31, MOST = SIZES * 8 };
  static const double bytes[SIZES] = {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20};
  hg_pair pair[HG_PAIRS_AT_ONCE];
  const int most = disjoint_pairs(m->world, class_of(m->world, s->pair[0]), pair);
  l->load = calloc(MOST, sizeof *l->load);
  if (!l->load) return hg_fail(HG_MEMORY, "no memory for concurrent pairs");
  for (int i = 0; i < SIZES; i++)
    for (int pairs = 1; pairs <= most && bytes[i] <= m->plan->max_bytes && l->loads < MOST; pairs *= 2) {
      double time[SAMPLES];
      HG_TRY(hg_network_ping(m->world, pairs, pair, bytes[i], SAMPLES, time));
      l->load[l->loads++] = (hg_network_load){pairs, bytes[i], hg_samples_describe(SAMPLES, time).median};
    }
  return HG_OK;
}

/* Warns of times that change from pass to pass: the machine is loaded, or its processes are migrated. */
static void tell_changes(const hg_network_level *l)
{
  int unstable = 0;
  for (int i = 0; i < l->points; i++) unstable += l->point[i].pass_gap > HG_NETWORK_UNSTABLE;
  if (4 * unstable > l->points)
    hg_log(HG_WARN,
           "%s: %d of %d sizes differ by more than %.0f %% between passes: other load, or a hypervisor moves the "
           "processors; --passes and --pause spread the measurement",
           l->name, unstable, l->points, 100 * HG_NETWORK_UNSTABLE);
}

static hg_status measure_subject(const measuring *m, const subject *s, const hg_survey_plan *plan, hg_network *n)
{
  hg_network_level *l = &n->level[n->levels++];
  target t = {m->world, s, NULL};
  const hg_probe probe = {take_times, &t};
  const bool ranks = s->pairs > 0;
  snprintf(l->name, sizeof l->name, "%s", s->name);
  snprintf(l->from, sizeof l->from, "%s", ranks || strncmp(s->name, "h2d", 3) == 0 ? "cpu" : "gpu");
  snprintf(l->to, sizeof l->to, "%s", ranks || strncmp(s->name, "d2h", 3) == 0 ? "cpu" : "gpu");
  l->pairs = ranks ? s->pairs : 1;
  if (!ranks && !(t.bus = hg_bus_open((int64_t)plan->max_bytes)))
    return hg_fail(HG_MEMORY, "%s: no memory for messages of %g bytes", s->name, plan->max_bytes);
  hg_status status = hg_network_survey(&probe, plan, l);
  if (t.bus) hg_bus_close(t.bus);
  if (status == HG_OK && ranks) status = measure_trains(m, s, l);
  if (status == HG_OK && ranks) status = measure_loads(m, s, l);
  if (status == HG_OK) tell_changes(l);
  return status;
}

/* --- all of them ------------------------------------------------------------------------------ */

static void describe(const hg_network_world *w, hg_network *n)
{
  const time_t now = time(NULL);
  struct tm day;
  *n = (hg_network){.gpu_start = hg_bus_start(), .oversubscribed = w->oversubscribed};
  snprintf(n->host, sizeof n->host, "%s", w->place[0].host);
  strftime(n->date, sizeof n->date, "%Y-%m-%d", gmtime_r(&now, &day));
  snprintf(n->mpi, sizeof n->mpi, "%s", w->mpi);
  snprintf(n->transport, sizeof n->transport, "%s", w->transport);
  snprintf(n->binding, sizeof n->binding, "%s", w->binding);
}

static hg_status measure_levels(measuring *m, hg_journal *journal, hg_network *n)
{
  enum { MOST = 128, MOST_QUICK = 40, PASSES = 3, PASSES_QUICK = 2 };
  const bool quick = m->plan->quick;
  const int usual = quick ? PASSES_QUICK : PASSES;
  hg_progress bar;
  const hg_survey_plan plan = {.max_bytes = m->plan->max_bytes,
                               .budget = m->plan->budget / m->subjects,
                               .passes = m->plan->passes ? m->plan->passes : usual,
                               .pause = m->plan->pause,
                               .most = quick ? MOST_QUICK : MOST,
                               .seed = 4,
                               .journal = journal,
                               .bar = &bar};
  n->level = calloc((size_t)m->subjects, sizeof *n->level);
  if (!n->level) return hg_fail(HG_MEMORY, "no memory for %d levels", m->subjects);
  for (int i = 0; i < m->subjects; i++) {
    hg_progress_begin(&bar, m->plan->progress, m->subject[i].name, (int64_t)plan.passes * plan.most);
    const hg_status status = measure_subject(m, &m->subject[i], &plan, n);
    hg_progress_end(&bar);
    HG_TRY(status);
  }
  return HG_OK;
}

static hg_status with_journal(measuring *m, hg_network_plan *plan, hg_network *n)
{
  hg_journal journal;
  char head[1024];
  snprintf(head, sizeof head, "hetgrid-network 1, %d ranks, %s, %s, %s, up to %.17g bytes%s", m->world->ranks, n->host,
           n->mpi, n->transport, plan->max_bytes, plan->quick ? ", quick" : "");
  HG_TRY(hg_journal_open(plan->path, head, &journal));
  hg_network_watch(m->world);
  const hg_status status = measure_levels(m, &journal, n);
  plan->reused = journal.reused;
  hg_journal_close(&journal, status == HG_OK);
  HG_TRY(status);
  n->other_load = hg_network_other_load(m->world);
  if (n->other_load > LOAD)
    hg_log(HG_WARN,
           "other programs used %.0f %% of the processors in the meantime; the times are those of a loaded machine",
           100 * n->other_load);
  return HG_OK;
}

hg_status hg_network_measure(const hg_network_world *w, hg_network_plan *plan, hg_network *out)
{
  measuring m = {.world = w, .plan = plan};
  if (w->oversubscribed && !plan->oversubscribed)
    return hg_fail(HG_INVALID, "%d ranks on a host of %d cores take turns; --oversubscribed allows that", w->ranks,
                   w->place[0].cores);
  HG_TRY(list_subjects(&m));
  HG_TRY(check_wanted(&m));
  describe(w, out);
  const hg_status status = with_journal(&m, plan, out);
  if (status != HG_OK) hg_network_free(out);
  return status;
}

hg_status hg_network_fresh(const hg_network_world *w, const char *level, double bytes, double budget, double *seconds)
{
  const hg_network_plan plan = {.max_bytes = fmax(bytes, 1), .levels = level};
  measuring m = {.world = w, .plan = &plan};
  hg_samples r;
  HG_TRY(list_subjects(&m));
  HG_TRY(check_wanted(&m));
  target t = {w, &m.subject[0], NULL};
  const hg_probe probe = {take_times, &t};
  if (t.subject->pairs == 0 && !(t.bus = hg_bus_open((int64_t)plan.max_bytes)))
    return hg_fail(HG_MEMORY, "%s: no memory for messages of %g bytes", level, bytes);
  const hg_status status = hg_samples_take(&probe, bytes, budget, &r);
  if (t.bus) hg_bus_close(t.bus);
  *seconds = r.median;
  return status;
}
