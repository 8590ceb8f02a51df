/* SPDX-License-Identifier: MIT */
/* --run: short runs of the command, and what follows from them. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "control.h"

/* The last line in which a program of ours says what is wrong, else the last one. */
static void last_line(FILE *err, char said[300])
{
  char line[1024], own[300] = "";
  strcpy(said, "it said nothing");
  rewind(err);
  while (fgets(line, sizeof line, err)) {
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "Try '", 5) == 0) continue; /* where to read on */
    if (*line) snprintf(said, 300, "%.299s", line);
    if (strncmp(line, "hetgrid-", 8) == 0 && strchr(line, ':')) snprintf(own, sizeof own, "%.299s", line);
  }
  if (*own) strcpy(said, own);
}

/* The last row: warm-up runs have none. */
static hg_status read_row(FILE *out, hg_csv_row *row)
{
  rewind(out);
  *row->names = *row->values = '\0';
  if (!fgets(row->names, sizeof row->names, out)) return HG_FORMAT;
  while (fgets(row->values, sizeof row->values, out)) continue;
  return hg_csv_number(row, "seconds") > 0 ? HG_OK : HG_FORMAT;
}

static hg_status start(char **word, FILE *out, FILE *err, hg_csv_row *row)
{
  char said[300];
  int ended;
  if (!out || !err) return hg_fail(HG_IO, "a temporary file: %s", strerror(errno));
  HG_TRY(hg_child_run(word, out, err, &ended));
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

/* A test costs what it takes from start to end, and joules as while it computed; in virtual time what it says. */
static void pay(control *c, const control_test *t, double wall)
{
  const double computing = control_runs(c) * t->seconds;
  const double all = c->command.simulated ? computing : fmax(computing, wall);
  c->spent.steps++;
  c->spent.seconds += all;
  if (!isnan(t->joules)) c->spent.joules += all / t->seconds * t->joules;
  c->start += (all - computing - c->start) / c->spent.steps;
}

hg_status control_test_run(control *c, control_context *x, int nodes, int64_t steps)
{
  static hg_csv_row row;
  hg_words words;
  control_point *p = point_of(x, nodes);
  if (!p) return hg_fail(HG_INVALID, "tests on more than %d numbers of nodes", HG_CONTEXT_POINTS);
  HG_TRY(control_words(c, x, nodes, steps, &words));
  FILE *out = tmpfile(), *err = tmpfile();
  const double begin = hg_now();
  const hg_status status = start(words.word, out, err, &row);
  const control_test t = {(double)steps, hg_csv_number(&row, "seconds"), hg_csv_number(&row, "joules")};
  if (status == HG_OK) pay(c, &t, hg_now() - begin);
  if (status == HG_OK) add_test(p, &t);
  if (p->tests == 0) x->points--;
  if (out) fclose(out);
  if (err) fclose(err);
  hg_words_free(&words);
  return status;
}

/* Two tests tell what a step takes, without what comes once; unless they tell that it is next to nothing. */
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
