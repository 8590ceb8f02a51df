/* SPDX-License-Identifier: MIT */
/* Snapshots of a job: a series of files, each of which appears whole or not at all, and what joins them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "codelets/costs.h"
#include "job/rows.h"
#include "result/write.h"

const char *hg_run_series(const hg_run *r)
{
  return r->job->snapshot ? r->job->snapshot : r->name;
}

static hg_view view_of(const hg_run *r)
{
  const hg_job *j = r->job;
  hg_view v = {.box = {{0, 0, 0}, {r->domain.n[0], r->domain.n[1], r->domain.n[2]}}};
  if (hg_box_cells(&j->snapshot_box) > 0) v.box = j->snapshot_box;
  for (int a = 0; a < 3; a++) v.stride[a] = j->snapshot_stride[a] > 0 ? j->snapshot_stride[a] : 1;
  return v;
}

static void take_options(hg_job *j, const hg_grid_options *o)
{
  if (o->snapshot) j->snapshot = o->snapshot;
  if (o->snapshot_every) j->snapshot_every = o->snapshot_every;
  if (hg_box_cells(&o->snapshot_box) > 0) j->snapshot_box = o->snapshot_box;
  if (o->snapshot_stride[0]) memcpy(j->snapshot_stride, o->snapshot_stride, sizeof j->snapshot_stride);
  if (o->snapshot_png) j->snapshot_png = true;
}

/* What says how, where nothing says that there are any. A job may hold such fields for an option that asks for some. */
static hg_status check_unasked(const hg_grid_options *o)
{
  const char *given = o->snapshot                          ? "--snapshot"
                      : hg_box_cells(&o->snapshot_box) > 0 ? "--snapshot-box"
                      : o->snapshot_stride[0]              ? "--snapshot-stride"
                      : o->snapshot_png                    ? "--snapshot-png"
                                                           : NULL;
  return given ? hg_fail(HG_INVALID, "%s: needs --snapshot-every N", given) : HG_OK;
}

/* Room is that of one; how many there will be is not known where a condition ends the job. */
static hg_status check_place(const hg_run *r, const hg_field *f)
{
  char path[HG_PATH_MAX];
  if (r->session.rank > 0) return HG_OK;
  HG_TRY(hg_series_path(hg_run_series(r), 0, ".h5", path));
  HG_TRY(hg_output_check(path));
  return hg_output_fits(path, f->dims, (double)hg_field_cells(f) * (double)hg_precision_bytes(f->precision));
}

hg_status hg_run_check_snapshots(hg_run *r)
{
  hg_job *j = &r->own;
  hg_field f;
  take_options(j, &r->options->grid);
  if (j->snapshot_every < 0)
    return hg_fail(HG_INVALID, "job '%s': snapshot_every %" PRId64 ", must be >= 0", j->name, j->snapshot_every);
  if (j->snapshot_every == 0) return check_unasked(&r->options->grid);
  const hg_view v = view_of(r);
  for (int a = 0; a < 3; a++)
    if (v.box.lo[a] < 0 || v.box.hi[a] > r->domain.n[a])
      return hg_fail(HG_INVALID, "--snapshot-box: cells %" PRId64 "..%" PRId64 " of axis %c, the grid has 0..%" PRId64,
                     v.box.lo[a], v.box.hi[a] - 1, "xyz"[a], r -> domain.n[a] - 1);
  HG_TRY(hg_run_describe(r, &v, &f));
  return check_place(r, &f);
}

/* A run that goes on from a checkpoint goes on with the series that it finds. */
static hg_status begin(hg_run *r)
{
  char path[HG_PATH_MAX];
  const int64_t every = r->job->snapshot_every;
  r->series.count = 0;
  r->series.time_step = r->options->grid.time_step > 0 ? r->options->grid.time_step : 1;
  for (int64_t step = 0; step < r->first && r->session.rank == 0; step += every) {
    HG_TRY(hg_series_path(hg_run_series(r), step, ".h5", path));
    if (access(path, R_OK) != 0) continue;
    HG_TRY(hg_grow("snapshots", (void **)&r->series.step, r->series.count, sizeof *r->series.step));
    r->series.step[r->series.count++] = step;
  }
  return HG_OK;
}

static hg_status join(hg_run *r, const hg_view *v)
{
  hg_field f;
  if (r->session.rank > 0) return HG_OK;
  HG_TRY(hg_grow("snapshots", (void **)&r->series.step, r->series.count, sizeof *r->series.step));
  r->series.step[r->series.count++] = r->done;
  HG_TRY(hg_run_describe(r, v, &f));
  f.facts = &r->facts;
  return hg_write_series(hg_run_series(r), &f, &r->series);
}

hg_status hg_run_snapshot(hg_run *r)
{
  char path[HG_PATH_MAX];
  const int64_t every = r->job->snapshot_every;
  if (every == 0 || r->done % every != 0 || hg_simulated) return HG_OK;
  const hg_view v = view_of(r);
  if (r->series.time_step <= 0) HG_TRY(hg_session_agree(&r->session, begin(r)));
  hg_run_facts(r, &r->facts);
  HG_TRY(hg_series_path(hg_run_series(r), r->done, ".h5", path));
  HG_TRY(hg_run_write_view(r, &v, path));
  HG_TRY(hg_session_agree(&r->session, join(r, &v)));
  if (!r->job->snapshot_png) return HG_OK;
  HG_TRY(hg_series_path(hg_run_series(r), r->done, ".png", path));
  return hg_run_write_view(r, &v, path);
}
