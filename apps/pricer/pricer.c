/* SPDX-License-Identifier: MIT */
/* hetgrid-pricer: its context. */
#include "pricer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "codelets/simulated_costs.h"
#include "runtime/versions.h"
#include "pricing/saved.h"
#include "program/exit.h"
#include "program/outputs.h"
#include "program/program.h"
#include "result/trace_notes.h"
#include "runtime/mpi_backoff.h"

/* Reads contracts from the file, or takes the one of the command line. */
static hg_status read_contracts(const pricer_options *o, hg_portfolio *out)
{
  if (o->portfolio) return hg_portfolio_read(o->portfolio, out);
  HG_TRY(hg_allocate("a contract", sizeof *out->contract, (void **)&out->contract));
  out->contract[out->count++] = o->contract;
  return HG_OK;
}

static hg_status open_book(hg_run_context *context)
{
  pricer *p = context->self;
  const hg_grid_options *g = &p->options.job.grid;
  hg_portfolio contracts = {0};
  for (int i = 0; i < context->options->outputs; i++) HG_TRY(hg_portfolio_check_output(context->options->output[i]));
  HG_TRY(hg_outputs_planned(context->options, g));
  HG_TRY(hg_outputs_of_grid(context->options, g));
  HG_TRY(read_contracts(&p->options, &contracts));
  HG_TRY(hg_portfolio_open(&contracts, &p->options.wanted, &p->book));
  p->options.wanted = p->book.wanted;
  return HG_OK;
}

/* A job for the pieces still to be computed. */
static hg_status make_job(hg_run_context *context)
{
  pricer *p = context->self;
  const hg_grid_options *g = &p->options.job.grid;
  if (p->options.restart) HG_TRY(hg_portfolio_restore(&p->book, p->options.restart, context->problem));
  if (g->checkpoint && !hg_simulated) HG_TRY(hg_portfolio_check_saved(&p->book, g->checkpoint, context->problem));
  p->options.job.trace = context->options->trace;
  p->options.job.grid.division.powers = context->options->energy.modelled;
  if (p->options.dynamic) p->options.job.least = g->tile[0] ? g->tile[0] : hg_portfolio_least_batch(&p->book);
  p->update = hg_pricing_update(p->book.kernel, p->book.work * (p->options.wanted.is_float ? 0.5 : 1));
  p->job = (hg_job){.name = "pricer",
                    .dims = 1,
                    .size = {p->book.pieces.per_step, 1, 1},
                    .update = &p->update,
                    .steps = p->book.steps > 0 ? p->book.steps : -1,
                    .parameters = &p->book.pieces,
                    .parameter_bytes = sizeof p->book.pieces,
                    .rebalance = g->rebalance};
  return HG_OK;
}

static void list_consistency(const hg_run_context *context, hg_consistency *list)
{
  (void)context;
  hg_consistency_int(list, "paths of a chunk", HG_CHUNK_PATHS);
}

static hg_status start(hg_run_context *context)
{
  pricer *p = context->self;
  const hg_grid_options *g = &p->options.job.grid;
  HG_TRY(hg_session_agree(&context->all, make_job(context)));
  HG_TRY(hg_run_start(&p->job, &p->options.job, &p->run));
  context->session = &p->run->session;
  context->label = p->run->name;
  strcpy(context->work_unit, "path");
  context->total = p->book.steps;
  context->done = g->plan_only;
  if (g->checkpoint) hg_watch_signals();
  if (!context->done) return hg_session_agree(context->session, hg_portfolio_make_rows(&p->book));
  if (!hg_context_prints(context)) return HG_OK;
  return hg_report_plan(context->session, p->run->tiling, p->update.value_bytes, context->options->csv);
}

/* The job's parameters were copied when it was made, before there were rows. */
static hg_status load(hg_run_context *context)
{
  pricer *p = context->self;
  const hg_paths *row = p->book.pieces.row;
  HG_TRY(hg_run_load(p->run));
  p->book.pieces.row = row;
  hg_portfolio_rewind(&p->book);
  return HG_OK;
}

static hg_status save_if_due(pricer *p, int64_t step)
{
  const hg_portfolio_run *b = &p->book;
  if (!hg_checkpointer_is_time(&p->checkpointer, &p->run->session, step, b->now.finished)) return HG_OK;
  const hg_status status = hg_portfolio_save(b, &p->run->session, p->options.job.grid.checkpoint, p->context.problem);
  return hg_checkpointer_tolerate(&p->checkpointer, status, step, b->now.finished || p->checkpointer.signal);
}

static hg_status take_step(pricer *p, int64_t step)
{
  HG_TRY(hg_portfolio_take_step(&p->book, p->run->graph));
  return save_if_due(p, step);
}

static hg_status run(hg_run_context *context)
{
  pricer *p = context->self;
  int64_t step = 0;
  p->checkpointer = hg_checkpointer_begin(&p->options.job.grid);
  if (p->book.now.finished) HG_TRY(save_if_due(p, 0)); /* the restored run had ended */
  while (!p->book.now.finished && step < p->book.steps && !p->checkpointer.signal) {
    HG_TRY(hg_advance(p->run, 1));
    if (!hg_simulated) HG_TRY(take_step(p, step + 1));
    hg_progress_update(&context->bar, ++step);
  }
  if (hg_simulated) p->book.computed = p->book.pieces.rows * p->book.wanted.paths;
  context->work = (double)p->book.computed;
  return hg_checkpointer_end(&p->checkpointer, step);
}

#define UNSURE "a few paths carry the price, or all pay nearly the same"

/* Prices are right even without it. */
static void warn_of_error(const pricer *p)
{
  const hg_estimate *e = hg_portfolio_price(&p->book, 0);
  char needed[64] = "no number of paths is known to reach it";
  if (isfinite(p->book.expected)) snprintf(needed, sizeof needed, "about %.2g are needed (--paths)", p->book.expected);
  hg_log(HG_WARN, "pricer: a standard error of %g was not reached: %" PRId64 " paths give %g%s; %s",
         p->book.wanted.std_error, e->paths, e->std_error,
         hg_portfolio_is_sure(&p->book, 0) ? "" : ", which is unsure: " UNSURE, needed);
}

static void warn_of_unsure(const pricer *p)
{
  const int64_t unsure = hg_portfolio_unsure(&p->book), count = p->book.contracts.count;
  if (unsure > 0) /* prices may still be right */
    hg_log(HG_WARN, "pricer: %" PRId64 " of %" PRId64 " standard errors %s unsure: " UNSURE, unsure, count,
           unsure == 1 ? "is" : "are");
}

static hg_status validate(hg_run_context *context)
{
  pricer *p = context->self;
  hg_worker_times times[context->session->workers + 1];
  hg_graph_times(p->run->graph, times);
  p->busy = hg_report_busy(context->session, times);
  if (hg_simulated) return HG_OK;
  if (hg_context_is_last(context)) (hg_portfolio_reached(&p->book) ? warn_of_unsure : warn_of_error)(p);
  return hg_portfolio_validate(&p->book);
}

static hg_status write_prices(const pricer *p)
{
  const hg_run_options *o = &p->options.run;
  for (int i = 0; i < o->outputs; i++) {
    HG_TRY(hg_portfolio_write(&p->book, o->output[i]));
    hg_outputs_print(o, i);
  }
  return HG_OK;
}

static hg_status finish(hg_run_context *context)
{
  pricer *p = context->self;
  hg_status status = context->session->rank == 0 && !hg_simulated ? write_prices(p) : HG_OK;
  HG_TRY(hg_session_agree(context->session, status));
  HG_TRY(hg_checkpointer_finish(&p->checkpointer));
  HG_TRY(hg_context_phases_of_graph(context, p->run->graph, 0));
  return hg_run_write_models(p->run);
}

static void tell_busy(hg_run_context *context, double *seconds)
{
  const pricer *p = context->self;
  hg_graph_busy(p->run->graph, seconds);
}

static hg_status describe(hg_run_context *context, const char *folder)
{
  const pricer *p = context->self;
  char title[200];
  snprintf(title, sizeof title, "pricer %" PRId64 " contracts, %" PRId64 " paths each, policy %.60s",
           p->book.contracts.count, p->book.wanted.paths, context->session->sched);
  return hg_grid_trace_notes(folder, title, p->run->graph);
}

static void release(hg_run_context *context)
{
  pricer *p = context->self;
  hg_portfolio_drop_rows(&p->book);
  hg_free(p->run);
  hg_portfolio_close(&p->book);
}

HG_MPI_TEST_BACKOFF

int main(int argc, char **argv)
{
  static const hg_program program = {.open = open_book,
                                     .consistency = list_consistency,
                                     .start = start,
                                     .load = load,
                                     .run = run,
                                     .validate = validate,
                                     .columns = pricer_columns,
                                     .text = pricer_text,
                                     .finish = finish,
                                     .busy = tell_busy,
                                     .describe = describe,
                                     .release = release};
  static pricer p;
  p.context = (hg_run_context){
      .program = &program, .options = &p.options.run, .self = &p, .kernels = "pricer", .begin = hg_now()};
  hg_program_begin("hetgrid-pricer", hg_about);
  p.context.command = pricer_parse(argc, argv, &p.options);
  return p.options.golden ? hg_program_end(pricer_golden(p.options.golden)) : hg_program_run(&p.context);
}
