/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hg_status hg_parse_int(const char *text, const char *what, int64_t lo, int64_t hi, int64_t *out)
{
  char *end = NULL;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  if (end == text || *end) return hg_fail(HG_INVALID, "%s: '%s' is not a whole number", what, text);
  if (errno == ERANGE || value < lo || value > hi)
    return hg_fail(HG_INVALID, "%s: %s is not in %" PRId64 "..%" PRId64, what, text, lo, hi);
  *out = value;
  return HG_OK;
}

hg_status hg_parse_real(const char *text, const char *what, double lo, double hi, double *out)
{
  char *end = NULL;
  double value = strtod(text, &end);
  if (end == text || *end) return hg_fail(HG_INVALID, "%s: '%s' is not a number", what, text);
  if (!isfinite(value)) return hg_fail(HG_INVALID, "%s: %s is not finite", what, text);
  if (value < lo || value > hi) return hg_fail(HG_INVALID, "%s: %s is not in %g..%g", what, text, lo, hi);
  *out = value;
  return HG_OK;
}

/* Copies the next item of a comma-separated list into `item`; *text moves behind it, to NULL after the last. */
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

hg_status hg_parse_reals(const char *text, const char *what, double lo, double hi, int max, double *out, int *count)
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
    HG_TRY(hg_parse_real(item, what, lo, hi, &value));
    if (times > max - *count) return hg_fail(HG_INVALID, "%s: more than %d numbers", what, max);
    for (int64_t i = 0; i < times; i++) out[(*count)++] = value;
  }
  return HG_OK;
}
