/* SPDX-License-Identifier: MIT */
/* What a run tells about itself and its units without access to tiles. */
#include "base/locale.h"
#include "job/run.h"

int64_t hg_run_units(const hg_run *r)
{
  return r->domain.n[0] * r->domain.n[1] * r->domain.n[2];
}

hg_cell hg_run_cell(const hg_run *r, int64_t id)
{
  const int64_t *n = r->domain.n;
  hg_cell c = {id, id % n[0], id / n[0] % n[1], id / n[0] / n[1], 0, 1, {n[0], n[1], n[2]}};
  if (r->job->length) { /* which does not depend on the step */
    HG_PROGRAMS_LOCALE;
    c.length = r->job->length(&c, r->job->arg);
  }
  c.step = r->done;
  return c;
}

int64_t hg_run_length(const hg_run *r, int64_t id)
{
  return r->job->length ? hg_run_cell(r, id).length : 1;
}

hg_status hg_run_check_failed(const hg_run *r, const char *function)
{
  return r->failed == HG_OK ? HG_OK : hg_fail(r->failed, "%s: the run has failed before: %s", function, r->failure);
}

hg_status hg_run_check_numbers(const hg_run *r)
{
  const hg_update *u = r->job->update;
  if (r->job->number || (u->value_type && !u->arrays)) return HG_OK;
  return hg_fail(HG_INVALID, "job '%s': needs `number` to write values that are not single numbers", r->name);
}
