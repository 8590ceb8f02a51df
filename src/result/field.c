/* SPDX-License-Identifier: MIT */
#include "result/field.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

hg_status hg_field_make(hg_field *f)
{
  HG_TRY(hg_memory_check("the whole grid", f->n, hg_precision_bytes(f->precision)));
  return hg_allocate("the whole grid", (size_t)(hg_field_cells(f) * hg_precision_bytes(f->precision)), &f->values);
}

hg_status hg_field_make_like(const hg_field *result, hg_field *f)
{
  *f = *result;
  f->values = NULL;
  return hg_field_make(f);
}

void hg_field_free(hg_field *f)
{
  free(f->values);
  f->values = NULL;
}

hg_status hg_field_check(const hg_field *f, const char *what)
{
  int64_t nonfinite = 0, first = -1;
  for (int64_t i = 0; i < hg_field_cells(f); i++)
    if (!isfinite(hg_field_get(f, i)) && nonfinite++ == 0) first = i;
  if (nonfinite == 0) return HG_OK;
  return hg_fail(HG_MISMATCH,
                 "%s: %" PRId64 " values are infinite or not a number, the first at (%" PRId64 ", %" PRId64 ", %" PRId64
                 "); nothing was written",
                 what, nonfinite, first % f->n[0], first / f->n[0] % f->n[1], first / f->n[0] / f->n[1]);
}

hg_status hg_field_compare(const hg_field *result, const hg_field *expected)
{
  const int64_t size = hg_precision_bytes(result->precision);
  const char *a = result->values, *b = expected->values;
  int64_t cells = hg_field_cells(result), differing = 0, first = -1;
  for (int64_t i = 0; i < cells; i++)
    if (memcmp(a + i * size, b + i * size, (size_t)size) != 0 && differing++ == 0) first = i;
  if (differing == 0) return HG_OK;
  return hg_fail(HG_MISMATCH,
                 "%" PRId64 " of %" PRId64 " cells differ from the serial result, first (%" PRId64 ", %" PRId64
                 ", %" PRId64 "): %.17g instead of %.17g",
                 differing, cells, first % result->n[0], first / result->n[0] % result->n[1],
                 first / result->n[0] / result->n[1], hg_field_get(result, first), hg_field_get(expected, first));
}
