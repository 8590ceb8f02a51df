/* SPDX-License-Identifier: MIT */
#include "codelets/lu/permutation.h"

#include <stdlib.h>

static int by_target(const void *a, const void *b)
{
  const hg_row_move *s = a, *t = b;
  return (s->to > t->to) - (s->to < t->to);
}

/* Lists row i unless it was listed before, and resets row[i]. */
static int list_row(int32_t i, int32_t *row, hg_row_move *move, int count)
{
  if (row[i] == i) return count;
  move[count] = (hg_row_move){.to = i, .from = row[i]};
  row[i] = i;
  return count + 1;
}

int hg_net_permutation(int count, const int32_t *pivot, int32_t *row, hg_row_move *move)
{
  int moves = 0;
  for (int32_t c = 0; c < count; c++) {
    int32_t kept = row[c];
    row[c] = row[pivot[c]];
    row[pivot[c]] = kept;
  }
  for (int32_t c = 0; c < count; c++) moves = list_row(c, row, move, moves);
  for (int32_t c = 0; c < count; c++) moves = list_row(pivot[c], row, move, moves);
  qsort(move, (size_t)moves, sizeof *move, by_target);
  return moves;
}
