/* SPDX-License-Identifier: MIT */
#include "energy/meterlog.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"
#include "input/lines.h"

/* --- times --- */

/* A number of exactly `digits` digits in lo..hi, followed by `mark` unless that is 0. */
static bool take(const char **at, const char *end, int digits, char mark, int lo, int hi, int *out)
{
  *out = 0;
  for (int i = 0; i < digits; i++, (*at)++) {
    if (*at == end || **at < '0' || **at > '9') return false;
    *out = 10 * *out + (**at - '0');
  }
  if (*out < lo || *out > hi) return false;
  return !mark || (*at < end && *(*at)++ == mark);
}

/* Z, +HH:MM, -HH:MM, or nothing for this machine's time zone. */
static bool take_zone(const char **at, const char *end, struct tm *t, double *seconds)
{
  int hours = 0, minutes = 0;
  if (*at == end || **at == ',') {
    t->tm_isdst = -1;
    *seconds = (double)mktime(t);
    return true;
  }
  const char sign = *(*at)++;
  *seconds = (double)timegm(t);
  if (sign == 'Z') return true;
  if (sign != '+' && sign != '-') return false;
  if (!take(at, end, 2, 0, 0, 23, &hours)) return false;
  if (*at < end && **at == ':') (*at)++;
  if (*at < end && **at != ',' && !take(at, end, 2, 0, 0, 59, &minutes)) return false;
  *seconds -= (sign == '+' ? 1 : -1) * (hours * 3600. + minutes * 60.);
  return true;
}

/* YYYY-MM-DDTHH:MM:SS[.S..][ZONE]; a blank may replace the T. */
static bool take_date(hg_lines *l, double *seconds)
{
  const char *at = l->at;
  struct tm t = {.tm_isdst = 0};
  double second;
  if (!take(&at, l->end, 4, '-', 1970, 9999, &t.tm_year) || !take(&at, l->end, 2, '-', 1, 12, &t.tm_mon) ||
      !take(&at, l->end, 2, 0, 1, 31, &t.tm_mday) || at == l->end || (*at != 'T' && *at != ' '))
    return false;
  at++;
  if (!take(&at, l->end, 2, ':', 0, 23, &t.tm_hour) || !take(&at, l->end, 2, ':', 0, 59, &t.tm_min)) return false;
  if (at == l->end || *at < '0' || *at > '9' || !(at = hg_scan_double(at, l->end, &second)) || !(second < 61))
    return false;
  t.tm_year -= 1900;
  t.tm_mon--;
  const int day = t.tm_mday;
  if (!take_zone(&at, l->end, &t, seconds) || t.tm_mday != day) return false; /* such as February 30 */
  *seconds += second;
  l->at = at;
  return at == l->end || *at == ',';
}

static hg_status read_time(hg_lines *l, double *out)
{
  if (l->end - l->at > 5 && l->at[4] == '-')
    return take_date(l, out) ? HG_OK : hg_lines_fail(l, "is not a time such as 2026-11-21T18:30:00.25Z");
  return hg_lines_double(l, ",", out);
}

/* --- lines --- */

static hg_status add_room(hg_meterlog *g)
{
  HG_TRY(hg_grow("a meter's log", (void **)&g->time, g->count, sizeof *g->time));
  return hg_grow("a meter's log", (void **)&g->watts, g->count, (size_t)g->columns * sizeof *g->watts);
}

static int count_commas(const hg_lines *l)
{
  int commas = 0;
  for (const char *c = l->start; c < l->end; c++) commas += *c == ',';
  return commas;
}

static hg_status read_values(hg_lines *l, hg_meterlog *g)
{
  double *watts = &g->watts[g->count * g->columns];
  HG_TRY(read_time(l, &g->time[g->count]));
  for (int i = 0; i < g->columns; i++) {
    if (!hg_lines_more(l) || *l->at != ',') return hg_lines_fail(l, "a comma is missing");
    l->at++;
    hg_lines_more(l);
    HG_TRY(hg_lines_double(l, ",", &watts[i]));
    if (watts[i] < 0) return hg_lines_fail(l, "%g W, must be >= 0", watts[i]);
  }
  if (hg_lines_more(l)) return hg_lines_fail(l, "more than a time and %d powers", g->columns);
  g->count++;
  return HG_OK;
}

/* Powers are in W: a head that names another unit is rejected. */
static hg_status check_head(const hg_lines *l)
{
  static const char *const others[] = {"kW", "mW", "MW", "uW", "J", "kJ", "MJ", "Wh", "kWh", NULL};
  for (const char *at = l->start; at < l->end;) {
    size_t length = 0;
    while (at + length < l->end && isalpha((unsigned char)at[length])) length++;
    for (int i = 0; others[i]; i++)
      if (length == strlen(others[i]) && memcmp(at, others[i], length) == 0)
        return hg_lines_fail(l, "the header has the unit %s, powers must be in W", others[i]);
    at += length > 0 ? length : 1;
  }
  return HG_OK;
}

static hg_status read_line(hg_lines *l, hg_meterlog *g)
{
  const int columns = count_commas(l);
  if (!hg_lines_more(l) || *l->at == '#') return HG_OK;
  const bool head = g->columns == 0 && !strchr("0123456789+-.", *l->at);
  if (g->columns == 0) {
    if (columns < 1 || columns > HG_METER_COLUMNS)
      return hg_lines_fail(l, "%d columns of watts, must be in 1..%d", columns, HG_METER_COLUMNS);
    g->columns = columns;
  }
  if (columns != g->columns)
    return hg_lines_fail(l, "%d values, must be %d; decimals follow a point, not a comma", columns + 1, g->columns + 1);
  if (head) return check_head(l);
  HG_TRY(add_room(g));
  return read_values(l, g);
}

void hg_meterlog_free(hg_meterlog *g)
{
  free(g->time);
  free(g->watts);
  *g = (hg_meterlog){.columns = 0};
}

hg_status hg_meterlog_parse(const char *text, size_t size, const char *place, hg_meterlog *out)
{
  while (size > 0 && text[size - 1] != '\n') size--;
  hg_lines l = hg_lines_begin(text, size, place);
  hg_status status = HG_OK;
  *out = (hg_meterlog){.columns = 0};
  while (status == HG_OK && hg_lines_next(&l)) status = read_line(&l, out);
  if (status != HG_OK) hg_meterlog_free(out);
  return status;
}

/* --- windows --- */

double hg_meterlog_end(const hg_meterlog *g)
{
  double last = -INFINITY;
  for (int64_t i = 0; i < g->count; i++) last = fmax(last, g->time[i]);
  return last;
}

/* Compares the longest interval within the window with the median of all. */
static hg_status warn_of_gaps(int count, const hg_sample *s, const char *place, double begin, double end)
{
  double longest = 0, at = 0, *interval = malloc((size_t)count * sizeof *interval);
  if (!interval) return hg_fail(HG_MEMORY, "%s: no memory for %d samples", place, count);
  for (int i = 1; i < count; i++) {
    interval[i - 1] = s[i].time - s[i - 1].time;
    if (s[i].time <= begin || s[i - 1].time >= end || interval[i - 1] <= longest) continue;
    longest = interval[i - 1];
    at = s[i - 1].time;
  }
  qsort(interval, (size_t)count - 1, sizeof *interval, hg_by_value);
  const double median = count > 1 ? interval[(count - 1) / 2] : 0;
  free(interval);
  if (longest > 10 * median && median > 0)
    hg_log(HG_WARN, "%s: no sample for %.3g s after the time %.3f; the median interval is %.3g s", place, longest, at,
           median);
  return HG_OK;
}

hg_status hg_meterlog_joules(const hg_meterlog *g, const char *place, double begin, double end, double *joules)
{
  hg_sample *sample = malloc((size_t)(g->count + 1) * sizeof *sample);
  hg_status status = sample && g->count < INT32_MAX ? HG_OK : hg_fail(HG_MEMORY, "%s: no memory", place);
  *joules = 0;
  for (int k = 0; k < (g->columns ? g->columns : 1) && status == HG_OK; k++) {
    const int count = (int)g->count;
    double part;
    for (int i = 0; i < count; i++) sample[i] = (hg_sample){g->time[i], g->watts[(int64_t)i * g->columns + k]};
    status = hg_samples_sort(count, sample);
    if (status == HG_OK) status = hg_trapezoid(count, sample, begin, end, &part);
    if (status == HG_OK) *joules += part;
    if (status == HG_OK && k == 0 && end > begin) status = warn_of_gaps(count, sample, place, begin, end);
  }
  free(sample);
  if (status != HG_INVALID) return status;
  char why[512];
  snprintf(why, sizeof why, "%.500s", hg_message());
  return hg_fail(status, "%s: %s", place, why);
}
