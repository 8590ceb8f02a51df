/* SPDX-License-Identifier: MIT */
/* Asynchronous runs of hetgrid-jacobi: what they do not support, and what they report. */
#include <inttypes.h>
#include <stdio.h>

#include "jacobi.h"

/* An option that makes no sense in a run whose tiles are at different steps. */
static const char *senseless(const jacobi *j)
{
  const hg_grid_options *g = &j->context.options.grid;
  if (g->checkpoint) return "--checkpoint";
  if (g->restart) return "--restart";
  if (j->context.job.snapshot_every) return "--snapshot-every";
  if (g->rebalance > 0) return "--rebalance";
  if (g->models) return "--models";
  if (g->block) return "--time-block";
  return NULL;
}

hg_status jacobi_check_mode(const jacobi *j)
{
  const bool ends = j->tolerance > 0 || j->residual > 0 || j->error > 0;
  if (!j->mode.async) return HG_OK;
  if (senseless(j))
    return hg_fail(HG_INVALID, "%s: not with --mode async, whose tiles are at different sweeps%s", senseless(j),
                   j->context.options.grid.block ? "; see --inner-sweeps" : "");
  if (!ends)
    return hg_fail(HG_INVALID,
                   "--mode async: needs --tolerance, --residual or --error, as --max-sweeps only limits the sweeps");
  return HG_OK;
}

void jacobi_mode_columns(const jacobi *j, hg_columns *row)
{
  const hg_job_context *l = &j->context;
  hg_column_text(row, "mode", j->mode.async ? "async" : "sync");
  hg_column_int(row, "sweeps_min", j->mode.async ? j->stats.fewest : l->steps);
  hg_column_int(row, "sweeps_max", j->mode.async ? j->stats.most : l->steps);
  hg_column_int(row, "snapshots", j->stats.snapshots);
  hg_column_double(row, "change", "%.17g", l->run->reduction);
  hg_column_double(row, "error_bound", "%.6g", jacobi_error(j) * 1.000005);
  hg_column_double(row, "replaced", "%.0f", j->stats.replaced);
  hg_column_int(row, "staleness", j->stats.staleness);
}

void jacobi_mode_text(const jacobi *j)
{
  const hg_relax_stats *t = &j->stats;
  if (!j->mode.async) return;
  printf("  async      %" PRId64 " to %" PRId64 " sweeps per tile, %.0f on average, %d per task; detection %s: %" PRId64
         " snapshot%s\n",
         t->fewest, t->most, t->mean, j->context.run->relax.inner, hg_detection_names[j->relax.detection.kind],
         t->snapshots, t->snapshots == 1 ? "" : "s");
  printf("  messages   %.0f faces published, %.0f replaced unread; at most %" PRId64
         " consecutive tasks without new values\n",
         t->published, t->replaced, t->staleness);
}
