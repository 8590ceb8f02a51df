/* SPDX-License-Identifier: MIT */
#include "program/divisible_program.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chart/chart.h"
#include "base/clock.h"
#include "base/memory.h"
#include "program/outputs.h"
#include "traces/notes.h"
#include "result/report.h"
#include "options/policy_option.h"

#define O hg_divisible_context

static const char *const answers[] = {"yes", "no", NULL};

const hg_option hg_divisible_option_list[] = {
    {"passes", HG_IN(O, results.repeat, 1, 1000000), "K",
     "Process all items K times; the times of each pass determine the division of the next (default 3)", 0},
    {.name = "repeat", .use = HG_ALIAS},
    {"epsilon", HG_IN(O, common.epsilon, 1e-9, .999999), "E",
     "Workers count as balanced when (largest - smallest) / largest time is at most E (default 0.05)", HG_SAME},
    {"strategy", HG_TEXT(O, common.strategy), "NAME",
     "How to cut a GPU's share into streams: streaming (the best by simulation with the learnt speeds), div2, fixed:K "
     "or unsplit (default streaming)",
     HG_SAME},
    {"models", HG_TEXT(O, common.models), "DIR",
     "Start from worker speeds that earlier runs saved in DIR, and save those that this run learns",
     HG_SAME | HG_PRESENCE},
    {"pinned", HG_ONE_OF(O, common.pageable, answers), NULL,
     "Whether to pin the arrays in memory if there are GPUs (default yes)", 0},
    {"sched", HG_CHECKED_TEXT(O, common.sched, hg_policy_check), "NAME", HG_HELP_SCHED, 0},
    {"workers", HG_TEXT(O, common.workers), "LIST",
     "Workers to use: cpu, cuda, or single GPUs as cuda:N, separated by commas (default: all); STARPU_NCPU sets the "
     "number of cores",
     0},
    {"picture", HG_TEXT(O, picture), "FILE",
     "Draw the workers' speeds as learnt in each pass, and a timeline of the items of each worker: .svg, .png or .pdf",
     HG_SAME | HG_PRESENCE | HG_PICTURE},
    {.name = "svg", .use = HG_ALIAS | HG_HIDDEN},
    {0}};

/* --- the context --- */

static hg_divisible_context *of(const hg_run_context *context)
{
  return context->self;
}

static hg_status open_jobs(hg_run_context *context)
{
  hg_divisible_context *l = of(context);
  HG_TRY(hg_outputs_apart(&l->results, "--picture", l->picture));
  HG_TRY(hg_files_apart("--picture", l->picture, "--phases", l->results.phases_file));
  return l->program->open(l);
}

static void list_jobs(const hg_run_context *context, hg_consistency *list)
{
  const hg_divisible_context *l = of(context);
  if (l->program->consistency) l->program->consistency(l, list);
}

static void complete(const hg_divisible_context *l, hg_divisible *job)
{
  job->epsilon = l->common.epsilon;
  job->strategy = l->common.strategy;
  job->models = l->common.models;
  job->pageable = l->common.pageable;
  job->passes = l->results.warmup > 0 ? 0 : l->results.repeat;
}

static hg_status start(hg_run_context *context)
{
  hg_divisible_context *l = of(context);
  HG_TRY(hg_session_join(context->communicator, &l->session));
  const hg_session_options options = {
      .sched = l->common.sched, .workers = l->common.workers, .trace = l->results.trace};
  HG_TRY(hg_session_open(&options, &l->session));
  context->session = &l->session;
  context->label = l->common.name;
  context->total = l->stages;
  if (l->program->start) HG_TRY(hg_session_agree(&l->session, l->program->start(l)));
  for (int i = 0; i < l->stages; i++) {
    complete(l, &l->stage[i]);
    HG_TRY(hg_divisible_make(&l->session, &l->stage[i], &l->run[i]));
  }
  return HG_OK;
}

static hg_status load(hg_run_context *context)
{
  hg_divisible_context *l = of(context);
  if (l->program->load) HG_TRY(l->program->load(l));
  for (int i = 0; i < l->stages; i++) HG_TRY(hg_divisible_plan(l->run[i]));
  return HG_OK;
}

static hg_status go_between(hg_divisible_context *l)
{
  const double begin = hg_now();
  l->predicted = l->between;
  HG_TRY(l->program->between(l));
  l->between = hg_now() - begin;
  return HG_OK;
}

static hg_status run(hg_run_context *context)
{
  hg_divisible_context *l = of(context);
  for (int i = 0; i < l->stages; i++) {
    if (i > 0 && l->program->between) HG_TRY(go_between(l));
    HG_TRY(hg_divisible_begin(l->run[i]));
    HG_TRY(hg_divisible_end(l->run[i]));
    hg_progress_update(&context->bar, i + 1);
  }
  return HG_OK;
}

static hg_status validate(hg_run_context *context)
{
  hg_divisible_context *l = of(context);
  for (int i = 0; i < l->stages && l->picture; i++) HG_TRY(hg_divisible_record(l->run[i], &l->passes[i]));
  return HG_OK;
}

/* Flops of a pass; 0: not known. */
static double divisible_flops(const hg_divisible_context *l)
{
  double flops = 0;
  for (int i = 0; i < l->stages; i++) {
    const int64_t *n = l->stage[i].grid;
    flops += l->stage[i].flops * (double)n[0] * (double)(n[1] ? n[1] : 1) * (double)(n[2] ? n[2] : 1);
  }
  return flops;
}

/* The reports of all stages of a pass as one; a stage that is still learning determines the state. */
static hg_divisible_report last(const hg_divisible_context *l)
{
  hg_divisible_report all = {.state = "learning"};
  for (int i = 0; i < l->stages; i++) {
    const hg_divisible_report *r = hg_divisible_last(l->run[i]);
    const bool worse = strcmp(r->state, "learning") == 0;
    if (i == 0 || worse) all.state = r->state;
    all.pass = r->pass;
    all.seconds += r->seconds;
    all.predicted = i > 0 && all.predicted == 0 ? 0 : r->predicted > 0 ? all.predicted + r->predicted : 0;
    all.imbalance = fmax(all.imbalance, r->imbalance);
    all.items_gpu += r->items_gpu;
    all.streams += r->streams;
    all.n_min = r->n_min > all.n_min ? r->n_min : all.n_min;
    all.points += r->points;
  }
  if (all.predicted > 0) all.predicted += l->predicted;
  return all;
}

static void columns(const hg_run_context *context, hg_columns *row)
{
  const hg_divisible_context *l = of(context);
  const hg_divisible_report r = last(l);
  const double flops = divisible_flops(l);
  if (l->program->columns) l->program->columns(l, row);
  hg_column_int(row, "passes", l->results.repeat);
  hg_column_text(row, "strategy", l->common.strategy ? l->common.strategy : "streaming");
  hg_column_int(row, "ranks", l->session.ranks);
  hg_column_int(row, "cpu_workers", l->session.cpu_workers);
  hg_column_int(row, "cuda_workers", l->session.cuda_workers);
  hg_column_int(row, "pass", r.pass);
  hg_column_int(row, "jobs_gpu", r.items_gpu);
  hg_column_int(row, "streams", r.streams);
  hg_column_int(row, "n_min", r.n_min);
  hg_column_double(row, "seconds", "%.9g", context->seconds);
  hg_column_double(row, "gflops", "%.6g", flops / context->seconds * 1e-9);
  hg_column_double(row, "imbalance", "%.4f", r.imbalance);
  hg_column_double(row, "predicted_s", "%.9g", r.predicted);
  hg_column_int(row, "points", r.points);
  hg_column_text(row, "status", r.state);
}

static void text(const hg_run_context *context)
{
  const hg_divisible_context *l = of(context);
  const hg_session *s = &l->session;
  const hg_divisible_report r = last(l);
  const double flops = divisible_flops(l);
  if (context->number == 0) {
    if (l->program->text) l->program->text(l);
    hg_report_machine(s);
    printf(", policy %s\n", s->sched);
  }
  printf("  pass %-5d %.4g s", r.pass, context->seconds);
  if (flops > 0) printf(", %.4g GFLOP/s", flops / context->seconds * 1e-9);
  printf("; imbalance %.1f %%, %s", 100 * r.imbalance, r.state);
  if (r.predicted > 0) printf(", predicted %.4g s", r.predicted);
  if (r.streams > 0) printf("; %" PRId64 " items on GPUs in %d streams", r.items_gpu, r.streams);
  putchar('\n');
}

/* With several stages, draws a file for each. */
static hg_status draw(const hg_divisible_context *l)
{
  char path[HG_PATH_MAX];
  snprintf(path, sizeof path, "%s", l->picture);
  for (int i = 0; i < l->stages; i++) {
    const char *name = l->stage[i].name ? l->stage[i].name : l->common.name;
    if (l->stages > 1) HG_TRY(hg_chart_path(l->picture, name, path));
    HG_TRY(hg_passes_draw(path, name, hg_divisible_jobs(l->run[i]), &l->passes[i]));
    if (!l->results.quiet && !l->results.csv) printf("  drew       %s\n", path);
  }
  return HG_OK;
}

/* Prints phases over all stages; time between stages counts as transfer. */
static hg_status tell_phases(const hg_divisible_context *l)
{
  hg_worker_times times[l->session.workers + 1];
  for (int w = 0; w < l->session.workers; w++) {
    times[w] = (hg_worker_times){.unpack = l->between};
    for (int i = 0; i < l->stages; i++) {
      const hg_divisible_report *r = hg_divisible_last(l->run[i]);
      times[w].unpack += r->transfer[w];
      times[w].compute += r->compute[w];
    }
    times[w].busy = times[w].unpack + times[w].compute;
  }
  return hg_context_phases(&l->context, times, 0);
}

static hg_status finish(hg_run_context *context)
{
  hg_divisible_context *l = of(context);
  for (int i = 0; i < l->stages; i++) HG_TRY(hg_divisible_save(l->run[i]));
  if (l->program->finish) HG_TRY(l->program->finish(l));
  HG_TRY(tell_phases(l));
  return hg_session_agree(&l->session, l->picture && l->session.rank == 0 ? draw(l) : HG_OK);
}

static hg_status describe(hg_run_context *context, const char *folder)
{
  const hg_divisible_context *l = of(context);
  char title[200];
  const hg_divisible_report r = last(l);
  snprintf(title, sizeof title, "%.100s, pass %d, %s", l->common.name, r.pass, r.state);
  const hg_status status = l->session.rank == 0 ? hg_trace_note_run(folder, title, l->session.ranks, NULL) : HG_OK;
  return hg_session_agree(&l->session, status);
}

static void release(hg_run_context *context)
{
  hg_divisible_context *l = of(context);
  for (int i = 0; i < HG_STAGES_MAX; i++)
    if (l->run[i]) hg_divisible_release(l->run[i]);
  for (int i = 0; i < HG_STAGES_MAX; i++) hg_passes_end(&l->passes[i]);
  if (l->program->release) l->program->release(l);
  hg_session_close(&l->session);
  for (int i = 0; i < HG_STAGES_MAX; i++) hg_free_distinct(l->run[i]);
}

int hg_divisible_program_run(hg_divisible_context *l)
{
  static const hg_program program = {.open = open_jobs,
                                     .consistency = list_jobs,
                                     .start = start,
                                     .load = load,
                                     .run = run,
                                     .validate = validate,
                                     .columns = columns,
                                     .text = text,
                                     .finish = finish,
                                     .describe = describe,
                                     .release = release};
  l->context.program = &program;
  l->context.options = &l->results;
  l->context.self = l;
  l->context.communicator = l->common.communicator;
  l->context.begin = hg_now();
  return hg_program_run(&l->context);
}
