/* SPDX-License-Identifier: MIT */
#include "energy/nnls.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Solves m x = v with `n` unknowns in place by elimination with pivoting; false if m is singular. */
static bool solve(int n, double m[HG_LEVELS_MAX][HG_LEVELS_MAX + 1], double *x)
{
  for (int c = 0; c < n; c++) {
    int pivot = c;
    for (int r = c + 1; r < n; r++)
      if (fabs(m[r][c]) > fabs(m[pivot][c])) pivot = r;
    if (fabs(m[pivot][c]) < 1e-12 * fabs(m[0][0])) return false;
    for (int k = 0; k <= n; k++) {
      const double swapped = m[c][k];
      m[c][k] = m[pivot][k];
      m[pivot][k] = swapped;
    }
    for (int r = c + 1; r < n; r++)
      for (int k = n; k >= c; k--) m[r][k] -= m[r][c] / m[c][c] * m[c][k];
  }
  for (int r = n - 1; r >= 0; r--) {
    x[r] = m[r][n];
    for (int k = r + 1; k < n; k++) x[r] -= m[r][k] * x[k];
    x[r] /= m[r][r];
  }
  return true;
}

/* Least squares for the unknowns in `set`, with the others 0. */
static bool fit(int rows, int unknowns, const double *a, const double *b, unsigned set, double *x)
{
  int column[HG_LEVELS_MAX], n = 0;
  double m[HG_LEVELS_MAX][HG_LEVELS_MAX + 1], part[HG_LEVELS_MAX];
  memset(m, 0, sizeof m);
  memset(x, 0, (size_t)unknowns * sizeof *x);
  for (int i = 0; i < unknowns; i++)
    if (set & 1u << i) column[n++] = i;
  for (int r = 0; r < rows; r++)
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) m[i][j] += a[r * unknowns + column[i]] * a[r * unknowns + column[j]];
      m[i][n] += a[r * unknowns + column[i]] * b[r];
    }
  if (!solve(n, m, part)) return false;
  bool positive = true;
  for (int i = 0; i < n; i++) positive &= (x[column[i]] = part[i]) >= 0;
  return positive;
}

static double residual(int rows, int unknowns, const double *a, const double *b, const double *x, double *worst)
{
  double sum = 0;
  *worst = 0;
  for (int r = 0; r < rows; r++) {
    double rest = -b[r];
    for (int i = 0; i < unknowns; i++) rest += a[r * unknowns + i] * x[i];
    sum += rest * rest;
    if (b[r] > 0) *worst = fmax(*worst, fabs(rest) / b[r]);
  }
  return sum;
}

hg_status hg_non_negative_least_squares(int rows, int unknowns, const double *a, const double *b, double *x,
                                        double *worst)
{
  double best = INFINITY, candidate[HG_LEVELS_MAX], off;
  if (unknowns < 1 || unknowns > HG_LEVELS_MAX || rows < 1)
    return hg_fail(HG_INVALID, "%d unknowns in %d rows, must be 1..%d in >= 1", unknowns, rows, HG_LEVELS_MAX);
  for (unsigned set = 0; set < 1u << unknowns; set++) {
    if (!fit(rows, unknowns, a, b, set, candidate)) continue;
    const double sum = residual(rows, unknowns, a, b, candidate, &off);
    if (!(sum < best)) continue;
    best = sum;
    memcpy(x, candidate, (size_t)unknowns * sizeof *x);
    if (worst) *worst = off;
  }
  return HG_OK;
}
