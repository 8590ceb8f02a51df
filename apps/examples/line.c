/* SPDX-License-Identifier: MIT */
/* A 1-D stencil of radius 2: diffusion of fourth order on a ring, in single precision. */
#define HG_VALUE float
#define HG_DIMS 1
#define HG_RADIUS 2
#include <hetgrid/app.h>

HG_UPDATE(line)
{
  const float far = hg_at(u, -2) + hg_at(u, 2), near = hg_at(u, -1) + hg_at(u, 1);
  return hg_value(u) + .1f * (16 * near - far - 30 * hg_value(u)) / 12;
}

static hg_status start(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  (void)arg;
  *(float *)value = isnan(input->number) ? (float)(cell->id % 37) : (float)input->number;
  return HG_OK;
}

HG_MPI_TEST_BACKOFF

int main(int argc, char **argv)
{
  hg_job job = {.size = {1000000, 1, 1}, .update = &line, .init = start, .steps = 200, .boundary = "periodic"};
  return hg_main(argc, argv, &job);
}
