/* SPDX-License-Identifier: MIT */
/* Heat transfer by a hand-written kernel for whole tiles: here the library's own. The rest (tiles, margins, exchange,
 * several steps per task) is the same as for updates by points. */
#define HG_VALUE double
#define HG_DIMS 2
#define HG_RADIUS 1
#include <hetgrid/app.h>
#include <hetgrid/heat_kernels.h>

static size_t work_bytes(const hg_units_tile *tile, int steps)
{
  return hg_heat_kernel_find("auto")->workspace[0](tile->shape, steps, false);
}

static void advance(const hg_units_tile *tile, int64_t first, int steps, void *before, void *after, void *work)
{
  const double *alpha = (const double *)tile->units.parameters;
  const hg_heat_coef coefficients = {{alpha[0], alpha[1], 0}};
  (void)first;
  hg_heat_kernel_find("auto")->advance[0](tile->shape, &coefficients, steps, before, after, NULL, work);
}

HG_MPI_TEST_BACKOFF

int main(int argc, char **argv)
{
  double alpha[2] = {.1, .1};
  const hg_update update = {.name = "heat_tiles",
                            .dims = HG_DIMS,
                            .radius = HG_RADIUS,
                            .value_bytes = sizeof(HG_VALUE),
                            .value_type = 'd',
                            .tile = advance,
                            .work_bytes = work_bytes};
  hg_job job = {.size = {1000, 1000, 1}, .update = &update, .steps = 100, .symmetric = true};
  job.parameters = alpha;
  job.parameter_bytes = sizeof alpha;
  job.input = "hotspot";
  return hg_main(argc, argv, &job);
}
