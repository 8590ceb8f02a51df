/* SPDX-License-Identifier: MIT */
/* What --choose prints. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "choose.h"

enum { CERTAINTY = CONTEXTS_MAX * (HG_CONTEXT_NAME + 32) };

/* Adds to a list "a; b; c". */
__attribute__((format(printf, 2, 3))) static void add(char out[CERTAINTY], const char *format, ...)
{
  const size_t used = strlen(out);
  va_list args;
  va_start(args, format);
  if (used) strcpy(out + used, "; ");
  vsnprintf(out + used + (used ? 2 : 0), CERTAINTY - used - 2, format, args);
  va_end(args);
}

/* "sure", or what is uncertain: others within the error, and contexts without predictions there. */
static const char *certainty(const choice *c, const choose_options *o, const candidate *k, char out[CERTAINTY])
{
  *out = '\0';
  if (!k->winner) return out;
  if (k->rival) add(out, "within error of %s", k->rival->name);
  for (int i = 0; i < c->all->count; i++) {
    const hg_use_context *x = &c->all->context[i];
    if (hg_use_context_unknown(x, (double)k->nodes, &o->rules))
      add(out, "%s not known beyond %g", x->name, hg_use_context_reach(x));
  }
  return *out ? out : "sure";
}

/* Whether no known context is both faster and uses less energy. */
static const char *on_front(const candidate *k)
{
  return !k->pareto ? "no" : k->unknown ? "unsure" : "yes";
}

static double product(const candidate *k, hg_criterion by)
{
  return hg_criterion_value(by, k->run.seconds, k->run.joules);
}

static void print_csv(const choice *c, const choose_options *o)
{
  char text[CERTAINTY];
  puts("nodes,context,seconds,joules,edp,ed2p,seconds_error,joules_error,"
       "allowed,winner,verdict,pareto");
  for (const candidate *k = c->list; k < c->list + c->count; k++)
    printf("%" PRId64 ",%s,%.9g,%.9g,%.9g,%.9g,%.4g,%.4g,%s,%s,%s,%s\n", k->nodes, k->context->name, k->run.seconds,
           k->run.joules, product(k, HG_BY_EDP), product(k, HG_BY_ED2P), k->run.seconds_error, k->run.joules_error,
           k->allowed ? "yes" : "no", k->winner ? "yes" : "no", certainty(c, o, k, text), on_front(k));
}

/* --- JSON --- */

static json_t *number(double value)
{
  return isfinite(value) ? json_real(value) : isnan(value) ? json_null() : json_string("inf");
}

static json_t *run_json(const choice *c, const choose_options *o, const candidate *k)
{
  char text[CERTAINTY];
  json_t *run = json_pack("{s:I, s:s, s:f, s:f, s:f, s:f, s:b, s:b, s:b, s:i}", "nodes", (json_int_t)k->nodes,
                          "context", k->context->name, "seconds", k->run.seconds, "joules", k->run.joules, "edp",
                          product(k, HG_BY_EDP), "ed2p", product(k, HG_BY_ED2P), "allowed", k->allowed, "winner",
                          k->winner, "pareto", k->pareto, "contexts_unknown", k->unknown);
  if (k->winner) json_object_set_new(run, "verdict", json_string(certainty(c, o, k, text)));
  return run;
}

static json_t *context_json(const hg_use_context *x)
{
  json_t *c = json_pack("{s:s, s:f, s:f, s:f, s:b}", "name", x->name, "T1", x->time.t1, "s", x->time.sigma, "max_rel",
                        x->time.max_rel, "in_domain", hg_is_scalable(x->time.sigma));
  json_object_set_new(c, "bent", json_boolean(x->bent));
  json_object_set_new(c, "E1", number(x->measured ? x->energy.t1 : NAN));
  json_object_set_new(c, "e", number(x->measured ? -x->energy.sigma : NAN));
  return c;
}

static json_t *pair_json(const hg_use_context *a, const hg_use_context *b, const hg_estimate_rules *rules)
{
  return json_pack("{s:s, s:s, s:o, s:o}", "a", a->name, "b", b->name, "N_T",
                   number(hg_use_context_crossing(a, b, HG_BY_TIME, rules)), "N_E",
                   number(hg_use_context_crossing(a, b, HG_BY_ENERGY, rules)));
}

static void print_json(const choice *c, const choose_options *o)
{
  json_t *root = json_pack("{s:s, s:[], s:[], s:[]}", "by", hg_criterion_names[o->by], "contexts", "pairs", "runs");
  json_t *list = json_object_get(root, "contexts"), *pairs = json_object_get(root, "pairs");
  const contexts *all = c->all;
  for (int i = 0; i < all->count; i++) {
    json_array_append_new(list, context_json(&all->context[i]));
    for (int j = i + 1; j < all->count; j++)
      json_array_append_new(pairs, pair_json(&all->context[i], &all->context[j], &o->rules));
  }
  for (int i = 0; i < c->count; i++) json_array_append_new(json_object_get(root, "runs"), run_json(c, o, &c->list[i]));
  json_object_set_new(root, "best", c->best ? run_json(c, o, c->best) : json_null());
  json_object_set_new(root, "least_energy", c->greenest ? run_json(c, o, c->greenest) : json_null());
  json_dumpf(root, stdout, JSON_INDENT(1));
  putchar('\n');
  json_decref(root);
}

/* --- for people --- */

static void print_contexts(const contexts *all)
{
  printf("%-20s %12s %8s %9s %12s %8s\n", "context", "T1 s", "s", "max error", "E1 J", "e");
  for (int i = 0; i < all->count; i++) {
    const hg_use_context *x = &all->context[i];
    printf("%-20s %12.6g %8.4f %8.2f%%", x->name, x->time.t1, x->time.sigma, 100 * x->time.max_rel);
    if (x->measured) printf(" %12.6g %8.4f", x->energy.t1, -x->energy.sigma);
    fputs(hg_is_scalable(x->time.sigma) ? "" : "  outside the scalability area", stdout);
    puts(x->bent ? "  not a straight line: interpolated between the points" : "");
  }
}

/* "12.3" or "none": where two lines cross. */
static void print_crossing(const char *name, double nodes)
{
  if (isnan(nodes))
    printf(" %s none", name);
  else
    printf(" %s %.4g", name, nodes);
}

/* On the most nodes that both can have: how much faster it is, and how much faster it must be to use less energy
 * (1.49). */
static void print_alpha(const choice *c, const hg_use_context *a, const hg_use_context *b)
{
  const candidate *x = NULL, *y = NULL;
  for (const candidate *k = c->list; k < c->list + c->count; k++) {
    if (k->context == a) x = k;
    if (k->context == b) y = k;
  }
  if (!x || !y || x->nodes != y->nodes) return;
  const double alpha = y->run.seconds / x->run.seconds;
  const double limit = x->run.joules / x->run.seconds / (y->run.joules / y->run.seconds);
  const double error = hypot(x->run.joules_error, y->run.joules_error);
  printf("; on %" PRId64 ": alpha %.4g, needs less energy from %.4g +- %.2g on", x->nodes, alpha, limit, limit * error);
}

static void print_pairs(const choice *c, const choose_options *o)
{
  const contexts *all = c->all;
  for (int i = 0; i < all->count; i++)
    for (int j = i + 1; j < all->count; j++) {
      const hg_use_context *a = &all->context[i], *b = &all->context[j];
      printf("%s / %s:", a->name, b->name);
      print_crossing("N_T", hg_use_context_crossing(a, b, HG_BY_TIME, &o->rules));
      print_crossing("N_E", hg_use_context_crossing(a, b, HG_BY_ENERGY, &o->rules));
      print_alpha(c, a, b);
      putchar('\n');
    }
}

static void print_run(const char *what, const candidate *k)
{
  if (k)
    printf("%s: %s on %" PRId64 " node%s, %.6g s, %.6g J, %.4g W\n", what, k->context->name, k->nodes,
           k->nodes == 1 ? "" : "s", k->run.seconds, k->run.joules, k->run.joules / k->run.seconds);
  else
    printf("%s: no context satisfies --deadline and --power-cap\n", what);
}

/* Points that are uncertain because of contexts without predictions have a question mark. */
static void print_front(const choice *c)
{
  bool unsure = false;
  fputs("Pareto front of time and energy:", stdout);
  for (const candidate *k = c->list; k < c->list + c->count; k++)
    if (k->pareto) {
      printf(" %s:%" PRId64 "%s", k->context->name, k->nodes, k->unknown ? "?" : "");
      unsure |= k->unknown > 0;
    }
  puts(unsure ? " (?: another context allows that many nodes, but is unknown there)" : "");
}

static void print_text(const choice *c, const choose_options *o)
{
  char text[CERTAINTY];
  print_contexts(c->all);
  print_pairs(c, o);
  printf("each context is charged %s\n",
         o->rules.share_switch ? "the share N / N_max of its switch" : "its whole switch");
  printf("%6s  %-20s %12s %12s %12s  %s\n", "nodes", "best", "s", "J", "J s", "");
  for (const candidate *k = c->list; k < c->list + c->count; k++)
    if (k->winner)
      printf("%6" PRId64 "  %-20s %12.6g %12.6g %12.6g  %s\n", k->nodes, k->context->name, k->run.seconds,
             k->run.joules, product(k, HG_BY_EDP), certainty(c, o, k, text));
  printf("best by %s", hg_criterion_names[o->by]);
  print_run("", c->best);
  if (c->best && (double)c->best->nodes > c->best->context->largest)
    printf("  more nodes than the %.0f that were measured: a run on %" PRId64 " would confirm it\n",
           c->best->context->largest, c->best->nodes);
  print_run("least energy", c->greenest);
  print_front(c);
}

void choose_print(const choice *c, const choose_options *o)
{
  if (o->json)
    print_json(c, o);
  else if (o->csv)
    print_csv(c, o);
  else
    print_text(c, o);
}
