/* SPDX-License-Identifier: MIT */
#include "input/problem.h"

#include "tap.h"

static hg_heat_problem good(void)
{
  return (hg_heat_problem){.dims = 2, .n = {10, 10, 1}, .alpha = {.25, .25, 0}, .steps = 1, .check_every = 1};
}

static void refused(const hg_heat_problem *p, const char *part, const char *name)
{
  hg_status status = hg_heat_problem_check(p);
  tap_ok(status == HG_INVALID && strstr(hg_message(), part), "%s is refused (%s)", name, hg_message());
}

static void check_problems(void)
{
  hg_heat_problem p = good();
  tap_ok(hg_heat_problem_check(&p) == HG_OK, "ax + ay = 1/2 is just stable");
  p.alpha[0] = .26;
  refused(&p, "0.5", "an unstable scheme");
  p.allow_unstable = true;
  tap_ok(hg_heat_problem_check(&p) == HG_OK, "unless it is allowed");
  p = good(), p.alpha[1] = -.1;
  refused(&p, "-0.1", "a negative coefficient");
  p = good(), p.alpha[1] = NAN;
  refused(&p, "nan", "a NaN coefficient");
  p = good(), p.n[1] = 0;
  refused(&p, ">= 1", "an empty grid");
  p = good(), p.side[0][0].kind = HG_PERIODIC;
  refused(&p, "pairs", "one periodic side");
  p = good(), p.alpha[2] = .1;
  refused(&p, "2-D", "a coefficient of an axis that the grid does not have");
  p = good(), p.dims = 4;
  refused(&p, "1..3", "a fourth dimension");
}

static void check_boundaries(void)
{
  hg_side s[3][2] = {0};
  tap_ok(hg_boundary_parse("insulated", 2, s) == HG_OK && s[0][0].kind == HG_INSULATED && s[1][1].kind == HG_INSULATED,
         "one word holds for all sides");
  tap_ok(hg_boundary_parse("fixed=7.5", 2, s) == HG_OK && s[0][1].has_value && s[0][1].value == 7.5,
         "a fixed value is read");
  tap_ok(hg_boundary_parse("west=periodic,east=periodic,south=fixed=3", 2, s) == HG_OK && s[0][0].kind == HG_PERIODIC &&
             s[1][0].value == 7.5 && s[1][1].value == 3,
         "named sides change alone");
  const char *const bad[] = {"warm",      "fixed=",   "fixed=x",   "fixed=inf", "west",
                             "top=fixed", "up=fixed", "west=cold", "=",         "west=fixed,=,"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    tap_ok(hg_boundary_parse(bad[i], 2, s) == HG_INVALID, "'%s' is refused (%s)", bad[i], hg_message());
}

int main(void)
{
  check_problems();
  check_boundaries();
  return tap_done();
}
