/* SPDX-License-Identifier: MIT */
/* --run: which test is worth its cost. For something not tested yet, the prediction is derived from the nearest test,
 * with an error that grows with the differences. The value of a test is the mean gain over the best known result that
 * this error allows. */
#include <math.h>

#include "control.h"

/* Errors of logarithms: of a test of one step (more steps reduce it), and the s by which a clock here is off; of
 * another mode or other kinds of processors; and, per factor e between numbers of nodes, of scaling the nearest test
 * like another context, like an assumed power of N, and by a context's own model. */
static const double STEP = .15, JITTER = .001, MODE = .07, KIND = .7, SCALED = .3, POWER = .35, POWERS = .4, OWN = .3;
/* A first test makes 1/SHARE of the command's steps; on this machine, where starting takes long, more, and at least
 * those of a task if these are few. */
enum { SHARE = 1000, SHARE_HERE = 300, TASK = 10, SHARE_TASK = 50, LONGER = 4 };
/* A test is stopped when it takes this many times as long as both expected and the best. */
static const double HOPELESS = 3;

/* Prediction for the whole run. */
typedef struct expectation {
  double seconds, joules, error;
} expectation;

static const hg_use_context *model_of(const control *c, const control_context *x)
{
  for (int i = 0; i < c->models.count; i++)
    if (c->of[i] == x) return &c->models.context[i];
  return NULL;
}

/* The context tested on most numbers of nodes. */
static const control_context *reference(const control *c)
{
  const control_context *best = NULL;
  for (const control_context *x = c->context; x < c->context + c->contexts; x++)
    if (x->points > (best ? best->points : 0)) best = x;
  return best;
}

static double distance(double a, double b)
{
  return fabs(log(a / b));
}

static const control_point *nearest(const control_context *x, int nodes)
{
  const control_point *best = x->point;
  for (const control_point *p = x->point; p < x->point + x->points; p++)
    if (distance(p->nodes, nodes) < distance(best->nodes, nodes)) best = p;
  return best;
}

/* Seconds and J by the context's own model, or by a usual power of N if there is only one point: on this machine ranks
 * may share cores. */
static hg_run_estimate scaling(const control *c, const control_context *x, int nodes)
{
  const hg_estimate_rules far = {.extrapolate = true};
  const hg_use_context *model = model_of(c, x); /* NULL: its points are from an earlier --nodes */
  const double n = fmax(x->least, fmin(x->most, nodes));
  hg_run_estimate run;
  if (model && x->points > 1 && hg_use_context_at(model, n, &far, &run) == HG_OK) return run;
  const control_test t = control_predict(x->point, (double)c->command.full);
  const double more = n / x->point->nodes, power = c->command.simulated ? POWER : 0;
  return (hg_run_estimate){.seconds = t.seconds * pow(more, -power), .joules = t.joules * pow(more, 1 - power)};
}

/* The power of seconds, or of N^s, in a criterion: T, E, E T, E T^2. */
static const double in_criterion[] = {1, 1, 2, 3};

static double error_of(const control *c, const control_point *p)
{
  const control_test *last = &p->test[p->tests - 1];
  return in_criterion[c->choose->by] *
         hypot(STEP / sqrt(last->steps), c->command.simulated ? 0 : JITTER / last->seconds);
}

/* For a context with points. */
static expectation expect_by_points(const control *c, const control_context *x, int nodes)
{
  const control_point *p = nearest(x, nodes);
  const control_context *like = x->points > 1 ? x : reference(c);
  const double far = distance(p->nodes, nodes);
  const control_test t = control_predict(p, (double)c->command.full);
  const hg_run_estimate here = scaling(c, like, nodes), there = scaling(c, like, p->nodes);
  const double spread = like->points == 1 ? POWERS : like == x ? OWN / (x->points - 1) : SCALED;
  return (expectation){t.seconds * here.seconds / there.seconds, t.joules * here.joules / there.joules,
                       hypot(error_of(c, p), in_criterion[c->choose->by] * spread * far)};
}

/* A context without tests is assumed to be like the one that differs only in mode, if that has tests. It is tested
 * first on the same nodes: elsewhere the error is 0. */
static expectation expect(const control *c, const control_context *x, int nodes)
{
  const control_context *like = reference(c);
  if (x->points > 0) return expect_by_points(c, x, nodes);
  bool same = false;
  for (const control_context *y = c->context; y < c->context + c->contexts && !same; y++)
    if (y->points > 0 && y->devices == x->devices) like = y, same = true;
  expectation e = expect_by_points(c, like, nodes);
  e.error = control_point_at(like, nodes) ? hypot(e.error, same ? MODE : KIND) : 0;
  return e;
}

/* Mean amount by which a normally distributed number is below `known` (0 where it is above). */
static double mean_gain(double number, double error, double known)
{
  const double u = fmin((number - known) / error, 30);
  return error * (exp(-u * u / 2) / sqrt(2 * M_PI) - u * erfc(u / sqrt(2)) / 2);
}

/* As long as no candidate keeps the deadline, the fastest one is sought. */
static double value_of(const control *c, double seconds, double joules)
{
  const bool late = !c->choice.best && isfinite(c->choose->deadline);
  return log(hg_criterion_value(late ? HG_BY_TIME : c->choose->by, seconds, joules));
}

/* Logarithms of the least known value and of the next one. If none keeps the limits, all count. */
static void find_known(const control *c, double known[2])
{
  known[0] = known[1] = INFINITY;
  for (const candidate *k = c->choice.list; k < c->choice.list + c->choice.count; k++) {
    const double value = value_of(c, k->run.seconds, k->run.joules);
    if (c->choice.best && !k->allowed) continue;
    if (value < known[0])
      known[1] = known[0], known[0] = value;
    else if (value < known[1])
      known[1] = value;
  }
}

static bool keeps_limits(const control *c, const expectation *e)
{
  const bool cool = !isfinite(c->choose->cap) || e->joules <= c->choose->cap * e->seconds;
  return !c->choice.best || (e->seconds <= c->choose->deadline && cool);
}

int64_t control_steps(const control *c, const control_context *x, int nodes)
{
  const control_point *p = control_point_at(x, nodes);
  const double full = (double)c->command.full, last = p ? p->test[p->tests - 1].steps : 0;
  const double first = c->command.simulated ? full / SHARE : fmax(full / SHARE_HERE, fmin(TASK, full / SHARE_TASK));
  if (last >= full) return 0;
  return (int64_t)fmin(full, p ? LONGER * last : fmax(1, floor(first)));
}

/* In s and J, including the start. This is the mean, which large errors of logarithms increase. */
static control_test cost_of(const control *c, const expectation *e, int nodes, int64_t steps)
{
  const double share = (double)steps / (double)c->command.full * exp(e->error * e->error / 2);
  const double all = control_start(c, nodes) + control_runs(c) * e->seconds * share;
  return (control_test){(double)steps, all, c->joules ? all / e->seconds * e->joules : 0};
}

/* Expected gain of a test beyond all costs, as a share of the best run; 0: none. */
static double worth(control *c, const control_context *x, int nodes, const double known[2], control_next *out)
{
  const expectation e = expect(c, x, nodes);
  const double value = value_of(c, e.seconds, e.joules);
  const candidate *best = c->choice.best;
  const bool is_best = best && c->of[best->context - c->models.context] == x && best->nodes == nodes;
  *out = (control_next){(control_context *)x, nodes, control_steps(c, x, nodes), INFINITY};
  if (out->steps == 0 || e.error == 0 || !keeps_limits(c, &e)) return 0;
  out->most = HOPELESS * fmax(e.seconds, best ? best->run.seconds : 0) * (double)out->steps / (double)c->command.full;
  const int64_t done = c->done + (c->continues ? out->steps : 0);
  if (done >= c->command.full) return 0;
  const double left = 1 - (double)done / (double)c->command.full;
  const double gain = left * (is_best ? mean_gain(known[1], e.error, known[0]) : mean_gain(value, e.error, known[0]));
  const control_test t = cost_of(c, &e, nodes, out->steps), now = control_add(&c->spent, &t),
                     all = control_add(&now, &c->before);
  if (!(gain > control_cost_with(c, &all, done) - 1)) return 0;
  const double cost = control_cost_with(c, &now, done);
  const bool over = cost > 1 + c->options->budget / 100;
  c->over |= over;
  return over ? 0 : gain - cost + 1;
}

bool control_next_test(control *c, control_next *next)
{
  double known[2], most = 0;
  c->over = false;
  find_known(c, known);
  for (const control_context *x = c->context; x < c->context + c->contexts; x++)
    for (int nodes = x->least; nodes <= x->most; nodes++) {
      control_next n;
      const double w = worth(c, x, nodes, known, &n);
      if (!(w > most)) continue;
      most = w;
      *next = n;
    }
  return most > 0;
}
