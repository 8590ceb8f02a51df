/* SPDX-License-Identifier: MIT */
/* The average of a unit's four neighbours (thesis, algorithm 5-1): the smallest application. */
#define HG_VALUE double
#define HG_DIMS 2
#define HG_RADIUS 1
#include <hetgrid/app.h>

HG_UPDATE(average)
{
  return (hg_at(u, -1, 0) + hg_at(u, 1, 0) + hg_at(u, 0, -1) + hg_at(u, 0, 1)) / 4;
}

HG_QUANTITY(change)
{
  return fabs(hg_value_after(u) - hg_value(u));
}

/* Takes a number from the input, or a pattern. The outermost units keep their values. */
static hg_status start(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  (void)arg;
  *(double *)value = isnan(input->number) ? (double)(cell->id * 7919 % 1009) : input->number;
  return HG_OK;
}

HG_MPI_TEST_BACKOFF

int main(int argc, char **argv)
{
  hg_job job = {.size = {1000, 1000, 1}, .update = &average, .init = start, .steps = 100, .quantity = &change};
  return hg_main(argc, argv, &job);
}
