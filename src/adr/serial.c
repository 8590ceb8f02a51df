/* SPDX-License-Identifier: MIT */
#include "adr/serial.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

typedef struct serial {
  const hg_adr_problem *p;
  const hg_adr_settings *s;
  const hg_adr_kernel *kernel;
  hg_adr_block b;
  double *tables, *u, *old, *before;
  void *work;
  hg_adr_outcome outcome;
  int64_t sweeps;
} serial;

static void release(serial *c)
{
  free(c->tables);
  free(c->u);
  free(c->old);
  free(c->before);
  free(c->work);
}

static hg_status allocate(serial *c)
{
  const size_t state = 2 * (size_t)c->b.field * sizeof *c->u;
  HG_TRY(hg_allocate("tables", (size_t)hg_adr_table_at(&c->b, 3, 0) * sizeof *c->tables, (void **)&c->tables));
  HG_TRY(hg_allocate("a state", state, (void **)&c->u));
  HG_TRY(hg_allocate("a state", state, (void **)&c->old));
  HG_TRY(hg_allocate("a state", state, (void **)&c->before));
  return hg_allocate("the inner solver", HG_ADR_FIELDS / 2 * state, &c->work);
}

static int64_t place_of(const serial *c, int64_t i)
{
  const int64_t *n = c->b.n, x = i % n[0], y = i / n[0] % n[1], z = i / n[0] / n[1] % n[2], s = i / n[0] / n[1] / n[2];
  return s * c->b.field + c->b.origin + z * c->b.stride[2] + y * c->b.stride[1] + x;
}

static double *value_at(const serial *c, int64_t i)
{
  return c->u + place_of(c, i);
}

static void fill_outside(const serial *c, double *state)
{
  for (int64_t i = 0; i < 2 * c->b.field; i++) state[i] = c->p->outside[i / c->b.field];
}

static void fill(serial *c)
{
  const int64_t *n = c->p->n, cells = n[0] * n[1] * n[2], first[3] = {0};
  fill_outside(c, c->u);
  for (int64_t i = 0; i < 2 * cells; i++) {
    const int64_t at[3] = {i % n[0], i / n[0] % n[1], i % cells / n[0] / n[1]};
    *value_at(c, i) = hg_adr_initial(c->p, (int)(i / cells), at);
  }
  hg_adr_fill_tables(c->p, &c->b, first, c->tables);
}

static hg_status advance(serial *c, int64_t number)
{
  const hg_adr_step step = hg_adr_step_make(c->p, c->s, number);
  const int real = !c->s->in_double;
  double first = 0;
  hg_adr_begin(&c->b, number == 1, hg_adr_is_bdf2(c->s, number), c->u, c->old, c->before, &c->outcome);
  for (int64_t sweep = 0;; sweep++) {
    const bool fresh = sweep == 0 || !c->s->once;
    c->kernel->residual[real](&c->b, &step, c->tables, c->u, c->old, fresh, c->work, &c->outcome);
    if (sweep == 0) first = c->outcome.residual;
    HG_TRY(hg_adr_check_sweep(c->s, number, sweep, c->outcome.residual, first, c->outcome.failed));
    if (c->outcome.residual <= c->s->tolerance) return HG_OK;
    c->kernel->solve[real](&c->b, &step, c->tables, c->u, c->work, &c->outcome);
    c->sweeps++;
  }
}

static hg_status run(serial *c, int64_t last, hg_adr_result *out)
{
  const int64_t *n = c->p->n, values = 2 * n[0] * n[1] * n[2];
  HG_TRY(allocate(c));
  fill(c);
  for (int64_t i = 1; i <= last; i++) HG_TRY(advance(c, i));
  HG_TRY(hg_allocate("the result", (size_t)values * sizeof *out->value, (void **)&out->value));
  for (int64_t i = 0; i < values; i++) out->value[i] = *value_at(c, i);
  out->sweeps = c->sweeps;
  out->iterations = c->outcome.iterations;
  return HG_OK;
}

static serial begin(const hg_adr_problem *p, const hg_adr_settings *s, const hg_adr_kernel *kernel)
{
  serial c = {.p = p, .s = s, .kernel = kernel, .b.reaction = (int)p->reaction};
  for (int a = 0; a < 3; a++) {
    c.b.n[a] = c.b.hi[a] = p->n[a];
    c.b.wrap[a] = p->boundary[a] == HG_ADR_PERIODIC;
  }
  hg_adr_lay_out(&c.b);
  return c;
}

hg_status hg_adr_serial(const hg_adr_problem *p, const hg_adr_settings *s, const hg_adr_kernel *kernel, int64_t last,
                        hg_adr_result *out)
{
  serial c = begin(p, s, kernel);
  *out = (hg_adr_result){0};
  const hg_status status = run(&c, last, out);
  release(&c);
  return status;
}

hg_status hg_adr_serial_residual(const hg_adr_problem *p, const hg_adr_settings *s, const hg_adr_kernel *kernel,
                                 int64_t number, const double *const value[2], const double *const before[2],
                                 double *residual)
{
  serial c = begin(p, s, kernel);
  const hg_adr_step step = hg_adr_step_make(p, s, number);
  const int64_t cells = p->n[0] * p->n[1] * p->n[2];
  const hg_status status = allocate(&c);
  if (status == HG_OK) {
    fill(&c);
    fill_outside(&c, c.old);
    for (int64_t i = 0; i < 2 * cells; i++) {
      c.u[place_of(&c, i)] = value[i / cells][i % cells];
      c.old[place_of(&c, i)] = before[i / cells][i % cells];
    }
    c.outcome.scale[0] = c.outcome.scale[1] = 1;
    kernel->residual[!s->in_double](&c.b, &step, c.tables, c.u, c.old, true, c.work, &c.outcome);
    *residual = c.outcome.residual;
  }
  release(&c);
  return status;
}

double hg_adr_error(const hg_adr_problem *p, const double *const value[2], double time)
{
  const int64_t *n = p->n, cells = n[0] * n[1] * n[2];
  double largest = 0;
  for (int64_t i = 0; i < 2 * cells && !isnan(largest); i++) {
    const int64_t at[3] = {i % n[0], i / n[0] % n[1], i % cells / n[0] / n[1]};
    const double error = fabs(value[i / cells][i % cells] - hg_adr_exact(p, (int)(i / cells), at, time));
    if (!(error <= largest)) largest = error;
  }
  return largest;
}
