/* SPDX-License-Identifier: MIT */
#include "adr/certificate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "codelets/adr/adr_point.h"

enum { ROUNDS = 50 };

typedef struct rows {
  const hg_adr_problem *p;
  hg_adr_block b;
  const hg_adr_step *step;
  const double *value;            /* one species after another; NULL: the initial values */
  double *tables, *weight, *next; /* both species of each node */
} rows;

static double table(const rows *r, int axis, int which, int64_t i)
{
  return r->tables[hg_adr_table_at(&r->b, axis, which) + i];
}

/* Only the derivatives are right: sources are omitted. */
static hg_adr_rates rates_of(int reaction, const hg_adr_step *step, double c1, double c2)
{
  switch (reaction) {
  case HG_ADR_MMS: return hg_adr_mms(c1, c2, step->term, 0, 0, 0, 0, 0, 0);
  case HG_ADR_CONSERVE: return hg_adr_conserve(c1, c2);
  case HG_ADR_DIURNAL: return hg_adr_diurnal(c1, c2, step->term);
  default: return (hg_adr_rates){0};
  }
}

static hg_adr_rates rates_at(const rows *r, const int64_t at[3])
{
  const int64_t *n = r->p->n, i = (at[2] * n[1] + at[1]) * n[0] + at[0];
  double c[2];
  for (int s = 0; s < 2; s++) c[s] = r->value ? r->value[s * n[0] * n[1] * n[2] + i] : hg_adr_initial(r->p, s, at);
  return rates_of((int)r->p->reaction, r->step, c[0], c[1]);
}

/* Sum of the weights of six neighbours, for a species; those beyond fixed sides are not unknowns. */
static double neighbours(const rows *r, int64_t node, const int64_t at[3], int species)
{
  const int64_t *n = r->p->n, step[3] = {1, n[0], n[0] * n[1]};
  double sum = 0;
  for (int a = 0; a < 3; a++)
    for (int side = 0; side < 2; side++) {
      const bool last = side ? at[a] == n[a] - 1 : at[a] == 0;
      if (last && r->p->boundary[a] != HG_ADR_PERIODIC) continue;
      const int64_t move = (side ? 1 : -1) * (last ? 1 - n[a] : 1) * step[a];
      sum += fabs(table(r, a, side ? HG_ADR_HI : HG_ADR_LO, at[a])) * r->weight[2 * (node + move) + species];
    }
  return r->step->dt * sum;
}

/* One round: returns the largest ratio over the rows, and computes the next weights. */
static double go_round(rows *r)
{
  const int64_t *n = r->p->n, nodes = n[0] * n[1] * n[2];
  double largest = 0;
  for (int64_t i = 0; i < nodes; i++) {
    const int64_t at[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
    const hg_adr_rates k = rates_at(r, at);
    double sum = 1;
    for (int a = 0; a < 3; a++) sum += r->step->dt * table(r, a, HG_ADR_SUM, at[a]);
    const double across[2] = {fabs(r->step->dt * k.j12) * r->weight[2 * i + 1],
                              fabs(r->step->dt * k.j21) * r->weight[2 * i]};
    const double own[2] = {fabs(sum - r->step->dt * k.j11), fabs(sum - r->step->dt * k.j22)};
    for (int s = 0; s < 2; s++) {
      r->next[2 * i + s] = (neighbours(r, i, at, s) + across[s]) / own[s];
      largest = hg_adr_max(largest, r->next[2 * i + s] / r->weight[2 * i + s]);
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
  HG_TRY(hg_allocate("tables", (size_t)hg_adr_table_at(&r->b, 3, 0) * sizeof *r->tables, (void **)&r->tables));
  HG_TRY(hg_allocate("weights", bytes, (void **)&r->weight));
  HG_TRY(hg_allocate("weights", bytes, (void **)&r->next));
  hg_adr_fill_tables(r->p, &r->b, first, r->tables);
  for (int64_t i = 0; i < 2 * n[0] * n[1] * n[2]; i++) r->weight[i] = 1;
  return HG_OK;
}

/* @param[out] weight  or NULL */
static double look_for(rows *r, double *weight)
{
  const int64_t *n = r->p->n;
  double best = INFINITY;
  if (prepare(r) != HG_OK) best = NAN;
  for (int i = 0; i < ROUNDS && best >= 1; i++) {
    const double ratio = go_round(r);
    if (!(ratio < best)) continue; /* also if weights have become too large */
    best = ratio;
    if (weight) memcpy(weight, r->next, 2 * (size_t)(n[0] * n[1] * n[2]) * sizeof *weight); /* previous ones */
  }
  free(r->tables);
  free(r->weight);
  free(r->next);
  return best;
}

double hg_adr_certificate(const hg_adr_problem *p, const hg_adr_settings *s)
{
  hg_adr_step step = {.dt = hg_adr_time(s, 1)};
  hg_adr_terms(p, step.dt, step.term);
  return look_for(&(rows){.p = p, .step = &step}, NULL);
}

double hg_adr_certificate_find(const hg_adr_problem *p, const hg_adr_step *step, const double *value, double *weight)
{
  return look_for(&(rows){.p = p, .step = step, .value = value}, weight);
}

/* --- of a block --- */

/* The grid's node at `at`, which may lie outside; -1: none. */
static int64_t node_at(const hg_adr_problem *p, const int64_t at[3])
{
  int64_t home[3];
  for (int a = 0; a < 3; a++) {
    home[a] = (at[a] + 2 * p->n[a]) % p->n[a];
    if (home[a] != at[a] && p->boundary[a] != HG_ADR_PERIODIC) return -1;
  }
  return (home[2] * p->n[1] + home[1]) * p->n[0] + home[0];
}

void hg_adr_certificate_cut(const hg_adr_problem *p, const hg_adr_block *b, const int64_t first[3], const double *grid,
                            double *weight)
{
  for (int64_t z = -1; z <= b->n[2]; z++)
    for (int64_t y = -1; y <= b->n[1]; y++)
      for (int64_t x = -1; x <= b->n[0]; x++) {
        const int64_t node = node_at(p, (int64_t[]){first[0] + x, first[1] + y, first[2] + z});
        const int64_t i = b->origin + z * b->stride[2] + y * b->stride[1] + x;
        for (int s = 0; s < 2; s++) weight[s * b->field + i] = node < 0 ? 0 : grid[2 * node + s];
      }
}

/* The larger ratio of a node's two rows. @param i  its element @param at  its position among the unknowns */
static double ratio_at(const hg_adr_block *b, const hg_adr_step *step, const double *tables, const double *u,
                       const double *weight, int64_t i, const int64_t at[3])
{
  const hg_adr_rates k = rates_of(b->reaction, step, u[i], u[b->field + i]);
  const double *w[2] = {weight + i, weight + b->field + i};
  double sum = 0, in[2] = {fabs(k.j12) * *w[1], fabs(k.j21) * *w[0]};
  for (int a = 0; a < 3; a++) {
    const double *t = tables + hg_adr_table_at(b, a, 0) + at[a];
    const double lo = fabs(t[HG_ADR_LO * b->n[a]]), hi = fabs(t[HG_ADR_HI * b->n[a]]);
    for (int s = 0; s < 2; s++) in[s] += lo * w[s][-b->stride[a]] + hi * w[s][b->stride[a]];
    sum += t[HG_ADR_SUM * b->n[a]];
  }
  const double first = step->dt * in[0] / (fabs(1 + step->dt * (sum - k.j11)) * *w[0]);
  const double second = step->dt * in[1] / (fabs(1 + step->dt * (sum - k.j22)) * *w[1]);
  return hg_adr_max(first, second);
}

double hg_adr_certificate_check(const hg_adr_block *b, const hg_adr_step *step, const double *tables, const double *u,
                                const double *weight)
{
  double largest = 0;
  for (int64_t z = b->lo[2]; z < b->hi[2]; z++)
    for (int64_t y = b->lo[1]; y < b->hi[1]; y++)
      for (int64_t x = b->lo[0]; x < b->hi[0]; x++) {
        const int64_t at[3] = {x, y, z}, i = b->origin + z * b->stride[2] + y * b->stride[1] + x;
        largest = hg_adr_max(largest, ratio_at(b, step, tables, u, weight, i, at));
      }
  return largest;
}
