/* SPDX-License-Identifier: MIT */
#include "adr/problem.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "codelets/adr/adr_problem.h"

static const double PI = 3.14159265358979323846;

const char *const hg_adr_problem_names[] = {"mms", "conserve", "diurnal", NULL};
const char *const hg_adr_scheme_names[] = {"euler", "bdf2", NULL};
const char *const hg_adr_boundary_names[] = {"fixed", "periodic", "mirror", NULL};
const char *const hg_adr_reaction_names[] = {"mms", "conserve", "diurnal", "none", NULL};

/* A problem except its nodes: domain (km for diurnal: 20 wide, from 30 to 50 high) and coefficients. */
static const struct {
  hg_adr_reaction reaction;
  hg_adr_boundary boundary;
  double origin[3], length, a[3], d[3], growth;
} known[] = {{HG_ADR_MMS, HG_ADR_FIXED, {0}, 1, {1, .5, -.7}, {.1, .2, .15}, 0},
             {HG_ADR_CONSERVE, HG_ADR_PERIODIC, {0}, 1, {1, .5, -.7}, {.01, .02, .015}, 0},
             {HG_ADR_DIURNAL, HG_ADR_MIRROR, {0, 0, 30}, 20, {-1e-3, 0, 0}, {4e-6, 4e-6, 1e-8}, .2}};

void hg_adr_place_nodes(const double origin[3], const double length[3], hg_adr_problem *p)
{
  for (int i = 0; i < 3; i++) {
    const int64_t parts = p->boundary[i] == HG_ADR_FIXED    ? p->n[i] + 1
                          : p->boundary[i] == HG_ADR_MIRROR ? p->n[i] - 1
                                                            : p->n[i];
    p->h[i] = parts > 0 ? length[i] / (double)parts : 0;
    p->first[i] = p->boundary[i] == HG_ADR_FIXED ? origin[i] + p->h[i] : origin[i];
  }
}

hg_status hg_adr_problem_make(int number, const int64_t n[3], hg_adr_problem *p)
{
  const double length[3] = {known[number].length, known[number].length, known[number].length};
  *p = (hg_adr_problem){.name = hg_adr_problem_names[number],
                        .reaction = known[number].reaction,
                        .n = {n[0], n[1], n[2]},
                        .growth = known[number].growth,
                        .outside = {1, 1}};
  for (int i = 0; i < 3; i++) {
    if (n[i] < 1) return hg_fail(HG_INVALID, "--size: %" PRId64 " nodes along %c, must be >= 1", n[i], "xyz"[i]);
    p->boundary[i] = known[number].boundary;
    p->a[i] = known[number].a[i];
    p->d[i] = known[number].d[i];
  }
  hg_adr_place_nodes(known[number].origin, length, p);
  return hg_adr_problem_check(p);
}

void hg_adr_problem_free(hg_adr_problem *p)
{
  for (int s = 0; s < 2; s++) free(p->initial[s]), p->initial[s] = NULL;
}

static double diffusion(const hg_adr_problem *p, int axis, double z)
{
  return axis == 2 ? p->d[2] * exp(p->growth * z) : p->d[axis];
}

/* Weight of both neighbours, where D is largest. */
double hg_adr_largest_weight(const hg_adr_problem *p, int axis)
{
  const double h = p->h[axis], low = p->first[2] - p->h[2], high = p->first[2] + (double)p->n[2] * p->h[2];
  const double d = fmax(diffusion(p, axis, low), diffusion(p, axis, high));
  return h > 0 ? 2 * (d / (h * h)) + fabs(p->a[axis]) / h : d;
}

hg_status hg_adr_problem_check(const hg_adr_problem *p)
{
  for (int i = 0; i < 3; i++) {
    const char axis = "xyz"[i];
    if (!(p->d[i] >= 0) || !isfinite(p->d[i]))
      return hg_fail(HG_INVALID, "diffusion along %c is %g, must be >= 0 and finite", axis, p->d[i]);
    if (!isfinite(p->a[i])) return hg_fail(HG_INVALID, "velocity along %c is %g, must be finite", axis, p->a[i]);
    if (p->n[i] < 1) return hg_fail(HG_INVALID, "%" PRId64 " nodes along %c, must be >= 1", p->n[i], axis);
    if (!isfinite(hg_adr_largest_weight(p, i)))
      return hg_fail(HG_INVALID, "2 D / h^2 + |a| / h along %c is %g, must be finite", axis,
                     hg_adr_largest_weight(p, i));
  }
  return HG_OK;
}

double hg_adr_peclet(const hg_adr_problem *p)
{
  double largest = 0;
  for (int i = 0; i < 3; i++) {
    if (p->h[i] == 0 || p->a[i] == 0) continue;
    const double d = fmin(diffusion(p, i, p->first[2]), diffusion(p, i, p->first[2] + (double)(p->n[2] - 1) * p->h[2]));
    const double peclet = fabs(p->a[i]) * p->h[i] / (2 * d);
    if (!(peclet <= largest)) largest = peclet;
  }
  return largest;
}

/* --- time-dependent terms --- */

static void mms_terms(const hg_adr_problem *p, double t, double *term)
{
  const double velocity[3] = {PI * p->a[0], PI * p->a[1], PI * p->a[2]};
  term[HG_MMS_A1] = .5 * exp(-t);
  term[HG_MMS_DA1] = -.5 * exp(-t);
  term[HG_MMS_A2] = .4 * cos(3 * t);
  term[HG_MMS_DA2] = -1.2 * sin(3 * t);
  for (int i = 0; i < 3; i++) term[HG_MMS_VX + i] = velocity[i];
  term[HG_MMS_DECAY] = PI * PI * (p->d[0] + p->d[1] + p->d[2]);
}

/* At night there is no photolysis. */
static void diurnal_terms(double t, double *term)
{
  const double sun = sin(PI / 43200 * t);
  term[HG_DIURNAL_Q3C3] = sun > 0 ? exp(-22.62 / sun) * 3.7e16 : 0;
  term[HG_DIURNAL_Q4] = sun > 0 ? exp(-7.601 / sun) : 0;
}

void hg_adr_terms(const hg_adr_problem *p, double t, double *term)
{
  for (int i = 0; i < HG_ADR_TERMS; i++) term[i] = 0;
  if (p->reaction == HG_ADR_MMS) mms_terms(p, t, term);
  if (p->reaction == HG_ADR_DIURNAL) diurnal_terms(t, term);
}

/* --- values at nodes --- */

static double place(const hg_adr_problem *p, int axis, int64_t i)
{
  return p->first[axis] + (double)i * p->h[axis];
}

double hg_adr_exact(const hg_adr_problem *p, int species, const int64_t at[3], double t)
{
  double g = 1;
  if (p->reaction != HG_ADR_MMS) return NAN;
  for (int i = 0; i < 3; i++) g *= sin(PI * place(p, i, at[i]));
  return 1 + g * (species == 0 ? .5 * exp(-t) : .4 * cos(3 * t));
}

static double initial_conserve(int species, double x, double y, double z)
{
  if (species == 0) return 1 + .5 * sin(2 * PI * x) * cos(2 * PI * y) * sin(4 * PI * z);
  return 1 - .25 * cos(2 * PI * (x + z));
}

/* A hill whose height falls to half at the sides. */
static double hill(double from_middle)
{
  const double square = .01 * from_middle * from_middle;
  return 1 - square + .5 * square * square;
}

double hg_adr_initial(const hg_adr_problem *p, int species, const int64_t at[3])
{
  const double x = place(p, 0, at[0]), y = place(p, 1, at[1]), z = place(p, 2, at[2]);
  if (p->initial[species]) return p->initial[species][(at[2] * p->n[1] + at[1]) * p->n[0] + at[0]];
  if (p->reaction == HG_ADR_MMS) return hg_adr_exact(p, species, at, 0);
  if (p->reaction == HG_ADR_CONSERVE) return initial_conserve(species, x, y, z);
  return (species == 0 ? 1e6 : 1e12) * hill(x - 10) * hill(z - 40);
}

/* --- tables --- */

/* Weights of the node's neighbours, in 1/s. */
static void weights(const hg_adr_problem *p, int axis, int64_t i, double *lo, double *hi)
{
  const double h = p->h[axis], z = place(p, 2, i), drift = h > 0 ? p->a[axis] / (2 * h) : 0;
  *lo = h > 0 ? diffusion(p, axis, z - h / 2) / (h * h) + drift : 0;
  *hi = h > 0 ? diffusion(p, axis, z + h / 2) / (h * h) - drift : 0;
}

void hg_adr_fill_tables(const hg_adr_problem *p, const hg_adr_block *b, const int64_t first[3], double *tables)
{
  for (int a = 0; a < 3; a++) {
    double *column[HG_ADR_TABLES];
    for (int t = 0; t < HG_ADR_TABLES; t++) column[t] = tables + hg_adr_table_at(b, a, t);
    for (int64_t k = 0; k < b->n[a]; k++) {
      const int64_t i = (first[a] + k + p->n[a]) % p->n[a];
      double lo, hi;
      weights(p, a, i, &lo, &hi);
      column[HG_ADR_SUM][k] = lo + hi;
      const bool low = p->boundary[a] == HG_ADR_MIRROR && i == 0;
      const bool high = p->boundary[a] == HG_ADR_MIRROR && i == p->n[a] - 1;
      column[HG_ADR_LO][k] = low ? 0 : high ? lo + hi : lo;
      column[HG_ADR_HI][k] = high ? 0 : low ? lo + hi : hi;
      column[HG_ADR_SIN][k] = sin(PI * place(p, a, i));
      column[HG_ADR_COS][k] = cos(PI * place(p, a, i));
    }
  }
}
