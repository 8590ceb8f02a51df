/* SPDX-License-Identifier: MIT */
/* A 1-D stencil of radius 2: diffusion of fourth order on a ring, in single precision. If linked with an object from
 * `cc -O3 -DHG_VALUE=double -c line.c -o line_double.o`, it runs in double precision, too (--precision). */
#ifdef HG_VALUE
#define OTHER
#else
#define HG_VALUE float
#endif
#define HG_DIMS 1
#define HG_RADIUS 2
#include <hetgrid/app.h>

HG_UPDATE(line)
{
  const HG_VALUE far = hg_at(u, -2) + hg_at(u, 2), near = hg_at(u, -1) + hg_at(u, 1);
  return hg_value(u) + (HG_VALUE).1 * (16 * near - far - 30 * hg_value(u)) / 12;
}

static hg_status start(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  (void)arg;
  *(HG_VALUE *)value = (HG_VALUE)(isnan(input->number) ? (double)(cell->id % 37) : input->number);
  return HG_OK;
}

extern const hg_job other_line __attribute__((weak)); /* NULL if it is not linked */
#ifdef OTHER
const hg_job other_line = {.update = &line, .init = start};
#else
HG_MPI_TEST_BACKOFF

int main(int argc, char **argv)
{
  hg_job job = {.size = {1000000, 1, 1}, .update = &line, .init = start, .steps = 200, .boundary = "periodic"};
  job.other_precision = &other_line;
  return hg_main(argc, argv, &job);
}
#endif
