/* SPDX-License-Identifier: MIT */
/* Cells without data are not part of the grid: their diffusivity is 0, so no heat passes to them, and they keep the
 * number that marks missing data. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "heat.h"

/* Cells are queried row by row. */
static bool has_data(heat_mask *m, const hg_cell *c)
{
  const hg_box row = {{0, c->y, c->z}, {c->n[0], c->y + 1, c->z + 1}};
  if (m->y != c->y || m->z != c->z) m->good = hg_grid_read(m->input, c->n, &row, m->row) == HG_OK;
  m->y = c->y, m->z = c->z;
  return m->good && m->row[c->x] != *hg_grid_missing(m->input);
}

/* @param number  diffusivity of the cell; NaN: the same for all */
static double diffusivity_of(const hg_cell *cell, double number, void *arg)
{
  heat *h = arg;
  if (!has_data(&h->mask, cell)) return 0;
  return isnan(number) ? 1 : number;
}

hg_status heat_take_mask(heat *h, hg_job *j, const hg_side side[3][2])
{
  void *row;
  if (!h->masks) return HG_OK;
  for (int i = 0; i < 6; i++)
    if (side[i / 2][i % 2].has_value || side[i / 2][i % 2].times || side[i / 2][i % 2].flux != 0)
      return hg_fail(HG_INVALID, "--nodata mask and a side of --boundary with a value or a flux exclude each other");
  HG_TRY(hg_job_open_field(j, true, true, &h->mask.input));
  if (!hg_grid_missing(h->mask.input)) return hg_fail(HG_INVALID, "--nodata mask: needs an --input file");
  HG_TRY(hg_allocate("a row of the input", (size_t)j->size[0] * sizeof *h->mask.row, &row));
  h->mask.row = row;
  h->mask.y = h->mask.z = -1;
  j->source_value = diffusivity_of;
  return HG_OK;
}

void heat_close_mask(heat *h)
{
  hg_grid_close(h->mask.input);
  free(h->mask.row);
}
