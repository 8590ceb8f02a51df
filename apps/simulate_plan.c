/* SPDX-License-Identifier: MIT */
/* Who gets what on a machine that is described, and how long that should take. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simulate.h"

/* What an item costs on its way out of a processor and into another: through its own link, and over the network. */
static double item_time(const hg_platform *p, const hg_device *d, double bytes)
{
  double t = 0;
  if (d->cuda) t += bytes / d->from + bytes / d->to;
  if (p->nodes > 1) t += bytes / p->bandwidth;
  return t;
}

int simulate_list_devices(const hg_platform *p, const hg_device **device)
{
  int count = 0;
  for (int n = 0; n < p->nodes; n++)
    for (int i = 0; i < p->node[n].workers; i++) device[count++] = &p->device[p->node[n].device[i]];
  return count;
}

/* A step of heat; of adr what takes as long as one at heat's bytes a node. */
static hg_speed_model model_of(const simulate_case *c, const hg_device *d)
{
  if (!c->app->cube || d->adr <= 0) return d->heat;
  return (hg_speed_model){.kind = HG_SPEED_SATURATING, .smax = d->adr * HG_PLATFORM_ADR_BYTES / HG_PLATFORM_HEAT_BYTES};
}

/* Speeds as the partitioners want them: of a step, with the transfers of the border. Tables hold theirs. */
static void make_models(const hg_platform *p, const simulate_case *c, const hg_device *const *device, int count,
                        hg_speed_model *model)
{
  const double scale = c->single ? .5 : 1, bytes = c->single ? 4 : 8;
  for (int i = 0; i < count; i++) {
    model[i] = model_of(c, device[i]);
    if (model[i].kind == HG_SPEED_TABLE) continue;
    model[i].smax /= scale;
    model[i].t0 = model[i].t0 * scale + (c->block ? device[i]->start / c->block : 0);
    model[i].tc = model[i].tc * scale + item_time(p, device[i], bytes);
  }
}

hg_status simulate_balance(const simulate_case *c, hg_balance *balance)
{
  if (hg_balance_parse(c->model, balance)) return HG_OK;
  return hg_fail(HG_INVALID, "--model: '%s' is none of even, cpm, fpm, fpmc, fpmc-thesis", c->model);
}

hg_status simulate_divide(const hg_platform *p, const simulate_case *c, hg_box *box)
{
  const int most = p->nodes * HG_PLATFORM_WORKERS;
  const int64_t n[3] = {c->size[0], c->size[1], 1};
  const hg_device **device = malloc((size_t)most * sizeof *device);
  hg_speed_model *model = malloc((size_t)most * sizeof *model);
  hg_fpmc_result result;
  hg_status status = device && model ? HG_OK : hg_fail(HG_MEMORY, "no memory for %d processors", most);
  hg_balance balance = HG_BALANCE_EVEN;
  if (status == HG_OK) status = simulate_balance(c, &balance);
  if (status == HG_OK) {
    const int count = simulate_list_devices(p, device);
    make_models(p, c, device, count, model);
    for (int i = 0; i < count && status == HG_OK; i++)
      if (model[i].kind != HG_SPEED_TABLE && model[i].smax <= 0)
        status = hg_fail(HG_INVALID, "device %s: has no speed for %s", device[i]->name,
                         c->app->cube ? "adr or heat" : "heat");
    if (status == HG_OK) status = hg_divide_by_model(balance, 2, n, count, model, c->partition, box, &result);
  }
  free(device);
  free(model);
  return status;
}

/* Cells of a margin of this depth around box `to` that lie in box `from`. */
static double margin_cells(const hg_box *to, const hg_box *from, int depth)
{
  double cells = 1;
  for (int a = 0; a < 2; a++) {
    const int64_t lo = to->lo[a] - depth > from->lo[a] ? to->lo[a] - depth : from->lo[a];
    const int64_t hi = to->hi[a] + depth < from->hi[a] ? to->hi[a] + depth : from->hi[a];
    if (hi <= lo) return 0;
    cells *= (double)(hi - lo);
  }
  return cells;
}

/* What a processor's block waits for: its own link for everything that enters or leaves it, and its node's network for
 * what comes from other nodes. */
typedef struct border {
  double items, messages; /* of this processor, from all others */
} border;

static border find_border(const hg_box *box, const int *node, int count, int i, int depth, double *network)
{
  border b = {0, 0};
  for (int j = 0; j < count; j++) {
    double cells = j == i || hg_box_cells(&box[j]) == 0 ? 0 : margin_cells(&box[i], &box[j], depth);
    if (cells <= 0) continue;
    b.items += cells;
    b.messages++;
    if (node[j] != node[i]) *network += cells;
  }
  return b;
}

/* One block: a task, its pieces' way out of the processor, over the network, and into the neighbours. A node's link
 * carries the pieces of all its processors; they leave together. */
static double block_time(const hg_platform *p, const simulate_case *c, const hg_box *box, const int *node, int count,
                         const int *first)
{
  const double scale = c->single ? .5 : 1, bytes = c->single ? 4 : 8;
  const int depth = c->block ? c->block : 1;
  double slowest = 0;
  for (int n = 0; n < p->nodes; n++) {
    double network = 0, compute = 0;
    for (int i = first[n]; i < first[n + 1] && i < count; i++) {
      const hg_device *d = &p->device[p->node[n].device[i - first[n]]];
      if (hg_box_cells(&box[i]) == 0) continue;
      const border b = find_border(box, node, count, i, depth, &network);
      double t = scale * hg_platform_heat_time(d, (double)hg_box_cells(&box[i]), depth, b.items);
      if (d->cuda && b.items > 0) t += b.messages * 2 * d->latency + b.items * bytes * (1 / d->from + 1 / d->to);
      compute = fmax(compute, t);
    }
    slowest = fmax(slowest, compute + (network > 0 ? p->latency * 2 + network * bytes / p->bandwidth : 0));
  }
  return slowest;
}

double simulate_predict(const hg_platform *p, const simulate_case *c, const hg_box *box)
{
  int *first = malloc(((size_t)p->nodes + 1) * sizeof *first), count = 0;
  for (int n = 0; first && n < p->nodes; n++) {
    first[n] = count;
    count += p->node[n].workers;
  }
  int *node = malloc(((size_t)count + 1) * sizeof *node);
  double seconds = NAN;
  if (first && node) {
    first[p->nodes] = count;
    for (int n = 0; n < p->nodes; n++)
      for (int i = first[n]; i < first[n + 1]; i++) node[i] = n;
    seconds = block_time(p, c, box, node, count, first) * ceil((double)c->steps / (c->block ? c->block : 1));
  }
  free(first);
  free(node);
  return seconds;
}
