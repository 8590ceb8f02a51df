/* SPDX-License-Identifier: MIT */
/* Libraries that HETGRID_BLAS must refuse: one with a single BLAS function, a matrix product, or, with -DWIDE, one with
 * 64-bit integers. */
#include <stdint.h>

#ifdef WIDE
typedef int64_t whole;
#else
typedef int whole;
#endif

whole idamax_(const whole *n, const double *x, const whole *step);
whole idamax_(const whole *n, const double *x, const whole *step)
{
  whole largest = *n > 0;
  for (whole i = 1; i < *n; i++)
    if (x[i * *step] > x[(largest - 1) * *step]) largest = i + 1;
  return largest;
}

#ifndef WIDE
void dgemm_(void);
void dgemm_(void)
{
}
#endif
