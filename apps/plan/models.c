/* SPDX-License-Identifier: MIT */
/* Plans from measured speed tables. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "speed/fpm.h"
#include "placement/follow.h"
#include "placement/fpmc.h"
#include "plan.h"

enum { DFPA_STEPS = 50 };
#define DFPA_EPSILON .05

/* The network of a processor's own link: what was measured, or the line that latency and bandwidth describe. */
static const hg_network_level *own_link(plan_options *o)
{
  const hg_partition_request *r = &o->request;
  if (r->link || r->bandwidth <= 0) return r->link;
  o->typed_end[0] = (hg_network_point){.bytes = 0, .seconds = r->latency};
  o->typed_end[1] = (hg_network_point){.bytes = r->bandwidth, .seconds = r->latency + 1};
  o->typed = (hg_network_level){.points = 2, .point = o->typed_end};
  return &o->typed;
}

hg_status plan_load_tables(plan_options *o)
{
  if (o->continuous) return hg_fail(HG_INVALID, "--tables: excludes --continuous, as tables give times of whole cells");
  HG_TRY(hg_speed_models_read(o->tables, "--tables", &o->table, &o->request.parts));
  for (int i = 0; i < o->request.parts; i++) {
    o->table[i].link = o->nodes_count ? NULL : own_link(o);
    o->table[i].item_bytes = o->request.bytes_per_cell;
  }
  return HG_OK;
}

hg_status plan_open_network(plan_options *o)
{
  const bool typed = o->request.latency > 0 || o->request.bandwidth > 0;
  bool given;
  if (typed && o->network_file)
    return hg_fail(HG_INVALID, "--network: excludes --latency and --bandwidth, as each gives the times of messages");
  if (typed) return HG_OK;
  HG_TRY(hg_network_open(o->network_file, &o->network, &given));
  if (!given) return HG_OK;
  o->request.link = hg_network_between(&o->network, true);
  if (!o->request.link) return hg_fail(HG_UNSUPPORTED, "%s: has no level between ranks", o->network.path);
  if (!o->quiet && !o->csv && !o->json) printf("messages by %s, level %s\n", o->network.path, o->request.link->name);
  return HG_OK;
}

/* A machine with the times of the tables, for DFPA. */
typedef struct machine {
  const plan_options *options;
  const char *partition;
  const int64_t *n;
  hg_box *box;
} machine;

static hg_status run_step(void *arg, const int64_t *w, double *seconds)
{
  const machine *m = arg;
  const int parts = m->options->request.parts;
  double speed[parts];
  hg_rect rect[parts];
  hg_part_metrics part[parts];
  hg_partition_metrics total;
  hg_partition_request r = m->options->request;
  for (int i = 0; i < parts; i++) speed[i] = (double)w[i];
  r.speed = speed;
  HG_TRY(hg_partition(m->partition, &r, m->n, m->box));
  hg_boxes_to_rects(parts, m->box, rect);
  HG_TRY(hg_partition_measure(&r, rect, part, &total));
  for (int i = 0; i < parts; i++) seconds[i] = hg_speed_time(&m->options->table[i], part[i].cells, part[i].border);
  return HG_OK;
}

static hg_status by_dfpa(const plan_options *o, const int64_t n[3], const char *name, hg_box *box)
{
  const int parts = o->request.parts;
  machine m = {o, name, n, box};
  hg_dfpa_result r;
  int64_t w[parts];
  double seconds[parts];
  HG_TRY(hg_dfpa(parts, n[0] * n[1] * n[2], NULL, DFPA_EPSILON, DFPA_STEPS, run_step, &m, w, &r));
  return run_step(&m, w, seconds);
}

/* Without --nodes each processor has its own link, which its model includes. */
static hg_machine plan_machine(const plan_options *o)
{
  const hg_partition_request *r = &o->request;
  return (hg_machine){.parts = r->parts,
                      .model = o->table,
                      .levels = r->levels,
                      .group = {r->group[0]},
                      .wire = {{r->latency, r->bandwidth, r->link}},
                      .item_bytes = r->bytes_per_cell,
                      .periodic = {r->periodic[0], r->periodic[1], r->periodic[2]},
                      .block = o->halo};
}

static hg_status divide(const plan_options *o, const char *name, hg_box *box)
{
  const char *model = o->model;
  int64_t n[3];
  hg_fpmc_result r;
  HG_TRY(plan_whole_grid(&o->request, n));
  if (o->request.thesis && strcmp(model, "fpmc") == 0) model = "fpmc-thesis";
  hg_balance balance;
  const hg_machine costs = plan_machine(o);
  if (hg_balance_parse(model, &balance)) return hg_divide_by_model(balance, o->request.dims, n, &costs, name, box, &r);
  if (strcmp(model, "dfpa") == 0) return by_dfpa(o, n, name, box);
  return hg_fail(HG_INVALID, "--model: '%s' is unknown; known: even cpm fpm fpmc fpmc-thesis dfpa all", model);
}

hg_status plan_by_tables(const plan_options *o, plan *p)
{
  const int parts = o->request.parts;
  hg_part_metrics part[parts];
  hg_partition_metrics total;
  HG_TRY(divide(o, p->name, p->box));
  p->speed = malloc((size_t)parts * sizeof *p->speed);
  if (!p->speed) return hg_fail(HG_MEMORY, "no memory for %d processors", parts);
  for (int i = 0; i < parts; i++) p->speed[i] = 1;
  p->request.speed = p->speed;
  hg_boxes_to_rects(parts, p->box, p->rect);
  HG_TRY(hg_partition_measure(&p->request, p->rect, part, &total));
  for (int i = 0; i < parts; i++)
    p->speed[i] = part[i].cells > 0 ? part[i].cells / hg_speed_time(&o->table[i], part[i].cells, part[i].border) : 0;
  return HG_OK;
}

hg_status plan_time_by_tables(const plan_options *o, plan *p)
{
  const int parts = p->request.parts;
  const hg_machine costs = plan_machine(o);
  double wait[parts], comm = 0;
  if (!o->request.link && o->request.bandwidth <= 0) return HG_OK;
  for (int i = 0; i < parts && !o->nodes_count; i++) {
    const hg_part_metrics *m = &p->part[i];
    comm = fmax(comm, hg_speed_time(&o->table[i], m->cells, m->border) -
                          hg_speed_compute_time(&o->table[i], m->cells, m->border));
  }
  if (!o->nodes_count) p->total.comm_seconds = comm;
  HG_TRY(hg_machine_time(&costs, p->part, wait, &p->total.makespan));
  return hg_machine_weigh(&costs, p->request.dims, p->box, &p->total.makespan);
}

static hg_status print_model(const plan_options *o, const char *model)
{
  plan_options one = *o;
  plan p;
  int working = 0;
  one.model = model;
  hg_status status = plan_make(&one, o->partition, &p);
  for (int k = 0; k < o->request.parts && status == HG_OK; k++) working += p.part[k].cells > 0;
  if (status == HG_OK)
    printf(o->csv ? "%s,%.9g,%.6f,%.9g,%d\n" : "%-11s %12.6g %10.4f %12.6g %16d\n", model, p.total.makespan,
           p.total.imbalance, p.total.cut, working);
  plan_free(&p);
  return status;
}

hg_status plan_compare_models(const plan_options *o)
{
  puts(o->csv ? "model,makespan,imbalance,cut,parts_with_work"
              : "model       makespan (s)  imbalance          cut  parts with work");
  for (int i = 0; hg_balance_names[i]; i++) HG_TRY(print_model(o, hg_balance_names[i]));
  return print_model(o, "dfpa");
}
