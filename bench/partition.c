/* SPDX-License-Identifier: MIT */
/* Quality and cost of the partitioners on random sets of processors:   bench/partition [SETS] [ASPECT] [DIMS]
 * Prints for each partitioner the mean and worst ratio of the half perimeter (3-D: half surface) to its lower bound,
 * and the mean time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hetgrid.h"

enum { PARTS = 64 };

typedef struct stats {
  double sum, worst, worst_large, seconds;
  int count, above_nphp;
} stats;

/* One third each: a few kinds of processors, log-uniform speeds over two decades, uniform speeds. */
static int random_speeds(uint64_t *index, double *speed)
{
  int parts = 2 + (int)(hg_random_bits(1, (*index)++) % (PARTS - 1)), kind = (int)(hg_random_bits(1, (*index)++) % 3);
  static const double kinds[] = {1, 2.5, 11, 30};
  for (int i = 0; i < parts; i++) {
    double u = hg_random_unit(2, (*index)++);
    speed[i] = kind == 0 ? kinds[(int)(u * 4)] : kind == 1 ? pow(10, 2 * u) : .05 + u;
  }
  return parts;
}

static double ratio_of(hg_partition_fn *divide, const hg_partition_request *r, double *seconds)
{
  hg_tree tree;
  hg_rect rect[PARTS];
  hg_partition_metrics m;
  double start = hg_now();
  if (hg_partition_tree(divide, r, &tree) != HG_OK) return NAN;
  *seconds = hg_now() - start;
  hg_tree_rects(&tree, r->size, r->parts, r->speed, rect);
  hg_tree_free(&tree);
  hg_partition_measure(r, rect, NULL, &m);
  return m.half_perimeter / m.lower_bound;
}

static void add(stats *t, double ratio, double seconds, int parts)
{
  t->sum += ratio;
  t->seconds += seconds;
  t->count++;
  t->worst = fmax(t->worst, ratio);
  if (parts >= 9) t->worst_large = fmax(t->worst_large, ratio);
}

int main(int argc, char **argv)
{
  const int sets = argc > 1 ? atoi(argv[1]) : 2000, dims = argc > 3 ? atoi(argv[3]) : 2;
  const double aspect = argc > 2 ? atof(argv[2]) : 1;
  stats t[16] = {0};
  uint64_t index = 0;
  for (int s = 0; s < sets; s++) {
    double speed[PARTS], seconds = 0;
    const hg_partition_request r = {
        .dims = dims, .size = {aspect, 1, 1}, .parts = random_speeds(&index, speed), .speed = speed};
    double nphp = ratio_of(hg_partition_nphp, &r, &seconds);
    for (int i = 0; hg_partitioners[i].name; i++) {
      if (strcmp(hg_partitioners[i].name, "exact") == 0 && r.parts > 6) continue;
      double ratio = ratio_of(hg_partitioners[i].divide, &r, &seconds);
      add(&t[i], ratio, seconds, r.parts);
      t[i].above_nphp += ratio > nphp * (1 + 1e-12);
    }
  }
  printf("partition,aspect,dims,sets,mean_ratio,worst_ratio,worst_ratio_p9,above_nphp,mean_ms\n");
  for (int i = 0; hg_partitioners[i].name; i++)
    printf("%s,%g,%d,%d,%.4f,%.4f,%.4f,%d,%.4f\n", hg_partitioners[i].name, aspect, dims, t[i].count,
           t[i].sum / t[i].count, t[i].worst, t[i].worst_large, t[i].above_nphp, 1e3 * t[i].seconds / t[i].count);
  return 0;
}
