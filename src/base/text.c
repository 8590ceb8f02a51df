/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double LARGEST_POWER = 0x1p53; /* numbers with an exponent are exact up to here */

/* Accepts 1e6 and 1.5e3 (1500); 1e-6 and 1.5 are not whole numbers. */
static bool read_power(const char *text, long long *value)
{
  double number;
  const char *end = hg_scan_double(text, text + strlen(text), &number);
  if (!end || *end || fabs(number) > LARGEST_POWER || number != floor(number)) return false;
  *value = (long long)number;
  return true;
}

hg_status hg_parse_int(const char *text, const char *what, int64_t lo, int64_t hi, int64_t *out)
{
  char *end = NULL;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  const bool beyond = errno == ERANGE;
  if (end == text || (*end && !read_power(text, &value)))
    return hg_fail(HG_INVALID, "%s: '%s' is not a whole number%s", what, text,
                   strpbrk(text, "eE") ? " of at most 2^53 (larger ones without an exponent)" : "");
  if (beyond || value < lo || value > hi)
    return hg_fail(HG_INVALID, "%s: %s is not in %" PRId64 "..%" PRId64, what, text, lo, hi);
  *out = value;
  return HG_OK;
}

hg_status hg_parse_pair(const char *text, const char *what, char between, int64_t lo, int64_t hi, int64_t out[2])
{
  char first[64];
  const char *at = strchr(text, between);
  const size_t length = at ? (size_t)(at - text) : 0;
  if (length == 0 || length >= sizeof first)
    return hg_fail(HG_INVALID, "%s: '%s', must be two numbers such as 1%c2", what, text, between);
  memcpy(first, text, length);
  first[length] = '\0';
  HG_TRY(hg_parse_int(first, what, lo, hi, &out[0]));
  return hg_parse_int(at + 1, what, lo, hi, &out[1]);
}

hg_status hg_parse_range(const char *text, const char *what, int64_t lo, int64_t hi, int64_t out[2])
{
  const bool one = !strchr(text, '-');
  const hg_status status = one ? hg_parse_int(text, what, lo, hi, out) : hg_parse_pair(text, what, '-', lo, hi, out);
  if (one) out[1] = out[0];
  if (status == HG_OK && out[0] <= out[1]) return HG_OK;
  return hg_fail(HG_INVALID, "%s: '%s', must be A or A-B with A <= B, in %" PRId64 "..%" PRId64, what, text, lo, hi);
}

hg_status hg_parse_double(const char *text, const char *what, double lo, double hi, double *out)
{
  double value;
  const char *begin = text + strspn(text, " \t"), *end = hg_scan_double(begin, begin + strlen(begin), &value);
  if (!end || *end || !isfinite(value)) return hg_fail(HG_INVALID, "%s: '%s' is not a finite number", what, text);
  if (value < lo || value > hi) return hg_fail(HG_INVALID, "%s: %s is not in %g..%g", what, text, lo, hi);
  *out = value;
  return HG_OK;
}

/* Copies the next item of a comma-separated list into `item`; *text moves past it, to NULL after the last. */
static hg_status next_item(const char **text, const char *what, char *item, size_t size)
{
  size_t length = strcspn(*text, ",");
  if (length == 0) return hg_fail(HG_INVALID, "%s: an item of the list is empty", what);
  if (length >= size) return hg_fail(HG_INVALID, "%s: item '%.20s...' is too long", what, *text);
  memcpy(item, *text, length);
  item[length] = 0;
  *text = (*text)[length] ? *text + length + 1 : NULL;
  return HG_OK;
}

hg_status hg_parse_ints(const char *text, const char *what, int64_t lo, int64_t hi, int max, int64_t *out, int *count)
{
  char item[64];
  *count = 0;
  while (text) {
    HG_TRY(next_item(&text, what, item, sizeof item));
    if (*count == max) return hg_fail(HG_INVALID, "%s: more than %d numbers", what, max);
    HG_TRY(hg_parse_int(item, what, lo, hi, &out[(*count)++]));
  }
  return HG_OK;
}

hg_status hg_parse_doubles(const char *text, const char *what, double lo, double hi, int max, double *out, int *count)
{
  char item[64];
  *count = 0;
  while (text) {
    HG_TRY(next_item(&text, what, item, sizeof item));
    int64_t times = 1;
    char *star = strchr(item, '*');
    if (star) {
      *star = 0;
      HG_TRY(hg_parse_int(star + 1, what, 1, max, &times));
    }
    double value;
    HG_TRY(hg_parse_double(item, what, lo, hi, &value));
    if (times > max - *count) return hg_fail(HG_INVALID, "%s: more than %d numbers", what, max);
    for (int64_t i = 0; i < times; i++) out[(*count)++] = value;
  }
  return HG_OK;
}

const char *hg_text_begin(const char *text, size_t *size)
{
  static const char mark[] = "\xef\xbb\xbf";
  const size_t length = sizeof mark - 1, skip = *size >= length && memcmp(text, mark, length) == 0 ? length : 0;
  *size -= skip;
  return text + skip;
}

/* --- numbers in files -------------------------------------------------------------------------------------------- */

enum {
  EXACT_DIGITS = 19,  /* decimal digits that fit in 64 bits */
  ENOUGH_DIGITS = 800 /* enough to decide between two neighbouring doubles; the last digit stands for all that follow */
};

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

const char *hg_scan_int(const char *text, const char *end, int64_t *out)
{
  const char *p = text;
  int64_t value = 0;
  for (; p < end && is_digit(*p); p++)
    if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *p - '0', &value)) {
      while (p < end && is_digit(*p)) p++;
      value = INT64_MAX;
      break;
    }
  *out = value;
  return p > text ? p : NULL;
}

/* Reads an exponent with its letter at p; *exponent is 0 if there is none. Returns where it ends. */
static const char *scan_exponent(const char *p, const char *end, int64_t *exponent)
{
  *exponent = 0;
  if (p == end || !strchr("eEdD", *p) || !*p) return p;
  const char *digits = p + 1;
  bool negative = false;
  if (digits < end && (*digits == '+' || *digits == '-')) negative = *digits++ == '-';
  const char *stop = hg_scan_int(digits, end, exponent);
  if (!stop) return p;
  if (*exponent > INT64_MAX / 4) *exponent = INT64_MAX / 4;
  if (negative) *exponent = -*exponent;
  return stop;
}

/* Converts the digits from `first` to `last`, a point skipped, times 10^exponent, by the C library. It gets no point,
 * so the locale does not matter. */
static double round_digits(const char *first, const char *last, int64_t exponent)
{
  char text[ENOUGH_DIGITS + 64];
  int count = 0;
  bool rest = false, point = false;
  for (const char *p = first; p < last; p++) {
    if (*p == '.') {
      point = true;
      continue;
    }
    if (count < ENOUGH_DIGITS) {
      if (count > 0 || *p != '0') text[count++] = *p;
      exponent -= point;
    } else {
      rest = rest || *p != '0';
      exponent += !point;
    }
  }
  if (count == 0) return 0;
  if (rest) {
    text[count++] = '1';
    exponent--;
  }
  snprintf(text + count, sizeof text - (size_t)count, "e%" PRId64, exponent);
  return strtod(text, NULL);
}

/* mantissa * 10^exponent = mantissa * 5^exponent * 2^exponent, where the power of five fits in 64 bits. The product is
 * exact in 128 bits. The quotient has at least 64 bits, the last of which is set if there is a remainder, so that
 * rounding it to the nearest double rounds the true value. */
static bool scale(uint64_t mantissa, int64_t exponent, double *out)
{
  static const uint64_t five[] = {UINT64_C(1),
                                  UINT64_C(5),
                                  UINT64_C(25),
                                  UINT64_C(125),
                                  UINT64_C(625),
                                  UINT64_C(3125),
                                  UINT64_C(15625),
                                  UINT64_C(78125),
                                  UINT64_C(390625),
                                  UINT64_C(1953125),
                                  UINT64_C(9765625),
                                  UINT64_C(48828125),
                                  UINT64_C(244140625),
                                  UINT64_C(1220703125),
                                  UINT64_C(6103515625),
                                  UINT64_C(30517578125),
                                  UINT64_C(152587890625),
                                  UINT64_C(762939453125),
                                  UINT64_C(3814697265625),
                                  UINT64_C(19073486328125),
                                  UINT64_C(95367431640625),
                                  UINT64_C(476837158203125),
                                  UINT64_C(2384185791015625),
                                  UINT64_C(11920928955078125),
                                  UINT64_C(59604644775390625),
                                  UINT64_C(298023223876953125),
                                  UINT64_C(1490116119384765625),
                                  UINT64_C(7450580596923828125)};
  const int64_t largest = sizeof five / sizeof *five - 1;
  *out = 0;
  if (mantissa == 0) return true;
  if (exponent < -largest || exponent > largest) return false;
  unsigned __int128 value = mantissa;
  int shift = 0;
  if (exponent >= 0)
    value *= five[exponent];
  else {
    shift = 64 + __builtin_clzll(mantissa);
    value <<= shift;
    const uint64_t divisor = five[-exponent];
    const unsigned __int128 quotient = value / divisor;
    value = quotient | (quotient * divisor != value);
  }
  *out = ldexp((double)value, (int)exponent - shift);
  return true;
}

const char *hg_scan_double(const char *text, const char *end, double *out)
{
  const char *p = text;
  bool negative = false, point = false;
  if (p < end && (*p == '-' || *p == '+')) negative = *p++ == '-';
  const char *first = p;
  uint64_t mantissa = 0;
  int64_t seen = 0, digits = 0, decimals = 0, exponent;
  for (; p < end && (is_digit(*p) || (*p == '.' && !point)); p++) {
    if (*p == '.') {
      point = true;
      continue;
    }
    seen++;
    decimals += point;
    if (digits < EXACT_DIGITS) mantissa = 10 * mantissa + (uint64_t)(*p - '0');
    digits += mantissa != 0;
  }
  if (seen == 0) return NULL;
  const char *last = p;
  p = scan_exponent(p, end, &exponent);
  double value;
  if (digits > EXACT_DIGITS || !scale(mantissa, exponent - decimals, &value))
    value = round_digits(first, last, exponent);
  *out = negative ? -value : value;
  return p;
}
