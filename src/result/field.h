/* SPDX-License-Identifier: MIT */
/* A whole grid in memory, gathered on rank 0. */
#ifndef HG_RESULT_FIELD_H
#define HG_RESULT_FIELD_H

#include <stdint.h>

#include "base/status.h"
#include "input/problem.h"
#include "result/metadata.h"

/** n[0]*n[1]*n[2] values, x fastest. */
typedef struct hg_field {
  int dims;
  int64_t n[3];
  hg_precision precision;
  bool vector;                         /**< a 2-D field of one column, written as 1-D to .npy files */
  void *values;                        /**< owned; NULL on ranks other than 0 */
  const char *name;                    /**< of the quantity */
  double origin[3];                    /**< position of the first cell, m */
  double spacing[3];                   /**< distance of cells along each axis, m; 0: not known; files then have 1 */
  bool placed;                         /**< cells have positions: axes are written to files */
  bool metric;                         /**< origin and spacing are in m; else they count cells, or: */
  bool scaled;                         /**< they are in the problem's own unit */
  double time;                         /**< s; negative: not known */
  bool counts_steps;                   /**< `time` is the number of steps: their length is not known */
  bool has_missing;                    /**< cells may have no data; they are marked by */
  double missing;                      /**< this value */
  const hg_metadata *metadata;         /**< its metadata, or NULL */
  const struct hg_picture *picture;    /**< how it is drawn; NULL: the default */
  const struct hg_georeference *where; /**< location of the grid's cells on Earth; NULL: not known */
  int64_t first[3], stride[3];         /**< first cell and distance of cells in the grid; stride 0: every cell */
  double (*number)(const void *value, int64_t length,
                   void *arg); /**< converts a job's values for this field; NULL: the values are numbers themselves */
  const struct hg_field *also; /**< another quantity on the same grid, for .h5 files; or NULL */
} hg_field;

/** Allocates the values of a field whose shape and precision are set. HG_MEMORY. Free with hg_field_free. */
hg_status hg_field_make(hg_field *field);

/** Makes another field of a result's shape and precision. HG_MEMORY. Free with hg_field_free. */
hg_status hg_field_make_like(const hg_field *result, hg_field *field);

/** Value i as a double. */
static inline double hg_field_get(const hg_field *f, int64_t i)
{
  return f->precision == HG_FLOAT ? (double)((const float *)f->values)[i] : ((const double *)f->values)[i];
}

static inline int64_t hg_field_cells(const hg_field *f)
{
  return f->n[0] * f->n[1] * f->n[2];
}

void hg_field_free(hg_field *f);

/** Checks that all values are finite. HG_MISMATCH naming how many are not, and the first. */
hg_status hg_field_check(const hg_field *f, const char *what);

/** Compares two fields of one shape and precision bit for bit. HG_MISMATCH naming the first differing cell. */
hg_status hg_field_compare(const hg_field *result, const hg_field *expected);
#endif
