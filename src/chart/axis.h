/* SPDX-License-Identifier: MIT */
/* Axes: which values are written along them, and in which form. */
#ifndef HG_CHART_AXIS_H
#define HG_CHART_AXIS_H

#include <math.h>
#include <stdbool.h>

enum { HG_TICKS_MAX = 40 };

/** An axis at a side of the plot, with numbers or names. */
typedef struct hg_axis {
  const char *label, *unit; /**< "time", "s"; NULL: none. "s" and "J" get SI prefixes, "B" binary ones */
  double low, high;         /**< equal: taken from the curves */
  bool logarithmic;         /**< requires low > 0 */
  bool twos;                /**< if logarithmic, ticks are at powers of two */
  bool down;                /**< the low end of the y axis is at the top */
  bool whole;               /**< only integers are written */
  int values;               /**< numbers to write instead of round ones */
  const double *value;
  int names; /**< position i + 0.5 has the name name[i], and there are no numbers */
  const char *const *name;
} hg_axis;

/** A value as written on axes: at most four digits, large and small ones with a power of ten. */
enum { HG_NUMBER = 80 };
const char *hg_chart_number(double value, char out[HG_NUMBER]);

typedef struct hg_ticks {
  int count;
  double value[HG_TICKS_MAX];
  char text[HG_TICKS_MAX][HG_NUMBER];
  char label[200]; /**< of the axis, with its unit: "time (ms)" */
} hg_ticks;

/** Round values on an axis of `length` points, at least `apart` points from each other. Names count as ticks, too. */
void hg_axis_ticks(const hg_axis *axis, double length, double apart, hg_ticks *out);

/** Position of a value on the axis: 0 the low end, 1 the high end; not finite if it has none. */
double hg_axis_place(const hg_axis *axis, double value);
#endif
