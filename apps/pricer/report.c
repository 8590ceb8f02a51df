/* SPDX-License-Identifier: MIT */
/* What hetgrid-pricer prints and writes. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "codelets/simulated_costs.h"
#include "graph/batch.h"
#include "pricer.h"
#include "result/report.h"

static double rate_of(const pricer *p)
{
  return p->context.seconds > 0 ? (double)p->book.computed / p->context.seconds * 1e-6 : 0;
}

static void greek_columns(const pricer *p, hg_columns *row)
{
  const bool one = p->book.contracts.count == 1;
  const hg_estimate none = {NAN, NAN, 0}, *delta = one ? &p->book.estimate[1] : &none,
                    *vega = one ? &p->book.estimate[2] : &none;
  hg_column_known(row, "delta", "%.17g", !isnan(delta->value), delta->value);
  hg_column_known(row, "delta_std_error", "%.17g", !isnan(delta->std_error), delta->std_error);
  hg_column_known(row, "vega", "%.17g", !isnan(vega->value), vega->value);
  hg_column_known(row, "vega_std_error", "%.17g", !isnan(vega->std_error), vega->std_error);
}

/* Columns for a single contract; results of a portfolio are in its output file. */
static void result_columns(const pricer *p, hg_columns *row)
{
  const hg_estimate none = {NAN, NAN, 0}, *e = p->book.contracts.count == 1 ? p->book.estimate : &none;
  const double known = p->book.contracts.count == 1 ? hg_contract_closed(&p->book.contracts.contract[0]) : NAN;
  hg_column_known(row, "price", "%.17g", !isnan(e->value), e->value);
  hg_column_known(row, "std_error", "%.17g", !isnan(e->std_error), e->std_error);
  hg_column_known(row, "closed_form", "%.17g", !isnan(known), known);
  const double z = hg_estimate_score(e, known);
  hg_column_known(row, "z", "%.6g", !isnan(z), z);
  if (p->book.wanted.greeks) greek_columns(p, row);
}

static const char *status_of(const hg_portfolio_run *b)
{
  if (hg_simulated) return "simulated";
  if (hg_portfolio_validate(b) != HG_OK) return "FAILED";
  return !hg_portfolio_reached(b) ? "not reached" : hg_portfolio_unsure(b) > 0 ? "unsure" : "ok";
}

void pricer_columns(const hg_run_context *context, hg_columns *row)
{
  const pricer *p = context->self;
  const hg_session *s = context->session;
  const hg_contract *c = &p->book.contracts.contract[0];
  hg_column_text(row, "app", "pricer");
  hg_column_text(row, "option", p->options.portfolio ? "portfolio" : hg_contract_names[c->kind]);
  hg_column_int(row, "paths", p->book.wanted.std_error > 0 ? p->book.estimate[0].paths : p->book.wanted.paths);
  hg_column_int(row, "fixings", c->fixings);
  hg_column_int(row, "contracts", p->book.contracts.count);
  hg_column_text(row, "precision", hg_precision_names[p->options.wanted.is_float]);
  hg_column_int(row, "ranks", s->ranks);
  hg_column_int(row, "cpu_workers", s->cpu_workers);
  hg_column_int(row, "cuda_workers", s->cuda_workers);
  hg_column_text(row, "sched", s->sched);
  hg_column_int(row, "repeat", context->number);
  hg_column_double(row, "seconds", "%.9g", context->seconds);
  hg_column_double(row, "mpaths_per_s", "%.6g", rate_of(p));
  result_columns(p, row);
  hg_column_double(row, "imbalance", "%.4f", p->busy.imbalance);
  hg_column_text(row, "status", status_of(&p->book));
}

static void print_title(const pricer *p)
{
  const hg_contract *c = &p->book.contracts.contract[0];
  if (p->options.portfolio)
    printf("pricer %s: %" PRId64 " contracts", p->options.portfolio, p->book.contracts.count);
  else
    printf("pricer %s: S %g, K %g, T %g, r %g, q %g, sigma %g", hg_contract_names[c->kind], c->spot, c->strike, c->time,
           c->rate, c->yield, c->sigma);
  if (!p->options.portfolio && hg_contract_is_asian(c)) printf(", %" PRId64 " fixings", c->fixings);
  printf("; %" PRId64 " paths%s\n", p->book.wanted.std_error > 0 ? p->book.estimate[0].paths : p->book.wanted.paths,
         p->options.portfolio ? " each" : "");
}

static void print_estimate(const char *name, const hg_estimate *e, double known)
{
  printf("  %-10s %.10g", name, e->value);
  if (!isnan(e->std_error)) printf(" +- %.3g", e->std_error);
  if (!isnan(known)) printf("; in closed form %.10g", known);
  const double z = hg_estimate_score(e, known);
  if (!isnan(z)) printf(", %.2f standard errors away", fabs(z));
  putchar('\n');
}

static void print_greeks(const pricer *p)
{
  const hg_greeks g = hg_contract_greeks(&p->book.contracts.contract[0]);
  print_estimate("delta", &p->book.estimate[1], g.delta);
  print_estimate("vega", &p->book.estimate[2], g.vega);
  if (!isnan(g.gamma)) printf("  in closed form: gamma %.10g, theta %.10g, rho %.10g\n", g.gamma, g.theta, g.rho);
}

static void print_scores(const pricer *p)
{
  const hg_portfolio_scores s = hg_portfolio_score(&p->book);
  if (s.count == 0) return;
  printf("  prices     %.1f %% of %.0f are within 1.96 exact standard errors of closed forms, the farthest %.2f away",
         100 * s.within / s.count, s.count, s.largest);
  const int64_t unsure = hg_portfolio_unsure(&p->book);
  if (unsure > 0) printf("; %" PRId64 " unsure", unsure);
  putchar('\n');
}

void pricer_text(const hg_run_context *context)
{
  const pricer *p = context->self;
  const hg_session *s = context->session;
  const int batches = hg_batch_count(p->run->graph);
  print_title(p);
  hg_report_machine(s);
  printf(", policy %s, CPU kernel %s%s\n", s->sched, p->book.kernel->name,
         p->options.wanted.is_float ? ", paths in single precision" : "");
  printf("  time       %.4g s: %.4g million paths/s%s; %d batch%s%s, imbalance (max/mean busy time) %.3f\n",
         context->seconds, rate_of(p), p->book.wanted.greeks ? ", once each for price, delta and vega" : "", batches,
         batches == 1 ? "" : "es", p->options.dynamic ? " from one queue" : "", p->busy.imbalance);
  if (p->options.restart)
    printf("  restarted  with %" PRId64 " of %" PRId64 " chunks done\n", p->book.start.next,
           p->book.pieces.rows * p->book.pieces.chunks);
  if (hg_simulated) return;
  if (p->options.portfolio) print_scores(p);
  if (p->options.portfolio) return;
  print_estimate("price", &p->book.estimate[0], hg_contract_closed(&p->book.contracts.contract[0]));
  if (p->book.wanted.greeks) print_greeks(p);
}
