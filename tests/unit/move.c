/* SPDX-License-Identifier: MIT */
/* A grid's values move from one division to another on one rank: all arrive, whatever the tiles. */
#include "graph/redistribute.h"

#include <stdlib.h>

#include "tap.h"

/* Values of a division: the tiles' cores one after the other, x fastest. */
typedef struct values {
  hg_tiling tiling;
  double *value;
} values;

static char *locate(void *graph, int tile, const hg_box *box, hg_halo_piece_cells *cells)
{
  const values *v = graph;
  const hg_box core = hg_tile_core(&v->tiling, tile);
  double *at = v->value;
  for (int i = 0; i < tile; i++) {
    const hg_box before = hg_tile_core(&v->tiling, i);
    at += hg_box_cells(&before);
  }
  *cells =
      (hg_halo_piece_cells){.stride = {1, hg_box_extent(&core, 0), hg_box_extent(&core, 0) * hg_box_extent(&core, 1)}};
  for (int a = 0; a < 3; a++) {
    cells->n[a] = hg_box_extent(box, a);
    cells->first += (box->lo[a] - core.lo[a]) * cells->stride[a];
  }
  return (char *)at;
}

static const hg_domain domain = {.dims = 3, .n = {9, 8, 7}, .radius = 1};
enum { CELLS = 9 * 8 * 7 };

/* Two regions on both sides of a cut, in small tiles. */
static bool divide(int axis, int64_t at, const int64_t tile[3], values *v)
{
  hg_box box[2] = {{.hi = {9, 8, 7}}, {.hi = {9, 8, 7}}};
  const int rank[2] = {0};
  const int64_t most[2][3] = {{tile[0], tile[1], tile[2]}, {tile[2], tile[1], tile[0]}};
  box[0].hi[axis] = box[1].lo[axis] = at;
  v->value = calloc(CELLS, sizeof *v->value);
  return hg_tiling_make(&domain, 2, box, rank, 1, most, &v->tiling) == HG_OK;
}

/* The value of each cell is its number in the grid; with `set` stores it. @return number of cells that differ */
static int differences(values *v, bool set)
{
  int wrong = 0;
  double *at = v->value;
  for (int t = 0; t < v->tiling.tiles; t++) {
    const hg_box b = hg_tile_core(&v->tiling, t);
    for (int64_t z = b.lo[2]; z < b.hi[2]; z++)
      for (int64_t y = b.lo[1]; y < b.hi[1]; y++)
        for (int64_t x = b.lo[0]; x < b.hi[0]; x++, at++) {
          const double number = (double)(1 + x + 9 * (y + 8 * z));
          if (set) *at = number;
          wrong += *at != number;
        }
  }
  return wrong;
}

int main(void)
{
  const hg_session session = {.ranks = 1};
  values from, to;
  if (!divide(0, 4, (int64_t[]){3, 4, 5}, &from) || !divide(2, 3, (int64_t[]){7, 5, 2}, &to)) return 1;
  differences(&from, true);
  const hg_divided old = {&from.tiling, locate, &from}, new = {&to.tiling, locate, &to};
  tap_int(hg_move_values(&session, sizeof(double), &old, &new), HG_OK, "values move to another division");
  tap_int(differences(&to, false), 0, "... each to its place, in parts of several rows and planes");
  hg_tiling_free(&from.tiling);
  hg_tiling_free(&to.tiling);
  free(from.value);
  free(to.value);
  return tap_done();
}
