/* SPDX-License-Identifier: MIT */
/* hetgrid-heat: reads the problem, divides the grid, runs the graph, writes the result. */
#include "hetgrid.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heat.h"

static hg_status open_restart(heat *h)
{
  const heat_options *o = &h->options;
  char spec[1024];
  uint64_t identity = h->start.identity;
  HG_TRY(hg_checkpoint_read(o->grid.restart, &h->start));
  if (h->start.identity != identity)
    return hg_fail(HG_INVALID,
                   "%s: is a checkpoint of another problem (size, precision, alpha, boundary or source differ)",
                   o->grid.restart);
  snprintf(spec, sizeof spec, "%s:temperature", o->grid.restart);
  return hg_grid_open(spec, o->seed, &h->restart);
}

/* Opens the inputs; the size comes from the initial file if none was given. */
static hg_status read_problem(heat *h)
{
  heat_options *o = &h->options;
  hg_heat_problem *p = &h->problem;
  int dims;
  int64_t n[3];
  *p = o->problem;
  HG_TRY(hg_grid_open(o->init, o->seed, &h->init));
  hg_grid_shape(h->init, &dims, n);
  if (dims && !o->size_given) {
    p->dims = dims;
    memcpy(p->n, n, sizeof n);
  }
  for (int i = p->dims; i < 3; i++) p->alpha[i] = 0;
  if (o->boundary) HG_TRY(hg_boundary_parse(o->boundary, p->dims, p->side));
  HG_TRY(hg_heat_problem_check(p));
  if (o->source) HG_TRY(hg_grid_open(o->source, o->seed, &h->source));
  h->start.identity = hg_problem_identity(p, o->source, o->seed);
  if (o->grid.restart) HG_TRY(open_restart(h));
  if (h->start.step > p->steps)
    return hg_fail(HG_INVALID, "--steps: %" PRId64 " steps, but %s holds the state after %" PRId64, p->steps,
                   o->grid.restart, h->start.step);
  h->kernel = hg_heat_kernel_find(o->kernel);
  return h->kernel ? HG_OK : hg_fail(HG_INVALID, "--kernel: '%s' is unknown or needs another processor", o->kernel);
}

static hg_status check_outputs(const heat *h)
{
  const heat_options *o = &h->options;
  if (hg_session_launch_rank() != 0) return HG_OK;
  for (int i = 0; i < o->run.outputs; i++) HG_TRY(hg_output_check(o->run.output[i]));
  return o->grid.checkpoint ? hg_checkpoint_check(o->grid.checkpoint, h->start.identity) : HG_OK;
}

static hg_status save(heat *h, int64_t step)
{
  hg_field field;
  hg_checkpoint c = {.step = step, .identity = h->start.identity};
  HG_TRY(hg_field_gather(&h->session, &h->problem, h->tiling, hg_heat_stencil(h->graph), &field));
  hg_status status = h->session.rank == 0 ? hg_checkpoint_write(h->options.grid.checkpoint, &field, &c) : HG_OK;
  hg_field_free(&field);
  return hg_session_agree(&h->session, status);
}

static void show_progress(void *arg, int64_t done)
{
  heat *h = arg;
  hg_progress_update(&h->bar, h->start.step + done);
}

/* Blocks of steps between two looks at the balance. */
enum { REBALANCE_BLOCKS = 4 };

static int64_t next_multiple(int64_t step, int64_t every)
{
  return (step / every + 1) * every;
}

/* Advances from the start to the last step, or until nothing changes any more; stops on the way to look at the change
 * and to save. */
static hg_status advance(heat *h, hg_heat_run *run)
{
  const hg_heat_problem *p = &h->problem;
  const heat_options *o = &h->options;
  int64_t step = h->start.step;
  run->change = -1;
  while (step < p->steps) {
    int64_t stop = p->steps, check = next_multiple(step, p->check_every),
            keep = next_multiple(step, o->grid.checkpoint_every);
    if (p->tolerance > 0 && check < stop) stop = check;
    if (o->grid.checkpoint && keep < stop) stop = keep;
    const int64_t look =
        o->grid.rebalance > 0 ? next_multiple(step, (int64_t)REBALANCE_BLOCKS * h->tiling->depth) : stop;
    if (look < stop) stop = look;
    bool measure = p->tolerance > 0 && (stop == check || stop == p->steps);
    HG_TRY(hg_heat_advance(h->graph, stop - step, measure ? &run->change : NULL, show_progress, h));
    step = stop;
    if (o->grid.checkpoint && (stop == keep || stop == p->steps)) HG_TRY(save(h, step));
    if (measure && run->change <= p->tolerance) break;
    if (o->grid.rebalance > 0 && stop == look && step < p->steps) HG_TRY(heat_rebalance(h));
  }
  run->steps = step - h->start.step;
  return HG_OK;
}

static hg_status timed_run(heat *h, int number, hg_heat_run *run)
{
  const heat_options *o = &h->options;
  *run = (hg_heat_run){.problem = &h->problem,
                       .session = &h->session,
                       .tiling = h->tiling,
                       .partition = o->grid.division.partition,
                       .kernel = h->kernel->name,
                       .repeat = number};
  HG_TRY(hg_heat_load(h->graph, h->restart ? h->restart : h->init));
  hg_stencil_reset_times(hg_heat_stencil(h->graph));
  double exchanged = hg_stencil_exchanged(hg_heat_stencil(h->graph));
  hg_progress_begin(&h->bar, h->session.rank == 0 && !o->run.quiet ? o->run.progress : "off", "heat", h->problem.steps);
  hg_session_barrier(&h->session);
  if (number == o->run.repeat - 1) hg_record_start();
  double start = hg_now();
  hg_status status = advance(h, run);
  hg_session_barrier(&h->session);
  run->seconds = hg_now() - start;
  hg_record_stop();
  hg_progress_end(&h->bar);
  HG_TRY(status);
  run->halo_bytes = hg_stencil_exchanged(hg_heat_stencil(h->graph)) - exchanged;
  run->tiling = h->tiling;
  return hg_report_measure(run, hg_heat_stencil(h->graph));
}

static hg_status write_results(heat *h, const hg_heat_run *run)
{
  const heat_options *o = &h->options;
  hg_field field;
  hg_status status = HG_OK;
  HG_TRY(hg_field_gather(&h->session, &h->problem, h->tiling, hg_heat_stencil(h->graph), &field));
  if (h->session.rank == 0) {
    double low, high, sum;
    hg_field_summary(&field, &low, &high, &sum);
    if (!o->run.quiet && !o->run.csv)
      printf("  result     smallest %.6g, largest %.6g, mean %.6g\n", low, high, sum / (double)hg_field_cells(&field));
    for (int i = 0; i < o->run.outputs && status == HG_OK; i++) {
      status = hg_output_write(o->run.output[i], &field);
      if (status == HG_OK && !o->run.quiet && !o->run.csv) printf("  wrote      %s\n", o->run.output[i]);
    }
    if (status == HG_OK && o->verify) {
      status = hg_field_verify(&h->problem, h->init, h->source, h->start.step + run->steps, &field);
      if (status == HG_OK && !o->run.quiet && !o->run.csv)
        printf("  verified   equal to the serial result, bit for bit\n");
    }
  }
  hg_field_free(&field);
  return hg_session_agree(&h->session, status);
}

static void print_phases(heat *h, const hg_heat_run *run, const hg_own_phases *own)
{
  hg_worker_times times[h->session.workers + 1];
  hg_stencil_times(hg_heat_stencil(h->graph), times);
  hg_report_phases(&h->session, times, run->seconds, own);
}

static hg_status run_all(heat *h, double begin)
{
  const heat_options *o = &h->options;
  const bool speak = h->session.rank == 0 && !o->run.quiet;
  hg_heat_run run;
  h->tiling = calloc(1, sizeof *h->tiling);
  if (!h->tiling) return hg_fail(HG_MEMORY, "no memory for tiles");
  HG_TRY(hg_session_agree(&h->session, heat_make_tiling(h, NULL, h->tiling)));
  if (hg_simulated && o->grid.rebalance > 0) return hg_fail(HG_UNSUPPORTED, "--rebalance: not in virtual time");
  if (o->plan_only) return speak ? hg_report_plan(&h->problem, &h->session, h->tiling) : HG_OK;
  HG_TRY(hg_heat_make(&h->session, &h->problem, h->tiling, h->kernel, h->source, &h->graph));
  double ready = hg_now();
  for (int i = -o->run.warmup; i < o->run.repeat; i++) {
    HG_TRY(timed_run(h, i, &run));
    if (speak && o->run.csv && i == 0) hg_report_csv_header();
    if (speak && o->run.csv && i >= 0) hg_report_csv(&run, "ok");
    if (speak && !o->run.csv && i >= 0) hg_report_text(&run);
    if (speak && !o->run.csv && i >= 0 && o->grid.rebalance > 0) printf("  rebalanced %d times so far\n", h->moves);
  }
  double finished = hg_now();
  if (o->run.trace) HG_TRY(hg_heat_trace_notes(o->run.trace, &run, hg_heat_stencil(h->graph)));
  const bool results = !hg_simulated && (o->run.outputs || o->verify || (!o->run.csv && !o->run.quiet));
  if (results) HG_TRY(write_results(h, &run));
  if (o->grid.phases)
    print_phases(h, &run, &(hg_own_phases){.initialise = ready - begin, .finalise = hg_now() - finished});
  return HG_OK;
}

static void release(heat *h)
{
  hg_heat_free(h->graph);
  if (h->tiling) hg_tiling_free(h->tiling);
  free(h->tiling);
  if (h->session_open) hg_session_close(&h->session);
  hg_grid_close(h->init);
  hg_grid_close(h->source);
  hg_grid_close(h->restart);
}

int main(int argc, char **argv)
{
  double begin = hg_now();
  heat h = {0};
  heat_parse(argc, argv, &h.options);
  hg_log_set_rank(hg_session_launch_rank());
  hg_status status = read_problem(&h);
  if (status == HG_OK) status = check_outputs(&h);
  if (status == HG_OK) {
    status =
        hg_session_open(&(hg_session_options){.sched = h.options.grid.sched, .trace = h.options.run.trace}, &h.session);
    h.session_open = status == HG_OK;
  }
  if (status == HG_OK) status = run_all(&h, begin);
  if (status != HG_OK && hg_session_launch_rank() == 0) fprintf(stderr, "hetgrid-heat: %s\n", hg_message());
  const bool traced = h.session_open && h.options.run.trace && hg_session_launch_rank() == 0;
  release(&h);
  if (traced && hg_finish_trace(&h.options.run, h.session.ranks) != HG_OK) {
    fprintf(stderr, "hetgrid-heat: %s\n", hg_message());
    if (status == HG_OK) status = HG_IO;
  }
  return status == HG_OK ? 0 : status == HG_INVALID ? 2 : status == HG_NO_WORKER ? 77 : 1;
}
