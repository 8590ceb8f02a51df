/* SPDX-License-Identifier: MIT */
/* The computations of the example applications as plain loops over whole grids, without the library:
 * serial NAME NX NY NZ STEPS OUT.npy. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t nx, ny, nz, units, steps;

static void *room(size_t count, size_t size)
{
  void *p = calloc(count + 1, size);
  if (!p) exit(1);
  return p;
}

/* Wraps an index around a torus. */
static int64_t wrap(int64_t i, int64_t n)
{
  return (i + n) % n;
}

/* Reflects an index at the sides. */
static int64_t mirror(int64_t i, int64_t n)
{
  return i < 0 ? -1 - i : i >= n ? 2 * n - 1 - i : i;
}

static void swap(double **a, double **b)
{
  double *t = *a;
  *a = *b;
  *b = t;
}

static double *average(void)
{
  double *a = room((size_t)units, 8), *b = room((size_t)units, 8);
  for (int64_t i = 0; i < units; i++) a[i] = (double)(i * 7919 % 1009);
  for (int64_t s = 0; s < steps; s++, swap(&a, &b)) {
    memcpy(b, a, (size_t)units * 8);
    for (int64_t y = 1; y < ny - 1; y++)
      for (int64_t x = 1; x < nx - 1; x++) {
        const double *c = a + x + y * nx;
        b[x + y * nx] = (c[-1] + c[1] + c[-nx] + c[nx]) / 4;
      }
  }
  free(b);
  return a;
}

static double *heat(void)
{
  double *a = room((size_t)units, 8), *b = room((size_t)units, 8);
  const double r = (double)(nx < ny ? nx : ny) / 8, ax = .1, ay = .1, c0 = 1 - 2 * ax - 2 * ay;
  for (int64_t i = 0; i < units; i++) {
    const double dx = (double)(i % nx - nx / 2), dy = (double)(i / nx - ny / 2);
    a[i] = dx * dx + dy * dy <= r * r ? 100 : 20;
  }
  for (int64_t s = 0; s < steps; s++, swap(&a, &b)) {
    memcpy(b, a, (size_t)units * 8);
    for (int64_t y = 1; y < ny - 1; y++)
      for (int64_t x = 1; x < nx - 1; x++) {
        const double *c = a + x + y * nx;
        b[x + y * nx] = fma(ay, c[-nx] + c[nx], fma(ax, c[-1] + c[1], c0 * c[0]));
      }
  }
  free(b);
  return a;
}

static double *life(void)
{
  static const int pentomino[][2] = {{1, 0}, {2, 0}, {0, 1}, {1, 1}, {1, 2}};
  double *a = room((size_t)units, 8), *b = room((size_t)units, 8);
  for (int i = 0; i < 5; i++) a[nx / 2 + pentomino[i][0] + nx * (ny / 2 + pentomino[i][1])] = 1;
  for (int64_t s = 0; s < steps; s++, swap(&a, &b))
    for (int64_t y = 0; y < ny; y++)
      for (int64_t x = 0; x < nx; x++) {
        double alive = -a[x + y * nx];
        for (int64_t j = y - 1; j <= y + 1; j++)
          for (int64_t i = x - 1; i <= x + 1; i++) alive += a[wrap(i, nx) + nx * wrap(j, ny)];
        b[x + y * nx] = alive == 3 || (alive == 2 && a[x + y * nx] == 1);
      }
  free(b);
  return a;
}

/* In place, row by row, as in a textbook. */
static double *elimination(void)
{
  double *a = room((size_t)units, 8);
  const int64_t n = nx;
  for (int64_t i = 0; i < units; i++) a[i] = (double)((i * 48271 + 11) % 65521) / 65521 - .5;
  for (int64_t i = 0; i < steps; i++) {
    int64_t p = i;
    for (int64_t y = i; y < n; y++)
      if (fabs(a[i + n * y]) > fabs(a[i + n * p])) p = y;
    for (int64_t x = 0; x < n; x++) {
      const double t = a[x + n * i];
      a[x + n * i] = a[x + n * p];
      a[x + n * p] = t;
    }
    for (int64_t y = i + 1; y < n; y++) {
      const double m = a[i + n * y] / a[i + n * i];
      for (int64_t x = i + 1; x < n; x++) a[x + n * y] = a[x + n * y] - m * a[x + n * i];
      a[i + n * y] = m;
    }
  }
  return a;
}

static uint64_t scramble(uint64_t z)
{
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static double *graph(void)
{
  double *a = room((size_t)units, 8), *b = room((size_t)units, 8);
  for (int64_t i = 0; i < units; i++) a[i] = (double)(i % 101);
  for (int64_t s = 0; s < steps; s++, swap(&a, &b))
    for (int64_t i = 0; i < units; i++) {
      uint64_t r = scramble((uint64_t)i * 1000003 + (uint64_t)s * 7919 + 1);
      const uint64_t edges = 1 + r % 4;
      double sum = a[i];
      for (uint64_t e = 0; e < edges; e++) {
        r = scramble(r + 0x9e3779b97f4a7c15u);
        sum += a[r % (uint64_t)units];
      }
      b[i] = sum / (double)(edges + 1);
    }
  free(b);
  return a;
}

#define LINE(name, TYPE)                                                                                               \
  static double *name(void)                                                                                            \
  {                                                                                                                    \
    TYPE *a = room((size_t)units, sizeof *a), *b = room((size_t)units, sizeof *b);                                     \
    double *out = room((size_t)units, 8);                                                                              \
    for (int64_t i = 0; i < units; i++) a[i] = (TYPE)(i % 37);                                                         \
    for (int64_t s = 0; s < steps; s++) {                                                                              \
      for (int64_t i = 0; i < units; i++) {                                                                            \
        const TYPE far = a[wrap(i - 2, nx)] + a[wrap(i + 2, nx)], near = a[wrap(i - 1, nx)] + a[wrap(i + 1, nx)];      \
        b[i] = a[i] + (TYPE).1 * (16 * near - far - 30 * a[i]) / 12;                                                   \
      }                                                                                                                \
      memcpy(a, b, (size_t)units * sizeof *a);                                                                         \
    }                                                                                                                  \
    for (int64_t i = 0; i < units; i++) out[i] = (double)a[i];                                                         \
    free(a);                                                                                                           \
    free(b);                                                                                                           \
    return out;                                                                                                        \
  }
LINE(line, float)
LINE(line_double, double)

static double *cube(void)
{
  double *prey = room((size_t)units, 8), *predator = room((size_t)units, 8), *p = room((size_t)units, 8),
         *q = room((size_t)units, 8);
  for (int64_t i = 0; i < units; i++) {
    prey[i] = 1 + (double)(i % nx % 5) / 10;
    predator[i] = 1 + (double)((i / nx % ny + i / nx / ny) % 7) / 10;
  }
  for (int64_t s = 0; s < steps; s++, swap(&prey, &p), swap(&predator, &q))
    for (int64_t z = 0; z < nz; z++)
      for (int64_t y = 0; y < ny; y++)
        for (int64_t x = 0; x < nx; x++) {
          double a = 0, b = 0;
          for (int64_t k = z - 1; k <= z + 1; k++)
            for (int64_t j = y - 1; j <= y + 1; j++)
              for (int64_t i = x - 1; i <= x + 1; i++) {
                const int64_t at = mirror(i, nx) + nx * (mirror(j, ny) + ny * mirror(k, nz));
                a += prey[at];
                b += predator[at];
              }
          const int64_t at = x + nx * (y + ny * z);
          const double met = prey[at] * predator[at];
          p[at] = prey[at] + (.01 * (a / 27 - prey[at]) + .02 * (prey[at] - met));
          q[at] = predator[at] + (.02 * (b / 27 - predator[at]) + .02 * (met - predator[at]));
        }
  free(predator);
  free(p);
  free(q);
  return prey;
}

static double *histories(void)
{
  double *a = room((size_t)units * 5, 8), *b = room((size_t)units * 5, 8), *out = room((size_t)units, 8);
  for (int64_t i = 0; i < units * 5; i++) a[i] = (double)(i / 5 * 31 % 17);
  for (int64_t s = 0; s < steps; s++, swap(&a, &b))
    for (int64_t i = 0; i < units; i++) {
      double target = 0;
      const int64_t others[2] = {wrap(i + 1, units), wrap(i - 1, units)};
      for (int k = 0; k < 2; k++) target += a[5 * others[k] + others[k] * 7 % 5];
      b[5 * i] = a[5 * i] + .25 * (target / 2 - a[5 * i]);
      for (int64_t k = 1; k < 1 + i * 7 % 5; k++) b[5 * i + k] = a[5 * i + k - 1];
    }
  for (int64_t i = 0; i < units; i++) out[i] = a[5 * i];
  free(a);
  free(b);
  return out;
}

/* Version 1.0 of NumPy's format, double or float. */
static void write_npy(const char *path, const double *v, int dims, bool is_float)
{
  char shape[80], header[192];
  if (dims == 1) snprintf(shape, sizeof shape, "(%lld,)", (long long)nx);
  if (dims == 2) snprintf(shape, sizeof shape, "(%lld, %lld)", (long long)ny, (long long)nx);
  if (dims == 3) snprintf(shape, sizeof shape, "(%lld, %lld, %lld)", (long long)nz, (long long)ny, (long long)nx);
  int n = snprintf(header, sizeof header, "{'descr': '<f%d', 'fortran_order': False, 'shape': %s, }", is_float ? 4 : 8,
                   shape);
  while ((n + 11) % 64) header[n++] = ' ';
  header[n++] = '\n';
  FILE *f = fopen(path, "wb");
  if (!f) exit(1);
  fwrite("\x93NUMPY\x01", 1, 7, f);
  fputc(0, f);
  fputc(n % 256, f);
  fputc(n / 256, f);
  fwrite(header, 1, (size_t)n, f);
  for (int64_t i = 0; i < units; i++) {
    const float single = (float)v[i];
    if (is_float)
      fwrite(&single, 4, 1, f);
    else
      fwrite(&v[i], 8, 1, f);
  }
  fclose(f);
}

int main(int argc, char **argv)
{
  static const struct {
    const char *name;
    double *(*run)(void);
    int dims;
    bool is_float;
  } list[] = {{"average", average, 2, false},
              {"heat_points", heat, 2, false},
              {"heat_tiles", heat, 2, false},
              {"life", life, 2, false},
              {"elimination_units", elimination, 2, false},
              {"random_graph", graph, 2, false},
              {"line", line, 1, true},
              {"line_double", line_double, 1, false},
              {"cube", cube, 3, false},
              {"histories", histories, 1, false}};
  if (argc != 7) return 2;
  nx = atoll(argv[2]);
  ny = atoll(argv[3]);
  nz = atoll(argv[4]);
  steps = atoll(argv[5]);
  units = nx * ny * nz;
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (strcmp(argv[1], list[i].name) == 0) {
      double *v = list[i].run();
      write_npy(argv[6], v, list[i].dims, list[i].is_float);
      free(v);
      return 0;
    }
  return 2;
}
