/* SPDX-License-Identifier: MIT */
/* Example of rectangles: shares 3, 1 | 2, 2 for two ranks with two workers each. The ranks get halves of C, one above
 * the other; the first half is divided 3 : 1, the second in two. */
#include "matmul/divide.h"

#include "partition/partition.h"

int64_t hg_matmul_units(const hg_matmul_problem *p)
{
  const int64_t rows = hg_matmul_blocks(p->m);
  return p->layout == HG_LAYOUT_ROWS ? rows : rows * hg_matmul_blocks(p->n);
}

double hg_matmul_units_of(const hg_matmul_problem *p, const hg_box *box)
{
  const int64_t rows = hg_matmul_blocks(hg_box_extent(box, 1));
  return (double)(p->layout == HG_LAYOUT_ROWS ? rows : rows * hg_matmul_blocks(hg_box_extent(box, 0)));
}

/* From blocks to elements. */
static hg_box scale(const hg_matmul_problem *p, const hg_box *blocks)
{
  const int64_t side[2] = {p->n, p->m};
  hg_box box = {{0, 0, 0}, {0, 0, 1}};
  for (int a = 0; a < 2; a++) {
    const int64_t lo = blocks->lo[a] * HG_MATMUL_UNIT, hi = blocks->hi[a] * HG_MATMUL_UNIT;
    box.lo[a] = lo < side[a] ? lo : side[a];
    box.hi[a] = hi < side[a] ? hi : side[a];
  }
  return box;
}

static void cut_rows(const hg_session *s, const hg_matmul_problem *p, const int64_t *units, hg_box *box, hg_box *rank)
{
  int64_t at = 0;
  for (int r = 0; r < s->ranks; r++) rank[r] = (hg_box){{0, 0, 0}, {0, 0, 1}};
  for (int i = 0; i < s->all_workers; i++) {
    const hg_box blocks = {{0, at, 0}, {hg_matmul_blocks(p->n), at + units[i], 1}};
    hg_box *mine = &rank[s->worker_rank[i]];
    box[i] = scale(p, &blocks);
    if (hg_box_extent(mine, 1) == 0) mine->lo[1] = box[i].lo[1];
    mine->hi[0] = p->n;
    mine->hi[1] = box[i].hi[1];
    at += units[i];
  }
}

/* Divides the blocks of `whole`, relative to its corner. */
static hg_status cut(const char *partition, const hg_box *whole, int parts, const double *speed, hg_box *blocks)
{
  const int64_t n[3] = {hg_box_extent(whole, 0), hg_box_extent(whole, 1), 1};
  double all = 0;
  for (int i = 0; i < parts; i++) {
    all += speed[i];
    blocks[i] = (hg_box){{0, 0, 0}, {0, 0, 1}};
  }
  if (all <= 0 || n[0] == 0 || n[1] == 0) return HG_OK;
  const hg_partition_request request = {
      .dims = 2, .size = {(double)n[0], (double)n[1], 1}, .parts = parts, .speed = speed, .whole = true};
  HG_TRY(hg_partition(partition, &request, n, blocks));
  for (int i = 0; i < parts; i++)
    for (int a = 0; a < 2; a++) {
      blocks[i].lo[a] += whole->lo[a];
      blocks[i].hi[a] += whole->lo[a];
    }
  return HG_OK;
}

static hg_status cut_rectangles(const hg_session *s, const hg_matmul_problem *p, const int64_t *units, hg_box *box,
                                hg_box *rank)
{
  const hg_box all = {{0, 0, 0}, {hg_matmul_blocks(p->n), hg_matmul_blocks(p->m), 1}};
  double speed[s->all_workers], of_rank[s->ranks];
  for (int r = 0; r < s->ranks; r++) of_rank[r] = 0;
  for (int i = 0; i < s->all_workers; i++) of_rank[s->worker_rank[i]] += speed[i] = (double)units[i];
  HG_TRY(cut(p->partition, &all, s->ranks, of_rank, rank));
  for (int first = 0, end = 0; first < s->all_workers; first = end) {
    const int r = s->worker_rank[first];
    while (end < s->all_workers && s->worker_rank[end] == r) end++;
    HG_TRY(cut(p->partition, &rank[r], end - first, speed + first, box + first));
  }
  for (int i = 0; i < s->all_workers; i++) box[i] = scale(p, &box[i]);
  for (int r = 0; r < s->ranks; r++) rank[r] = scale(p, &rank[r]);
  return HG_OK;
}

hg_status hg_matmul_divide(const hg_session *s, const hg_matmul_problem *p, const int64_t *units, hg_box *box,
                           hg_box *rank)
{
  if (p->layout == HG_LAYOUT_RECTANGLES) return cut_rectangles(s, p, units, box, rank);
  cut_rows(s, p, units, box, rank);
  return HG_OK;
}

/* Whether a line through C at the panel's position crosses a rectangle; axis 0: a column. */
static bool crosses(const hg_matmul_problem *p, const hg_box *box, int panel, int axis)
{
  const int64_t middle = (int64_t)panel * p->nb + hg_matmul_depth(p, panel) / 2;
  const int64_t line = (int64_t)((__int128)middle * (axis == 0 ? p->n : p->m) / p->k);
  return hg_box_cells(box) > 0 && box->lo[axis] <= line && line < box->hi[axis];
}

bool hg_matmul_owns_a(const hg_matmul_problem *p, const hg_box *rank, int panel, int who)
{
  return p->layout == HG_LAYOUT_ROWS || crosses(p, &rank[who], panel, 0);
}

bool hg_matmul_owns_b(const hg_matmul_problem *p, const hg_box *rank, int panel, int who)
{
  return p->layout == HG_LAYOUT_ROWS ? who == 0 : crosses(p, &rank[who], panel, 1);
}
