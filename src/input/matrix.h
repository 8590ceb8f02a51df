/* SPDX-License-Identifier: MIT */
/* Input matrices, dense: files and families, read tile by tile so that a rank makes only its own part. Contents of
 * .npy and .h5 files are not kept in memory; a matrix can be read repeatedly. */
#ifndef HG_INPUT_MATRIX_H
#define HG_INPUT_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct hg_matrix hg_matrix;

/** Opens FILE (.mtx Matrix Market; .npy; .npz[:MEMBER]; .h5[:DATASET]) or a family NAME:N[,PARAMETER] (see
 * hg_families). Every rank opens it for itself. HG_INVALID for unknown names, HG_IO, HG_FORMAT, HG_MEMORY. Close with
 * hg_matrix_close. */
hg_status hg_matrix_open(const char *spec, uint64_t seed, hg_matrix **out);

/** Uniform in [-0.5, 0.5), rows x cols, by seed and position: for right-hand sides. */
hg_status hg_matrix_random(int64_t rows, int64_t cols, uint64_t seed, hg_matrix **out);

/** All ones. */
hg_status hg_matrix_ones(int64_t rows, int64_t cols, hg_matrix **out);

int64_t hg_matrix_rows(const hg_matrix *matrix);
int64_t hg_matrix_cols(const hg_matrix *matrix);

/** Whether it was read from a one-dimensional NumPy array. */
bool hg_matrix_is_vector(const hg_matrix *matrix);
const char *hg_matrix_name(const hg_matrix *matrix);

/** Reads rows x cols values from (row, col) on into out by columns, `ld` values apart. May be called by several
 * threads. HG_FORMAT naming the first value that is not finite. */
hg_status hg_matrix_read(const hg_matrix *matrix, int64_t row, int64_t col, int64_t rows, int64_t cols, double *out,
                         int64_t ld);

void hg_matrix_close(hg_matrix *matrix);

/** One line per family: name, parameter or "", what it is. */
typedef struct hg_family hg_family;
struct hg_family {
  const char *name, *parameter; /**< "column": a number in 0..n - 1 */
  double standard;              /**< value of the parameter if none is given */
  double least, most;           /**< bounds of the parameter */
  const char *summary;
  /** Value at (i, j), 0-based, of the n x n matrix; p[0] is the parameter. */
  double (*value)(int64_t n, int64_t i, int64_t j, const double *p, uint64_t seed);
  /** Vectors computed once, or NULL: p[1 ..] of the length returned for n. */
  int64_t (*prepare)(int64_t n, double parameter, uint64_t seed, double *p);
};

/** All families, ended by a NULL name. */
extern const hg_family hg_families[];

/** The matrix of a Matrix Market file: compressed columns, with rows in the order of the file, or dense. */
typedef struct hg_mtx {
  int64_t rows, cols;
  int64_t *start; /**< [cols + 1]; NULL if dense */
  int32_t *row;   /**< [start[cols]], from 0; NULL if dense */
  double *value;  /**< by columns */
} hg_mtx;

/** Reads coordinate and array format; real, integer and pattern (all ones); general, symmetric and skew-symmetric.
 * HG_FORMAT naming `place`, line and column for all that the format does not allow: indices outside the matrix or
 * given twice, missing or surplus entries, both triangles of a symmetric matrix, numbers that are malformed or not
 * finite. Free with hg_mtx_free. */
hg_status hg_mtx_parse(const char *text, size_t size, const char *place, hg_mtx *out);
hg_status hg_mtx_open(const char *path, hg_mtx *out);

/** Reads a sparse matrix that scipy.sparse.save_npz has written: csr, csc or coo; duplicate entries are summed, as in
 * SciPy. HG_FORMAT naming what is wrong, or the format; HG_MEMORY. Free with hg_mtx_free. */
hg_status hg_sparse_npz_open(const char *path, hg_mtx *out);
void hg_mtx_free(hg_mtx *mtx);
#endif
