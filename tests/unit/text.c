/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include "tap.h"

static void refused(hg_status status, const char *part, const char *name)
{
  tap_ok(status == HG_INVALID && strstr(hg_message(), part), "%s is refused (%s)", name, hg_message());
}

int main(void)
{
  int64_t i = 0, list[3];
  double x = 0, reals[4];
  int count;
  tap_ok(hg_parse_int("42", "--n", 0, 100, &i) == HG_OK && i == 42, "a whole number is read");
  refused(hg_parse_int("", "--n", 0, 100, &i), "--n", "an empty number");
  refused(hg_parse_int("4x", "--n", 0, 100, &i), "4x", "a number with a tail");
  refused(hg_parse_int("101", "--n", 0, 100, &i), "0..100", "a number above its bound");
  refused(hg_parse_int("99999999999999999999", "--n", 0, INT64_MAX, &i), "not in", "a number beyond 64 bits");
  tap_ok(hg_parse_real("2.5e-1", "--x", 0, 1, &x) == HG_OK && x == .25, "a real is read");
  refused(hg_parse_real("nan", "--x", 0, 1, &x), "finite", "NaN");
  refused(hg_parse_real("inf", "--x", 0, 1, &x), "finite", "infinity");
  refused(hg_parse_real("-1", "--x", 0, 1, &x), "0..1", "a real below its bound");
  tap_ok(hg_parse_ints("4,5,6", "--size", 1, 10, 3, list, &count) == HG_OK && count == 3 && list[2] == 6,
         "a list is read");
  refused(hg_parse_ints("4,5,6,7", "--size", 1, 10, 3, list, &count), "more than 3", "a list that is too long");
  refused(hg_parse_ints("4,,6", "--size", 1, 10, 3, list, &count), "empty", "a list with a hole");
  refused(hg_parse_ints("4,", "--size", 1, 10, 3, list, &count), "--size", "a list that ends with a comma");
  tap_ok(hg_parse_reals("2*3,1", "--speeds", 0, 9, 4, reals, &count) == HG_OK && count == 4 && reals[2] == 2 &&
             reals[3] == 1,
         "repeated values are expanded");
  refused(hg_parse_reals("2*5", "--speeds", 0, 9, 4, reals, &count), "4", "more repetitions than there is room");
  refused(hg_parse_reals("2*0", "--speeds", 0, 9, 4, reals, &count), "1..4", "no repetition");
  return tap_done();
}
