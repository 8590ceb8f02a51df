/* SPDX-License-Identifier: MIT */
/* Divides a product's C on a described machine. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matmul/predict.h"
#include "simulate.h"
#include "speed/fpm.h"

/* A machine in the form that products use. */
typedef struct described {
  hg_session session; /* only its numbers of workers are set */
  hg_matmul_problem problem;
  hg_matmul_machine machine;
  const hg_device **device;
  int *rank;
  hg_speed_model *model;
  hg_gpu_port *port;
} described;

static void close_machine(described *d)
{
  for (int w = 0; d->model && w < d->session.all_workers; w++) hg_speed_table_free(&d->model[w].table);
  free(d->device);
  free(d->rank);
  free(d->model);
  free(d->port);
}

/* Seconds of a panel over slices of C. */
static hg_status make_model(const described *d, const hg_device *device, hg_speed_model *model)
{
  enum { POINTS = 24 };
  const hg_matmul_problem *p = &d->problem;
  const double scale = p->precision == HG_FLOAT ? .5 : 1, most = (double)hg_matmul_blocks(p->m);
  double last = 0;
  if (device->update.kind != HG_SPEED_TABLE && device->update.smax <= 0)
    return hg_fail(HG_INVALID, "device %s: has no speed for a product", device->name);
  model->kind = HG_SPEED_TABLE;
  HG_TRY(hg_speed_table_make(POINTS, 1, &model->table));
  for (int i = 0; i < POINTS; i++) {
    const double units = most * exp2((i + 1 - POINTS) / 2.), rows = units * HG_MATMUL_UNIT;
    model->table.w[i] = units;
    last = fmax(last, scale * hg_platform_update_time(device, rows, (double)p->n, p->nb));
    model->table.time[i] = last;
  }
  return HG_OK;
}

static hg_status fill_machine(const hg_platform *p, described *d)
{
  const double bytes = (double)hg_precision_bytes(d->problem.precision);
  for (int n = 0, w = 0; n < p->nodes; n++)
    for (int i = 0; i < p->node[n].workers; i++, w++) {
      const hg_device *device = d->device[w];
      d->rank[w] = n;
      if (device->cuda) d->port[w] = (hg_gpu_port){device->latency, bytes / device->from, bytes / device->to};
      HG_TRY(make_model(d, device, &d->model[w]));
    }
  d->machine = (hg_matmul_machine){.session = &d->session,
                                   .units = (double)hg_matmul_blocks(d->problem.m),
                                   .model = d->model,
                                   .wire = {.latency = p->latency, .bandwidth = hg_platform_bandwidth(p)},
                                   .port = d->port};
  return HG_OK;
}

static hg_status open_machine(const hg_platform *p, const simulate_case *c, described *d)
{
  const int64_t n = c->size[0];
  const size_t most = (size_t)p->nodes * HG_PLATFORM_WORKERS;
  const bool rows = strcmp(c->partition, "auto") == 0 || strcmp(c->partition, "rows") == 0;
  *d = (described){.problem = {.m = n,
                               .n = n,
                               .k = n,
                               .precision = c->single ? HG_FLOAT : HG_DOUBLE,
                               .nb = c->nb ? c->nb : hg_matmul_choose_nb(n),
                               .layout = rows ? HG_LAYOUT_ROWS : HG_LAYOUT_RECTANGLES,
                               .partition = c->partition},
                   .device = malloc(most * sizeof *d->device),
                   .rank = malloc(most * sizeof *d->rank),
                   .model = calloc(most, sizeof *d->model),
                   .port = calloc(most, sizeof *d->port)};
  if (!d->device || !d->rank || !d->model || !d->port) return hg_fail(HG_MEMORY, "no memory for %zu processors", most);
  d->session =
      (hg_session){.ranks = p->nodes, .all_workers = simulate_list_devices(p, d->device), .worker_rank = d->rank};
  return fill_machine(p, d);
}

/* Slices from a simple model. */
static hg_status share_units(const described *d, hg_balance balance, int64_t *units)
{
  const int workers = d->session.all_workers;
  const double even = d->machine.units / workers;
  hg_speed_model model[workers];
  for (int w = 0; w < workers; w++) {
    model[w] = d->model[w];
    const double speed = balance == HG_BALANCE_EVEN ? 1 : even / hg_speed_time(&model[w], even, 0);
    if (balance == HG_BALANCE_EVEN || balance == HG_BALANCE_CPM)
      model[w] = (hg_speed_model){.kind = HG_SPEED_SATURATING, .smax = speed};
  }
  return hg_fpm(workers, model, NULL, (int64_t)d->machine.units, units);
}

static hg_status divide(const described *d, const simulate_case *c, simulate_parts *out)
{
  const int workers = out->workers = d->session.all_workers;
  hg_matmul_layout layout = d->problem.layout;
  hg_balance balance;
  int64_t units[workers];
  HG_TRY(simulate_balance(c, &balance));
  HG_TRY(share_units(d, balance, units));
  HG_TRY(hg_matmul_choose(&d->machine, &d->problem, balance == HG_BALANCE_FPMC, strcmp(c->partition, "auto") == 0,
                          units, &layout, &out->predicted));
  out->rows = layout == HG_LAYOUT_ROWS;
  out->nb = d->problem.nb;
  out->share = malloc((size_t)workers * sizeof *out->share);
  if (!out->share) return hg_fail(HG_MEMORY, "no memory for %d processors", workers);
  for (int w = 0; w < workers; w++) out->share[w] = (double)units[w];
  return HG_OK;
}

hg_status simulate_product(const hg_platform *p, const simulate_case *c, simulate_parts *out)
{
  described d;
  hg_status status = open_machine(p, c, &d);
  if (status == HG_OK) status = divide(&d, c, out);
  close_machine(&d);
  return status;
}
