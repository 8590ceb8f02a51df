/* SPDX-License-Identifier: MIT */
#include "input/lines.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { SHOWN = 24 }; /* most characters of a wrong item in a message */

hg_lines hg_lines_begin(const char *text, size_t size, const char *place)
{
  const char *first = hg_text_begin(text, &size);
  return (hg_lines){.next = first, .text_end = first + size, .place = place};
}

bool hg_lines_next(hg_lines *l)
{
  if (l->next >= l->text_end) return false;
  const char *stop = memchr(l->next, '\n', (size_t)(l->text_end - l->next));
  l->at = l->start = l->next;
  l->end = stop ? stop : l->text_end;
  l->next = stop ? stop + 1 : l->text_end;
  if (stop && l->end > l->start && l->end[-1] == '\r') l->end--;
  l->number++;
  return true;
}

bool hg_lines_more(hg_lines *l)
{
  while (l->at < l->end && (*l->at == ' ' || *l->at == '\t')) l->at++;
  return l->at < l->end;
}

hg_status hg_lines_fail(const hg_lines *l, const char *format, ...)
{
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return hg_fail(HG_FORMAT, "%s:%" PRId64 ":%td: %s", l->place, l->number, l->at - l->start + 1, text);
}

static bool ends_item(const hg_lines *l, const char *p, const char *ends)
{
  return p == l->end || *p == ' ' || *p == '\t' || (*p && strchr(ends, *p));
}

/* The item that begins here, in printable form. */
static const char *item(const hg_lines *l, const char *ends, char shown[SHOWN + 4])
{
  size_t n = 0;
  for (const char *p = l->at; n < SHOWN && (p == l->at ? p < l->end : !ends_item(l, p, ends)); p++)
    shown[n++] = isprint((unsigned char)*p) ? *p : '?';
  strcpy(shown + n, n == SHOWN ? "..." : "");
  return shown;
}

hg_status hg_lines_double(hg_lines *l, const char *ends, double *out)
{
  char shown[SHOWN + 4];
  const char *stop = hg_scan_double(l->at, l->end, out);
  if (!stop || !ends_item(l, stop, ends)) return hg_lines_fail(l, "'%s' is not a finite number", item(l, ends, shown));
  if (!isfinite(*out)) return hg_lines_fail(l, "%s is too large, must be finite", item(l, ends, shown));
  l->at = stop;
  return HG_OK;
}

hg_status hg_lines_int(hg_lines *l, const char *what, int64_t lo, int64_t hi, int64_t *out)
{
  char shown[SHOWN + 4];
  if (!hg_lines_more(l)) return hg_lines_fail(l, "%s is missing", what);
  const char *stop = hg_scan_int(l->at, l->end, out);
  if (!stop || !ends_item(l, stop, ""))
    return hg_lines_fail(l, "%s '%s' is not a whole number", what, item(l, "", shown));
  if (*out < lo || *out > hi)
    return hg_lines_fail(l, "%s %s is not in %" PRId64 "..%" PRId64, what, item(l, "", shown), lo, hi);
  l->at = stop;
  return HG_OK;
}
