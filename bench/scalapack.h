/* SPDX-License-Identifier: MIT */
/* ScaLAPACK, which has no C headers: a square matrix distributed over a grid of ranks. */
#ifndef HG_BENCH_SCALAPACK_H
#define HG_BENCH_SCALAPACK_H

#include <stdint.h>
#include <stdlib.h>

#include "base/random.h"

void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int cols);
void Cblacs_gridinfo(int context, int *rows, int *cols, int *row, int *col);
int numroc_(const int *n, const int *nb, const int *process, const int *source, const int *processes);
void descinit_(int *desc, const int *m, const int *n, const int *mb, const int *nb, const int *rsrc, const int *csrc,
               const int *context, const int *ld, int *info);

/** A rank's part of an n x n matrix in blocks of nb x nb on p x q ranks. */
typedef struct dealt {
  int desc[9], rows;
  int64_t size; /* values on this rank */
} dealt;

static inline dealt deal(int p, int q, int n, int nb)
{
  const int zero = 0;
  dealt d;
  int context, row, col, rows, cols, info;
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", p, q);
  Cblacs_gridinfo(context, &rows, &cols, &row, &col);
  d.rows = numroc_(&n, &nb, &row, &zero, &p);
  const int ld = d.rows > 1 ? d.rows : 1;
  d.size = (int64_t)ld * numroc_(&n, &nb, &col, &zero, &q);
  descinit_(d.desc, &n, &n, &nb, &nb, &zero, &zero, &context, &ld, &info);
  return d;
}

static inline double *make_values(const dealt *d)
{
  return malloc((size_t)(d->size + 1) * sizeof(double));
}

/** Random values in -0.5..0.5. */
static inline void fill(const dealt *d, int rank, double *values)
{
  for (int64_t i = 0; i < d->size; i++) values[i] = hg_random_unit(1 + (uint64_t)rank, (uint64_t)i) - .5;
}
#endif
