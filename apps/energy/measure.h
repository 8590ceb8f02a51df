/* SPDX-License-Identifier: MIT */
/* --measure: the powers of this machine, for platform files. */
#ifndef HG_APPS_MEASURE_H
#define HG_APPS_MEASURE_H

#include "base/status.h"

typedef struct measure_options {
  const char *source;   /* as in --energy; NULL: rapl for cores, nvml for GPUs */
  const char *output;   /* file; NULL: where --energy expects it */
  double seconds, warm; /* s of each state, and s under load before it */
  int repeats;
  double meter_offset;
} measure_options;

/** Measures and writes. HG_UNSUPPORTED: no source; HG_RUNTIME, HG_IO */
hg_status measure(const measure_options *o);
#endif
