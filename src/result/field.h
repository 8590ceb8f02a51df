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
  bool vector;                         /**< a 2-D one of one column that is one-dimensional in .npy files */
  void *values;                        /**< owned; NULL on ranks other than 0 */
  const char *name;                    /**< of the quantity */
  double origin[3];                    /**< place of the first cell, m */
  double spacing[3];                   /**< distance of cells along each axis, m; 0: not known, 1 in files */
  bool placed;                         /**< cells lie in space: its axes are written beside it */
  bool metric;                         /**< origin and spacing are known in metres, else they count cells, or: */
  bool scaled;                         /**< are numbers of the problem's own */
  double time;                         /**< s; negative: not known */
  bool counts_steps;                   /**< that is the number of steps: how long one is is not known */
  bool has_missing;                    /**< cells may have no data, which is said by */
  double missing;                      /**< this value */
  const hg_metadata *metadata;         /**< where it comes from, or NULL */
  const struct hg_picture *picture;    /**< how it is drawn, or NULL: as usual */
  const struct hg_georeference *where; /**< where the cells of the grid lie on Earth, or NULL: not known */
  int64_t first[3], stride[3]; /**< which cells of the grid these are: the first, and every how many-th; 0: each */
  double (*number)(const void *value, int64_t length,
                   void *arg); /**< that a job's values become, or NULL: themselves */
  const struct hg_field *also; /**< another quantity on the same grid, which .h5 files hold too; or NULL */
} hg_field;

/** Room for the values of a field whose shape and precision are set. HG_MEMORY. Free with hg_field_free. */
hg_status hg_field_make(hg_field *field);

/** Room for another field of a result's shape and precision. HG_MEMORY. Free with hg_field_free. */
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

/** Whether all values are finite. HG_MISMATCH naming how many are not, and the first. */
hg_status hg_field_check(const hg_field *f, const char *what);

/** Compares two fields of one shape and precision bit for bit. HG_MISMATCH naming the first differing cell. */
hg_status hg_field_compare(const hg_field *result, const hg_field *expected);
#endif
