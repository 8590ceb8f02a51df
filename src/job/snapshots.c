/* SPDX-License-Identifier: MIT */
/* Snapshots of a job: a series of files, each of which appears whole or not at all, and the index that joins them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "codelets/simulated_costs.h"
#include "job/value_rows.h"
#include "result/write.h"

const char *hg_run_series(const hg_run *r)
{
  return r->job->snapshot ? r->job->snapshot : r->name;
}

static bool is_given(const hg_box *box)
{
  bool given = false;
  for (int a = 0; a < 3; a++) given = given || box->lo[a] != 0 || box->hi[a] != 0;
  return given;
}

static hg_view view_of(const hg_run *r)
{
  const hg_job *j = r->job;
  hg_view v = {.box = {{0, 0, 0}, {r->domain.n[0], r->domain.n[1], r->domain.n[2]}}};
  if (is_given(&j->snapshot_box)) v.box = j->snapshot_box;
  for (int a = 0; a < 3; a++) v.stride[a] = j->snapshot_stride[a] ? j->snapshot_stride[a] : 1;
  return v;
}

/* A single stride applies to all axes, even those of one cell. */
static hg_status check_view(const hg_run *r, const hg_view *v)
{
  for (int a = 0; a < 3; a++) {
    const int64_t lo = v->box.lo[a], hi = v->box.hi[a], n = r->domain.n[a], extent = hi - lo;
    if (lo < 0 || hi > n || hi <= lo)
      return hg_fail(HG_INVALID,
                     "--snapshot-box: cells %" PRId64 "..%" PRId64 " of axis %c%s, the grid has 0..%" PRId64, lo,
                     hi - 1, "xyz"[a], hi <= lo ? " are none" : "", n - 1);
    if (v->stride[a] < 1 || (v->stride[a] > extent && extent > 1))
      return hg_fail(HG_INVALID, "--snapshot-stride: %" PRId64 " along axis %c, must be in 1..%" PRId64, v->stride[a],
                     "xyz"[a], extent);
  }
  return HG_OK;
}

/* Checks the room for one snapshot; the number of snapshots is unknown if a condition ends the job. */
static hg_status check_place(const hg_run *r, const hg_field *f)
{
  char path[HG_PATH_MAX];
  double bytes = 0;
  if (r->session.rank > 0) return HG_OK;
  HG_TRY(hg_series_path(hg_run_series(r), 0, ".h5", path));
  HG_TRY(hg_output_check(path));
  for (const hg_field *i = f; i; i = i->also)
    bytes += (double)hg_field_cells(i) * (double)hg_precision_bytes(i->precision);
  return hg_output_fits(path, f->dims, bytes);
}

hg_status hg_run_check_snapshots(const hg_run *r)
{
  const hg_job *j = r->job;
  hg_field f[1 + HG_NUMBERS_MAX];
  if (j->snapshot_every < 0)
    return hg_fail(HG_INVALID, "job '%s': snapshot_every %" PRId64 ", must be >= 0", j->name, j->snapshot_every);
  if (j->snapshot_every == 0) return HG_OK;
  const hg_view v = view_of(r);
  HG_TRY(check_view(r, &v));
  HG_TRY(hg_run_describe_all(r, &v, f));
  return check_place(r, f);
}

/* A hash of what a series shows: the problem, its cells, their coordinates and times, and the further numbers of
 * each. */
static void mark_series(hg_run *r)
{
  const hg_grid_options *o = &r->options->grid;
  const hg_view v = view_of(r);
  uint64_t h = hg_problem_identity(r->problem);
  hg_hash_mix(&h, &v, sizeof v);
  hg_hash_mix(&h, o->spacing, sizeof o->spacing);
  hg_hash_mix(&h, &o->time_step, sizeof o->time_step);
  for (const hg_number *one = r->job->also; one && one->name; one++) hg_hash_mix(&h, one->name, strlen(one->name) + 1);
  snprintf(r->series_mark, sizeof r->series_mark, "%016" PRIx64, h);
}

/* Adds a step; steps are kept in order, each once. */
static hg_status note_snapshot(hg_run *r, int64_t step)
{
  hg_series *s = &r->series;
  int64_t at = s->count;
  while (at > 0 && s->step[at - 1] >= step) at--;
  if (at < s->count && s->step[at] == step) return HG_OK;
  HG_TRY(hg_grow("snapshots", (void **)&s->step, s->count, sizeof *s->step));
  memmove(s->step + at + 1, s->step + at, (size_t)(s->count++ - at) * sizeof *s->step);
  s->step[at] = step;
  return HG_OK;
}

/* Notes snapshots of the run that wrote the checkpoint, before and after it, whatever its --snapshot-every. */
static hg_status note_former(void *arg, const char *path, int64_t step)
{
  hg_run *r = arg;
  const bool ours = hg_metadata_have(path, "series_identity", r->series_mark);
  if (ours) return note_snapshot(r, step);
  if (step >= r->first) return HG_OK;
  return hg_fail(HG_INVALID,
                 "%s: belongs to another series: problem, box, stride, spacing or time step differ; choose another "
                 "name for --snapshot",
                 path);
}

hg_status hg_run_begin_series(hg_run *r)
{
  r->series.count = 0;
  r->series.time_step = r->options->grid.time_step > 0 ? r->options->grid.time_step : 1;
  if (r->job->snapshot_every == 0 || hg_simulated) return HG_OK;
  HG_TRY(hg_run_know_problem(r));
  mark_series(r);
  const bool list = r->session.rank == 0 && r->first > 0;
  return hg_session_agree(&r->session, list ? hg_series_each(hg_run_series(r), note_former, r) : HG_OK);
}

/* Describes box and stride in the form of --snapshot-box and --snapshot-stride. */
static void describe_view(hg_run *r, const hg_view *v)
{
  char first[80] = "", extent[80] = "", stride[80] = "", box[170];
  for (int a = 0; a < r->domain.dims; a++) {
    const char *between = a ? "," : "";
    const size_t at[] = {strlen(first), strlen(extent), strlen(stride)};
    snprintf(first + at[0], sizeof first - at[0], "%s%" PRId64, between, v->box.lo[a]);
    snprintf(extent + at[1], sizeof extent - at[1], "%s%" PRId64, between, hg_box_extent(&v->box, a));
    snprintf(stride + at[2], sizeof stride - at[2], "%s%" PRId64, between, v->stride[a]);
  }
  snprintf(box, sizeof box, "%s:%s", first, extent);
  hg_metadata_add_text(&r->metadata, "snapshot_box", box);
  hg_metadata_add_text(&r->metadata, "snapshot_stride", stride);
}

/* Writes the index up to the present step; files of later steps are added when the run reaches them. */
static hg_status join(hg_run *r, const hg_view *v)
{
  hg_series past;
  hg_field f[1 + HG_NUMBERS_MAX];
  if (r->session.rank > 0) return HG_OK;
  HG_TRY(note_snapshot(r, r->done));
  HG_TRY(hg_run_describe_all(r, v, f));
  f->metadata = &r->metadata;
  past = r->series;
  while (past.step[past.count - 1] > r->done) past.count--;
  return hg_write_series(hg_run_series(r), f, &past);
}

hg_status hg_run_snapshot(hg_run *r)
{
  char path[HG_PATH_MAX];
  const int64_t every = r->job->snapshot_every;
  if (every == 0 || r->done % every != 0 || hg_simulated) return HG_OK;
  const hg_view v = view_of(r);
  hg_run_metadata(r, &r->metadata);
  hg_metadata_add_text(&r->metadata, "series_identity", r->series_mark);
  describe_view(r, &v);
  HG_TRY(hg_series_path(hg_run_series(r), r->done, ".h5", path));
  HG_TRY(hg_run_write_view(r, &v, path));
  HG_TRY(hg_session_agree(&r->session, join(r, &v)));
  if (!r->job->snapshot_png) return HG_OK;
  HG_TRY(hg_series_path(hg_run_series(r), r->done, ".png", path));
  return hg_run_write_view(r, &v, path);
}
