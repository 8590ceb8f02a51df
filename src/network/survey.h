/* SPDX-License-Identifier: MIT */
/* Measuring a level: which sizes, how often, in which order; what the samples say. Knows nothing of
 * MPI or CUDA: a probe takes the times. */
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

/** What a set of samples says. */
typedef struct hg_samples {
  double median, low, high; /**< s; first and third quartile */
  double half_width;        /**< of the 95 % interval of the median (order statistics), relative */
  int count, outliers;      /**< beyond 5 median absolute deviations: counted, never deleted */
} hg_samples;

/** Sorts the samples. @param count  >= 1 */
hg_samples hg_samples_describe(int count, double *seconds);

/** Samples until the 95 % interval of the median is narrower than +- 2.5 %, or `budget` s are spent
 * or there are 2000; at least 9, and for a quarter of the budget, so that a moment does not decide.
 */
hg_status hg_samples_take(const hg_probe *probe, double bytes, double budget, hg_samples *out);

/** What was measured before an interruption: lines
 * LEVEL,PASS,BYTES,MEDIAN,LOW,HIGH,SAMPLES,OUTLIERS behind one that says what is measured; lines
 * that are not whole are passed over. */
typedef struct hg_journal {
  char path[HG_PATH_MAX];
  char *text; /**< of the calls before */
  FILE *out;
  int reused; /**< points that were known */
} hg_journal;

/** Opens FILE.part; one with another head is begun anew. HG_IO, HG_INVALID. */
hg_status hg_journal_open(const char *file, const char *head, hg_journal *out);
/** Ends it; removed when all is done. */
void hg_journal_close(hg_journal *journal, bool done);

typedef struct hg_survey_plan {
  double max_bytes;    /**< largest message, >= 1 */
  double budget;       /**< s, about; what it is spent on shrinks with it */
  int passes;          /**< whole passes over all sizes, 2..HG_SURVEY_PASSES */
  double pause;        /**< s between passes, beside the budget */
  int most;            /**< sizes at most */
  uint64_t seed;       /**< of the order */
  hg_journal *journal; /**< or NULL */
  hg_progress *bar;    /**< or NULL; a size in a pass is a unit */
} hg_survey_plan;

/** Measures a level of the name in `out`: two sizes per octave, in shuffled order; where the line
 * over a size misses it by more than 3 %, the intervals beside it are halved; then all again, pass
 * by pass. Fills points and segments. HG_MEMORY, HG_RUNTIME if a time is not > 0, and what the
 * probe returns. */
hg_status hg_network_survey(const hg_probe *probe, const hg_survey_plan *plan, hg_network_level *out);
#endif
