/* SPDX-License-Identifier: MIT */
/* Libraries that HETGRID_BLAS must refuse: one with nothing of BLAS but a product, or, with -DWIDE, one whose integers
 * have 64 bits. */
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
