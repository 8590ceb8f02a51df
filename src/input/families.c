/* SPDX-License-Identifier: MIT */
/* Matrices by formula, most of them from the tests of LU factorisations: N. Higham, Accuracy and Stability of Numerical
 * Algorithms (2nd ed., SIAM 2002), chapters 9 and 28; L. Foster, SIAM J. Matrix Anal. Appl. 15 (1994) 1354-1362; S.
 * Wright, SIAM J. Sci. Comput. 14 (1993) 231-238. */
#include <math.h>
#include <stddef.h>

#include "base/random.h"
#include "input/matrix.h"

#define UNUSED __attribute__((unused))
#define FAMILY(name)                                                                                                   \
  static double name(UNUSED int64_t n, UNUSED int64_t i, UNUSED int64_t j, UNUSED const double *p, UNUSED uint64_t seed)

/* Numbered by columns, so that a matrix with more columns begins with the same values. */
static double random_value(int64_t n, int64_t i, int64_t j, uint64_t seed)
{
  return hg_random_unit(seed, (uint64_t)(i + n * j)) - .5;
}

FAMILY(uniform)
{
  return p[0] * random_value(n, i, j, seed);
}

FAMILY(zero_column)
{
  return j == (int64_t)p[0] ? 0 : random_value(n, i, j, seed);
}

FAMILY(orthog)
{
  return sqrt(2 / ((double)n + 1)) * sin((double)(i + 1) * (double)(j + 1) * M_PI / ((double)n + 1));
}

FAMILY(ris)
{
  return .5 / ((double)(n - i - j) - .5);
}

FAMILY(gfpp)
{
  return i == j || j == n - 1 ? 1 : i > j ? -1 : 0;
}

FAMILY(wilkinson)
{
  return i == j ? fabs((double)(n - 1) / 2 - (double)i) : i == j + 1 || j == i + 1;
}

/* A Volterra integral equation by the trapezoidal rule; p = k h, at most 2/3, so that no rows are exchanged. */
FAMILY(foster)
{
  if (j == n - 1) return i < n - 1 ? -1 : -p[0] / 2;
  if (j == 0) return i == 0 ? 1 : -p[0] / 2;
  return i == j ? 1 - p[0] / 2 : i > j ? -p[0] : 0;
}

/* A two-point boundary value problem by multiple shooting with steps of p; blocks of 2 x 2. */
FAMILY(wright)
{
  int64_t row = i / 2, col = j / 2, blocks = (n + 1) / 2;
  bool diagonal = i % 2 == j % 2;
  if (row == col + 1) return -exp(-p[0] / 6) * (diagonal ? cosh(p[0]) : sinh(p[0]));
  return (row == col || (row == 0 && col == blocks - 1)) && diagonal;
}

/* A = H(u) diag(s) H(v) with Householder reflections H(x) = I - 2 x x^T, s from 1 to 1 / kappa in equal ratios.
 * p = kappa, then u, v, s, and u^T diag(s) v. */
static int64_t randsvd_vectors(int64_t n, double kappa, uint64_t seed, double *p)
{
  if (!p) return 3 * n + 1;
  double *u = p + 1, *v = u + n, *s = v + n, norm_u = 0, norm_v = 0, product = 0;
  for (int64_t i = 0; i < n; i++) {
    u[i] = hg_random_unit(seed, (uint64_t)i) - .5;
    v[i] = hg_random_unit(seed, (uint64_t)(n + i)) - .5;
    s[i] = n > 1 ? pow(kappa, -(double)i / (double)(n - 1)) : 1;
    norm_u += u[i] * u[i];
    norm_v += v[i] * v[i];
  }
  for (int64_t i = 0; i < n; i++) {
    u[i] /= sqrt(norm_u);
    v[i] /= sqrt(norm_v);
    product += u[i] * s[i] * v[i];
  }
  s[n] = product;
  return 3 * n + 1;
}

FAMILY(randsvd)
{
  const double *u = p + 1, *v = u + n, *s = v + n;
  return (i == j ? s[i] : 0) - 2 * u[i] * u[j] * s[j] - 2 * s[i] * v[i] * v[j] + 4 * s[n] * u[i] * v[j];
}

FAMILY(vander)
{
  double x = n > 1 ? -1 + 2 * (double)i / (double)(n - 1) : 1;
  return pow(x, (double)j);
}

FAMILY(hilb)
{
  return 1 / (double)(i + j + 1);
}

FAMILY(cyclic)
{
  return j == (i + 1) % n;
}

FAMILY(anti_identity)
{
  return i + j == n - 1;
}

FAMILY(ones)
{
  return 1;
}

FAMILY(identity)
{
  return i == j;
}

FAMILY(dominant)
{
  return random_value(n, i, j, seed) + (i == j ? (double)n : 0);
}

FAMILY(banded)
{
  int64_t distance = i > j ? i - j : j - i;
  return distance > (int64_t)p[0] ? 0 : random_value(n, i, j, seed);
}

const hg_family hg_families[] = {
    {"uniform", "scale", 1, -1e300, 1e300, "independent, uniform in [-.5, .5), times a scale", uniform, NULL},
    {"orthog", "", 0, 0, 0, "orthogonal, sqrt(2/(n+1)) sin(i j pi/(n+1))", orthog, NULL},
    {"ris", "", 0, 0, 0, ".5 / (n - i - j - .5), Ris", ris, NULL},
    {"gfpp", "", 0, 0, 0, "growth 2^(n-1) with partial pivoting", gfpp, NULL},
    {"wilkinson", "", 0, 0, 0, "tridiagonal, Wilkinson's W+", wilkinson, NULL},
    {"foster", "kh", 2. / 3, -1e300, 1e300, "exponential growth, from quadrature (Foster)", foster, NULL},
    {"wright", "h", .3, -700, 700, "exponential growth, from multiple shooting (Wright)", wright, NULL},
    {"randsvd", "kappa", 1e8, 1, 1e300, "singular values from 1 to 1/kappa in equal ratios", randsvd, randsvd_vectors},
    {"vander", "", 0, 0, 0, "powers of points in [-1, 1], Vandermonde", vander, NULL},
    {"hilb", "", 0, 0, 0, "1 / (i + j - 1), Hilbert", hilb, NULL},
    {"cyclic", "", 0, 0, 0, "cyclic shift", cyclic, NULL},
    {"anti-identity", "", 0, 0, 0, "ones on the other diagonal", anti_identity, NULL},
    {"ones", "", 0, 0, 0, "all ones, singular", ones, NULL},
    {"identity", "", 0, 0, 0, "ones on the diagonal", identity, NULL},
    {"dominant", "", 0, 0, 0, "uniform plus n on the diagonal: no exchanges", dominant, NULL},
    {"banded", "width", 8, 0, 1e300, "uniform within so many diagonals on either side", banded, NULL},
    {"zero-column", "column", 0, 0, 0, "uniform with a column of zeros (from 0), singular", zero_column, NULL},
    {NULL, NULL, 0, 0, 0, NULL, NULL, NULL}};
