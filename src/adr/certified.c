/* SPDX-License-Identifier: MIT */
#include "adr/certified.h"

#include <math.h>
#include <stdlib.h>

#include "adr/certificate.h"
#include "base/memory.h"
#include "codelets/adr/adr_point.h"

struct hg_adr_certified {
  const hg_adr_graph *g;
  double **weight; /* [tiles][2][field] */
  bool known;
  double found;       /* the ratio of the last search */
  int64_t next, wait; /* step before which to search again; steps that passed before the last search */
};

hg_status hg_adr_certified_make(const hg_adr_graph *g, hg_adr_certified **out)
{
  hg_adr_certified *c = calloc(1, sizeof *c);
  if (!c) return hg_fail(HG_MEMORY, "no memory");
  *c = (hg_adr_certified){.g = g, .weight = calloc((size_t)g->tiles + 1, sizeof *c->weight)};
  *out = c;
  if (!c->weight) return hg_fail(HG_MEMORY, "no memory for %d blocks", g->tiles);
  for (int i = 0; i < g->tiles; i++) HG_TRY(hg_allocate("weights", g->tile[i].state_bytes, (void **)&c->weight[i]));
  return HG_OK;
}

void hg_adr_certified_free(hg_adr_certified *c)
{
  if (!c) return;
  for (int i = 0; c->weight && i < c->g->tiles; i++) free(c->weight[i]);
  free(c->weight);
  free(c);
}

/* --- searching for weights --- */

/* Copies a block's own values to their place in the grid. */
static void add_values(const hg_adr_graph *g, const hg_adr_tile *t, double *value)
{
  const int64_t *n = g->problem->n;
  const hg_box *core = &t->place.core;
  const hg_halo_piece_cells c = hg_adr_cells(&t->info.block, &t->place, core);
  starpu_data_acquire(t->state[HG_ADR_STATE], STARPU_R);
  for (int s = 0; s < 2; s++)
    for (int64_t z = 0; z < c.n[2]; z++)
      for (int64_t y = 0; y < c.n[1]; y++)
        for (int64_t x = 0; x < c.n[0]; x++)
          value[((s * n[2] + core->lo[2] + z) * n[1] + core->lo[1] + y) * n[0] + core->lo[0] + x] =
              t->memory[HG_ADR_STATE][s * t->info.block.field + c.first + z * c.stride[2] + y * c.stride[1] + x];
  starpu_data_release(t->state[HG_ADR_STATE]);
}

/* A NaN proves nothing. */
static double provable(double ratio)
{
  return isnan(ratio) ? INFINITY : ratio;
}

/* All ranks get all values and find the same weights. */
static void find(hg_adr_certified *c, const hg_adr_step *step, double *value, double *weight)
{
  const hg_adr_graph *g = c->g;
  const int64_t *n = g->problem->n;
  for (int i = 0; i < g->tiles; i++) add_values(g, &g->tile[i], value);
  hg_session_sum_all(g->base.session, value, 2 * n[0] * n[1] * n[2]);
  c->found = provable(hg_adr_certificate_find(g->problem, step, value, weight));
  hg_session_max(g->base.session, &c->found); /* one may have run out of memory */
  c->known = c->found < 1;
  c->wait = c->known ? 0 : 2 * c->wait + (c->wait == 0);
  c->next = g->done + 1 + c->wait;
  for (int i = 0; i < g->tiles && c->known; i++)
    hg_adr_certificate_cut(g->problem, &g->tile[i].info.block, g->tile[i].place.unknowns.lo, weight, c->weight[i]);
}

static hg_status search(hg_adr_certified *c, const hg_adr_step *step)
{
  const int64_t *n = c->g->problem->n;
  const size_t bytes = 2 * (size_t)(n[0] * n[1] * n[2]) * sizeof(double);
  double *value = NULL, *weight = NULL;
  hg_status status = hg_allocate("all values", bytes, (void **)&value);
  if (status == HG_OK) status = hg_allocate("weights", bytes, (void **)&weight);
  status = hg_session_agree(c->g->base.session, status);
  if (status == HG_OK) find(c, step, value, weight);
  free(value);
  free(weight);
  return status;
}

/* --- before a step --- */

static double check(const hg_adr_certified *c, const hg_adr_step *step)
{
  const hg_adr_graph *g = c->g;
  double largest = 0;
  for (int i = 0; i < g->tiles; i++) {
    const hg_adr_tile *t = &g->tile[i];
    starpu_data_acquire(t->state[HG_ADR_STATE], STARPU_R);
    largest = hg_adr_max(
        largest, hg_adr_certificate_check(&t->info.block, step, t->tables, t->memory[HG_ADR_STATE], c->weight[i]));
    starpu_data_release(t->state[HG_ADR_STATE]);
  }
  return largest;
}

hg_status hg_adr_certified_look(hg_adr_certified *c, const hg_adr_step *step, double *ratio)
{
  const bool fresh = !c->known && c->g->done + 1 >= c->next;
  if (fresh) HG_TRY(search(c, step));
  *ratio = fresh || !c->known ? c->found : provable(check(c, step));
  return HG_OK;
}

bool hg_adr_certified_known(const hg_adr_certified *c)
{
  return c->known;
}

void hg_adr_certified_forget(hg_adr_certified *c)
{
  c->known = false;
  c->next = 0;
}
