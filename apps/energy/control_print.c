/* SPDX-License-Identifier: MIT */
/* --run: explains why a context was chosen. */
#include <inttypes.h>
#include <math.h>

#include "control.h"

static void print_joules(double joules, FILE *out)
{
  if (isnan(joules))
    fprintf(out, " %12s", "-");
  else
    fprintf(out, " %12.6g", joules);
}

static void print_tests(const control *c, FILE *out)
{
  fprintf(out, "%-16s %6s %10s %12s %12s\n", "tested", "nodes", "steps", "s", "J");
  for (const control_context *x = c->context; x < c->context + c->contexts; x++)
    for (const control_point *p = x->point; p < x->point + x->points; p++)
      for (const control_test *t = p->test; t < p->test + p->tests; t++) {
        fprintf(out, "%-16s %6d %10.0f %12.6g", x->name, p->nodes, t->steps, t->seconds);
        print_joules(t->joules, out);
        fputc('\n', out);
      }
}

static const candidate *best_of(const control *c, const hg_use_context *context)
{
  const candidate *best = NULL;
  for (const candidate *k = c->choice.list; k < c->choice.list + c->choice.count; k++)
    if (k->context == context && k->allowed && (!best || k->value < best->value)) best = k;
  return best;
}

/* Each context where it is best, compared with the best of all. */
static void print_contexts(const control *c, FILE *out)
{
  const char *by = hg_criterion_names[c->choose->by];
  fprintf(out, "%-16s %6s %10s %12s %12s  %s\n", "predicted", "nodes", "steps", "s", "J", by);
  for (int i = 0; i < c->models.count; i++) {
    const candidate *k = best_of(c, &c->models.context[i]);
    if (!k) {
      fprintf(out, "%-16s does not satisfy --deadline and --power-cap on any number of nodes\n",
              c->models.context[i].name);
      continue;
    }
    fprintf(out, "%-16s %6" PRId64 " %10" PRId64 " %12.6g", k->context->name, k->nodes, c->command.full,
            k->run.seconds);
    print_joules(c->joules ? k->run.joules : NAN, out);
    fprintf(out, "  %.3f times the best%s\n", k->value / c->choice.best->value,
            control_point_at(c->of[i], (int)k->nodes) ? "" : ", not tested there");
  }
}

static void print_cost(const control *c, FILE *out)
{
  const candidate *best = c->choice.best;
  if (c->spent.steps > 0)
    fprintf(out, "%.0f test%s took %.4g s", c->spent.steps, c->spent.steps == 1 ? "" : "s", c->spent.seconds);
  else
    fprintf(out, "no tests");
  if (c->spent.joules > 0) fprintf(out, ", %.4g J", c->spent.joules);
  if (c->done > 0) fprintf(out, " and made %" PRId64 " of the steps of the run", c->done);
  if (!best) fputc('\n', out);
  if (!best) return;
  fprintf(out, ", %.2f %% of the run by %s; %s\n", 100 * (control_cost_with(c, &c->spent, c->done) - 1),
          hg_criterion_names[c->choose->by],
          c->over ? "more tests would exceed --budget" : "no other test should gain as much as it costs");
}

void control_print(const control *c, FILE *out)
{
  const candidate *best = c->choice.best;
  if (c->models.count == 0) {
    fprintf(out, "a test of one step would cost more than --budget %g %% of %" PRId64 ": the command runs as it is\n",
            c->options->budget, c->command.full);
    return;
  }
  print_tests(c, out);
  print_contexts(c, out);
  print_cost(c, out);
  if (best)
    fprintf(out, "best by %s: %s on %" PRId64 " node%s, %.4g s%s\n", hg_criterion_names[c->choose->by],
            best->context->name, best->nodes, best->nodes == 1 ? "" : "s", best->run.seconds,
            *c->learned ? "" : "; no results are stored");
}
