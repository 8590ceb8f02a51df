/* SPDX-License-Identifier: MIT */
/* Measuring the points of a table: once each, kept at once, until straight lines between them are good enough. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "calibrate.h"

static int by_value(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double calibrate_median(double (*run)(void *arg, int repeats), void *arg)
{
  enum { FEWEST = 3, MOST = 15, REPEATS_MOST = 1 << 14 };
  const double long_enough = 1e-3;
  double time[MOST], once = run(arg, 1);
  int count = 0, repeats = 1;
  while (once >= 0 && once * repeats < long_enough && repeats < REPEATS_MOST) {
    repeats *= 2;
    once = run(arg, repeats) / repeats;
  }
  while (count < MOST) {
    time[count] = run(arg, repeats) / repeats;
    if (time[count++] < 0) return -1;
    qsort(time, (size_t)count, sizeof *time, by_value);
    const double median = time[count / 2];
    if (count >= FEWEST && time[count / 2 + count / 4] - time[count / 2 - count / 4] < .02 * median) return median;
  }
  return time[count / 2];
}

/* A measurement going on; points are also kept in a file, so that an interrupted one can go on. */
typedef struct session {
  const calibration *c;
  const calibrate_options *o;
  char part[HG_PATH_MAX]; /* the file of points */
  double end;             /* s, when the budget is spent */
  int measured, reused;
  hg_progress bar;
} session;

/* The time of a point measured earlier, or 0. */
static double known_point(const session *s, int64_t side)
{
  FILE *f = fopen(s->part, "r");
  int64_t have;
  double seconds, found = 0;
  while (f && fscanf(f, "%" SCNd64 ",%lf\n", &have, &seconds) == 2)
    if (have == side && seconds > 0) found = seconds;
  if (f) fclose(f);
  return found;
}

static hg_status keep_point(const session *s, int64_t side, double seconds)
{
  FILE *f = fopen(s->part, "a");
  if (!f || fprintf(f, "%" PRId64 ",%.9g\n", side, seconds) < 0) {
    if (f) fclose(f);
    return hg_fail(HG_IO, "%s: cannot be written", s->part);
  }
  return fclose(f) == 0 ? HG_OK : hg_fail(HG_IO, "%s: writing failed", s->part);
}

static hg_status cannot_measure(const calibration *c, int64_t side)
{
  return c->gpu == CALIBRATE_CPU
             ? hg_fail(HG_MEMORY, "no memory to measure %" PRId64 " x %" PRId64 " cells", side, side)
             : hg_fail(HG_MEMORY, "GPU %d (%s): no memory for %" PRId64 " x %" PRId64 " cells, or the device failed",
                       c->gpu, c->device, side, side);
}

/* The nearest square of cells stands for w. */
static hg_status measure_point(void *arg, double w, double *seconds)
{
  session *s = arg;
  const int64_t side = (int64_t)llround(sqrt(w));
  double time = known_point(s, side);
  if (time > 0)
    s->reused++;
  else if (hg_now() > s->end)
    return hg_fail(HG_RUNTIME, "the budget of %g s is spent after %d points; call again to go on", s->o->budget,
                   s->measured);
  else {
    time = s->c->seconds(s->c, side);
    if (!(time > 0)) return cannot_measure(s->c, side);
    HG_TRY(keep_point(s, side, time));
    s->measured++;
  }
  hg_progress_update(&s->bar, s->measured + s->reused);
  *seconds = time * w / ((double)side * (double)side);
  return HG_OK;
}

enum { EXCHANGES = 3 }; /* sizes of exchange at most */

/* What an exchange costs. */
typedef struct exchange {
  int sizes;
  double items[EXCHANGES], seconds[EXCHANGES];
} exchange;

/* At one size, from which a straight line through zero leads to the largest exchange that matters (four times the
 * border of the largest square), or at three, the largest of them the whole border of the largest square. */
static hg_status measure_exchange(const session *s, double most_cells, exchange *e)
{
  enum { TYPICAL = 1000 };
  const double largest = sqrt(most_cells);
  e->sizes = s->o->communication ? EXCHANGES : 1;
  for (int i = 0; i < e->sizes; i++) {
    const int64_t side = s->o->communication ? llround(largest / pow(4, EXCHANGES - 1 - i)) : TYPICAL;
    e->seconds[i] = s->c->exchange(s->c, side, &e->items[i]);
    if (!(e->seconds[i] >= 0)) return cannot_measure(s->c, side);
    if (i > 0) e->seconds[i] = fmax(e->seconds[i], e->seconds[i - 1]); /* more takes no less: a table's rule */
  }
  if (e->sizes == 1) {
    const double per_item = e->seconds[0] / e->items[0];
    e->items[0] = 16 * largest;
    e->seconds[0] = e->items[0] * per_item;
  }
  return HG_OK;
}

/* The exchange is added to the times measured without it. */
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

static hg_status write_table(const session *s, const char *path, const hg_speed_table *t)
{
  char head[1024], host[256] = "", date[32];
  const time_t now = time(NULL);
  struct tm day;
  gethostname(host, sizeof host - 1);
  strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &day));
  snprintf(head, sizeof head,
           "hetgrid speed table: cells, items exchanged per step, seconds per step\napp %s\nkernel %s\nprecision %s\n"
           "device %s\nhost %s\ndate %s\npoints %d, error of lines between them at most %g",
           s->c->app, s->c->kernel, hg_precision_names[s->c->precision], s->c->device, host, date, t->nw,
           s->o->max_error);
  HG_TRY(hg_speed_table_write(path, head, t));
  unlink(s->part);
  return HG_OK;
}

static hg_status measure_points(session *s, hg_speed_table *out)
{
  enum { MOST_POINTS = 60, COARSE = 6 };
  const double smallest = 64 * 64, largest = (double)(s->o->max_cells ? s->o->max_cells : s->c->most);
  hg_progress_begin(&s->bar, s->o->quiet ? "off" : s->o->progress, s->c->device, MOST_POINTS);
  const hg_status status = hg_speed_table_measure(measure_point, s, smallest, largest, (largest - smallest) / COARSE,
                                                  s->o->max_error, MOST_POINTS, out);
  hg_progress_end(&s->bar);
  return status;
}

hg_status calibrate_table(const calibration *c, const calibrate_options *o, const char *path, hg_speed_table *out)
{
  session s = {.c = c, .o = o, .end = hg_now() + o->budget};
  hg_speed_table alone;
  exchange e;
  if (snprintf(s.part, sizeof s.part, "%s.part", path) >= (int)sizeof s.part)
    return hg_fail(HG_INVALID, "--output: too long");
  HG_TRY(hg_make_folders(path));
  HG_TRY(measure_points(&s, &alone));
  hg_status status = measure_exchange(&s, alone.w[alone.nw - 1], &e);
  if (status == HG_OK) status = add_exchange(&alone, &e, out);
  hg_speed_table_free(&alone);
  HG_TRY(status);
  if (!o->quiet)
    printf("%s: %d points measured, %d from before; %.3g s per item exchanged\n", c->device, s.measured, s.reused,
           e.seconds[e.sizes - 1] / e.items[e.sizes - 1]);
  status = write_table(&s, path, out);
  if (status != HG_OK) hg_speed_table_free(out);
  return status;
}
