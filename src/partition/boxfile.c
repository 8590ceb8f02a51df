/* SPDX-License-Identifier: MIT */
#include "partition/boxfile.h"

#include <inttypes.h>
#include <math.h>

#include "input/array.h"
#include "partition/metrics.h"

static hg_status whole_number(const hg_array *a, int column, int line, const char *place, int64_t *out)
{
  const int64_t at[3] = {column, line, 0};
  double v = hg_array_get(a, at);
  if (!(v >= 0 && v <= 0x1p40) || v != floor(v))
    return hg_fail(HG_FORMAT, "%s: part %d: %g, must be a whole number in 0..2^40", place, line, v);
  *out = (int64_t)v;
  return HG_OK;
}

static hg_status convert(const hg_array *a, const char *place, int dims, const int64_t n[3], int parts, hg_box *box)
{
  int64_t rows = a->dims > 1 ? a->n[1] : 1;
  if (a->n[0] != 2 * dims)
    return hg_fail(HG_FORMAT, "%s: %" PRId64 " numbers per line, must be %d for a %d-D grid", place, a->n[0], 2 * dims,
                   dims);
  if (rows != parts)
    return hg_fail(HG_INVALID, "%s: %" PRId64 " parts for %d processors, must be equally many", place, rows, parts);
  for (int i = 0; i < parts; i++)
    for (int axis = 0; axis < 3; axis++) {
      int64_t lo = 0, extent = 1;
      if (axis < dims) HG_TRY(whole_number(a, axis, i, place, &lo));
      if (axis < dims) HG_TRY(whole_number(a, dims + axis, i, place, &extent));
      box[i].lo[axis] = lo;
      box[i].hi[axis] = lo + extent;
    }
  return hg_partition_check_cover(parts, box, n);
}

hg_status hg_boxes_parse(const char *text, size_t size, const char *place, int dims, const int64_t n[3], int parts,
                         hg_box *box)
{
  hg_array a;
  HG_TRY(hg_csv_parse(text, size, place, &a));
  hg_status status = convert(&a, place, dims, n, parts, box);
  hg_array_free(&a);
  return status;
}

hg_status hg_boxes_read(const char *path, int dims, const int64_t n[3], int parts, hg_box *box)
{
  hg_array a;
  HG_TRY(hg_csv_open(path, &a));
  hg_status status = convert(&a, path, dims, n, parts, box);
  hg_array_free(&a);
  return status;
}
