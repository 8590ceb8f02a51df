/* SPDX-License-Identifier: MIT */
/* hetgrid-calibrate: measures how fast this machine's CPU workers are as a function of work and exchange, and keeps the
 * tables where hetgrid-heat and hetgrid-plan find them. */
#include "calibrate.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "job/arguments.h"

const char *argp_program_version = "hetgrid-calibrate " HG_VERSION;

enum { APP = 256, PRECISION, MAX_ERROR, MAX_CELLS, BUDGET, OUTPUT, SHOW, SVG, QUIET, PROGRESS };

typedef struct options {
  bool elimination, show, quiet;
  hg_precision precision;
  double max_error, budget;
  int64_t max_cells;
  const char *output, *svg, *progress;
} options;

static const struct argp_option option_list[] = {
    {"app", APP, "heat|elimination", 0, "Whose kernels to measure (default heat)", 0},
    {"precision", PRECISION, "double|float", 0, "Of the arithmetic (default double)", 0},
    {"max-error", MAX_ERROR, "E", 0, "Largest relative error of straight lines between the points (default .05)", 0},
    {"max-cells", MAX_CELLS, "N", 0, "Largest work measured (default 16000000)", 0},
    {"budget", BUDGET, "SECONDS", 0,
     "Stop after so long; what was measured is kept and the next call goes on (default 600)", 0},
    {"output", OUTPUT, "DIR", 0, "Folder of the table (default $HETGRID_TABLES, else the user's data folder)", 0},
    {"show", SHOW, NULL, 0, "Print the table that is there; measure nothing", 0},
    {"svg", SVG, "FILE", 0, "Draw speed over work", 0},
    {"quiet", QUIET, NULL, 0, "Print nothing but errors", 0},
    {"progress", PROGRESS, "auto|on|off", 0, "Progress (default auto: on a terminal)", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  static const char *const apps[] = {"heat", "elimination", NULL};
  options *o = state->input;
  switch (key) {
  case APP: o->elimination = hg_arg_one_of(state, arg, "--app", apps) == 1; break;
  case PRECISION:
    o->precision = hg_arg_one_of(state, arg, "--precision", hg_precision_names) ? HG_FLOAT : HG_DOUBLE;
    break;
  case MAX_ERROR: hg_arg_require(state, hg_parse_real(arg, "--max-error", 1e-3, 1, &o->max_error)); break;
  case MAX_CELLS: o->max_cells = hg_arg_whole(state, arg, "--max-cells", 100000, INT64_C(1) << 34); break;
  case BUDGET: hg_arg_require(state, hg_parse_real(arg, "--budget", 1, 1e7, &o->budget)); break;
  case OUTPUT: o->output = arg; break;
  case SHOW: o->show = true; break;
  case SVG: o->svg = arg; break;
  case QUIET: o->quiet = true; break;
  case PROGRESS: o->progress = hg_progress_names[hg_arg_one_of(state, arg, "--progress", hg_progress_names)]; break;
  case ARGP_KEY_ARG: argp_error(state, "'%s': every value belongs to an option", arg); break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

/* A measurement going on; points are also kept in a file, so that an interrupted one can go on. */
typedef struct session {
  const calibration *c;
  const options *o;
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
    if (!(time > 0)) return hg_fail(HG_MEMORY, "no memory to measure %" PRId64 " x %" PRId64 " cells", side, side);
    HG_TRY(keep_point(s, side, time));
    s->measured++;
  }
  hg_progress_update(&s->bar, s->measured + s->reused);
  *seconds = time * w / ((double)side * (double)side);
  return HG_OK;
}

/* The measured times without exchange, and those with four times the border of the largest square: what lies between is
 * a straight line, since every item takes the same time. */
static hg_status add_exchange(const hg_speed_table *alone, double per_item, hg_speed_table *out)
{
  const double items = 16 * sqrt(alone->w[alone->nw - 1]);
  HG_TRY(hg_speed_table_make(alone->nw, 2, out));
  out->c[0] = 0;
  out->c[1] = items;
  for (int i = 0; i < alone->nw; i++) {
    out->w[i] = alone->w[i];
    out->time[2 * i] = alone->time[i];
    out->time[2 * i + 1] = alone->time[i] + items * per_item;
  }
  return HG_OK;
}

static hg_status write_table(const session *s, const char *path, const hg_speed_table *t)
{
  char head[1024], host[256] = "", device[128], date[32];
  const time_t now = time(NULL);
  struct tm day;
  gethostname(host, sizeof host - 1);
  hg_device_name(device, sizeof device);
  strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &day));
  snprintf(head, sizeof head,
           "hetgrid speed table: cells, items exchanged per step, seconds per step\napp %s\nkernel %s\nprecision %s\n"
           "device %s\nhost %s\ndate %s\npoints %d, error of lines between them at most %g",
           s->c->app, s->c->kernel, hg_precision_names[s->c->precision], device, host, date, t->nw, s->o->max_error);
  HG_TRY(hg_speed_table_write(path, head, t));
  unlink(s->part);
  return HG_OK;
}

static hg_status measure(const calibration *c, const options *o, const char *path, hg_speed_table *out)
{
  enum { MOST_POINTS = 60, COARSE = 6 };
  const double smallest = 64 * 64, largest = (double)o->max_cells;
  session s = {.c = c, .o = o, .end = hg_now() + o->budget};
  hg_speed_table alone;
  if (snprintf(s.part, sizeof s.part, "%s.part", path) >= (int)sizeof s.part)
    return hg_fail(HG_INVALID, "--output: too long");
  HG_TRY(hg_make_folders(path));
  hg_progress_begin(&s.bar, o->quiet ? "off" : o->progress, "calibrate", MOST_POINTS);
  hg_status status = hg_speed_table_measure(measure_point, &s, smallest, largest, (largest - smallest) / COARSE,
                                            o->max_error, MOST_POINTS, &alone);
  hg_progress_end(&s.bar);
  HG_TRY(status);
  double per_item = c->exchange(c, 1000);
  status =
      per_item >= 0 ? add_exchange(&alone, per_item, out) : hg_fail(HG_MEMORY, "no memory to measure the exchange");
  hg_speed_table_free(&alone);
  HG_TRY(status);
  if (!o->quiet)
    printf("%d points measured, %d from before; %.3g s per item exchanged\n", s.measured, s.reused, per_item);
  return write_table(&s, path, out);
}

static void show(const hg_speed_table *t)
{
  printf("%14s %14s %14s %14s\n", "cells", "items / step", "s / step", "cells / s");
  for (int i = 0; i < t->nw; i++)
    for (int j = 0; j < t->nc; j++)
      printf("%14.0f %14.0f %14.6g %14.4g\n", t->w[i], t->c[j], t->time[i * t->nc + j],
             t->w[i] / t->time[i * t->nc + j]);
}

static hg_status draw(const calibration *c, const char *path, const hg_speed_table *t)
{
  char temporary[HG_PATH_MAX], title[256], device[128];
  FILE *f;
  HG_TRY(hg_file_begin(path, temporary, &f));
  hg_device_name(device, sizeof device);
  snprintf(title, sizeof title, "%s, %s, %s on %s", c->app, c->kernel, hg_precision_names[c->precision], device);
  return hg_file_end(f, temporary, path, hg_speed_table_draw(f, title, t));
}

static hg_status find_path(const calibration *c, const options *o, char path[HG_PATH_MAX])
{
  if (o->output) setenv("HETGRID_TABLES", o->output, 1);
  return hg_table_path(c->app, c->kernel, hg_precision_names[c->precision], path);
}

static hg_status run(const options *o)
{
  calibration c;
  char path[HG_PATH_MAX];
  hg_speed_table t;
  (o->elimination ? calibrate_elimination : calibrate_heat)(o->precision, &c);
  HG_TRY(find_path(&c, o, path));
  HG_TRY(o->show ? hg_speed_table_read(path, &t) : measure(&c, o, path, &t));
  if (!o->quiet) {
    show(&t);
    printf("table: %s\n", path);
  }
  hg_status status = o->svg ? draw(&c, o->svg, &t) : HG_OK;
  hg_speed_table_free(&t);
  return status;
}

int main(int argc, char **argv)
{
  static const struct argp argp = {
      option_list,
      parse,
      NULL,
      "Measures the speed of a CPU worker of this machine as a function of work and exchange.\v"
      "The table is named after application, kernel, precision and device. `hetgrid-heat --speeds tables:` uses it by "
      "itself, "
      "`hetgrid-plan --tables FILE*N` for machines of N such workers.",
      NULL,
      NULL,
      NULL};
  options o = {.max_error = .05, .budget = 600, .max_cells = 16000000, .progress = "auto"};
  hg_blas_prepare(argv);
  argp_err_exit_status = 2;
  argp_parse(&argp, argc, argv, 0, NULL, &o);
  hg_status status = run(&o);
  if (status != HG_OK) fprintf(stderr, "hetgrid-calibrate: %s\n", hg_message());
  return status == HG_OK ? 0 : status == HG_INVALID ? 2 : 1;
}
