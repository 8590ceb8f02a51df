/* SPDX-License-Identifier: MIT */
#include "result/field.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "codelets/kernels.h"
#include "codelets/pieces.h"
#include "result/gather.h"

static hg_status make_field(const hg_heat_problem *p, hg_field *f)
{
  *f = (hg_field){.dims = p->dims, .n = {p->n[0], p->n[1], p->n[2]}, .precision = p->precision, .name = "temperature"};
  HG_TRY(hg_memory_check("the gathered grid", f->n, hg_precision_bytes(p->precision)));
  return hg_allocate("the gathered grid", (size_t)(hg_field_cells(f) * hg_precision_bytes(p->precision)), &f->values);
}

void hg_field_free(hg_field *f)
{
  free(f->values);
  f->values = NULL;
}

/* Puts the contiguous values of a tile's core into the field. */
static void place(hg_field *f, const hg_box *core, const void *values)
{
  const int64_t stride[3] = {1, f->n[0], f->n[0] * f->n[1]};
  hg_piece_cells cells = {.first = core->lo[0] + core->lo[1] * stride[1] + core->lo[2] * stride[2]};
  for (int a = 0; a < 3; a++) {
    cells.stride[a] = stride[a];
    cells.n[a] = hg_box_extent(core, a);
  }
  hg_piece_unpack(&cells, (int)hg_precision_bytes(f->precision), f->values, values);
}

static hg_status keep(void *arg, int tile, const hg_box *core, const void *values)
{
  (void)tile;
  place(arg, core, values);
  return HG_OK;
}

static hg_status visit(void *stencil, hg_tile_sink *take, void *arg)
{
  return hg_stencil_visit(stencil, take, arg);
}

hg_status hg_field_gather(const hg_session *session, const hg_heat_problem *problem, const hg_tiling *tiling,
                          hg_stencil *stencil, hg_field *out)
{
  hg_field f = {.dims = problem->dims, .precision = problem->precision};
  HG_TRY(hg_session_agree(session, session->rank == 0 ? make_field(problem, &f) : HG_OK));
  hg_status status = hg_gather(&(hg_gathering){.session = session,
                                               .tiling = tiling,
                                               .visit = visit,
                                               .graph = stencil,
                                               .element_bytes = hg_precision_bytes(problem->precision),
                                               .take = keep,
                                               .arg = &f});
  if (status != HG_OK)
    hg_field_free(&f);
  else
    *out = f;
  return status;
}

/* Puts a box read as doubles into place, rounded to the field's precision. */
static hg_status round_into(const hg_field *f, const hg_grid_input *in, const hg_box *box, const double *values,
                            int64_t first, void *out)
{
  if (f->precision == HG_FLOAT) return hg_grid_round(in, box, values, (float *)out + first);
  memcpy((double *)out + first, values, (size_t)hg_box_cells(box) * sizeof *values);
  return HG_OK;
}

/* Reads a whole input layer by layer (a layer: a row of a 2-D grid, a plane of a 3-D one). */
static hg_status read_whole(const hg_heat_problem *p, hg_grid_input *in, bool initial, const hg_field *f, void *out)
{
  const int slow = p->dims - 1;
  const int64_t layers = p->dims == 1 ? 1 : p->n[slow], layer = hg_field_cells(f) / layers;
  void *values;
  hg_status status = HG_OK;
  HG_TRY(hg_allocate("a layer of the input", (size_t)layer * sizeof(double), &values));
  for (int64_t i = 0; i < layers && status == HG_OK; i++) {
    hg_box box = {{0, 0, 0}, {p->n[0], p->n[1], p->n[2]}};
    if (p->dims > 1) box.lo[slow] = i, box.hi[slow] = i + 1;
    status = initial ? hg_grid_read_initial(in, p, &box, values) : hg_grid_read(in, p->n, &box, values);
    if (status == HG_OK) status = round_into(f, in, &box, values, i * layer, out);
  }
  free(values);
  return status;
}

hg_status hg_field_initial(const hg_heat_problem *problem, hg_grid_input *init, hg_field *out)
{
  hg_field f;
  HG_TRY(make_field(problem, &f));
  hg_status status = read_whole(problem, init, true, &f, f.values);
  if (status != HG_OK)
    hg_field_free(&f);
  else
    *out = f;
  return status;
}

void hg_field_summary(const hg_field *f, double *smallest, double *largest, double *sum)
{
  long double total = 0;
  *smallest = *largest = hg_field_get(f, 0);
  for (int64_t i = 0; i < hg_field_cells(f); i++) {
    double v = hg_field_get(f, i);
    if (v < *smallest) *smallest = v;
    if (v > *largest) *largest = v;
    total += v;
  }
  *sum = (double)total;
}

static void run_reference(const hg_heat_problem *p, int64_t steps, hg_field *state, void *scratch, const void *q)
{
  static const int kind_of[] = {[HG_FIXED] = 0, [HG_INSULATED] = 1, [HG_PERIODIC] = 2};
  const hg_heat_coef coef = {{p->alpha[0], p->alpha[1], p->alpha[2]}};
  int kind[3][2];
  for (int i = 0; i < 6; i++) kind[i / 2][i % 2] = kind_of[p->side[i / 2][i % 2].kind];
  if (p->precision == HG_FLOAT)
    hg_heat_reference_float(p->dims, p->n, kind, &coef, steps, state->values, scratch, q);
  else
    hg_heat_reference_double(p->dims, p->n, kind, &coef, steps, state->values, scratch, q);
}

static hg_status compare(const hg_field *result, const hg_field *expected)
{
  const int64_t size = hg_precision_bytes(result->precision);
  const char *a = result->values, *b = expected->values;
  int64_t cells = hg_field_cells(result), differing = 0, first = -1;
  for (int64_t i = 0; i < cells; i++)
    if (memcmp(a + i * size, b + i * size, (size_t)size) != 0 && differing++ == 0) first = i;
  if (differing == 0) return HG_OK;
  return hg_fail(HG_MISMATCH,
                 "%" PRId64 " of %" PRId64 " cells differ from the serial result, first (%" PRId64 ", %" PRId64
                 ", %" PRId64 "): %.17g instead of %.17g",
                 differing, cells, first % result->n[0], first / result->n[0] % result->n[1],
                 first / result->n[0] / result->n[1], hg_field_get(result, first), hg_field_get(expected, first));
}

hg_status hg_field_verify(const hg_heat_problem *problem, hg_grid_input *init, hg_grid_input *source, int64_t steps,
                          const hg_field *result)
{
  hg_field state = {0}, scratch = {0}, q = {0};
  hg_status status = hg_field_initial(problem, init, &state);
  if (status == HG_OK) status = make_field(problem, &scratch);
  if (status == HG_OK && source) status = make_field(problem, &q);
  if (status == HG_OK && source) status = read_whole(problem, source, false, &q, q.values);
  if (status == HG_OK) run_reference(problem, steps, &state, scratch.values, q.values);
  if (status == HG_OK) status = compare(result, &state);
  hg_field_free(&state);
  hg_field_free(&scratch);
  hg_field_free(&q);
  return status;
}
