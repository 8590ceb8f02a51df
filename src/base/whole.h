/* SPDX-License-Identifier: MIT */
/* The smaller and the larger of two whole numbers. */
#ifndef HG_BASE_WHOLE_H
#define HG_BASE_WHOLE_H

#include <stdint.h>

static inline int64_t hg_smaller(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static inline int64_t hg_larger(int64_t a, int64_t b)
{
  return a > b ? a : b;
}
#endif
