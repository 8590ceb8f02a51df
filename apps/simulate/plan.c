/* SPDX-License-Identifier: MIT */
/* Divides work on a described machine, and predicts its time. */
#include <stdlib.h>

#include "simulate.h"

/* Tables include the cost of items. */
static hg_gpu_port port_of(const hg_device *d, double bytes)
{
  if (!d->cuda) return (hg_gpu_port){0};
  return d->heat.kind == HG_SPEED_TABLE ? (hg_gpu_port){.latency = d->latency}
                                        : (hg_gpu_port){d->latency, bytes / d->from, bytes / d->to};
}

int simulate_list_devices(const hg_platform *p, const hg_device **device)
{
  int count = 0;
  for (int n = 0; n < p->nodes; n++)
    for (int i = 0; i < p->node[n].workers; i++) device[count++] = &p->device[p->node[n].device[i]];
  return count;
}

/* A step of heat; for adr, work that takes as long as one with heat's bytes per node. */
static hg_speed_model model_of(const simulate_case *c, const hg_device *d)
{
  if (c->app->kind != PROGRAM_CUBE || d->adr <= 0) return d->heat;
  return (hg_speed_model){.kind = HG_SPEED_SATURATING, .smax = d->adr * HG_PLATFORM_ADR_BYTES / HG_PLATFORM_HEAT_BYTES};
}

/* Speeds for one step, of which a task does several; single precision takes half of all times. */
static hg_status make_models(const simulate_case *c, const hg_device *const *device, int count, hg_speed_model *model)
{
  for (int i = 0; i < count; i++) {
    hg_speed_model m = model_of(c, device[i]);
    m.wait = c->block ? device[i]->start / c->block : 0;
    HG_TRY(hg_speed_scale(&m, c->single ? 0.5 : 1, &model[i]));
  }
  return HG_OK;
}

hg_status simulate_balance(const simulate_case *c, hg_balance *balance)
{
  if (hg_balance_parse(c->model, balance)) return HG_OK;
  return hg_fail(HG_INVALID, "--model: '%s' is unknown; known: even cpm fpm fpmc fpmc-thesis", c->model);
}

/* A described machine in the form that divisions use. */
typedef struct described {
  hg_machine machine;
  const hg_device **device;
  hg_speed_model *model;
  hg_gpu_port *port;
  double *pack;
  bool *in_bands;
  int *node; /* all [workers of all nodes] */
} described;

static void close_machine(described *d)
{
  for (int i = 0; i < d->machine.parts; i++) hg_speed_table_free(&d->model[i].table);
  free(d->device);
  free(d->model);
  free(d->port);
  free(d->pack);
  free(d->in_bands);
  free(d->node);
}

static hg_status check_speeds(const simulate_case *c, const described *d)
{
  for (int i = 0; i < d->machine.parts; i++)
    if (d->model[i].kind != HG_SPEED_TABLE && d->model[i].smax <= 0)
      return hg_fail(HG_INVALID, "device %s: has no speed for %s", d->device[i]->name,
                     c->app->kind == PROGRAM_CUBE ? "adr or heat" : "heat");
  return HG_OK;
}

static hg_status open_machine(const hg_platform *p, const simulate_case *c, described *d)
{
  const size_t most = (size_t)p->nodes * HG_PLATFORM_WORKERS;
  *d = (described){.device = malloc(most * sizeof *d->device),
                   .model = calloc(most, sizeof *d->model),
                   .port = malloc(most * sizeof *d->port),
                   .pack = malloc(most * sizeof *d->pack),
                   .in_bands = malloc(most * sizeof *d->in_bands),
                   .node = malloc(most * sizeof *d->node)};
  if (!d->device || !d->model || !d->port || !d->pack || !d->in_bands || !d->node)
    return hg_fail(HG_MEMORY, "no memory for %zu processors", most);
  const int count = simulate_list_devices(p, d->device);
  const hg_status status = make_models(c, d->device, count, d->model);
  for (int i = 0; i < count; i++) {
    d->port[i] = port_of(d->device[i], c->single ? 4 : 8);
    d->pack[i] = d->device[i]->start;
    d->in_bands[i] = !d->device[i]->cuda;
  }
  for (int n = 0, i = 0; n < p->nodes; n++)
    for (int w = 0; w < p->node[n].workers; w++) d->node[i++] = n;
  d->machine = (hg_machine){.parts = count,
                            .model = d->model,
                            .levels = 1,
                            .group = {d->node},
                            .wire = {{.latency = p->latency, .bandwidth = hg_platform_bandwidth(p)}},
                            .port = d->port,
                            .pack = d->pack,
                            .in_bands = d->in_bands,
                            .item_bytes = c->single ? 4 : 8,
                            .block = c->block,
                            .steps = c->steps};
  return status == HG_OK ? check_speeds(c, d) : status;
}

hg_status simulate_divide(const hg_platform *p, const simulate_case *c, hg_box *box, double *predicted)
{
  const int64_t n[3] = {c->size[0], c->size[1], 1};
  described d;
  hg_fpmc_result result;
  hg_balance balance = HG_BALANCE_EVEN;
  hg_status status = open_machine(p, c, &d);
  if (status == HG_OK) status = simulate_balance(c, &balance);
  if (status == HG_OK) status = hg_divide_by_model(balance, 2, n, &d.machine, c->partition, box, &result);
  if (status == HG_OK) *predicted = result.makespan * (double)c->steps;
  close_machine(&d);
  return status;
}
