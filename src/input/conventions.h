/* SPDX-License-Identifier: MIT */
/* The meaning of a dataset's numbers, by attributes of the NetCDF and CF conventions. */
#ifndef HG_INPUT_CONVENTIONS_H
#define HG_INPUT_CONVENTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum { HG_MISSING_MAX = 64 };

typedef struct hg_conventions {
  double missing[HG_MISSING_MAX]; /**< numbers that mark missing data: _FillValue, missing_value or NetCDF's default */
  int count;
  double scale, offset; /**< of packed values */
  double valid[2];      /**< least and largest number of a cell with data */
  bool valid_unpacked;  /**< valid[] is for unpacked numbers */
  bool is_unsigned;     /**< whether integers are meant to be unsigned, which may be stored otherwise: */
  double wrap;          /**< 2 to the number of their bits; 0: as stored */
} hg_conventions;

/** Reads the attributes. HG_FORMAT naming file, dataset and an attribute that cannot be used, such as a scale that is
 * a text.
 * @param set  hid_t */
hg_status hg_conventions_read(int64_t set, const char *path, const char *dataset, hg_conventions *out);

/** Whether the dataset's fill value is NetCDF's default. */
bool hg_conventions_default_fill(int64_t set, double *value);

/** The number that a stored one represents; NaN: no data. */
double hg_conventions_apply(const hg_conventions *conventions, double stored);

/** Whether numbers are to be taken as stored. */
bool hg_conventions_are_plain(const hg_conventions *conventions);
#endif
