/* SPDX-License-Identifier: MIT */
/* What a dataset's attributes say of its numbers, by the conventions of NetCDF and CF. */
#ifndef HG_INPUT_CONVENTIONS_H
#define HG_INPUT_CONVENTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum { HG_MISSING_MAX = 64 };

typedef struct hg_conventions {
  double missing[HG_MISSING_MAX]; /**< numbers that stand where there are no data: _FillValue, missing_value or NetCDF's
                                     default */
  int count;
  double scale, offset; /**< of packed values */
  double valid[2];      /**< the least and the largest number of a cell that has data */
  bool valid_unpacked;  /**< once it is unpacked */
  bool is_unsigned;     /**< how whole numbers are meant, which may be stored otherwise: */
  double wrap;          /**< 2 to the number of their bits; 0: as they are stored */
} hg_conventions;

/** Reads them. HG_FORMAT naming file, dataset and attribute: one that cannot be used, such as a scale that is a text.
 * @param set  hid_t */
hg_status hg_conventions_read(int64_t set, const char *path, const char *dataset, hg_conventions *out);

/** Whether the dataset's value for numbers that were never written is NetCDF's own, which nobody chose. */
bool hg_conventions_default_fill(int64_t set, double *value);

/** The number that is meant by a stored one; NaN: there are no data. */
double hg_conventions_apply(const hg_conventions *conventions, double stored);

/** Whether all numbers are what is stored. */
bool hg_conventions_are_plain(const hg_conventions *conventions);
#endif
