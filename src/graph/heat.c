/* SPDX-License-Identifier: MIT */
#include "graph/heat.h"

#include <stdlib.h>

#include "base/memory.h"
#include "codelets/heat_codelet.h"

struct hg_heat_graph {
  const hg_session *session;
  const hg_heat_problem *problem;
  hg_heat_update update;
  hg_stencil_kernel kernel;
  hg_stencil *stencil;
};

/* What reads a box of a field in the problem's precision. */
typedef struct reader {
  const hg_heat_problem *problem;
  hg_grid_input *input;
  bool initial;
} reader;

static hg_status read_doubles(const reader *r, const hg_box *box, double *values)
{
  return r->initial ? hg_grid_read_initial(r->input, r->problem, box, values)
                    : hg_grid_read(r->input, r->problem->n, box, values);
}

static hg_status read_field(void *arg, const hg_box *box, void *values)
{
  const reader *r = arg;
  void *doubles;
  if (r->problem->precision == HG_DOUBLE) return read_doubles(r, box, values);
  HG_TRY(hg_allocate("a part of the input", (size_t)hg_box_cells(box) * sizeof(double), &doubles));
  hg_status status = read_doubles(r, box, doubles);
  if (status == HG_OK) status = hg_grid_round(r->input, box, doubles, values);
  free(doubles);
  return status;
}

hg_status hg_heat_make(const hg_session *session, const hg_heat_problem *p, const hg_tiling *tiling,
                       const hg_heat_kernel *kernel, hg_grid_input *source, hg_heat_graph **out)
{
  hg_heat_graph *g = calloc(1, sizeof *g);
  if (!g) return hg_fail(HG_MEMORY, "no memory");
  reader r = {p, source, false};
  g->session = session;
  g->problem = p;
  g->update = (hg_heat_update){
      .coef = {{p->alpha[0], p->alpha[1], p->alpha[2]}}, .is_float = p->precision == HG_FLOAT, .cpu = kernel};
  g->kernel = hg_heat_stencil_kernel(p->dims, source != NULL, &g->update);
  hg_status status = hg_stencil_make(session, tiling, &g->kernel, read_field, &r, &g->stencil);
  if (status != HG_OK)
    hg_heat_free(g);
  else
    *out = g;
  return status;
}

hg_status hg_heat_load(hg_heat_graph *g, hg_grid_input *init)
{
  reader r = {g->problem, init, true};
  return hg_stencil_load(g->stencil, 0, read_field, &r);
}

/* NaN is above all. */
static void keep_largest(void *largest, const void *change)
{
  const double c = *(const double *)change;
  if (!(c <= *(double *)largest)) *(double *)largest = c;
}

hg_status hg_heat_advance(hg_heat_graph *g, int64_t steps, double *change, void (*report)(void *arg, int64_t done),
                          void *arg)
{
  HG_TRY(hg_stencil_advance(g->stencil, steps, change != NULL, report, arg));
  if (!change || steps == 0) return HG_OK;
  *change = 0;
  hg_stencil_measured(g->stencil, keep_largest, change);
  hg_session_max(g->session, change);
  return HG_OK;
}

hg_stencil *hg_heat_stencil(const hg_heat_graph *g)
{
  return g->stencil;
}

void hg_heat_free(hg_heat_graph *g)
{
  if (!g) return;
  hg_stencil_free(g->stencil);
  free(g);
}
