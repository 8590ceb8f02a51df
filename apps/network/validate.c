/* SPDX-License-Identifier: MIT */
/* Compares the file with new measurements: random sizes that are not in the table, each measured twice to show how
 * well measurements repeat; and broadcasts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/sort.h"
#include "network.h"

enum { FRESH = 40, BROADCASTS = 64 };

/* Relative errors of predictions. */
typedef struct errors {
  int count, inside; /* inside: within the interval that the file gives */
  double off[FRESH + BROADCASTS];
} errors;

static double quantile(errors *e, double share)
{
  qsort(e->off, (size_t)e->count, sizeof *e->off, hg_by_value);
  return e->off[(int)floor(share * (e->count - 1) + .5)];
}

static void print_errors(const network_options *o, const char *level, const char *what, errors *e, bool intervals)
{
  if (e->count == 0 || o->quiet) return;
  printf(o->csv ? "%s,%s,%d,%.4f,%.4f,%.4f" : "%-14s %-16s %4d cases: median %6.2f %%, p90 %6.2f %%, worst %6.2f %%",
         level, what, e->count, 100 * quantile(e, .5), 100 * quantile(e, .9), 100 * quantile(e, 1));
  if (intervals)
    printf(o->csv ? ",%.1f" : ", %.0f %% within the interval", 100. * e->inside / e->count);
  else if (o->csv)
    putchar(',');
  putchar('\n');
}

static void add_error(errors *e, double off, bool inside)
{
  e->off[e->count++] = fabs(off);
  e->inside += inside;
}

enum { ALL, SHORT, MIDDLE, LONG, REPEAT, RANGES };
static const char *const ranges[RANGES] = {"all", "up to 64 KiB", "to 1 MiB", "beyond", "repeat"};

/* Log-uniform, and so the measurements are in random order. */
static double fresh_size(const hg_network_level *l, int i)
{
  const double largest = l->point[l->points - 1].bytes;
  return floor(pow(largest + 1, hg_random_unit(20120906, (uint64_t)i)));
}

/* Whether the machine is still in the state that was measured: a hypervisor may have moved the processors apart. */
static hg_status compare_states(const hg_network_world *w, const hg_network_level *l, double budget)
{
  const double predicted = hg_network_time(l, 1), apart = 1.5;
  double now, low, high;
  HG_TRY(hg_network_fresh(w, l->name, 1, budget, &now));
  hg_network_interval(l, 1, &low, &high);
  if (now > high * apart || now < low / apart)
    hg_log(HG_WARN,
           "%s: 1 byte takes %.3g us now, but %.3g us (%.3g .. %.3g) in the file: the processors are loaded, or are "
           "placed differently (by a hypervisor, for example)",
           l->name, now * 1e6, predicted * 1e6, low * 1e6, high * 1e6);
  return HG_OK;
}

static hg_status validate_level(const network_options *o, const hg_network_world *w, const hg_network_level *l,
                                double *worst)
{
  errors e[RANGES] = {{0}};
  double first[FRESH];
  const double each = o->plan.budget / 4 / FRESH;
  HG_TRY(compare_states(w, l, each));
  for (int i = 0; i < 2 * FRESH; i++) {
    const double bytes = fresh_size(l, i % FRESH);
    double seconds, low, high;
    HG_TRY(hg_network_fresh(w, l->name, bytes, each, &seconds));
    if (i >= FRESH) {
      add_error(&e[REPEAT], seconds / first[i - FRESH] - 1, false);
      continue;
    }
    first[i] = seconds;
    hg_network_interval(l, bytes, &low, &high);
    const double off = hg_network_time(l, bytes) / seconds - 1;
    const bool inside = seconds >= low && seconds <= high;
    add_error(&e[ALL], off, inside);
    add_error(&e[bytes <= 1 << 16 ? SHORT : bytes <= 1 << 20 ? MIDDLE : LONG], off, inside);
  }
  for (int i = 0; i < RANGES; i++) print_errors(o, l->name, ranges[i], &e[i], i != REPEAT);
  *worst = fmax(*worst, quantile(&e[ALL], .5));
  return HG_OK;
}

static hg_status validate_broadcast(const hg_network_world *w, const hg_network *n, const hg_rank_layout *g,
                                    hg_network_choice *how, int64_t bytes, errors *e)
{
  enum { SAMPLES = 31 };
  double seconds[SAMPLES], predicted, back;
  HG_TRY(hg_network_broadcast(n, g, how->algorithm, bytes, how->segment, &predicted));
  HG_TRY(hg_network_broadcast_times(w, how, (double)bytes, SAMPLES, seconds));
  back = hg_network_time(hg_network_between(n, false), 0);
  const double measured = hg_samples_describe(SAMPLES, seconds).median - back;
  add_error(e, measured > 0 ? predicted / measured - 1 : INFINITY, false);
  return HG_OK;
}

static hg_status validate_broadcasts(const network_options *o, const hg_network_world *w, const hg_network *n,
                                     double *worst)
{
  static const int64_t bytes[] = {1024, 8192, 32768, 131072, 524288, 2097152};
  const hg_rank_layout g = hg_network_world_group(w);
  errors e = {0};
  for (int a = 0; a < HG_BROADCASTS; a++)
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
      hg_network_choice how;
      if (a == HG_BROADCAST_DOUBLING && (g.ranks & (g.ranks - 1)) != 0) continue;
      HG_TRY(hg_network_choose(n, &g, bytes[i], &how));
      how.algorithm = (hg_broadcast_algorithm)a;
      how.segment = how.candidate_segment[a];
      HG_TRY(validate_broadcast(w, n, &g, &how, bytes[i], &e));
    }
  print_errors(o, "broadcast", "all algorithms", &e, false);
  *worst = fmax(*worst, quantile(&e, .5));
  return HG_OK;
}

hg_status network_validate(const network_options *o, const hg_network_world *w, const hg_network *n)
{
  double worst = 0;
  if (w->oversubscribed && !o->plan.oversubscribed)
    return hg_fail(HG_INVALID, "%d ranks on a host of %d cores take turns; --oversubscribed allows that", w->ranks,
                   w->place[0].cores);
  if (o->csv)
    puts("level,what,cases,median_percent,p90_percent,worst_percent,inside_percent");
  else if (!o->quiet)
    printf("%s compared with %s now\n", n->path, w->place[0].host);
  hg_network_watch(w);
  for (int i = 0; i < n->levels; i++) HG_TRY(validate_level(o, w, &n->level[i], &worst));
  if (w->ranks > 1) HG_TRY(validate_broadcasts(o, w, n, &worst));
  const double load = hg_network_other_load(w);
  if (load > .1) hg_log(HG_WARN, "other programs used %.0f %% of the processors in the meantime", 100 * load);
  if (worst <= o->bound) return HG_OK;
  return hg_fail(HG_MISMATCH, "the median error is %.2f %%, must be at most %.2f %% (--bound)", 100 * worst,
                 100 * o->bound);
}
