/* SPDX-License-Identifier: MIT */
/* Updates by points whose speed bench/points compares with hetgrid-heat and plain loops: with -DSPACE an average of
 * six neighbours, otherwise reaction and diffusion of two fields (Gray and Scott). */
#define HG_RADIUS 1
#ifdef SPACE
#define HG_VALUE double
#define HG_DIMS 3
#else
typedef struct fields {
  double u, v;
} fields;
#define HG_VALUE fields
#define HG_DIMS 2
#endif
#include "job/app.h"

#ifdef SPACE
HG_UPDATE(point)
{
  const double x = hg_at(u, -1, 0, 0) + hg_at(u, 1, 0, 0), y = hg_at(u, 0, -1, 0) + hg_at(u, 0, 1, 0);
  return (x + y + (hg_at(u, 0, 0, -1) + hg_at(u, 0, 0, 1))) * (1. / 6);
}

static HG_VALUE first(const hg_cell *cell)
{
  return (double)(cell->id * 7919 % 1009);
}
#else
HG_UPDATE(point)
{
  const fields c = hg_value(u), w = hg_at(u, -1, 0), e = hg_at(u, 1, 0), n = hg_at(u, 0, -1), s = hg_at(u, 0, 1);
  const double met = c.u * c.v * c.v;
  return (fields){c.u + .16 * (w.u + e.u + n.u + s.u - 4 * c.u) - met + .035 * (1 - c.u),
                  c.v + .08 * (w.v + e.v + n.v + s.v - 4 * c.v) + met - (.035 + .065) * c.v};
}

static HG_VALUE first(const hg_cell *cell)
{
  return (fields){1 - (double)(cell->id % 13) * .01, (double)(cell->id % 7) * .01};
}
#endif

static hg_status start(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  (void)input;
  (void)arg;
  *(HG_VALUE *)value = first(cell);
  return HG_OK;
}

HG_MPI_TEST_BACKOFF

int main(int argc, char **argv)
{
  hg_job job = {.size = {256, 256, HG_DIMS == 3 ? 256 : 1}, .update = &point, .init = start, .steps = 100};
  return hg_main(argc, argv, &job);
}
