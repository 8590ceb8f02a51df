/* SPDX-License-Identifier: MIT */
/* Conway's game of life on a torus. */
#define HG_VALUE unsigned char
#define HG_DIMS 2
#define HG_RADIUS 1
#include <hetgrid/app.h>

HG_UPDATE(life)
{
  int alive = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx != 0 || dy != 0) alive += hg_at(u, dx, dy);
  return alive == 3 || (alive == 2 && hg_value(u));
}

HG_QUANTITY(living)
{
  return hg_value_after(u);
}

/* A picture, or an R-pentomino in the middle. */
static hg_status start(const hg_cell *cell, void *value, const hg_input *input, void *arg)
{
  static const char *const pentomino[] = {" ##", "## ", " # "};
  const int64_t x = cell->x - cell->n[0] / 2, y = cell->y - cell->n[1] / 2;
  (void)arg;
  const int here = x >= 0 && x < 3 && y >= 0 && y < 3 && pentomino[y][x] == '#';
  *(unsigned char *)value = isnan(input->number) ? here : input->number != 0;
  return HG_OK;
}

HG_MPI_TEST_BACKOFF

int main(int argc, char **argv)
{
  hg_job job = {.size = {400, 300, 1}, .update = &life, .init = start, .steps = 1000, .boundary = "periodic"};
  job.quantity = &living;
  job.reduction = HG_SUM;
  return hg_main(argc, argv, &job);
}
