/* SPDX-License-Identifier: MIT */
/* Trees grow, lightning strikes, fire spreads: the Drossel-Schwabl model on a torus. */
#define HG_VALUE unsigned char /* what a unit holds */
#define HG_DIMS 2              /* columns and rows */
#define HG_RADIUS 1            /* how far a unit looks */
#include <hetgrid/app.h>

enum { EMPTY, TREE, FIRE };

typedef struct chances {
  double growth, lightning; /* per unit and step */
} chances;

/* A number in 0..1 for a unit and a step: updates must not keep a state of their own. */
HG_BOTH double chance(const hg_unit *u)
{
  uint64_t z = (uint64_t)hg_id(u) * 0x9e3779b97f4a7c15u + (uint64_t)hg_step(u) * 0xd1b54a32d192ed03u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

HG_UPDATE(forest)
{
  const chances *p = (const chances *)hg_parameters(u);
  if (hg_value(u) == FIRE) return EMPTY;
  if (hg_value(u) == EMPTY) return chance(u) < p->growth ? TREE : EMPTY;
  const bool near = hg_at(u, -1, 0) == FIRE || hg_at(u, 1, 0) == FIRE || hg_at(u, 0, -1) == FIRE || hg_at(u, 0, 1) == FIRE;
  return near || chance(u) < p->lightning ? FIRE : TREE;
}

HG_QUANTITY(trees)
{
  return hg_new(u) == TREE;
}

static hg_status plant(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  (void)input;
  (void)arg;
  *(unsigned char *)value = cell->id * 7919 % 10 < 4 ? TREE : EMPTY;
  return HG_OK;
}

int main(int argc, char **argv)
{
  chances p = {.growth = .01, .lightning = .0001};
  hg_job job = {.size = {400, 300, 1}, .update = &forest, .init = plant, .steps = 500, .boundary = "periodic"};
  job.quantity = &trees;
  job.reduction = HG_SUM;
  job.parameters = &p;
  job.parameter_bytes = sizeof p;
  return hg_main(argc, argv, &job);
}
