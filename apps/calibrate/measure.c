/* SPDX-License-Identifier: MIT */
/* Measures the points of a table: each once, stored at once, until linear interpolation between them is accurate
 * enough. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "calibrate.h"

/* A run that can be repeated, timed by hg_measure_runs. */
typedef struct repeated_run {
  double (*run)(void *arg, int repeats);
  void *arg;
  int repeats;
} repeated_run;

static hg_status run_once(void *arg, double *seconds)
{
  const repeated_run *r = arg;
  *seconds = r->run(r->arg, r->repeats) / r->repeats;
  return *seconds >= 0 ? HG_OK : hg_fail(HG_RUNTIME, "the run failed");
}

static calibrate_watch *watched;

void calibrate_watch_work(calibrate_watch *watch)
{
  watched = watch;
}

static bool keep_going(double (*run)(void *arg, int repeats), void *arg, double seconds)
{
  const double end = hg_now() + seconds;
  while (hg_now() < end)
    if (run(arg, 1) < 0) return false;
  return true;
}

static hg_timing watch_runs(calibrate_watch *w, double (*run)(void *arg, int repeats), void *arg)
{
  double joules = 0;
  if (!keep_going(run, arg, w->warm)) return CALIBRATE_FAILED;
  w->status = w->source->begin(w->source);
  const bool works = keep_going(run, arg, w->seconds);
  if (w->status == HG_OK) w->status = w->source->end(w->source, &joules);
  w->watts = joules / w->source->seconds;
  return works ? (hg_timing){.seconds = w->source->seconds} : CALIBRATE_FAILED;
}

hg_timing calibrate_runs(double (*run)(void *arg, int repeats), void *arg)
{
  if (watched) return watch_runs(watched, run, arg);
  enum { REPEATS_MOST = 1 << 14 };
  const double long_enough = 1e-3;
  repeated_run r = {run, arg, 1};
  hg_timing time;
  double once = run(arg, 1);
  while (once >= 0 && once * r.repeats < long_enough && r.repeats < REPEATS_MOST) {
    r.repeats *= 2;
    once = run(arg, r.repeats) / r.repeats;
  }
  return once >= 0 && hg_measure_runs(run_once, &r, &time) == HG_OK ? time : CALIBRATE_FAILED;
}

/* A measurement in progress; points are also stored in a file, so that an interrupted one can be continued. */
typedef struct session {
  const calibration *c;
  const calibrate_options *o;
  char part[HG_PATH_MAX]; /* the file of points */
  FILE *points;
  double end;                 /* s, when the budget ends */
  int measured, reused, kept; /* number of points measured now, by an earlier call, and kept from the previous table */
  hg_measure_report report;
  hg_progress bar;
} session;

/* The latest earlier measurement of the point, if there is one. */
static bool known_point(const session *s, int64_t side, hg_timing *out)
{
  char line[160];
  bool found = false;
  rewind(s->points);
  while (fgets(line, sizeof line, s->points)) {
    int64_t have;
    int agreed, end = -1;
    hg_timing m;
    sscanf(line, "%" SCNd64 ",%lf,%lf,%lf,%d%n", &have, &m.seconds, &m.low, &m.high, &agreed, &end);
    if (end < 0 || strcmp(line + end, "\n") != 0) continue;
    if (have != side || !(m.seconds > 0 && m.low > 0 && m.high >= m.low)) continue;
    m.agreed = agreed != 0;
    *out = m;
    found = true;
  }
  return found;
}

static hg_status keep_point(const session *s, int64_t side, const hg_timing *m)
{
  const bool good =
      fseek(s->points, 0, SEEK_END) == 0 &&
      fprintf(s->points, "%" PRId64 ",%.9g,%.9g,%.9g,%d\n", side, m->seconds, m->low, m->high, m->agreed) > 0 &&
      fflush(s->points) == 0;
  return good ? HG_OK : hg_fail(HG_IO, "%s: cannot be written", s->part);
}

static hg_status cannot_measure(const calibration *c, int64_t side)
{
  return c->gpu == CALIBRATE_CPU
             ? hg_fail(HG_MEMORY, "no memory to measure %" PRId64 " x %" PRId64 " cells", side, side)
             : hg_fail(HG_MEMORY, "GPU %d (%s): no memory for %" PRId64 " x %" PRId64 " cells, or the device failed",
                       c->gpu, c->device, side, side);
}

/* The nearest square of cells replaces w. Half of the budget ends repeated measurements; then the best known is
 * returned. */
static hg_status measure_point(void *arg, double w, int visit, hg_timing *out)
{
  session *s = arg;
  const int64_t side = (int64_t)llround(sqrt(w));
  hg_timing time;
  const bool repeat = visit > 0 && hg_now() < s->end - s->o->budget / 2;
  if (!repeat && known_point(s, side, &time))
    s->reused += visit == 0;
  else {
    time = s->c->seconds(s->c, side);
    if (!(time.seconds > 0)) return cannot_measure(s->c, side);
    HG_TRY(keep_point(s, side, &time));
    s->measured += visit == 0;
  }
  hg_progress_update(&s->bar, s->measured + s->reused);
  *out = hg_timing_scale(time, w / ((double)side * (double)side));
  return HG_OK;
}

static bool budget_is_spent(void *arg)
{
  const session *s = arg;
  return hg_now() > s->end;
}

enum { EXCHANGES = 3 }; /* most sizes of exchange */

/* The cost of an exchange. */
typedef struct exchange {
  int sizes;
  double items[EXCHANGES], seconds[EXCHANGES];
} exchange;

/* Measured at one size, from which a straight line through zero gives times up to the largest relevant exchange (four
 * times the border of the largest square); or at three sizes, the largest being the whole border of the largest
 * square. */
static hg_status measure_exchange(const session *s, double most_cells, exchange *e)
{
  enum { TYPICAL = 1000 };
  const double largest = sqrt(most_cells);
  e->sizes = s->o->communication ? EXCHANGES : 1;
  for (int i = 0; i < e->sizes; i++) {
    const int64_t side = s->o->communication ? llround(largest / pow(4, EXCHANGES - 1 - i)) : TYPICAL;
    e->seconds[i] = s->c->exchange(s->c, side, &e->items[i]).seconds;
    if (!(e->seconds[i] >= 0)) return cannot_measure(s->c, side);
    if (i > 0) e->seconds[i] = fmax(e->seconds[i], e->seconds[i - 1]); /* tables must not decrease */
  }
  if (e->sizes == 1) {
    const double per_item = e->seconds[0] / e->items[0];
    e->items[0] = 16 * largest;
    e->seconds[0] = e->items[0] * per_item;
  }
  return HG_OK;
}

/* At the same sizes, from measured messages: out and in. */
static hg_status exchange_by_network(const session *s, const hg_network *n, double most_cells, exchange *e)
{
  const double largest = sqrt(most_cells), bytes = (double)hg_precision_bytes(s->c->precision);
  const hg_network_level *l = hg_network_between(n, true);
  if (!l) return hg_fail(HG_UNSUPPORTED, "%s: has no level between ranks", n->path);
  e->sizes = EXCHANGES;
  for (int i = 0; i < EXCHANGES; i++) {
    e->items[i] = 4 * largest / pow(4, EXCHANGES - 1 - i);
    e->seconds[i] = 2 * hg_network_time(l, e->items[i] * bytes);
    if (i > 0) e->seconds[i] = fmax(e->seconds[i], e->seconds[i - 1]);
  }
  if (!s->o->quiet) printf("exchange by %s, level %s\n", n->path, l->name);
  return HG_OK;
}

static hg_status find_exchange(const session *s, double most_cells, exchange *e)
{
  hg_network network;
  bool given;
  HG_TRY(hg_network_open(s->o->network, &network, &given));
  if (!given) return measure_exchange(s, most_cells, e);
  const hg_status status = exchange_by_network(s, &network, most_cells, e);
  hg_network_free(&network);
  return status;
}

/* Adds the exchange to the times measured without it. */
static hg_status add_exchange(const hg_speed_table *alone, const exchange *e, hg_speed_table *out)
{
  HG_TRY(hg_speed_table_make(alone->nw, 1 + e->sizes, out));
  for (int j = 0; j < out->nc; j++) out->c[j] = j == 0 ? 0 : e->items[j - 1];
  for (int i = 0; i < alone->nw; i++) {
    out->w[i] = alone->w[i];
    for (int j = 0; j < out->nc; j++) out->time[out->nc * i + j] = alone->time[i] + (j == 0 ? 0 : e->seconds[j - 1]);
  }
  return HG_OK;
}

/* Describes the accuracy of the table, as lines of its head. */
static void describe(const session *s, char *text, size_t size)
{
  const hg_measure_report *r = &s->report;
  const bool missed = r->error > s->o->max_error;
  int n = snprintf(text, size, HG_TABLE_ERROR " " HG_TABLE_ERRORS "%s", r->error, s->o->max_error,
                   !missed      ? ""
                   : r->stopped ? ": MISSED, the budget was spent"
                                : ": MISSED, all points were used up");
  n += snprintf(text + n, size - (size_t)n,
                "\nspread of the runs %.2g (median); %d measurements repeated, %d points "
                "pooled; points whose runs never agreed: %d",
                r->spread, r->repeated, r->pooled, r->disagreed);
  if (s->kept > 0)
    snprintf(text + n, size - (size_t)n, "\nthe largest %d points are those of the previous table", s->kept);
  if (missed)
    hg_log(HG_WARN, "%s: the error is %.3g, must be at most %g%s", s->c->device, r->error, s->o->max_error,
           r->stopped ? ", since the budget is spent; call again to continue" : "");
  if (r->disagreed > 0)
    hg_log(HG_WARN, "%s: the measurements of %d point%s never agreed; is the machine busy?", s->c->device, r->disagreed,
           r->disagreed == 1 ? "" : "s");
}

static hg_status write_table(const session *s, const char *path, const hg_speed_table *t)
{
  char head[2048], worth[768], host[256] = "", date[32];
  const time_t now = time(NULL);
  struct tm day;
  gethostname(host, sizeof host - 1);
  strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &day));
  describe(s, worth, sizeof worth);
  snprintf(head, sizeof head,
           "hetgrid speed table: cells, items exchanged per step, seconds per step\napp %s\nkernel "
           "%s\nprecision %s\n"
           "device %s\nhost %s\ndate %s\npoints %d\n%s",
           s->c->app, s->c->kernel, hg_precision_names[s->c->precision], s->c->device, host, date, t->nw, worth);
  HG_TRY(hg_speed_table_write(path, head, t));
  if (!s->report.stopped) unlink(s->part);
  return HG_OK;
}

static hg_status measure_points(session *s, hg_speed_table *out)
{
  enum { MOST_POINTS = 60, COARSE = 6 };
  const double smallest = 64 * 64, largest = (double)(s->o->max_cells ? s->o->max_cells : s->c->most);
  const hg_measure_plan plan = {.x0 = smallest,
                                .xmax = largest,
                                .d = (largest - smallest) / COARSE,
                                .error = s->o->max_error,
                                .most = MOST_POINTS,
                                .enough = budget_is_spent};
  hg_progress_begin(&s->bar, s->o->quiet ? HG_PROGRESS_OFF : s->o->progress, s->c->device, MOST_POINTS);
  const hg_status status = hg_speed_table_measure(measure_point, s, &plan, out, &s->report);
  hg_progress_end(&s->bar);
  return status;
}

/* If a previous table reached further, its points beyond the largest work measured now are kept, with times at least
 * as large as now. Its first column is without exchange. */
static hg_status keep_larger(session *s, const char *path, hg_speed_table *now)
{
  hg_speed_table before, all;
  if (access(path, F_OK) != 0 || hg_speed_table_read(path, &before) != HG_OK) return HG_OK;
  const int first = before.nw;
  const double reach = now->w[now->nw - 1];
  for (s->kept = 0; s->kept < first && before.c[0] == 0 && before.w[first - 1 - s->kept] > reach;) s->kept++;
  hg_status status = s->kept > 0 ? hg_speed_table_make(now->nw + s->kept, 1, &all) : HG_OK;
  if (status == HG_OK && s->kept > 0) {
    for (int i = 0; i < all.nw; i++) {
      const int old = before.nw - all.nw + i;
      all.w[i] = i < now->nw ? now->w[i] : before.w[old];
      all.time[i] = i < now->nw ? now->time[i] : fmax(before.time[old * before.nc], now->time[now->nw - 1]);
    }
    hg_speed_table_free(now);
    *now = all;
  }
  hg_speed_table_free(&before);
  return status;
}

static hg_status measure_all(session *s, const char *path, hg_speed_table *out)
{
  hg_speed_table alone;
  exchange e;
  HG_TRY(measure_points(s, &alone));
  hg_status status = keep_larger(s, path, &alone);
  if (status == HG_OK) status = find_exchange(s, alone.w[alone.nw - 1], &e);
  if (status == HG_OK) status = add_exchange(&alone, &e, out);
  hg_speed_table_free(&alone);
  HG_TRY(status);
  if (!s->o->quiet)
    printf("%s: %d points measured, %d known from earlier calls, %d of a larger table kept; %.3g s per item "
           "exchanged\n",
           s->c->device, s->measured, s->reused, s->kept, e.seconds[e.sizes - 1] / e.items[e.sizes - 1]);
  return HG_OK;
}

hg_status calibrate_table(const calibration *c, const calibrate_options *o, const char *path, hg_speed_table *out)
{
  session s = {.c = c, .o = o, .end = hg_now() + o->budget};
  if (snprintf(s.part, sizeof s.part, "%s.part", path) >= (int)sizeof s.part)
    return hg_fail(HG_INVALID, "--output: the name is too long");
  HG_TRY(hg_make_folders(path));
  HG_TRY(hg_file_append(s.part, &s.points));
  if (fseek(s.points, -1, SEEK_END) == 0 && getc(s.points) != '\n' && fseek(s.points, 0, SEEK_END) == 0)
    fputc('\n', s.points); /* ends a line that was truncated on a full disk */
  hg_status status = measure_all(&s, path, out);
  fclose(s.points);
  HG_TRY(status);
  status = write_table(&s, path, out);
  if (status != HG_OK) hg_speed_table_free(out);
  return status;
}
