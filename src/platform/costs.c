/* SPDX-License-Identifier: MIT */
/* Costs of work and messages on a described machine. */
#include <math.h>

#include "platform/platform.h"

double hg_platform_bandwidth(const hg_platform *p)
{
  return p->backbone > 0 ? fmin(p->bandwidth, p->backbone / p->nodes) : p->bandwidth;
}

double hg_platform_heat_time(const hg_device *d, double w, int steps, double items)
{
  return d->start + steps * hg_speed_time(&d->heat, w, items / fmax(1, steps));
}

double hg_platform_update_time(const hg_device *d, double rows, double cols, double depth)
{
  return d->start + hg_speed_time(&d->update, rows * rows, 0) * cols / rows * depth / HG_PLATFORM_DEPTH;
}

double hg_platform_batch_time(const hg_device *d, double work)
{
  return d->start + work / d->batch;
}

double hg_platform_adr_time(const hg_device *d, double nodes, double bytes)
{
  if (d->adr > 0) return d->start + nodes / d->adr * bytes / HG_PLATFORM_ADR_BYTES;
  return d->start + hg_speed_time(&d->heat, nodes, 0) * bytes / HG_PLATFORM_HEAT_BYTES;
}

double hg_platform_panel_time(const hg_device *d, double cols, double flops)
{
  return d->start + cols * d->panel_column + flops / d->panel;
}

double hg_platform_solve_time(const hg_device *d, double rows)
{
  return rows * d->solve_row;
}
