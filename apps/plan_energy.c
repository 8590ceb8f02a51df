/* SPDX-License-Identifier: MIT */
/* Plans by joules: which processors get work, what a plan costs, and what others would. */
#include <stdio.h>
#include <stdlib.h>

#include "model/green.h"
#include "model/platform.h"
#include "model/power.h"
#include "plan.h"

/* Speeds that nobody named are those of heat on even shares. */
static void speeds_of_platform(plan_options *o, const hg_platform *p, int units)
{
  const hg_partition_request *r = &o->request;
  const double w = r->size[0] * r->size[1] * r->size[2] / units;
  for (int i = 0; i < units; i++)
    o->speed[i] = w / hg_speed_time(&hg_power_device(p, i)->heat, w, 0);
  o->request.parts = units;
}

static hg_status load(plan_options *o, const hg_platform *p)
{
  const int units = hg_power_units(p, p->nodes);
  if (units > PLAN_SPEEDS_MAX)
    return hg_fail(HG_INVALID, "--energy: %d processors, must be at most %d", units,
                   PLAN_SPEEDS_MAX);
  if (o->request.parts == 0) speeds_of_platform(o, p, units);
  if (o->request.parts != units)
    return hg_fail(HG_INVALID, "--energy: %s has %d processors for %d speeds", o->energy, units,
                   o->request.parts);
  o->unit = calloc((size_t)units, sizeof *o->unit);
  if (!o->unit) return hg_fail(HG_MEMORY, "no memory for %d processors", units);
  HG_TRY(hg_green_of_platform(p, p->nodes, o->unit, &o->base));
  for (int i = 0; i < units; i++) o->unit[i].speed = o->speed[i];
  return HG_OK;
}

hg_status plan_load_energy(plan_options *o)
{
  hg_platform p;
  if (!o->energy)
    return o->objective == HG_BY_TIME ? HG_OK
                                      : hg_fail(HG_INVALID, "--objective: needs --energy PLATFORM");
  HG_TRY(hg_platform_find(o->energy, &p));
  hg_status status = load(o, &p);
  hg_platform_free(&p);
  return status;
}

/* Those without work lose their speed. */
hg_status plan_by_objective(plan_options *o)
{
  const int parts = o->request.parts;
  if (!o->unit || o->objective == HG_BY_TIME) return HG_OK;
  double *w = malloc((size_t)parts * sizeof *w);
  if (!w) return hg_fail(HG_MEMORY, "no memory for %d processors", parts);
  const hg_green_machine machine = {parts, o->unit, o->base};
  const hg_status status = hg_green_divide(&machine, 1, o->objective, w);
  for (int i = 0; i < parts && status == HG_OK; i++)
    if (w[i] <= 0) o->speed[i] = 0;
  free(w);
  return status;
}

hg_status plan_energy(const plan_options *o, const plan *p, double *seconds, double *joules)
{
  const int parts = p->request.parts;
  const hg_green_machine machine = {parts, o->unit, o->base};
  double *w = malloc((size_t)parts * sizeof *w);
  if (!w) return hg_fail(HG_MEMORY, "no memory for %d processors", parts);
  for (int i = 0; i < parts; i++) w[i] = p->part[i].cells;
  hg_green_cost(&machine, w, seconds, joules);
  free(w);
  return HG_OK;
}

hg_status plan_front(const plan_options *o, hg_green_point **front, int *count)
{
  const hg_partition_request *r = &o->request;
  const hg_green_machine machine = {r->parts, o->unit, o->base};
  return hg_green_front(&machine, r->size[0] * r->size[1] * r->size[2], front, count);
}
