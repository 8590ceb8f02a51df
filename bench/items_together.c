/* SPDX-License-Identifier: MIT */
/* Gain of running a parallel routine on all cores together (hg_divisible.together): matrix products by OpenMP threads,
 * each an item, by cores with a share each and by all of them as one device.
 *   items_together [PRODUCTS [SIZE [PASSES]]]   prints the shortest pass of both, s (1 product, 1024, 5 passes) */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "divisible/divisible.h"

static int64_t size = 1024;

static void multiply_row(const double *a, const double *b, double *c)
{
  for (int64_t k = 0; k < size; k++)
    for (int64_t j = 0; j < size; j++) c[j] += a[k] * b[k * size + j];
}

static hg_status multiply(const hg_items *items)
{
  const double *a = items->array[0], *b = items->array[1];
  double *c = items->array[2];
#pragma omp parallel for num_threads(items->cores)
  for (int64_t i = 0; i < items->count * size; i++) {
    for (int64_t j = 0; j < size; j++) c[i * size + j] = 0;
    multiply_row(a + i * size, b, c + i * size);
  }
  return HG_OK;
}

/* s of the shortest pass. */
static hg_status measure(hg_divisible *job, bool together, int passes, double *seconds)
{
  hg_divisible_run *run;
  hg_status status = HG_OK;
  job->together = together;
  *seconds = INFINITY;
  HG_TRY(hg_divisible_open(job, &run));
  for (int i = 0; i < passes && status == HG_OK; i++) {
    status = hg_divisible_pass(run);
    *seconds = fmin(*seconds, hg_divisible_report_of(run)->seconds);
  }
  hg_divisible_close(run);
  return status;
}

int main(int argc, char **argv)
{
  const int64_t products = argc > 1 ? atoi(argv[1]) : 1;
  const int passes = argc > 3 ? atoi(argv[3]) : 5;
  double apart, together;
  if (argc > 2) size = atoi(argv[2]);
  const int64_t bytes = size * size * (int64_t)sizeof(double);
  double *a = calloc((size_t)(2 * products + 1), (size_t)bytes), *b = a + products * size * size, *c = b + size * size;
  hg_divisible job = {.name = "products",
                      .grid = {products},
                      .arrays = 3,
                      .array = {{a, bytes}, {b, bytes, .access = HG_ITEM_SHARED}, {c, bytes, .access = HG_ITEM_WRITE}},
                      .cpu = multiply,
                      .agglomerative = true};
  if (!a) return 1;
  for (int64_t i = 0; i < (products + 1) * size * size; i++) a[i] = (double)(i % 7);
  if (measure(&job, false, passes, &apart) != HG_OK || measure(&job, true, passes, &together) != HG_OK)
    return fprintf(stderr, "items_together: %s\n", hg_message()), 1;
  printf("%lld products of %lld x %lld: each core has a share %.4f s, together %.4f s\n", (long long)products,
         (long long)size, (long long)size, apart, together);
  free(a);
  return 0;
}
