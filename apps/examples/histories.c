/* SPDX-License-Identifier: MIT */
/* Values of variable size: a unit remembers its last states, one to five of them, and moves towards the oldest state
 * that its neighbours on a ring remember. */
#define HG_VALUE double
#include <hetgrid/app.h>

HG_UPDATE_ARRAY(histories)
{
  double target = 0;
  const int64_t count = hg_neighbours(u), own = hg_length(u);
  for (int64_t i = 0; i < count; i++) target += hg_neighbour_values(u, i)[hg_neighbour_length(u, i) - 1];
  out[0] = hg_values(u)[0] + .25 * (target / (double)count - hg_values(u)[0]);
  for (int64_t i = 1; i < own; i++) out[i] = hg_values(u)[i - 1];
}

static int64_t memory(const hg_cell *cell, void *arg)
{
  (void)arg;
  return 1 + cell->id * 7 % 5;
}

static void neighbours(const hg_cell *cell, hg_set *set, void *arg)
{
  const int64_t n = cell->n[0];
  (void)arg;
  hg_set_add(set, (cell->id + 1) % n);
  hg_set_add(set, (cell->id + n - 1) % n);
}

static hg_status start(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  (void)input;
  (void)arg;
  for (int64_t i = 0; i < cell->length; i++) ((double *)value)[i] = (double)(cell->id * 31 % 17);
  return HG_OK;
}

/* The current state. */
static double present(const void *value, int64_t length, void *arg)
{
  (void)length;
  (void)arg;
  return ((const double *)value)[0];
}

HG_MPI_TEST_BACKOFF

int main(int argc, char **argv)
{
  hg_job job = {.dims = 1, .size = {5000, 1, 1}, .update = &histories, .init = start, .steps = 60};
  job.neighbours = neighbours;
  job.length = memory;
  job.number = present;
  return hg_main(argc, argv, &job);
}
