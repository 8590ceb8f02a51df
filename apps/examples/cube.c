/* SPDX-License-Identifier: MIT */
/* A 3-D stencil with all 26 neighbours and two quantities per unit, a predator and its prey, which diffuse and
 * react. */
#define HG_DIMS 3
#define HG_RADIUS 1
typedef struct creatures {
  double prey, predator;
} creatures;
#define HG_VALUE creatures
#include <hetgrid/app.h>

HG_UPDATE(cube)
{
  creatures sum = {0, 0}, c = hg_value(u);
  for (int dz = -1; dz <= 1; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        const creatures other = hg_at(u, dx, dy, dz);
        sum.prey += other.prey;
        sum.predator += other.predator;
      }
  const double met = c.prey * c.predator;
  c.prey += .01 * (sum.prey / 27 - c.prey) + .02 * (c.prey - met);
  c.predator += .02 * (sum.predator / 27 - c.predator) + .02 * (met - c.predator);
  return c;
}

static hg_status start(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  (void)input;
  (void)arg;
  *(creatures *)value = (creatures){1 + (double)(cell->x % 5) / 10, 1 + (double)((cell->y + cell->z) % 7) / 10};
  return HG_OK;
}

/* The value in pictures and files. */
static double prey(const void *value, int64_t length, void *arg)
{
  (void)length;
  (void)arg;
  return ((const creatures *)value)->prey;
}

/* .h5 and .nc files also have this value. */
static double predator(const void *value, int64_t length, void *arg)
{
  (void)length;
  (void)arg;
  return ((const creatures *)value)->predator;
}

HG_MPI_TEST_BACKOFF

int main(int argc, char **argv)
{
  static const hg_number more[] = {{"predator", predator}, {0}};
  hg_job job = {.size = {60, 50, 40}, .update = &cube, .init = start, .steps = 50, .boundary = "insulated"};
  job.number = prey;
  job.value_name = "prey";
  job.also = more;
  return hg_main(argc, argv, &job);
}
