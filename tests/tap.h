/* SPDX-License-Identifier: MIT */
/* Test points that read as sentences and print the compared values, in the Test Anything Protocol. */
#ifndef HG_TESTS_TAP_H
#define HG_TESTS_TAP_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int tap_count, tap_failed;

/** Prints one test point with its name and counts it. */
__attribute__((format(printf, 2, 3), unused)) static bool tap_ok(bool good, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  printf("%sok %d - ", good ? "" : "not ", ++tap_count);
  vprintf(format, args);
  putchar('\n');
  fflush(stdout);
  va_end(args);
  if (!good) tap_failed++;
  return good;
}

__attribute__((unused)) static bool tap_int(int64_t got, int64_t expected, const char *name)
{
  return tap_ok(got == expected, "%s (got %lld, expected %lld)", name, (long long)got, (long long)expected);
}

__attribute__((unused)) static bool tap_near(double got, double expected, double tolerance, const char *name)
{
  return tap_ok(fabs(got - expected) <= tolerance, "%s (got %.17g, expected %.17g within %g)", name, got, expected,
                tolerance);
}

__attribute__((unused)) static bool tap_contains(const char *text, const char *part, const char *name)
{
  return tap_ok(strstr(text, part) != NULL, "%s ('%s' contains '%s')", name, text, part);
}

__attribute__((unused)) static void tap_skip(const char *why)
{
  printf("ok %d # SKIP %s\n", ++tap_count, why);
}

/** Prints the plan. Returns the exit status of the test program. */
__attribute__((unused)) static int tap_done(void)
{
  printf("1..%d\n", tap_count);
  return tap_failed != 0;
}

/** Small deterministic generator for property tests. */
__attribute__((unused)) static uint64_t tap_random(uint64_t *state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

__attribute__((unused)) static int64_t tap_between(uint64_t *state, int64_t lo, int64_t hi)
{
  return lo + (int64_t)(tap_random(state) % (uint64_t)(hi - lo + 1));
}
#endif
