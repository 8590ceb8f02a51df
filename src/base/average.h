/* SPDX-License-Identifier: MIT */
/* Running means. */
#ifndef HG_BASE_AVERAGE_H
#define HG_BASE_AVERAGE_H

/** Number of tasks in a running mean of times. */
#define HG_RECENT 8

/** Adds a value to a running mean of so many values. */
static inline void hg_average(double *mean, double value, int values)
{
  *mean += (value - *mean) / values;
}

/** The same for times: the first one (the mean is still 0) stands for all. */
static inline void hg_average_time(double *mean, double seconds)
{
  hg_average(mean, seconds, *mean > 0 ? HG_RECENT : 1);
}
#endif
