/* SPDX-License-Identifier: MIT */
/* Plans by joules: which processors get work, the cost of a plan, and that of others. */
#include <stdlib.h>

#include "energy/energy_division.h"
#include "platform/platform.h"
#include "energy/power.h"
#include "plan.h"

static double cells(const plan_options *o)
{
  const hg_partition_request *r = &o->request;
  return r->size[0] * r->size[1] * r->size[2];
}

/* The work of each processor in the best division; free with free(). */
static hg_status divide(const plan_options *o, int units, double **w)
{
  const hg_energy_division_machine machine = {units, o->unit, o->base};
  *w = malloc((size_t)units * sizeof **w);
  if (!*w) return hg_fail(HG_MEMORY, "no memory for %d processors", units);
  const hg_status status = hg_energy_division_divide(&machine, cells(o), o->objective, *w);
  if (status != HG_OK) free(*w);
  return status;
}

/* If no speeds are given, those of heat are used, from the platform's functions at the work of the best division. */
static hg_status speeds_of_platform(plan_options *o, const hg_platform *p, int units)
{
  const hg_speed_model **heat = malloc((size_t)units * sizeof *heat);
  double *w;
  if (!heat) return hg_fail(HG_MEMORY, "no memory for %d processors", units);
  for (int i = 0; i < units; i++) heat[i] = &hg_power_device(p, i)->heat;
  const hg_status status = hg_energy_division_fit(units, heat, o->base, cells(o), o->objective, o->unit);
  free(heat);
  HG_TRY(status);
  HG_TRY(divide(o, units, &w));
  for (int i = 0; i < units; i++)
    o->speed[i] =
        w[i] > 0 && o->unit[i].start > 0 ? w[i] / hg_energy_division_time(&o->unit[i], w[i]) : o->unit[i].speed;
  free(w);
  o->request.parts = units;
  return HG_OK;
}

static hg_status load(plan_options *o, const hg_platform *p)
{
  const int units = hg_power_units(p, p->nodes);
  if (units > PLAN_SPEEDS_MAX)
    return hg_fail(HG_INVALID, "--platform: %d processors, must be at most %d", units, PLAN_SPEEDS_MAX);
  const bool named = o->request.parts > 0;
  if (named && o->request.parts != units)
    return hg_fail(HG_INVALID, "--platform: %s has %d processors for %d speeds, must be equally many", o->energy, units,
                   o->request.parts);
  o->unit = calloc((size_t)units, sizeof *o->unit);
  if (!o->unit) return hg_fail(HG_MEMORY, "no memory for %d processors", units);
  HG_TRY(hg_energy_division_of_platform(p, p->nodes, o->unit, &o->base));
  for (int i = 0; i < units && named; i++) o->unit[i].speed = o->speed[i];
  return named ? HG_OK : speeds_of_platform(o, p, units);
}

hg_status plan_load_energy(plan_options *o)
{
  hg_platform p;
  if (!o->energy)
    return o->objective == HG_BY_TIME ? HG_OK : hg_fail(HG_INVALID, "--objective: needs --platform PLATFORM");
  HG_TRY(hg_platform_find(o->energy, &p));
  if (o->request.parts == 0) hg_power_of_kernels(&p, "heat"); /* matching the speeds */
  hg_status status = load(o, &p);
  hg_platform_free(&p);
  return status;
}

/* Processors without work get speed 0. */
hg_status plan_by_objective(plan_options *o)
{
  const int parts = o->request.parts;
  double *w;
  if (!o->unit) return HG_OK;
  HG_TRY(divide(o, parts, &w));
  for (int i = 0; i < parts; i++)
    if (w[i] <= 0) o->speed[i] = 0;
  free(w);
  return HG_OK;
}

hg_status plan_energy(const plan_options *o, const plan *p, double *seconds, double *joules)
{
  const int parts = p->request.parts;
  const hg_energy_division_machine machine = {parts, o->unit, o->base};
  double *w = malloc((size_t)parts * sizeof *w);
  if (!w) return hg_fail(HG_MEMORY, "no memory for %d processors", parts);
  for (int i = 0; i < parts; i++) w[i] = p->part[i].cells;
  hg_energy_division_cost(&machine, w, seconds, joules);
  free(w);
  return HG_OK;
}

hg_status plan_front(const plan_options *o, hg_energy_division_point **front, int *count)
{
  const hg_energy_division_machine machine = {o->request.parts, o->unit, o->base};
  return hg_energy_division_front(&machine, cells(o), front, count);
}
