/* SPDX-License-Identifier: MIT */
#include "base/text.h"
#include "base/shown.h"

#include <stdlib.h>

#include "tap.h"

static void quotes(const char *text, size_t size, const char *expected)
{
  char out[64];
  tap_ok(strcmp(hg_text_csv(text, out, size), expected) == 0, "a field of CSV: %s (expected %s)", out, expected);
}

static void quotes_what_a_row_needs(void)
{
  quotes("plain text", 64, "plain text");
  quotes("a,b", 64, "\"a,b\"");
  quotes("a\"b", 64, "\"a\"\"b\"");
  quotes("a\nb", 64, "\"a\nb\"");
  quotes("a,bcdef", 7, "\"a,b\"");
  quotes("abcdefg", 6, "abcde");
}

static void refused(hg_status status, const char *part, const char *name)
{
  tap_ok(status == HG_INVALID && strstr(hg_message(), part), "%s is refused (%s)", name, hg_message());
}

static void scans(const char *text, double expected, size_t length)
{
  double x = 0;
  const char *stop = hg_scan_double(text, text + strlen(text), &x);
  tap_ok(stop == text + length && memcmp(&x, &expected, sizeof x) == 0,
         "'%.24s' is %.17g up to character %zu (got %.17g)", text, expected, length, x);
}

/* A number of up to 24 digits with a point and an exponent anywhere. */
static void random_number(uint64_t *state, char *text)
{
  const int64_t digits = tap_between(state, 1, 24), point = tap_between(state, 0, digits);
  char *p = text;
  if (tap_between(state, 0, 1)) *p++ = '-';
  for (int64_t i = 0; i < digits; i++) {
    if (i == point) *p++ = '.';
    *p++ = (char)('0' + tap_between(state, 0, 9));
  }
  sprintf(p, "e%d", (int)tap_between(state, -330, 310) / (int)tap_between(state, 1, 30));
}

static void scans_as_the_library_does(void)
{
  uint64_t state = 7;
  int64_t different = 0, runs = 200000;
  for (int64_t i = 0; i < runs; i++) {
    char text[64];
    double x;
    random_number(&state, text);
    const double expected = strtod(text, NULL);
    hg_scan_double(text, text + strlen(text), &x);
    if (memcmp(&x, &expected, sizeof x) != 0 && different++ == 0) printf("# %s: %.17g, %.17g\n", text, x, expected);
  }
  tap_int(different, 0, "200000 random numbers are read as strtod reads them, to the last bit");
}

static void scans_numbers(void)
{
  int64_t whole;
  scans("0", 0, 1);
  scans("-0.0", -0., 4);
  scans("1D3,", 1000, 3);
  scans("2.5d-01", .25, 7);
  scans(".5", .5, 2);
  scans("5.", 5, 2);
  scans("1e", 1, 1);
  scans("1.2.3", 1.2, 3);
  scans("1,5", 1, 1);
  scans("1e999", INFINITY, 5);
  scans("-1e99999999999999999999", -INFINITY, 23);
  scans("1e-999", 0, 6);
  scans("0.000000000000000000000000000000000000000000000001e48", 1, 53);
  scans("9007199254740993", 9007199254740992., 16);
  scans("9007199254740992.99999999999999999999999", 9007199254740992., 40);
  scans("179769313486231570000000000000000000000e270", 1.7976931348623157e308, 43);
  double x;
  tap_ok(!hg_scan_double("x", "x" + 1, &x) && !hg_scan_double(".", "." + 1, &x) && !hg_scan_double("-", "-" + 1, &x),
         "no number begins at x, a point or a sign");
  hg_scan_int("99999999999999999999999", "99999999999999999999999" + 23, &whole);
  tap_int(whole, INT64_MAX, "a whole number beyond 64 bits is the largest");
  scans_as_the_library_does();
}

int main(void)
{
  scans_numbers();
  quotes_what_a_row_needs();
  int64_t i = 0, list[3];
  double x = 0, reals[4];
  int count;
  tap_ok(hg_parse_int("42", "--n", 0, 100, &i) == HG_OK && i == 42, "a whole number is read");
  refused(hg_parse_int("", "--n", 0, 100, &i), "--n", "an empty number");
  refused(hg_parse_int("4x", "--n", 0, 100, &i), "4x", "a number with a tail");
  refused(hg_parse_int("101", "--n", 0, 100, &i), "0..100", "a number above its bound");
  double real = 0;
  tap_ok(hg_parse_int(" 5", "--n", 0, 100, &i) == HG_OK && i == 5, "a whole number after a blank");
  tap_ok(hg_parse_double(" 5", "--x", 0, 100, &real) == HG_OK && real == 5, "... and a real one");
  refused(hg_parse_int("1e16", "--n", 0, INT64_MAX, &i), "2^53", "an exponent beyond what is exact");
  int64_t pair[2];
  tap_ok(hg_parse_pair("2x13", "--ranks", 'x', 1, 20, pair) == HG_OK && pair[0] == 2 && pair[1] == 13,
         "a pair is read");
  refused(hg_parse_pair("2x4294967297", "--ranks", 'x', 1, 20, pair), "1..20", "a pair beyond 32 bits");
  refused(hg_parse_pair("x2", "--ranks", 'x', 1, 20, pair), "1x2", "a pair without its first");
  refused(hg_parse_pair("2x", "--ranks", 'x', 1, 20, pair), "--ranks", "a pair without its second");
  tap_ok(hg_parse_range("3-7", "--nodes", 0, 9, pair) == HG_OK && pair[0] == 3 && pair[1] == 7, "a range is read");
  tap_ok(hg_parse_range("4", "--nodes", 0, 9, pair) == HG_OK && pair[0] == 4 && pair[1] == 4, "... of one");
  refused(hg_parse_range("7-3", "--nodes", 0, 9, pair), "A <= B", "... that falls");
  refused(hg_parse_range("4294967296", "--nodes", 0, 9, pair), "0..9", "... beyond 32 bits");
  refused(hg_parse_int("99999999999999999999", "--n", 0, INT64_MAX, &i), "not in", "a number beyond 64 bits");
  tap_ok(hg_parse_double("2.5e-1", "--x", 0, 1, &x) == HG_OK && x == .25, "a real is read");
  refused(hg_parse_double("nan", "--x", 0, 1, &x), "finite", "NaN");
  refused(hg_parse_double("inf", "--x", 0, 1, &x), "finite", "infinity");
  refused(hg_parse_double("-1", "--x", 0, 1, &x), "0..1", "a real below its bound");
  tap_ok(hg_parse_ints("4,5,6", "--size", 1, 10, 3, list, &count) == HG_OK && count == 3 && list[2] == 6,
         "a list is read");
  refused(hg_parse_ints("4,5,6,7", "--size", 1, 10, 3, list, &count), "more than 3", "a list that is too long");
  refused(hg_parse_ints("4,,6", "--size", 1, 10, 3, list, &count), "empty", "a list with a hole");
  refused(hg_parse_ints("4,", "--size", 1, 10, 3, list, &count), "--size", "a list that ends with a comma");
  tap_ok(hg_parse_doubles("2*3,1", "--speeds", 0, 9, 4, reals, &count) == HG_OK && count == 4 && reals[2] == 2 &&
             reals[3] == 1,
         "repeated values are expanded");
  refused(hg_parse_doubles("2*5", "--speeds", 0, 9, 4, reals, &count), "4", "more repetitions than there is room");
  refused(hg_parse_doubles("2*0", "--speeds", 0, 9, 4, reals, &count), "1..4", "no repetition");
  return tap_done();
}
