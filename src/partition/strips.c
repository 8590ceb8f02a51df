/* SPDX-License-Identifier: MIT */
/* The simplest partitions (thesis 3.2, 3.3).
 *
 * rows, columns: one band per processor, its width proportional to its speed.
 * two-factor: p = a * b processors (a, b as near to sqrt(p) as possible, the larger along the longer side) form a mesh.
 * The thesis' processors are equal; for unequal ones each column of the mesh is as wide as the sum of its speeds and is
 * cut by height among its processors. Example: speeds 3 1 1 3 on 8 x 8: columns {3,1} and {1,3} of width 4,
 * heights 6,2 and 2,6. */
#include "partition/strips.h"

#include <stdlib.h>
#include <string.h>

/* Distributes what flooring has left over, one cell each to the largest remainders. */
static void give_remainders(int count, const double *share, int64_t *run, int64_t left)
{
  for (; left > 0; left--) {
    int best = -1;
    for (int i = 0; i < count; i++)
      if (share[i] > 0 && (best < 0 || share[i] - (double)run[i] > share[best] - (double)run[best]))
        best = i;
    run[best < 0 ? 0 : best]++;
  }
}

/* A positive share is not left empty while another run has more than one cell. */
static void feed_empty(int count, const double *share, int64_t *run)
{
  for (int i = 0; i < count; i++) {
    if (share[i] <= 0 || run[i] > 0)
      continue;
    int largest = 0;
    for (int j = 1; j < count; j++)
      if (run[j] > run[largest])
        largest = j;
    if (run[largest] < 2)
      return;
    run[largest]--;
    run[i]++;
  }
}

void hg_split(int64_t n, int count, const double *weight, int64_t *start)
{
  double sum = 0, share[count];
  int64_t left = n, run[count];
  for (int i = 0; i < count; i++)
    sum += weight[i];
  for (int i = 0; i < count; i++) {
    share[i] = sum > 0 ? (double)n * (weight[i] / sum) : 0;
    run[i] = (int64_t)share[i];
    left -= run[i];
  }
  for (int i = count - 1; left < 0 && i >= 0; i--) { /* rounding of the sum may have given a cell too many */
    int64_t take = run[i] < -left ? run[i] : -left;
    run[i] -= take;
    left += take;
  }
  give_remainders(count, share, run, left);
  feed_empty(count, share, run);
  start[0] = 0;
  for (int i = 0; i < count; i++)
    start[i + 1] = start[i] + run[i];
}

static hg_status bands(const hg_partition_request *r, int axis, hg_box *box)
{
  int64_t *start = malloc(((size_t)r->parts + 1) * sizeof *start);
  if (!start)
    return hg_fail(HG_MEMORY, "partition: no memory for %d parts", r->parts);
  hg_split(r->n[axis], r->parts, r->speed, start);
  for (int i = 0; i < r->parts; i++) {
    box[i] = (hg_box){{0, 0, 0}, {r->n[0], r->n[1], r->n[2]}};
    box[i].lo[axis] = start[i];
    box[i].hi[axis] = start[i + 1];
  }
  free(start);
  return HG_OK;
}

hg_status hg_partition_rows(const hg_partition_request *r, hg_box *box)
{
  return bands(r, r->dims - 1, box);
}

hg_status hg_partition_columns(const hg_partition_request *r, hg_box *box)
{
  return bands(r, 0, box);
}

/* Mesh of a columns along axis u, each of b processors along axis v. */
static hg_status mesh(const hg_partition_request *r, int a, int b, int u, int v, hg_box *box)
{
  double weight[a];
  int64_t cut[a + 1], start[b + 1];
  memset(weight, 0, sizeof weight);
  for (int i = 0; i < r->parts; i++)
    weight[i / b] += r->speed[i];
  hg_split(r->n[u], a, weight, cut);
  for (int i = 0; i < a; i++) {
    hg_split(r->n[v], b, r->speed + i * b, start);
    for (int j = 0; j < b; j++) {
      hg_box *p = &box[i * b + j];
      *p = (hg_box){{0, 0, 0}, {r->n[0], r->n[1], r->n[2]}};
      p->lo[u] = cut[i], p->hi[u] = cut[i + 1];
      p->lo[v] = start[j], p->hi[v] = start[j + 1];
    }
  }
  return HG_OK;
}

hg_status hg_partition_two_factor(const hg_partition_request *r, hg_box *box)
{
  if (r->dims == 1)
    return bands(r, 0, box);
  int small = 1;
  for (int f = 2; f * f <= r->parts; f++)
    if (r->parts % f == 0)
      small = f;
  int large = r->parts / small;
  int v = r->dims - 1; /* 2-D: x and y; 3-D: y and z, rows stay whole */
  int u = v - 1;
  return r->n[u] >= r->n[v] ? mesh(r, large, small, u, v, box) : mesh(r, small, large, u, v, box);
}
