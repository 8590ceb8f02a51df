/* SPDX-License-Identifier: MIT */
/* Cells without data in files: a number marks them, which no cell with data may hold. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "job/value_rows.h"

/* Search for the first cell with data that holds the number; a row of the input. */
typedef struct search {
  hg_run *run;
  double missing, *row;
  int64_t first;
  hg_status status;
} search;

static double number_at(const hg_run *r, const char *values, int64_t i)
{
  return r->job->update->value_type == 'f' ? (double)((const float *)(const void *)values)[i]
                                           : ((const double *)(const void *)values)[i];
}

static void look_at_row(void *arg, int64_t id, int64_t count, const char *values)
{
  search *s = arg;
  hg_grid_input *in = s->run->initial.field;
  const int64_t *n = s->run->domain.n, x = id % n[0], y = id / n[0] % n[1], z = id / n[0] / n[1];
  if (s->status == HG_OK) s->status = hg_grid_read(in, n, &(hg_box){{x, y, z}, {x + count, y + 1, z + 1}}, s->row);
  for (int64_t i = 0; i < count && s->status == HG_OK && id + i < s->first; i++)
    if (number_at(s->run, values, i) == s->missing && s->row[i] != *hg_grid_missing(in)) s->first = id + i;
}

static hg_status look_at_tile(void *arg, const hg_tile_view *t)
{
  search *s = arg;
  hg_run_each_row(s->run, t, look_at_row, s);
  return s->status;
}

static hg_status find_first(hg_run *r, int64_t *id)
{
  search s = {.run = r, .missing = hg_run_missing(r), .first = INT64_MAX};
  HG_TRY(hg_session_agree(&r->session,
                          hg_allocate("a row of the input", (size_t)r->domain.n[0] * sizeof *s.row, (void **)&s.row)));
  const hg_status status = hg_session_agree(&r->session, hg_run_visit(r, look_at_tile, &s));
  free(s.row);
  double first = -(double)s.first;
  hg_session_max(&r->session, &first);
  *id = (int64_t)-first;
  return status;
}

hg_status hg_run_check_holes(hg_run *r, const char *file)
{
  const int64_t *n = r->domain.n;
  hg_summary s;
  int64_t id;
  if (!hg_grid_missing(r->initial.field)) return HG_OK;
  HG_TRY(hg_run_summary(r, &s));
  if (s.hidden == 0) return HG_OK;
  HG_TRY(find_first(r, &id));
  return hg_fail(
      HG_MISMATCH,
      "%s: after step %" PRId64 " the value at (%" PRId64 ", %" PRId64 ", %" PRId64
      ") is %g, which marks cells without data; %s was not written; use an --input with another no-data value",
      r->name, r->done, id % n[0], id / n[0] % n[1], id / n[0] / n[1], hg_run_missing(r), file);
}
