/* SPDX-License-Identifier: MIT */
#include "adr/certificate.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "codelets/adr_problem.h"

enum { ROUNDS = 50 };

typedef struct rows {
  const hg_adr_problem *p;
  hg_adr_block b;
  double dt, term[HG_ADR_TERMS];
  double *tables, *weight, *next; /* both species, node by node */
} rows;

static double table(const rows *r, int axis, int which, int64_t i)
{
  return r->tables[hg_adr_table_at(&r->b, axis, which) + i];
}

static hg_adr_rates rates_at(const rows *r, const int64_t at[3])
{
  const double c1 = hg_adr_initial(r->p, 0, at), c2 = hg_adr_initial(r->p, 1, at);
  switch (r->p->reaction) {
  case HG_ADR_MMS: return hg_adr_mms(c1, c2, r->term, 0, 0, 0, 0, 0, 0);
  case HG_ADR_CONSERVE: return hg_adr_conserve(c1, c2);
  case HG_ADR_DIURNAL: return hg_adr_diurnal(c1, c2, r->term);
  case HG_ADR_NONE: break;
  }
  return (hg_adr_rates){0};
}

/* What the six neighbours weigh, for a species; those beyond fixed sides are no unknowns. */
static double neighbours(const rows *r, int64_t node, const int64_t at[3], int species)
{
  const int64_t *n = r->p->n, step[3] = {1, n[0], n[0] * n[1]};
  double sum = 0;
  for (int a = 0; a < 3; a++)
    for (int side = 0; side < 2; side++) {
      const bool last = side ? at[a] == n[a] - 1 : at[a] == 0;
      if (last && r->p->boundary[a] != HG_ADR_PERIODIC) continue;
      const int64_t move = (side ? 1 : -1) * (last ? 1 - n[a] : 1) * step[a];
      sum += fabs(table(r, a, side ? HG_ADR_HI : HG_ADR_LO, at[a])) *
             r->weight[2 * (node + move) + species];
    }
  return r->dt * sum;
}

/* One round: the largest ratio over the rows, and the weights that follow. */
static double go_round(rows *r)
{
  const int64_t *n = r->p->n, nodes = n[0] * n[1] * n[2];
  double largest = 0;
  for (int64_t i = 0; i < nodes; i++) {
    const int64_t at[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
    const hg_adr_rates k = rates_at(r, at);
    double sum = 1;
    for (int a = 0; a < 3; a++) sum += r->dt * table(r, a, HG_ADR_SUM, at[a]);
    const double across[2] = {fabs(r->dt * k.j12) * r->weight[2 * i + 1],
                              fabs(r->dt * k.j21) * r->weight[2 * i]};
    const double own[2] = {fabs(sum - r->dt * k.j11), fabs(sum - r->dt * k.j22)};
    for (int s = 0; s < 2; s++) {
      r->next[2 * i + s] = (neighbours(r, i, at, s) + across[s]) / own[s];
      largest = fmax(largest, r->next[2 * i + s] / r->weight[2 * i + s]);
    }
  }
  double *swap = r->weight;
  r->weight = r->next;
  r->next = swap;
  return largest;
}

static hg_status prepare(rows *r)
{
  const int64_t *n = r->p->n, first[3] = {0};
  const size_t bytes = 2 * (size_t)(n[0] * n[1] * n[2]) * sizeof *r->weight;
  for (int a = 0; a < 3; a++) r->b.n[a] = n[a];
  HG_TRY(hg_allocate("tables", (size_t)hg_adr_table_at(&r->b, 3, 0) * sizeof *r->tables,
                     (void **)&r->tables));
  HG_TRY(hg_allocate("weights", bytes, (void **)&r->weight));
  HG_TRY(hg_allocate("weights", bytes, (void **)&r->next));
  hg_adr_fill_tables(r->p, &r->b, first, r->tables);
  for (int64_t i = 0; i < 2 * n[0] * n[1] * n[2]; i++) r->weight[i] = 1;
  return HG_OK;
}

double hg_adr_certificate(const hg_adr_problem *p, const hg_adr_settings *s)
{
  rows r = {.p = p, .dt = s->steps > 0 ? s->time / (double)s->steps : 0};
  double best = INFINITY;
  hg_adr_terms(p, r.dt, r.term);
  if (prepare(&r) != HG_OK) best = NAN;
  for (int i = 0; i < ROUNDS && best >= 1; i++) best = fmin(best, go_round(&r));
  free(r.tables);
  free(r.weight);
  free(r.next);
  return best;
}
