/* SPDX-License-Identifier: MIT */
#include "energy/power.h"

#include <string.h>

int hg_power_units(const hg_platform *p, int nodes)
{
  int units = 0;
  for (int n = 0; n < nodes; n++) units += p->node[n].workers;
  return units;
}

const hg_device *hg_power_device(const hg_platform *p, int unit)
{
  int n = 0;
  while (unit >= p->node[n].workers) unit -= p->node[n++].workers;
  return &p->device[p->node[n].device[unit]];
}

static hg_status check_powers(const hg_platform *p, int nodes)
{
  for (int n = 0; n < nodes; n++)
    for (int i = 0; i < p->node[n].workers; i++) {
      const hg_device *d = &p->device[p->node[n].device[i]];
      if (d->full <= 0) return hg_fail(HG_INVALID, "platform %s: device %s has no full=WATTS", p->name, d->name);
    }
  return HG_OK;
}

/* The first processor of this kind on a node that no worker has taken yet; -1 if there is none. */
static int take(const hg_platform *p, const hg_platform_node *node, bool cuda, bool *taken)
{
  for (int i = 0; i < node->workers; i++)
    if (!taken[i] && p->device[node->device[i]].cuda == cuda) {
      taken[i] = true;
      return i;
    }
  return -1;
}

hg_status hg_power_match(const hg_platform *p, int ranks, int workers, const int *rank, const bool *cuda, int *unit,
                         int *nodes)
{
  if (p->nodes > 1 && p->nodes < ranks)
    return hg_fail(HG_INVALID, "platform %s: %d nodes for %d ranks, must be 1 or at least as many", p->name, p->nodes,
                   ranks);
  *nodes = p->nodes > 1 ? ranks : 1;
  HG_TRY(check_powers(p, *nodes));
  bool taken[hg_power_units(p, *nodes)];
  memset(taken, 0, sizeof taken);
  for (int w = 0; w < workers; w++) {
    const int n = p->nodes > 1 ? rank[w] : 0, first = hg_power_units(p, n);
    const int i = take(p, &p->node[n], cuda[w], taken + first);
    if (i < 0)
      return hg_fail(HG_INVALID, "platform %s: node %d has too few %s for the workers of rank %d", p->name, n,
                     cuda[w] ? "GPUs" : "processor cores", rank[w]);
    unit[w] = first + i;
  }
  return HG_OK;
}

void hg_power_of_kernels(hg_platform *p, const char *kernels)
{
  int k = 0;
  while (kernels && hg_power_kernels[k] && strcmp(hg_power_kernels[k], kernels) != 0) k++;
  if (!kernels || k == HG_POWER_KERNELS) return;
  for (int i = 0; i < p->devices; i++)
    if (p->device[i].full_of[k] > 0) p->device[i].full = p->device[i].full_of[k];
}

double hg_power_of_use(const hg_device *d, const hg_unit_use *use)
{
  return d->full * use->busy + d->wait * use->wait + d->idle * use->idle;
}

hg_energy_breakdown hg_power_joules(const hg_platform *p, int nodes, double seconds, const hg_unit_use *use)
{
  hg_energy_breakdown sum = {.network = p->switch_watts * seconds};
  for (int n = 0, unit = 0; n < nodes; n++) {
    sum.base += p->node[n].base * seconds;
    for (int i = 0; i < p->node[n].workers; i++, unit++) {
      const hg_device *d = &p->device[p->node[n].device[i]];
      *(d->cuda ? &sum.gpu : &sum.cpu) += hg_power_of_use(d, &use[unit]);
    }
  }
  return sum;
}
