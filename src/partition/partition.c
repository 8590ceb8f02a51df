/* SPDX-License-Identifier: MIT */
#include "partition/partition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const hg_partitioner hg_partitioners[] = {
    {"auto", "the best of all others, by predicted communication or by border", hg_partition_auto},
    {"rows", "bands along the slowest axis (thesis 3.2)", hg_partition_rows},
    {"rows-sorted", "rows by falling speed, the order of nphp", hg_partition_rows_sorted},
    {"columns", "bands along the fastest axis (thesis 3.2)", hg_partition_columns},
    {"two-factor", "a mesh of the two largest factors (thesis 3.3)", hg_partition_two_factor},
    {"sgp", "single-group partition (Crandall and Quinn)", hg_partition_sgp},
    {"asgp", "advanced single-group partition (thesis, algorithm 3-2)", hg_partition_asgp},
    {"php", "partial homogeneous partition (Crandall and Quinn)", hg_partition_php},
    {"nphp", "novel partial homogeneous partition (thesis 3.4)", hg_partition_nphp},
    {"nodes", "nphp level by level: between nodes, then inside each", hg_partition_nodes},
    {"column-based", "optimal columns (Beaumont et al., PERI-SUM)", hg_partition_column_based},
    {"recursive", "recursive bisection by a third (Nagamochi and Abe)", hg_partition_recursive},
    {"rcb", "recursive bisection in order of number", hg_partition_rcb},
    {"exact", "the best guillotine partition, at most 6 processors", hg_partition_exact},
    {NULL, NULL, NULL},
};

hg_status hg_partition_find(const char *name, const hg_partitioner **out)
{
  char known[256] = "";
  for (const hg_partitioner *p = hg_partitioners; p->name; p++) {
    *out = p;
    if (strcmp(p->name, name) == 0) return HG_OK;
    if (strlen(known) + strlen(p->name) + 3 < sizeof known) {
      if (known[0]) strcat(known, ", ");
      strcat(known, p->name);
    }
  }
  return hg_fail(HG_INVALID, "partition: '%s' is unknown; known: %s", name, known);
}

hg_status hg_partition_check(const hg_partition_request *r)
{
  double sum = 0;
  if (r->dims < 1 || r->dims > 3) return hg_fail(HG_INVALID, "partition: %d dimensions, must be 1..3", r->dims);
  if (r->parts < 1) return hg_fail(HG_INVALID, "partition: %d parts, must be >= 1", r->parts);
  for (int a = 0; a < r->dims; a++)
    if (!(r->size[a] > 0) || !isfinite(r->size[a]))
      return hg_fail(HG_INVALID, "grid: extent %g along axis %d, must be positive", r->size[a], a);
  for (int i = 0; i < r->parts; i++) {
    if (!(r->speed[i] >= 0) || !isfinite(r->speed[i]))
      return hg_fail(HG_INVALID, "speeds: %g of processor %d, must be finite and >= 0", r->speed[i], i);
    sum += r->speed[i];
  }
  if (!(sum > 0) || !isfinite(sum))
    return hg_fail(HG_INVALID, "speeds: their sum is %g, must be positive and finite", sum);
  return HG_OK;
}

hg_status hg_partition_tree(hg_partition_fn *divide, const hg_partition_request *request, hg_tree *tree)
{
  hg_partition_request r = *request;
  HG_TRY(hg_partition_check(request));
  for (int a = r.dims; a < 3; a++) r.size[a] = 1;
  if (!(r.tolerance > 0)) r.tolerance = .01;
  *tree = (hg_tree){0};
  hg_status status = divide(&r, tree);
  if (status == HG_OK) status = hg_tree_check(tree);
  if (status != HG_OK) hg_tree_free(tree);
  return status;
}

hg_status hg_partition(const char *name, const hg_partition_request *request, const int64_t n[3], hg_box *box)
{
  const hg_partitioner *p;
  hg_partition_request r = *request;
  hg_tree tree;
  HG_TRY(hg_partition_find(name, &p));
  for (int a = 0; a < 3; a++) r.size[a] = (double)n[a];
  r.whole = true;
  HG_TRY(hg_partition_tree(p->divide, &r, &tree));
  hg_status status = hg_tree_boxes(&tree, n, r.parts, r.speed, box);
  hg_tree_free(&tree);
  return status;
}

static int by_speed(const void *a, const void *b)
{
  const hg_share *s = a, *t = b;
  if (s->speed != t->speed) return s->speed < t->speed ? 1 : -1;
  return (s->id > t->id) - (s->id < t->id);
}

hg_status hg_partition_shares(const hg_partition_request *r, bool sorted, hg_share **share, int *count)
{
  *count = 0;
  *share = malloc((size_t)r->parts * sizeof **share);
  if (!*share) return hg_fail(HG_MEMORY, "partition: no memory for %d processors", r->parts);
  for (int i = 0; i < r->parts; i++)
    if (r->speed[i] > 0) (*share)[(*count)++] = (hg_share){i, r->speed[i]};
  if (sorted) qsort(*share, (size_t)*count, sizeof **share, by_speed);
  return HG_OK;
}

double hg_shares_total(const hg_share *share, int count)
{
  double sum = 0;
  for (int i = 0; i < count; i++) sum += share[i].speed;
  return sum;
}

int hg_half_way(const double *weight, size_t stride, int count)
{
  double total = 0, before = 0, nearest = INFINITY;
  int best = 1;
  for (int i = 0; i < count; i++) total += *(const double *)((const char *)weight + (size_t)i * stride);
  for (int k = 1; k < count; k++) {
    before += *(const double *)((const char *)weight + (size_t)(k - 1) * stride);
    double off = fabs(before - total / 2);
    if (off < nearest - 1e-12 * total) nearest = off, best = k;
  }
  return best;
}

int hg_longest_axis(const double size[3], int dims)
{
  int axis = 0;
  for (int a = 1; a < dims; a++)
    if (size[a] > size[axis]) axis = a;
  return axis;
}
