/* SPDX-License-Identifier: MIT */
/* --run: which tests are made, and the run. */
#include "control.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "program/exit.h"

/* Errors of tests that do not show: those of a short run beside a long one. */
static const double ERROR = .02;
/* Runs that cost at most so many times as much as the best are looked at again; contexts that cost so many times as
 * much wherever they were tested are not tested elsewhere. */
static const double RIVAL = 1.15;
static const double HOPELESS = 3;
enum { LONGER = 4, SHARES = 24, STEPS_AT_LEAST = 4, SHORTER = 4 };

/* --- what follows from the tests --- */

static hg_status model(control *c, const control_context *x, hg_use_context *m)
{
  *m = (hg_use_context){.beta = 1, .sigma = NAN, .error = ERROR, .timed = !c->joules};
  m->nodes_min = x->least;
  m->nodes_max = x->most;
  strcpy(m->name, x->name);
  for (const control_point *p = x->point; p < x->point + x->points; p++) {
    const control_test t = control_predict(p, (double)c->command.full);
    if (p->nodes < x->least || p->nodes > x->most) continue; /* of an earlier --nodes */
    m->nodes[m->points] = p->nodes;
    m->seconds[m->points] = t.seconds;
    m->joules[m->points++] = c->joules ? t.joules : NAN;
  }
  if (m->points == 1) {
    m->sigma = 1;
    m->nodes_min = m->nodes_max = m->nodes[0];
  }
  return m->points > 0 ? hg_use_context_fit(m) : HG_OK;
}

/* Joules are needed, or all points have them. */
static void look_at_joules(control *c)
{
  c->joules = true;
  for (int i = 0; i < c->contexts; i++)
    for (int k = 0; k < c->context[i].points; k++)
      for (int t = 0; t < c->context[i].point[k].tests; t++) c->joules &= !isnan(c->context[i].point[k].test[t].joules);
}

static bool wants_joules(const control *c)
{
  return c->choose->by != HG_BY_TIME || isfinite(c->choose->cap);
}

/* Where there are none nobody is told anything else than times. */
static hg_status settle_joules(control *c)
{
  look_at_joules(c);
  if (c->joules || !wants_joules(c)) return HG_OK;
  if (!c->options->by_default || isfinite(c->choose->cap))
    return hg_fail(HG_UNSUPPORTED,
                   "--objective, --power-cap: joules can be measured by no counter here, and no --energy names a meter "
                   "or a described machine (modelled:FILE)");
  hg_log(HG_WARN, "no counter of joules here, and no --energy names a meter or a described machine: chosen by time");
  c->choose->by = HG_BY_TIME;
  return HG_OK;
}

static hg_status choose_now(control *c)
{
  c->models.count = 0;
  look_at_joules(c);
  for (int i = 0; i < c->contexts; i++) {
    hg_use_context *m = &c->models.context[c->models.count];
    HG_TRY(model(c, &c->context[i], m));
    c->of[c->models.count] = &c->context[i];
    c->models.count += m->points > 0;
  }
  free(c->choice.list);
  c->choice.list = NULL;
  choose_options o = *c->choose;
  o.first = o.last = 0;
  return choose(&c->models, &o, &c->choice);
}

/* --- what tests may cost --- */

/* By the criterion, of the best run that is known, the run included: 1.03 is 3 % more. */
static double cost_with(const control *c, const control_test *more)
{
  const candidate *best = c->choice.best ? c->choice.best : c->choice.greenest;
  if (!best) return 1;
  const double joules = c->joules ? best->run.joules : 0, seconds = best->run.seconds;
  return hg_criterion_value(c->choose->by, seconds + c->spent.seconds + more->seconds,
                            joules + c->spent.joules + more->joules) /
         hg_criterion_value(c->choose->by, seconds, joules);
}

/* What a test should cost at most, its start included: on fewer nodes than its context was tested on as much as without
 * any gain by more. */
static control_test expect(const control *c, const control_context *x, int nodes, double steps)
{
  control_test most = {0, 0, 0};
  for (int i = 0; i < c->contexts; i++) {
    const control_context *y = &c->context[i];
    for (const control_point *p = y->point; (x->points == 0 || x == y) && p < y->point + y->points; p++) {
      const control_test t = control_predict(p, steps);
      const double longer = fmax(1, (double)p->nodes / nodes) * t.seconds, all = c->start + control_runs(c) * longer;
      most.seconds = fmax(most.seconds, all);
      if (c->joules) most.joules = fmax(most.joules, all / longer * t.joules);
    }
  }
  return most;
}

/* As many steps as the budget allows, at least a quarter of those wanted; 0: none. */
static int64_t affordable(control *c, const control_context *x, int nodes, int64_t steps)
{
  const double most = 1 + c->options->budget / 100;
  for (int64_t s = steps; s >= 1 && SHORTER * s >= steps; s /= 2) {
    const control_test t = expect(c, x, nodes, (double)s);
    if (cost_with(c, &t) <= most) return s;
  }
  c->over = true; /* says the report */
  return 0;
}

/* Of the first test of a point; 0: even one step is too much. A larger budget makes more tests, not longer ones. */
static int64_t shortest(const control *c)
{
  const double share = c->options->budget / 100 * (double)c->command.full;
  const double usual = fmin(share, CONTROL_BUDGET / 100. * (double)c->command.full);
  const double steps = fmax(usual / SHARES, fmin(STEPS_AT_LEAST, share / 3));
  return share < 1 ? 0 : (int64_t)fmin(fmax(1, floor(steps)), (double)c->command.full);
}

/* --- tests --- */

/* Where a context has failed, it would on more nodes, or on fewer if it works on more: a grid may be too small. */
static void leave_out(control *c, control_context *x, int nodes)
{
  bool fewer = nodes == c->last && nodes > c->first;
  int kept = 0;
  for (int i = 0; i < x->points; i++) fewer |= x->point[i].nodes < nodes;
  *(fewer ? &x->most : &x->least) = fewer ? nodes - 1 : nodes + 1;
  for (int i = 0; i < x->points; i++)
    if (x->point[i].nodes >= x->least && x->point[i].nodes <= x->most) x->point[kept++] = x->point[i];
  x->points = kept;
  if (c->models.count > 0)
    hg_log(HG_WARN, "context %s on %d node%s is left out: %s", x->name, nodes, nodes == 1 ? "" : "s", hg_message());
  else if (!*c->failure)
    snprintf(c->failure, sizeof c->failure, "%s", hg_message());
}

static hg_status test(control *c, control_context *x, int nodes, int64_t steps)
{
  const hg_status status = control_test_run(c, x, nodes, steps);
  if (status == HG_RUNTIME) leave_out(c, x, nodes);
  if (status != HG_OK && status != HG_RUNTIME) return status;
  if (status == HG_OK && c->models.count == 0) HG_TRY(settle_joules(c));
  if (status == HG_OK) HG_TRY(control_keep(c));
  return choose_now(c);
}

/* By what is predicted of it. */
static bool is_hopeless(const control *c, const control_context *x)
{
  const candidate *k = NULL;
  for (const candidate *i = c->choice.list; i < c->choice.list + c->choice.count; i++)
    if (c->of[i->context - c->models.context] == x && (!k || i->value < k->value)) k = i;
  return k && c->choice.best && k->value > HOPELESS * c->choice.best->value;
}

static hg_status test_if_affordable(control *c, control_context *x, int nodes, int64_t steps)
{
  if (nodes < x->least || nodes > x->most || control_point_at(x, nodes) || is_hopeless(c, x)) return HG_OK;
  const int64_t s = affordable(c, x, nodes, steps);
  return s > 0 ? test(c, x, nodes, s) : HG_OK;
}

/* Whether a context does better on `a` nodes than on `b`, as the tests there tell. */
static bool is_better_on(const control *c, const control_context *x, int a, int b)
{
  const control_point *p = control_point_at(x, a), *q = control_point_at(x, b);
  if (!p || !q) return p != NULL;
  const control_test s = control_predict(p, (double)c->command.full), t = control_predict(q, (double)c->command.full);
  return hg_criterion_value(c->choose->by, s.seconds, s.joules) <=
         hg_criterion_value(c->choose->by, t.seconds, t.joules);
}

/* First as the command is typed: on a described machine on all nodes, else on the fewest; and at the other end. Other
 * contexts at the better end; then those that may be the best at the other one, and between. */
static hg_status test_points(control *c)
{
  const int64_t steps = shortest(c);
  int nodes[] = {c->last, c->first, (int)lround(sqrt((double)c->first * c->last))};
  if (!c->command.simulated) nodes[0] = c->first, nodes[1] = c->last;
  c->over |= steps == 0;
  for (int i = 0; i < 2 && steps > 0; i++) HG_TRY(test_if_affordable(c, c->context, nodes[i], steps));
  if (*c->failure && c->models.count == 0) return hg_fail(HG_RUNTIME, "%s", c->failure);
  if (is_better_on(c, c->context, nodes[1], nodes[0])) nodes[0] = nodes[1], nodes[1] = c->first + c->last - nodes[0];
  for (int i = 0; i < 3 && steps > 0; i++)
    for (control_context *x = c->context; x < c->context + c->contexts; x++)
      HG_TRY(test_if_affordable(c, x, nodes[i], steps));
  return HG_OK;
}

static control_context *context_of(control *c, const candidate *k)
{
  return &c->context[c->of[k->context - c->models.context] - c->context];
}

/* Whether a candidate was tested for long enough; else the steps of the next test. */
static bool is_sure(control *c, const candidate *k, int64_t *steps)
{
  const control_point *p = control_point_at(context_of(c, k), (int)k->nodes);
  *steps = p ? LONGER * (int64_t)p->test[p->tests - 1].steps : shortest(c);
  if (*steps > c->command.full) *steps = c->command.full;
  return p && (p->tests >= CONTROL_TESTS || p->test[p->tests - 1].steps >= (double)c->command.full);
}

/* The best, or the best of its rivals, of which one is not sure yet. */
static const candidate *unsure(control *c, int64_t *steps)
{
  const candidate *best = c->choice.best, *next = NULL;
  if (!best) return NULL;
  for (const candidate *k = c->choice.list; k < c->choice.list + c->choice.count; k++) {
    int64_t s;
    if (!k->allowed || k->value > RIVAL * best->value || is_sure(c, k, &s)) continue;
    if (next && k->value >= next->value) continue;
    next = k;
    *steps = s;
  }
  return next;
}

static hg_status test_rivals(control *c)
{
  int64_t steps = 0;
  for (const candidate *k = unsure(c, &steps); k && steps > 0; k = unsure(c, &steps)) {
    control_context *x = context_of(c, k);
    const int nodes = (int)k->nodes;
    if ((steps = affordable(c, x, nodes, steps)) == 0) break;
    HG_TRY(test(c, x, nodes, steps));
  }
  return HG_OK;
}

/* --- the run --- */

static void say_command(char **word, FILE *out)
{
  fputs("running:", out);
  for (char **at = word; *at; at++) fprintf(out, strpbrk(*at, " '\"$*?") ? " \"%s\"" : " %s", *at);
  fputc('\n', out);
}

static hg_status run_best(control *c, int *ended)
{
  const candidate *best = c->choice.best;
  const control_context *x = best ? context_of(c, best) : c->context;
  hg_words words;
  HG_TRY(control_words(c, x, best ? (int)best->nodes : c->command.simulated ? c->last : 1, 0, &words));
  say_command(words.word, c->options->plan_only ? stdout : stderr);
  hg_status status = c->options->plan_only ? HG_OK : hg_child_run(words.word, NULL, NULL, ended);
  hg_words_free(&words);
  if (status == HG_OK && *ended) return hg_fail(HG_RUNTIME, "the run ended with status %d", *ended);
  return status;
}

static hg_status control_all(control *c, int *ended)
{
  HG_TRY(control_parse(c));
  HG_TRY(control_recall(c));
  look_at_joules(c);
  for (int i = 0; i < c->contexts; i++)
    if (c->context[i].points > 0) HG_TRY(settle_joules(c));
  HG_TRY(choose_now(c));
  HG_TRY(test_points(c));
  HG_TRY(test_rivals(c));
  if (c->choose->csv)
    choose_print(&c->choice, c->choose);
  else
    control_print(c, c->options->plan_only ? stdout : stderr);
  if (c->models.count > 0 && !c->choice.best)
    return hg_fail(HG_RUNTIME, "no context keeps --deadline and --power-cap; the command was not run");
  return c->choose->csv ? HG_OK : run_best(c, ended);
}

int control_run(const control_options *o, choose_options *choose)
{
  static control c;
  int ended = 0;
  c.options = o;
  c.choose = choose;
  hg_watch_signals();
  const hg_status status = control_all(&c, &ended);
  const int code = hg_program_end(status);
  control_release(&c);
  return status == HG_RUNTIME && ended ? ended : code;
}
