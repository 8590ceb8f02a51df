/* SPDX-License-Identifier: MIT */
/* Sides with a heat flux: what enters in a step is added to the source of the cells at the side. */
#include <math.h>

#include "base/log.h"
#include "heat.h"

static double source_of(const hg_cell *c, double number, void *arg)
{
  const heat *h = arg;
  const int64_t at[3] = {c->x, c->y, c->z};
  double sum = isnan(number) ? 0 : number;
  for (int axis = 0; axis < 3; axis++) {
    if (at[axis] == 0) sum += h->flux[axis][0];
    if (at[axis] == c->n[axis] - 1) sum += h->flux[axis][1];
  }
  return sum;
}

hg_status heat_take_flux(heat *h, hg_job *j, const hg_side side[3][2])
{
  const hg_grid_options *g = &h->context.options.grid;
  const double seconds = g->time_step > 0 ? g->time_step : 1;
  bool any = false;
  for (int axis = 0; axis < j->dims; axis++)
    for (int high = 0; high < 2; high++) {
      h->flux[axis][high] = side[axis][high].flux * seconds / (g->spacings > 0 ? g->spacing[axis] : 1);
      any = any || side[axis][high].flux != 0;
    }
  if (any && !(g->time_step > 0 && g->spacings > 0))
    hg_log(HG_WARN,
           "--boundary: without --time-step or --spacing, a flux is converted with a step of 1 s or cells of 1 m");
  if (any && h->is_field)
    return hg_fail(HG_INVALID, "--boundary: a flux and a field of --diffusivity exclude each other");
  j->source_value = any ? source_of : NULL;
  j->arg = h;
  return HG_OK;
}

void heat_make_source(const hg_job *j, hg_field *source)
{
  const int64_t *n = source->n;
  int64_t i = 0;
  for (int64_t z = 0; z < n[2]; z++)
    for (int64_t y = 0; y < n[1]; y++)
      for (int64_t x = 0; x < n[0]; x++, i++) {
        const hg_cell cell = {.x = x, .y = y, .z = z, .n = {n[0], n[1], n[2]}};
        const double number = j->source_value(&cell, j->source ? hg_field_get(source, i) : NAN, j->arg);
        if (source->precision == HG_FLOAT)
          ((float *)source->values)[i] = (float)number;
        else
          ((double *)source->values)[i] = number;
      }
}
