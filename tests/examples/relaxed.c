/* SPDX-License-Identifier: MIT */
/* relaxed NX NY START.csv RESULT.csv [SOURCE.csv]: prints the largest error and the 2-norm of the error of a result
 * against the discrete solution of -lap u = f with the sides of START.csv, solved directly in long double. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef long double real;

static int nx, ny, inside, band; /* points; unknowns of a row, in a band as wide */

static real *read_field(const char *path)
{
  FILE *in = fopen(path, "r");
  real *u = calloc((size_t)(nx * ny), sizeof *u);
  for (int i = 0; in && u && i < nx * ny; i++)
    if (fscanf(in, "%Lf%*[,\n]", &u[i]) < 1) exit((fprintf(stderr, "%s: %d numbers\n", path, i), 2));
  if (!in || !u) exit((perror(path), 2));
  fclose(in);
  return u;
}

/* Cholesky factors of the matrix of four times a point less its neighbours: a[i * (band + 1) + k] is in row i, column
 * i - k. */
static void factor(real *a, int count)
{
  for (int i = 0; i < count; i++)
    for (int k = band < i ? band : i; k >= 0; k--) {
      const int column = i - k;
      real sum = k == 0 ? 4 : k == band || (k == 1 && i % inside != 0) ? -1 : 0;
      for (int m = 1; m <= band - k && m <= column; m++) sum -= a[i * (band + 1) + k + m] * a[column * (band + 1) + m];
      a[i * (band + 1) + k] = k == 0 ? sqrtl(sum) : sum / a[column * (band + 1)];
    }
}

static void solve(const real *a, int count, real *b)
{
  for (int i = 0; i < count; i++) {
    for (int k = 1; k <= band && k <= i; k++) b[i] -= a[i * (band + 1) + k] * b[i - k];
    b[i] /= a[i * (band + 1)];
  }
  for (int i = count - 1; i >= 0; i--) {
    for (int k = 1; k <= band && i + k < count; k++) b[i] -= a[(i + k) * (band + 1) + k] * b[i + k];
    b[i] /= a[i * (band + 1)];
  }
}

/* Contribution of the sides and f to the right-hand side of an inner point. */
static real right_side(const real *u, const real *f, int x, int y)
{
  const real h = (real)1 / (nx - 1);
  real sum = f ? h * h * f[x + nx * y] : 0;
  if (x == 1) sum += u[nx * y];
  if (x == nx - 2) sum += u[nx - 1 + nx * y];
  if (y == 1) sum += u[x];
  if (y == ny - 2) sum += u[x + nx * (ny - 1)];
  return sum;
}

int main(int argc, char **argv)
{
  if (argc < 5) return 2;
  nx = atoi(argv[1]), ny = atoi(argv[2]);
  inside = band = nx - 2;
  const int count = inside * (ny - 2);
  real *start = read_field(argv[3]), *result = read_field(argv[4]), *f = argc > 5 ? read_field(argv[5]) : NULL;
  real *a = calloc((size_t)count * (size_t)(band + 1), sizeof *a), *b = calloc((size_t)count, sizeof *b);
  if (!a || !b) return 2;
  for (int i = 0; i < count; i++) b[i] = right_side(start, f, i % inside + 1, i / inside + 1);
  factor(a, count);
  solve(a, count, b);
  real largest = 0, squares = 0;
  for (int i = 0; i < count; i++) {
    const real d = fabsl(result[i % inside + 1 + nx * (i / inside + 1)] - b[i]);
    largest = fmaxl(largest, d);
    squares += d * d;
  }
  printf("%.9Lg %.9Lg\n", largest, sqrtl(squares));
  free(start), free(result), free(f), free(a), free(b);
  return 0;
}
