/* SPDX-License-Identifier: MIT */
/* Measures a level: decides which sizes, how often and in which order, and evaluates samples. Independent of MPI and
 * CUDA: a probe takes the times. */
#ifndef HG_NETWORK_SURVEY_H
#define HG_NETWORK_SURVEY_H

#include <stdint.h>

#include "base/progress.h"
#include "network/network.h"

enum { HG_SURVEY_PASSES = 16 };

/** Takes times of single messages. */
typedef struct hg_probe {
  /** seconds[count] of messages of `bytes`, s, > 0. May fail. */
  hg_status (*times)(void *arg, double bytes, int count, double *seconds);
  void *arg;
} hg_probe;

/** Statistics of a set of samples. */
typedef struct hg_samples {
  double median, low, high; /**< s; first and third quartile */
  double half_width;        /**< of the 95 % interval of the median (order statistics), relative */
  int count, outliers;      /**< outliers: beyond 5 median absolute deviations; counted, never deleted */
} hg_samples;

/** Sorts the samples. @param count  >= 1 */
hg_samples hg_samples_describe(int count, double *seconds);

/** Takes samples until the 95 % interval of the median is narrower than +- 2.5 %, `budget` s are used up, or there are
 * 2000; at least 9, and for at least a quarter of the budget, so that one moment does not decide. */
hg_status hg_samples_take(const hg_probe *probe, double bytes, double budget, hg_samples *out);

/** Measurements from before an interruption: lines LEVEL,PASS,BYTES,MEDIAN,LOW,HIGH,SAMPLES,OUTLIERS after a head line
 * that identifies the survey; incomplete lines are skipped. */
typedef struct hg_journal {
  char path[HG_PATH_MAX];
  char *text; /**< text of earlier calls */
  FILE *out;
  int reused; /**< number of points taken from it */
} hg_journal;

/** Opens FILE.part; a file with another head is replaced. HG_IO, HG_INVALID. */
hg_status hg_journal_open(const char *file, const char *head, hg_journal *out);
/** Closes it; removes the file if `done`. */
void hg_journal_close(hg_journal *journal, bool done);

typedef struct hg_survey_plan {
  double max_bytes;    /**< largest message, >= 1 */
  double budget;       /**< approximate time, s; fewer points for a smaller budget */
  int passes;          /**< whole passes over all sizes, 2..HG_SURVEY_PASSES */
  double pause;        /**< s between passes, in addition to the budget */
  int most;            /**< most sizes */
  uint64_t seed;       /**< for the random order */
  hg_journal *journal; /**< or NULL */
  hg_progress *bar;    /**< or NULL; a unit is a size in a pass */
} hg_survey_plan;

/** Measures a level of the name in `out`: two sizes per octave, in random order. If the line between a size's
 * neighbours is off by more than 3 % there, the intervals beside it are halved. Then all sizes are measured again in
 * further passes. Fills points and segments. HG_MEMORY, HG_RUNTIME if a time is not > 0, and what the probe
 * returns. */
hg_status hg_network_survey(const hg_probe *probe, const hg_survey_plan *plan, hg_network_level *out);
#endif
