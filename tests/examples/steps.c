/* SPDX-License-Identifier: MIT */
/* An update that differs from step to step, so that a run that loses its step count gives another result. */
#define HG_VALUE double
#define HG_DIMS 2
#define HG_RADIUS 1
#include <hetgrid/app.h>

HG_UPDATE(average)
{
  const double sum = hg_at(u, -1, 0) + hg_at(u, 1, 0) + hg_at(u, 0, -1) + hg_at(u, 0, 1);
  return sum / 4 + (double)(hg_step(u) % 11);
}

static hg_status start(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  (void)input, (void)arg;
  *(double *)value = (double)(cell->id * 7919 % 1009);
  return HG_OK;
}

int main(int argc, char **argv)
{
  hg_job job = {.size = {300, 200, 1}, .update = &average, .init = start, .steps = 300};
  return hg_main(argc, argv, &job);
}
