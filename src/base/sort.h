/* SPDX-License-Identifier: MIT */
#ifndef HG_BASE_SORT_H
#define HG_BASE_SORT_H

#include <stdint.h>

/** Orders doubles, smaller ones first; for qsort. */
static inline int hg_by_value(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/** The same for int64_t. */
static inline int hg_by_number(const void *a, const void *b)
{
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}
#endif
