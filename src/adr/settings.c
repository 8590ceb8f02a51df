/* SPDX-License-Identifier: MIT */
#include "adr/settings.h"

#include <inttypes.h>
#include <math.h>

hg_status hg_adr_settings_check(const hg_adr_settings *s)
{
  if (!(s->time > 0) || !isfinite(s->time)) return hg_fail(HG_INVALID, "--time: %g s, must be > 0 and finite", s->time);
  if (s->steps < 0) return hg_fail(HG_INVALID, "--steps: %" PRId64 ", must be >= 0", s->steps);
  if (!(s->tolerance > 0) || !(s->tolerance < 1))
    return hg_fail(HG_INVALID, "--tolerance: %g, must be > 0 and < 1", s->tolerance);
  if (!(s->inner > 0) || !(s->inner < 1))
    return hg_fail(HG_INVALID, "--inner-tolerance: %g, must be > 0 and < 1", s->inner);
  if (s->global && s->overlap > 0)
    return hg_fail(HG_INVALID, "--overlap: %d planes, must be 0 with --inner-solver global", s->overlap);
  if (s->global && s->async) return hg_fail(HG_INVALID, "--mode async: --inner-solver global waits for all blocks");
  if (s->overlap < 0) return hg_fail(HG_INVALID, "--overlap: %d planes, must be >= 0", s->overlap);
  if (s->sweeps < 1) return hg_fail(HG_INVALID, "--max-sweeps: %" PRId64 ", must be >= 1", s->sweeps);
  return HG_OK;
}

hg_status hg_adr_step_check(const hg_adr_problem *p, const hg_adr_settings *s)
{
  static const double MOST = 1e16; /* beyond it, 1 is lost in rounding, and squares near the end of single precision */
  for (int a = 0; a < 3; a++) {
    const double weight = hg_adr_time(s, 1) * hg_adr_largest_weight(p, a);
    if (!(weight <= MOST))
      return hg_fail(HG_INVALID, "a step's dt (2 D / h^2 + |a| / h) along %c is %.3g, must be <= %g", "xyz"[a], weight,
                     MOST);
  }
  return HG_OK;
}

void hg_adr_count(hg_adr_stats *t, int64_t fewest, int64_t most)
{
  const bool first = t->steps++ == 0;
  t->sweeps += most;
  if (first || fewest < t->fewest) t->fewest = fewest;
  if (first || most > t->most) t->most = most;
}

double hg_adr_time(const hg_adr_settings *s, int64_t number)
{
  return s->steps > 0 ? s->time * (double)number / (double)s->steps : 0;
}

bool hg_adr_is_bdf2(const hg_adr_settings *s, int64_t number)
{
  return s->bdf2 && number > 1;
}

hg_adr_step hg_adr_step_make(const hg_adr_problem *p, const hg_adr_settings *s, int64_t number)
{
  const double dt = hg_adr_time(s, 1);
  hg_adr_step step = {.dt = hg_adr_is_bdf2(s, number) ? dt * 2 / 3 : dt,
                      .tolerance = s->tolerance,
                      .inner = s->inner,
                      .bicg = s->bicg,
                      .limit = HG_ADR_INNER_LIMIT};
  hg_adr_terms(p, hg_adr_time(s, number), step.term);
  return step;
}

hg_status hg_adr_check_sweep(const hg_adr_settings *s, int64_t number, int64_t sweep, double residual, double first,
                             double failed)
{
  static const double MUCH = 1e8;
  if (failed > 0)
    return hg_fail(HG_RUNTIME, "step %" PRId64 ": the inner solver broke down twice in a row, with a residual of %g",
                   number, failed);
  if (!isfinite(residual) && sweep == 0)
    return hg_fail(HG_RUNTIME, "step %" PRId64 ": the residual is %g: values or reaction rates are too large", number,
                   residual);
  if (!isfinite(residual) || residual > MUCH * (first + 1))
    return hg_fail(HG_RUNTIME, "step %" PRId64 ": the residual grew to %g in %" PRId64 " sweeps; try more --steps",
                   number, residual, sweep);
  if (sweep >= s->sweeps && residual > s->tolerance)
    return hg_fail(HG_RUNTIME,
                   "step %" PRId64 ": the residual is %g after %" PRId64
                   " sweeps (--max-sweeps), must be <= %g (--tolerance)",
                   number, residual, sweep, s->tolerance);
  return HG_OK;
}
