/* SPDX-License-Identifier: MIT */
/* The time in seconds, real or of a simulated machine. */
#ifndef HG_BASE_CLOCK_H
#define HG_BASE_CLOCK_H

#include <time.h>

#ifdef HG_VIRTUAL_TIME
/** Simulated time, defined by the runtime (ranks_simulated.c). */
double hg_now(void);
#else
/** Monotonic time in seconds since an arbitrary start. */
static inline double hg_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/** Sleeps for that many seconds, >= 0. */
static inline void hg_sleep(double seconds)
{
  const struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
  nanosleep(&t, NULL);
}
#endif
#endif
