/* SPDX-License-Identifier: MIT */
#include "input/problem.h"

#include "tap.h"

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
  tap_ok(hg_boundary_parse("east=fixed=a day.csv,west=insulated", 2, s) == HG_OK && s[0][1].kind == HG_FIXED &&
             !s[0][1].has_value && s[0][1].times_length == 9 && strncmp(s[0][1].times, "a day.csv", 9) == 0,
         "a side may follow a file (%.*s)", s[0][1].times_length, s[0][1].times);
  tap_ok(hg_boundary_parse("flux=-2", 2, s) == HG_OK && s[0][1].kind == HG_INSULATED && s[0][1].flux == -2,
         "a side with a flux is insulated");
  tap_ok(hg_boundary_follows("up=fixed=t.npy") && !hg_boundary_follows("fixed=3") && !hg_boundary_follows(NULL),
         "what follows a file is known without the grid");
  hg_side half[3][2] = {{{.kind = HG_PERIODIC}}};
  tap_ok(hg_boundary_check(2, half) == HG_INVALID && strstr(hg_message(), "pairs"), "one periodic side is refused (%s)",
         hg_message());
  half[0][1].kind = HG_PERIODIC;
  tap_ok(hg_boundary_check(2, half) == HG_OK, "a pair of them is not");
  const char *const bad[] = {"warm",     "fixed=",    "fixed=x", "fixed=inf",     "west",  "top=fixed",
                             "up=fixed", "west=cold", "=",       "west=fixed,=,", "flux=", "flux=a.csv"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    tap_ok(hg_boundary_parse(bad[i], 2, s) == HG_INVALID, "'%s' is refused (%s)", bad[i], hg_message());
}

int main(void)
{
  check_boundaries();
  return tap_done();
}
