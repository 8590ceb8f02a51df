/* SPDX-License-Identifier: MIT */
/* Running means. */
#ifndef HG_BASE_AVERAGE_H
#define HG_BASE_AVERAGE_H

/** Tasks of which a running mean of times is made. */
#define HG_RECENT 8

/** A running mean of so many values. */
static inline void hg_average(double *mean, double value, int values)
{
  *mean += (value - *mean) / values;
}

/** ... of times: the first one, before which the mean is 0, stands for all. */
static inline void hg_average_time(double *mean, double seconds)
{
  hg_average(mean, seconds, *mean > 0 ? HG_RECENT : 1);
}
#endif
