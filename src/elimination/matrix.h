/* SPDX-License-Identifier: MIT */
/* Dense matrices to start from: files and families, read tile by tile so that a rank makes no more than its own part.
 * Nothing is kept of what was read from .npy and .h5 files; a matrix can be read as often as needed. */
#ifndef HG_ELIMINATION_MATRIX_H
#define HG_ELIMINATION_MATRIX_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

typedef struct hg_matrix hg_matrix;

/** Opens FILE (.mtx Matrix Market; .npy; .h5[:DATASET]) or a family NAME:N[,PARAMETER] (see hg_families). Every rank
 * opens it for itself. HG_INVALID for unknown names, HG_IO, HG_FORMAT, HG_MEMORY. Close with hg_matrix_close. */
hg_status hg_matrix_open(const char *spec, uint64_t seed, hg_matrix **out);

/** Uniform in [-.5, .5), rows x cols, by seed and position: for right-hand sides. */
hg_status hg_matrix_random(int64_t rows, int64_t cols, uint64_t seed, hg_matrix **out);

/** All ones. */
hg_status hg_matrix_ones(int64_t rows, int64_t cols, hg_matrix **out);

int64_t hg_matrix_rows(const hg_matrix *matrix);
int64_t hg_matrix_cols(const hg_matrix *matrix);
const char *hg_matrix_name(const hg_matrix *matrix);

/** Reads rows x cols values from (row, col) on into out by columns, `ld` values apart. May be called by several
 * threads. HG_FORMAT naming the first value that is not finite. */
hg_status hg_matrix_read(const hg_matrix *matrix, int64_t row, int64_t col, int64_t rows, int64_t cols, double *out,
                         int64_t ld);

void hg_matrix_close(hg_matrix *matrix);

/** One line per family: name, parameter or "", what it is. */
typedef struct hg_family hg_family;
struct hg_family {
  const char *name, *parameter;
  double standard; /**< value of the parameter if none is given */
  const char *summary;
  /** Value at (i, j), 0-based, of the n x n matrix; p[0] is the parameter. */
  double (*value)(int64_t n, int64_t i, int64_t j, const double *p, uint64_t seed);
  /** Vectors computed once, or NULL: p[1 ..] of the length returned for n. */
  int64_t (*prepare)(int64_t n, double parameter, uint64_t seed, double *p);
};

/** All families, ended by a NULL name. */
extern const hg_family hg_families[];

/** A Matrix Market file as CHOLMOD reads it: compressed columns, or dense. */
typedef struct hg_mtx {
  int64_t rows, cols;
  int32_t *start, *row; /**< [cols + 1], [start[cols]]; NULL if dense */
  double *value;        /**< by columns */
} hg_mtx;

/** Coordinate and array format; real, integer and pattern (all ones); general, symmetric and skew-symmetric.
 * HG_FORMAT for everything else, naming `place`. Free with hg_mtx_free. */
hg_status hg_mtx_read(FILE *file, const char *place, hg_mtx *out);
void hg_mtx_free(hg_mtx *mtx);
#endif
