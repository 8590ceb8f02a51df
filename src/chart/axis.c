/* SPDX-License-Identifier: MIT */
#include "chart/axis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/colours.h"

double hg_axis_place(const hg_axis *a, double value)
{
  const hg_colour_scale scale = {.low = a->low, .high = a->high, .logarithmic = a->logarithmic};
  return hg_colour_place(&scale, value);
}

static void put_power(char out[48], int power)
{
  static const char *const digit[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  char digits[16];
  snprintf(digits, sizeof digits, "%d", abs(power));
  strcpy(out, power < 0 ? "10⁻" : "10");
  for (const char *d = digits; *d; d++) strcat(out, digit[*d - '0']);
}

const char *hg_chart_number(double value, char out[HG_NUMBER])
{
  char power[48];
  const double size = fabs(value);
  if (!isfinite(value) || value == 0 || (size >= 1e-3 && size < 1e5)) {
    snprintf(out, HG_NUMBER, size >= 1000 ? "%.0f" : "%.4g", value);
    return out;
  }
  char digits[24];
  snprintf(digits, sizeof digits, "%.2e", value); /* -1.50e+06 */
  char *e = strchr(digits, 'e');
  put_power(power, atoi(e + 1));
  for (*e-- = 0; *e == '0'; e--) *e = 0;
  if (*e == '.') *e = 0;
  if (strcmp(digits, "1") == 0)
    snprintf(out, HG_NUMBER, "%s", power);
  else
    snprintf(out, HG_NUMBER, "%s·%s", digits, power);
  return out;
}

/* The divisor for an axis' numbers, and its prefix or name for the unit. */
typedef struct factor {
  double value;
  char unit[64];
} factor;

static factor factor_of(const hg_axis *a)
{
  static const char *const prefix[] = {"n", "µ", "m", "", "k", "M", "G", "T"};
  const double most = fmax(fabs(a->low), fabs(a->high));
  const int thousands = most > 0 && isfinite(most) ? (int)floor(log10(most * 1.0001) / 3) : 0;
  const char *unit = a->unit ? a->unit : "";
  const bool seconds = strcmp(unit, "s") == 0, known = seconds || strcmp(unit, "J") == 0;
  factor f = {1, ""};
  snprintf(f.unit, sizeof f.unit, "%.40s", unit);
  if (known) {
    const int at = (int)fmin(fmax(thousands, -3), seconds ? 0 : 4);
    f.value = pow(10, 3 * at);
    snprintf(f.unit, sizeof f.unit, "%s%.40s", prefix[at + 3], unit);
  } else if (most >= 1e5 || (most > 0 && most < 1e-2)) {
    char power[48];
    f.value = pow(10, 3 * thousands);
    put_power(power, 3 * thousands);
    snprintf(f.unit, sizeof f.unit, "%s%s%.36s", power, *unit ? " " : "", unit);
  }
  return f;
}

static bool add(hg_ticks *t, double value)
{
  if (t->count == HG_TICKS_MAX) return false;
  t->value[t->count++] = value;
  return true;
}

/* 1, 2 or 5 times a power of ten, at least `least`. */
static double round_step(double least)
{
  const double ten = pow(10, floor(log10(least)));
  for (int i = 0; i < 3; i++)
    if (least <= ten * (double[]){1, 2, 5}[i] * 1.000001) return ten * (double[]){1, 2, 5}[i];
  return 10 * ten;
}

static void linear_ticks(const hg_axis *a, double most, const factor *f, hg_ticks *t)
{
  const double beyond = 1e-9 * a->high - 1e-9 * a->low;
  double step = round_step(a->high / most - a->low / most); /* the span itself may overflow */
  if (a->whole || a->twos) step = fmax(step, 1);
  const int decimals = (int)fmax(0, -floor(log10(step / f->value) + 1e-9));
  for (double i = ceil(a->low / step - 1e-9); i * step <= a->high + beyond && add(t, i * step); i++)
    snprintf(t->text[t->count - 1], sizeof *t->text, "%.*f", decimals, i == 0 ? 0 : i * step / f->value);
}

static void text_of_two(const hg_axis *a, double value, char out[HG_NUMBER])
{
  static const char *const prefix[] = {"", " Ki", " Mi", " Gi", " Ti"};
  int i = 0;
  const bool bytes = a->unit && strcmp(a->unit, "B") == 0;
  for (; bytes && value >= 1024 && i < 4; i++) value /= 1024;
  snprintf(out, HG_NUMBER, "%.6g%s", value, prefix[i]);
}

/* Every `step`th power of ten or two, with `parts` values up to the next. Returns how many are on the axis. */
static int list_powers(const hg_axis *a, double step, int parts, const double *part, hg_ticks *t)
{
  const double base = a->twos ? 2 : 10, first = floor(log(a->low) / log(base) / step) * step;
  int there = 0;
  t->count = 0;
  for (double p = first; p <= log(a->high) / log(base) + 1e-9; p += step)
    for (int i = 0; i < parts; i++) {
      const double value = pow(base, p) * part[i];
      if (value < a->low * (1 - 1e-9) || value > a->high * (1 + 1e-9)) continue;
      there++;
      if (!add(t, value)) continue;
      if (a->twos)
        text_of_two(a, value, t->text[t->count - 1]);
      else
        hg_chart_number(value, t->text[t->count - 1]);
    }
  return there;
}

/* Powers of ten or two; if there is room also values between powers of ten, as many as fit. */
static void logarithmic_ticks(const hg_axis *a, double most, hg_ticks *t)
{
  static const double part[][9] = {{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 5}, {1, 3}, {1}};
  static const int parts[] = {9, 3, 2, 1};
  const double powers = log(a->high / a->low) / log(a->twos ? 2 : 10);
  int level = a->twos ? 3 : 0;
  while (level < 3 && list_powers(a, 1, parts[level], part[level], t) > most) level++;
  if (level == 3) list_powers(a, fmax(1, ceil(powers / most)), 1, part[3], t);
}

static void given_ticks(const hg_axis *a, hg_ticks *t)
{
  for (int i = 0; i < a->values; i++) {
    const double place = hg_axis_place(a, a->value[i]);
    if (place > -1e-9 && place < 1 + 1e-9 && add(t, a->value[i]))
      snprintf(t->text[t->count - 1], sizeof *t->text, "%.6g", a->value[i]);
  }
}

static void name_ticks(const hg_axis *a, double most, hg_ticks *t)
{
  const int every = (int)ceil(a->names / fmin(most, HG_TICKS_MAX));
  for (int i = 0; i < a->names && add(t, i + .5); i += every)
    snprintf(t->text[t->count - 1], sizeof *t->text, "%.40s", a->name[i]);
}

static void put_label(const hg_axis *a, const char *unit, hg_ticks *t)
{
  snprintf(t->label, sizeof t->label, *unit ? "%.120s (%s)" : "%.120s", a->label ? a->label : "", unit);
}

static void round_ticks(const hg_axis *a, double most, hg_ticks *t)
{
  const factor f = factor_of(a);
  t->count = 0;
  put_label(a, f.unit, t);
  linear_ticks(a, most, &f, t);
}

/* A logarithmic axis too short for two of its values gets round ones. */
void hg_axis_ticks(const hg_axis *a, double length, double apart, hg_ticks *t)
{
  const double most = fmax(length / apart, 2);
  t->count = 0;
  put_label(a, a->logarithmic && a->unit ? a->unit : "", t);
  if (a->names)
    name_ticks(a, most, t);
  else if (a->values)
    given_ticks(a, t);
  else if (a->logarithmic)
    logarithmic_ticks(a, most, t);
  if (!a->names && !a->values && t->count < 2) round_ticks(a, most, t);
}
