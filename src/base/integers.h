/* SPDX-License-Identifier: MIT */
/* The smaller and the larger of two whole numbers. */
#ifndef HG_BASE_INTEGERS_H
#define HG_BASE_INTEGERS_H

#include <stdint.h>

static inline int64_t hg_min(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static inline int64_t hg_max(int64_t a, int64_t b)
{
  return a > b ? a : b;
}
#endif
