/* SPDX-License-Identifier: MIT */
/* Trees grow, lightning strikes, fire spreads: the Drossel-Schwabl model on a torus. */
#define HG_VALUE unsigned char /* what a unit holds */
#define HG_DIMS 2              /* columns and rows */
#define HG_RADIUS 1            /* how far a unit looks */
#include <hetgrid/app.h>

enum { EMPTY, TREE, FIRE };

typedef struct chances {
  double growth, lightning; /* per unit and step */
  int64_t seed;
} chances;

static const hg_parameter options[] = {
    HG_PARAMETER(chances, growth, 0, 1, "Chance of an empty place to grow a tree, per step"),
    HG_PARAMETER(chances, lightning, 0, 1, "Chance of a tree to be struck, per step"),
    HG_PARAMETER(chances, seed, 0, 1e9, "Another forest for each"),
    {0}};

HG_UPDATE(forest)
{
  const chances *p = (const chances *)hg_parameters(u);
  const double chance = hg_random(u, p->seed);
  if (hg_value(u) == FIRE) return EMPTY;
  if (hg_value(u) == EMPTY) return chance < p->growth ? TREE : EMPTY;
  const bool near =
      hg_at(u, -1, 0) == FIRE || hg_at(u, 1, 0) == FIRE || hg_at(u, 0, -1) == FIRE || hg_at(u, 0, 1) == FIRE;
  return near || chance < p->lightning ? FIRE : TREE;
}

HG_QUANTITY(trees)
{
  return hg_value_after(u) == TREE;
}

static hg_status plant(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  (void)input;
  *(unsigned char *)value = hg_random_at(cell->id, -1, ((const chances *)arg)->seed) < .4 ? TREE : EMPTY;
  return HG_OK;
}

HG_MPI_TEST_BACKOFF

int main(int argc, char **argv)
{
  chances p = {.growth = .01, .lightning = .0001, .seed = 1};
  hg_job job = {.size = {400, 300, 1}, .update = &forest, .init = plant, .steps = 500, .boundary = "periodic"};
  job.quantity = &trees;
  job.reduction = HG_SUM;
  job.parameters = &p;
  job.parameter_bytes = sizeof p;
  job.parameter = options;
  job.arg = &p;
  return hg_main(argc, argv, &job);
}
