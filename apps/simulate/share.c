/* SPDX-License-Identifier: MIT */
/* Distributes the columns of an elimination on a described machine, and chooses the size of its tiles. */
#include <stdlib.h>

#include "energy/power.h"
#include "speed/fpm.h"
#include "elimination/predict.h"
#include "simulate.h"

/* Speeds of an elimination: elements updated with HG_PLATFORM_DEPTH columns, in either precision. */
static hg_status make_models(const hg_device *const *device, int count, hg_speed_model *model)
{
  for (int i = 0; i < count; i++) {
    model[i] = device[i]->update;
    if (model[i].kind != HG_SPEED_TABLE && model[i].smax <= 0)
      return hg_fail(HG_INVALID, "device %s: has no speed for elimination", device[i]->name);
  }
  return HG_OK;
}

/* On average a third of the matrix is worked on at a time. */
static hg_status share_elements(hg_balance balance, const simulate_case *c, const hg_speed_model *model, int count,
                                double *share)
{
  const int64_t elements = c->size[0] * c->size[0] / 3 + 1;
  const double even = (double)elements / count;
  int64_t part[count];
  for (int i = 0; i < count; i++) share[i] = balance == HG_BALANCE_EVEN ? 1 : even / hg_speed_time(&model[i], even, 0);
  if (balance == HG_BALANCE_EVEN || balance == HG_BALANCE_CPM) return HG_OK;
  HG_TRY(hg_fpm(count, model, NULL, elements, part));
  for (int i = 0; i < count; i++) share[i] = (double)part[i];
  return HG_OK;
}

/* With communication, the other models' shares are candidates, and nodes that would only delay the others get
 * nothing. */
static hg_status choose(const hg_platform *p, const simulate_case *c, hg_balance balance, const hg_speed_model *model,
                        const hg_device *const *device, simulate_columns *out)
{
  int rank[out->workers], first = 0;
  const hg_lu_machine m = {out->workers, p->nodes, device, rank, hg_platform_bandwidth(p), p->latency, c->single};
  for (int n = 0; n < p->nodes; n++)
    for (int i = 0; i < p->node[n].workers; i++) rank[first++] = n;
  if (balance == HG_BALANCE_FPMC) {
    static const hg_balance simple[] = {HG_BALANCE_FPM, HG_BALANCE_CPM};
    enum { SIMPLE = sizeof simple / sizeof *simple };
    double candidate[SIMPLE][out->workers];
    for (int b = 0; b < SIMPLE; b++) HG_TRY(share_elements(simple[b], c, model, out->workers, candidate[b]));
    return hg_lu_choose_shares(&m, c->size[0], c->nb, SIMPLE, &candidate[0][0], out->share, &out->nb, &out->predicted);
  }
  HG_TRY(share_elements(balance, c, model, out->workers, out->share));
  return hg_lu_choose_tiles(&m, c->size[0], c->nb, out->share, &out->nb, &out->predicted);
}

static hg_status share_and_choose(const hg_platform *p, const simulate_case *c, const hg_device *const *device,
                                  simulate_columns *out)
{
  hg_balance balance;
  hg_speed_model model[out->workers];
  HG_TRY(simulate_balance(c, &balance));
  HG_TRY(make_models(device, out->workers, model));
  return choose(p, c, balance, model, device, out);
}

hg_status simulate_deal(const hg_platform *p, const simulate_case *c, simulate_columns *out)
{
  enum { MOST = 8192 };
  *out = (simulate_columns){.workers = hg_power_units(p, p->nodes)};
  if (out->workers > MOST)
    return hg_fail(HG_INVALID, "elimination on %d processors, at most %d are simulated", out->workers, MOST);
  const hg_device *device[out->workers];
  simulate_list_devices(p, device);
  out->share = calloc((size_t)out->workers, sizeof *out->share);
  if (!out->share) return hg_fail(HG_MEMORY, "no memory for %d processors", out->workers);
  const hg_status status = share_and_choose(p, c, device, out);
  if (status != HG_OK) free(out->share);
  return status;
}
