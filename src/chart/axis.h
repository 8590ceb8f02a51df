/* SPDX-License-Identifier: MIT */
/* Axes: which values are written along them, and how. */
#ifndef HG_CHART_AXIS_H
#define HG_CHART_AXIS_H

#include <math.h>
#include <stdbool.h>

enum { HG_TICKS_MAX = 40 };

/** Numbers along a side of the plot, or names. */
typedef struct hg_axis {
  const char *label, *unit; /**< "time", "s"; NULL: none. Of "s", "B" and "J" parts and multiples are written */
  double low, high;         /**< equal: as the curves are */
  bool logarithmic;         /**< low > 0 then */
  bool twos;                /**< a logarithmic one has its ticks at powers of two */
  bool down;                /**< the low end of the y axis lies above */
  bool whole;               /**< only whole numbers are written */
  int values;               /**< numbers that are written in place of round ones */
  const double *value;
  int names; /**< place i + .5 is called name[i], and there are no numbers */
  const char *const *name;
} hg_axis;

/** A value as axes write it: at most four digits, large and small ones with a power of ten. */
enum { HG_NUMBER = 80 };
const char *hg_chart_number(double value, char out[HG_NUMBER]);

typedef struct hg_ticks {
  int count;
  double value[HG_TICKS_MAX];
  char text[HG_TICKS_MAX][HG_NUMBER];
  char label[200]; /**< of the axis, with its unit: "time (ms)" */
} hg_ticks;

/** Round values on an axis of `length` points, at least `apart` points from each other. Names are ticks too. */
void hg_axis_ticks(const hg_axis *axis, double length, double apart, hg_ticks *out);

/** Place of a value on it: 0 the low end, 1 the high end; not finite where it has none. */
double hg_axis_place(const hg_axis *axis, double value);
#endif
