/* SPDX-License-Identifier: MIT */
/* --run: short runs of the command, and their results. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "control.h"

/* s that a test may take to start beyond the others' starts: GPUs start more slowly. */
static const double LATE = 10;

/* The last error message of one of our programs, else the last line. */
static void last_line(FILE *err, char said[300])
{
  char line[1024], own[300] = "";
  strcpy(said, "it printed no message");
  rewind(err);
  while (fgets(line, sizeof line, err)) {
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "Try '", 5) == 0) continue; /* the hint that follows an error message */
    if (*line) snprintf(said, 300, "%.299s", line);
    if (strncmp(line, "hetgrid-", 8) == 0 && strchr(line, ':')) snprintf(own, sizeof own, "%.299s", line);
  }
  if (*own) strcpy(said, own);
}

/* The last row; warm-up runs have none. */
static hg_status read_row(FILE *out, hg_csv_row *row)
{
  rewind(out);
  *row->names = *row->values = '\0';
  if (!fgets(row->names, sizeof row->names, out)) return HG_FORMAT;
  while (fgets(row->values, sizeof row->values, out)) continue;
  return hg_csv_number(row, "seconds") > 0 ? HG_OK : HG_FORMAT;
}

/* If the test takes too long, there is no row. */
static hg_status start(char **word, double seconds, FILE *out, FILE *err, hg_csv_row *row, bool *late)
{
  char said[300];
  int ended;
  if (!out || !err) return hg_fail(HG_IO, "a temporary file cannot be created: %s", strerror(errno));
  HG_TRY(hg_child_run_for(word, out, err, seconds, &ended, late));
  if (*late) return HG_OK;
  last_line(err, said);
  if (ended != 0) return hg_fail(HG_RUNTIME, "a test ended with status %d: %s", ended, said);
  if (read_row(out, row) == HG_OK) return HG_OK;
  return hg_fail(HG_RUNTIME, "a test printed no CSV with seconds: %s", said);
}

static control_point *point_of(control_context *x, int nodes)
{
  const control_point *known = control_point_at(x, nodes);
  if (known) return &x->point[known - x->point];
  if (x->points == HG_CONTEXT_POINTS) return NULL;
  x->point[x->points] = (control_point){.nodes = nodes};
  return &x->point[x->points++];
}

const control_point *control_point_at(const control_context *x, int nodes)
{
  for (int i = 0; i < x->points; i++)
    if (x->point[i].nodes == nodes) return &x->point[i];
  return NULL;
}

static void add_test(control_point *p, const control_test *t)
{
  if (p->tests == CONTROL_TESTS) p->test[0] = p->test[--p->tests];
  p->test[p->tests++] = *t;
}

int control_runs(const control *c)
{
  return c->command.simulated ? 1 : 2;
}

double control_start(const control *c, int nodes)
{
  static const double LAUNCHER = .5; /* for several ranks, before one was measured */
  if (c->command.simulated) return 0;
  return nodes == 1 || c->start[1] > 0 ? c->start[nodes > 1] : c->start[0] + LAUNCHER;
}

static void note_start(control *c, int nodes, double start)
{
  const int several = nodes > 1;
  c->start[several] += (start - c->start[several]) / ++c->starts[several];
}

/* A test costs its wall time, and joules at the power while it computed; in simulation, what it reports. */
static control_test cost(const control *c, const control_test *t, double start)
{
  const double all = start + control_runs(c) * t->seconds;
  return (control_test){1, all, isnan(t->joules) ? 0 : all / t->seconds * t->joules};
}

/* A stopped test has no state to continue from. */
static void pay(control *c, const control_next *next, const control_test *t, double wall, bool late)
{
  const double start = c->command.simulated ? 0 : fmax(0, wall - control_runs(c) * t->seconds);
  const control_test paid = cost(c, t, start);
  c->spent = control_add(&c->spent, &paid);
  note_start(c, next->nodes, start);
  if (!c->continues || late) return;
  c->done += next->steps;
  c->parts++;
}

control_test control_cost_before(const control *c)
{
  control_test sum = {0, 0, 0};
  for (const control_context *x = c->context; x < c->context + c->contexts; x++)
    for (const control_point *p = x->point; p < x->point + x->points; p++)
      for (const control_test *t = p->test; t < p->test + p->tests; t++) {
        const control_test paid = cost(c, t, control_start(c, p->nodes));
        sum = control_add(&sum, &paid);
      }
  return sum;
}

/* The result of a test; a stopped one counts with the time it was given, at the power of the best run. */
static control_test read_test(const control *c, const control_next *next, const hg_csv_row *row, bool late)
{
  const candidate *best = c->choice.best;
  if (!late) return (control_test){(double)next->steps, hg_csv_number(row, "seconds"), hg_csv_number(row, "joules")};
  const double watts = c->joules && best ? best->run.joules / best->run.seconds : NAN;
  return (control_test){(double)next->steps, next->most, watts * next->most};
}

hg_status control_test_run(control *c, const control_next *next)
{
  static hg_csv_row row;
  hg_words words;
  bool late;
  control_point *p = point_of(next->context, next->nodes);
  if (!p) return hg_fail(HG_INVALID, "tests on more than %d different numbers of nodes", HG_CONTEXT_POINTS);
  HG_TRY(control_words(c, next->context, next->nodes, next->steps, &words));
  FILE *out = tmpfile(), *err = tmpfile();
  const double begin = hg_now();
  const double limit =
      c->command.simulated ? INFINITY : LATE + control_start(c, next->nodes) + control_runs(c) * next->most;
  const hg_status status = start(words.word, limit, out, err, &row, &late);
  const control_test t = read_test(c, next, &row, late);
  if (status == HG_OK) pay(c, next, &t, hg_now() - begin, late);
  if (status == HG_OK) add_test(p, &t);
  if (p->tests == 0) next->context->points--;
  if (out) fclose(out);
  if (err) fclose(err);
  hg_words_free(&words);
  return status;
}

/* Two tests give the time of a step without the start-up, unless this would be next to nothing. */
static double extend(double steps, const control_test *t, int tests, double first, double last)
{
  const double mean = last / t[tests - 1].steps, most = t[tests - 1].steps;
  double slope = mean;
  if (tests > 1 && most > t[0].steps) slope = (last - first) / (most - t[0].steps);
  if (!(slope >= mean / 2)) slope = mean;
  return last + slope * (steps - most);
}

control_test control_predict(const control_point *p, double steps)
{
  const control_test *first = &p->test[0], *last = &p->test[p->tests - 1];
  return (control_test){steps, extend(steps, p->test, p->tests, first->seconds, last->seconds),
                        extend(steps, p->test, p->tests, first->joules, last->joules)};
}
