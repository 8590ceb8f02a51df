/* SPDX-License-Identifier: MIT */
/* Heat transfer like hetgrid-heat, written as a point-wise update: gives the same bits, for comparison. */
#define HG_VALUE double
#define HG_DIMS 2
#define HG_RADIUS 1
#include <hetgrid/app.h>

HG_UPDATE(heat_points)
{
  const double *a = (const double *)hg_parameters(u), centre = 1 - 2 * a[0] - 2 * a[1];
  const double along_x = fma(a[0], hg_at(u, -1, 0) + hg_at(u, 1, 0), centre * hg_value(u));
  return fma(a[1], hg_at(u, 0, -1) + hg_at(u, 0, 1), along_x);
}

HG_QUANTITY(change)
{
  return fabs(hg_value_after(u) - hg_value(u));
}

HG_MPI_TEST_BACKOFF

int main(int argc, char **argv)
{
  double alpha[2] = {.1, .1};
  hg_job job = {.size = {1000, 1000, 1}, .update = &heat_points, .steps = 100, .quantity = &change};
  job.parameters = alpha;
  job.parameter_bytes = sizeof alpha;
  job.input = "hotspot";
  job.flops = 7;
  return hg_main(argc, argv, &job);
}
