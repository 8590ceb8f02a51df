/* SPDX-License-Identifier: MIT */
/* A graph whose edges change at every step: a unit takes the mean of itself and of one to four others. */
#define HG_VALUE double
#include <hetgrid/app.h>

HG_UPDATE(random_graph)
{
  double sum = hg_value(u);
  const int64_t count = hg_neighbours(u);
  for (int64_t i = 0; i < count; i++) sum += hg_neighbour(u, i);
  return sum / (double)(count + 1);
}

HG_QUANTITY(state)
{
  return hg_value_after(u);
}

static uint64_t scramble(uint64_t z)
{
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static void neighbours(const hg_cell *cell, hg_set *set, void *arg)
{
  const int64_t units = cell->n[0] * cell->n[1] * cell->n[2];
  (void)arg;
  uint64_t random = scramble((uint64_t)cell->id * 1000003 + (uint64_t)cell->step * 7919 + 1);
  for (uint64_t left = 1 + random % 4; left > 0; left--) {
    random = scramble(random + 0x9e3779b97f4a7c15u);
    hg_set_add(set, (int64_t)(random % (uint64_t)units));
  }
}

static hg_status start(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  (void)arg;
  *(double *)value = isnan(input->number) ? (double)(cell->id % 101) : input->number;
  return HG_OK;
}

HG_MPI_TEST_BACKOFF

int main(int argc, char **argv)
{
  hg_job job = {.dims = 2, .size = {64, 48, 1}, .update = &random_graph, .init = start, .steps = 20};
  job.neighbours = neighbours;
  job.neighbours_every = 1;
  job.quantity = &state;
  job.reduction = HG_SUM;
  job.check_every = 1;
  job.flops = 3.5; /* on average */
  return hg_main(argc, argv, &job);
}
