/* SPDX-License-Identifier: MIT */
/* Row interchanges of a pivoted panel as one permutation. */
#ifndef HG_CODELETS_LU_PERMUTATION_H
#define HG_CODELETS_LU_PERMUTATION_H

#include <stdint.h>

/** Row `from` goes to row `to`. */
typedef struct hg_row_move {
  int32_t to, from;
} hg_row_move;

/** The net effect of exchanging row c with row pivot[c], for c = 0 .. count-1 in turn, as at most 2 * count moves of
 * different rows, ascending in `to`; rows that end where they were are not listed.
 * @param pivot  [count], >= 0
 * @param row    [largest row + 1], row[i] = i; unchanged on return
 * @param move   [2 * count]
 * @return number of moves. Cost O(count log count). */
int hg_net_permutation(int count, const int32_t *pivot, int32_t *row, hg_row_move *move);
#endif
