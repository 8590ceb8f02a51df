/* SPDX-License-Identifier: MIT */
#ifndef HG_APPS_CALIBRATE_H
#define HG_APPS_CALIBRATE_H

#include "hetgrid.h"

/** Something whose speed is measured: cells per step, and items exchanged per step. */
typedef struct calibration {
  const char *app;    /* "heat", "elimination" */
  const char *kernel; /* name of what runs */
  hg_precision precision;
  double (*seconds)(const struct calibration *c, int64_t side); /* a step on side x side cells; < 0: no memory */
  double (*exchange)(const struct calibration *c,
                     int64_t side); /* an item more of exchange per step, beside such cells */
} calibration;

/** The measurable kernels of this machine's CPU workers. */
void calibrate_heat(hg_precision precision, calibration *out);
void calibrate_elimination(hg_precision precision, calibration *out);

/** Median of as many runs as agree within a few percent, at most 15, after one that is left out. */
double calibrate_median(double (*once)(void *arg), void *arg);
#endif
