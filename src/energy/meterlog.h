/* SPDX-License-Identifier: MIT */
/* Logs of electricity meters, as CSV text:
 *
 *   time,watts[,watts..]          a first line without numbers names the columns
 *   1700000000.25,212.5,208       UNIX seconds, or ISO 8601: 2026-11-21T18:30:00.25Z
 *
 * Lines may be in any order; equal times form a step. Empty lines and lines that begin with # are skipped. */
#ifndef HG_ENERGY_METERLOG_H
#define HG_ENERGY_METERLOG_H

#include <stddef.h>
#include <stdint.h>

#include "energy/cluster_energy.h"

enum { HG_METER_COLUMNS = 256 };

typedef struct hg_meterlog {
  int columns; /**< of watts */
  int64_t count;
  double *time;  /**< [count] UNIX seconds */
  double *watts; /**< [count][columns] */
} hg_meterlog;

/** Parses a log; the text need not end with 0. An incomplete last line, which is still being written, is left out.
 * HG_FORMAT naming place, line and column; HG_MEMORY. Free with hg_meterlog_free. */
hg_status hg_meterlog_parse(const char *text, size_t size, const char *place, hg_meterlog *out);
void hg_meterlog_free(hg_meterlog *log);

/** The time of the latest sample; -INFINITY without samples. */
double hg_meterlog_end(const hg_meterlog *log);

/** J of all columns between two times in UNIX seconds. HG_INVALID, naming both ranges, if the samples do not cover
 * these. Warns of a gap of more than ten times the median interval. @param place  for messages */
hg_status hg_meterlog_joules(const hg_meterlog *log, const char *place, double begin, double end, double *joules);
#endif
