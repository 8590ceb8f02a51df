/* SPDX-License-Identifier: MIT */
/* --run: decides which tests are made, and starts the run. */
#include "control.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "program/exit.h"

/* Error of tests that cannot be seen in them: that of a short run compared with a long one. */
static const double ERROR = .02;
/* --- what follows from the tests --- */

static hg_status model(control *c, const control_context *x, hg_use_context *m)
{
  *m = (hg_use_context){.beta = 1, .sigma = NAN, .error = ERROR, .timed = !c->joules};
  m->nodes_min = x->least;
  m->nodes_max = x->most;
  strcpy(m->name, x->name);
  for (const control_point *p = x->point; p < x->point + x->points; p++) {
    const control_test t = control_predict(p, (double)c->command.full);
    if (p->nodes < x->least || p->nodes > x->most) continue; /* from an earlier --nodes */
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

/* Joules are known if all points have them. */
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

/* Without joules, everything is decided by time. */
static hg_status settle_joules(control *c)
{
  look_at_joules(c);
  if (c->joules || !wants_joules(c)) return HG_OK;
  if (!c->options->by_default || isfinite(c->choose->cap))
    return hg_fail(HG_UNSUPPORTED,
                   "--objective, --power-cap: this machine has no counter of joules, and no --energy names a meter "
                   "or a platform (modelled:FILE)");
  hg_log(HG_WARN, "this machine has no counter of joules, and no --energy names a meter or a platform: choosing by "
                  "time");
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

/* The best candidate; if none keeps the limits, the least by the criterion. */
static const candidate *best_known(const control *c)
{
  const candidate *best = c->choice.best;
  for (const candidate *k = c->choice.list; !c->choice.best && k < c->choice.list + c->choice.count; k++)
    if (!best || k->value < best->value) best = k;
  return best;
}

double control_cost_with(const control *c, const control_test *tests, int64_t done)
{
  const candidate *best = best_known(c);
  if (!best) return 1;
  const double left = 1 - (double)done / (double)c->command.full;
  const double joules = c->joules ? best->run.joules : 0, seconds = best->run.seconds;
  const double all_joules = c->joules ? left * joules + tests->joules : 0;
  return hg_criterion_value(c->choose->by, left * seconds + tests->seconds, all_joules) /
         hg_criterion_value(c->choose->by, seconds, joules);
}

control_test control_add(const control_test *a, const control_test *b)
{
  return (control_test){a->steps + b->steps, a->seconds + b->seconds, a->joules + b->joules};
}

/* --- tests --- */

/* A context that failed would also fail on more nodes or, if it works on more, on fewer: a grid may be too small. */
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

/* If a test fails as a part of the run but works alone, the run is no longer split: there may be no room for
 * checkpoints. */
static hg_status test_part(control *c, const control_next *next)
{
  const bool part = *c->state && c->continues;
  hg_status status = control_test_run(c, next);
  if (status != HG_RUNTIME || !part) return status;
  c->continues = false;
  status = control_test_run(c, next);
  if (status == HG_OK) control_stop_continuing(c);
  c->continues = status == HG_RUNTIME;
  return status;
}

static hg_status test(control *c, const control_next *next)
{
  const hg_status status = test_part(c, next);
  if (status == HG_RUNTIME) leave_out(c, next->context, next->nodes);
  if (status != HG_OK && status != HG_RUNTIME) return status;
  if (status == HG_OK && c->models.count == 0) HG_TRY(settle_joules(c));
  if (status == HG_OK || c->models.count > 0) HG_TRY(control_keep(c));
  return choose_now(c);
}

/* First tests the command as typed: on a described machine on all nodes, unless joules count, else on the fewest; if
 * that fails, at the other end. Then makes all tests that pay. */
static hg_status test_all(control *c)
{
  control_next next;
  const int typed = c->command.simulated && c->choose->by == HG_BY_TIME ? c->last : c->first;
  c->over = (double)c->command.full * c->options->budget < 100;
  if (c->over) return HG_OK;
  for (int nodes = typed, i = 0; i < 2 && c->models.count == 0; i++, nodes = c->first + c->last - typed) {
    next = (control_next){c->context, nodes, control_steps(c, c->context, nodes), INFINITY};
    if (nodes >= c->context->least && nodes <= c->context->most) HG_TRY(test(c, &next));
  }
  if (c->models.count == 0) return hg_fail(HG_RUNTIME, "%s", c->failure);
  while (c->models.count > 0 && control_next_test(c, &next)) HG_TRY(test(c, &next));
  return HG_OK;
}

/* --- the run --- */

static control_context *context_of(control *c, const candidate *k)
{
  return &c->context[c->of[k->context - c->models.context] - c->context];
}

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
  c->before = control_cost_before(c);
  look_at_joules(c);
  for (int i = 0; i < c->contexts; i++)
    if (c->context[i].points > 0) HG_TRY(settle_joules(c));
  control_continue(c);
  HG_TRY(choose_now(c));
  HG_TRY(test_all(c));
  if (c->choose->csv)
    choose_print(&c->choice, c->choose);
  else
    control_print(c, c->options->plan_only ? stdout : stderr);
  if (c->models.count > 0 && !c->choice.best)
    return hg_fail(HG_RUNTIME, "no context satisfies --deadline and --power-cap; the command was not run");
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
  control_stop_continuing(&c);
  control_release(&c);
  return status == HG_RUNTIME && ended ? ended : code;
}
