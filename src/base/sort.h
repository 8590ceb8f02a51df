/* SPDX-License-Identifier: MIT */
#ifndef HG_BASE_SORT_H
#define HG_BASE_SORT_H

/** Order of two doubles, smaller ones first; for qsort. */
static inline int hg_by_value(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}
#endif
