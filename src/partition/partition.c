/* SPDX-License-Identifier: MIT */
#include "partition/partition.h"

#include <math.h>
#include <string.h>

#include "partition/strips.h"

const hg_partitioner hg_partitioners[] = {
    {"rows", "bands along the slowest axis (thesis 3.2)", hg_partition_rows},
    {"columns", "bands along the fastest axis (thesis 3.2)", hg_partition_columns},
    {"two-factor", "a mesh of the two largest factors (thesis 3.3)", hg_partition_two_factor},
    {NULL, NULL, NULL},
};

static hg_status check(const hg_partition_request *r)
{
  double sum = 0;
  if (r->parts < 1)
    return hg_fail(HG_INVALID, "partition: %d parts, must be >= 1", r->parts);
  for (int i = 0; i < r->parts; i++) {
    if (!(r->speed[i] >= 0) || !isfinite(r->speed[i]))
      return hg_fail(HG_INVALID, "speeds: %g of processor %d, must be finite and >= 0", r->speed[i], i);
    sum += r->speed[i];
  }
  if (!(sum > 0) || !isfinite(sum))
    return hg_fail(HG_INVALID, "speeds: their sum is %g, must be positive and finite", sum);
  return HG_OK;
}

hg_status hg_partition(const char *name, const hg_partition_request *request, hg_box *box)
{
  char known[256] = "";
  HG_TRY(check(request));
  for (const hg_partitioner *p = hg_partitioners; p->name; p++) {
    if (strcmp(p->name, name) == 0)
      return p->divide(request, box);
    if (strlen(known) + strlen(p->name) + 3 < sizeof known) {
      if (known[0])
        strcat(known, ", ");
      strcat(known, p->name);
    }
  }
  return hg_fail(HG_INVALID, "partition: '%s' is unknown; known: %s", name, known);
}
