/* SPDX-License-Identifier: MIT */
/* Gaussian elimination with partial pivoting as a graph of StarPU tasks over tiles (thesis 2.3, algorithm 5-2).
 *
 * Blocked and right-looking: step k factors block column k (the panel), exchanges rows of the columns right of it,
 * Blocked and right-looking: step k factors block column k (the panel), exchanges rows of the columns to its right,
 * solves for the top row of tiles and subtracts products below. Which tiles exchange rows depends on the pivots, so
 * the step's tasks are submitted when the panel is done, and only for the tiles touched by its net permutation. Panels
 * have the highest priority, followed by the next panel's column, so panels run ahead of the products (look-ahead).
 * Right-hand sides are additional block columns of the same graph.
 * A rank submits the tasks of its own tiles. Ranks exchange (by StarPU-MPI) panels, the top row where a column is
 * divided, exchanged rows (one bundle per pair of ranks and column), and pivots. Columns left of the panel are not
 * exchanged: instead, solving applies the permutations step by step. */
#ifndef HG_ELIMINATION_GRAPH_H
#define HG_ELIMINATION_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "elimination/problem.h"
#include "graph/tile_view.h"
#include "runtime/session.h"
#include "runtime/worker_usage.h"

typedef struct hg_elimination hg_elimination;

/** Builds the tiles of this rank. Collective. HG_INVALID if A is not square, B does not fit, or a static graph is
 * requested while ranks share columns; HG_MEMORY, before anything is allocated, with the size needed. */
hg_status hg_elimination_make(const hg_session *session, const hg_lu_problem *problem, hg_elimination **out);

/** Loads A and B (again). Collective. Returns any status of reading them. */
hg_status hg_elimination_load(hg_elimination *e);

/** Factors A and eliminates in B. Collective.
 * @param report  called with the number of steps done, or NULL */
hg_status hg_elimination_factor(hg_elimination *e, void (*report)(void *arg, int64_t done), void *arg);

/** Back substitution: B becomes X. Collective. HG_INVALID if a pivot is zero. */
hg_status hg_elimination_solve(hg_elimination *e);

/** Undoes the factorisation: multiplies the factors and reverses the exchanges, so that the tiles hold A up to
 * rounding. Collective. */
hg_status hg_elimination_multiply_back(hg_elimination *e);

const hg_lu_metadata *hg_elimination_metadata(const hg_elimination *e);
int64_t hg_elimination_size(const hg_elimination *e);
hg_precision hg_elimination_precision(const hg_elimination *e);
int hg_elimination_tile_rows(const hg_elimination *e); /**< nb */

/** Replaces A by factors that were computed before: the state is then as after the factorisation, except for B.
 * Collective. @param pivot  [n] as hg_elimination_pivots gives them, each a row from its own on
 * @param read  stores rows x cols values of the factors from (row, col) on, with all exchanges applied as LAPACK does,
 *              into out, `ld` values apart. */
typedef hg_status hg_lu_reader(void *arg, int64_t row, int64_t col, int64_t rows, int64_t cols, double *out,
                               int64_t ld);
hg_status hg_elimination_restore(hg_elimination *e, const int32_t *pivot, int64_t info, hg_lu_reader *read, void *arg);

/** Eliminates in B with factors set by hg_elimination_restore. Collective. */
hg_status hg_elimination_forward_solve(hg_elimination *e);

/** Row exchanges as in LAPACK: row i was exchanged with row pivot[i] (1-based), i = 0 .. n-1. @param[out] pivot [n] */
void hg_elimination_pivots(hg_elimination *e, int32_t *pivot);

/** A tile of this rank. Tiles are visited by block column, from the top; with `solution` those of B. */
typedef struct hg_lu_tile_view {
  int64_t row, col; /**< of its first value */
  int rows, cols;
  const void *values; /**< stored by columns, in the problem's precision */
  int ld;
} hg_lu_tile_view;
typedef hg_status hg_lu_tile_sink(void *arg, const hg_lu_tile_view *tile);
hg_status hg_elimination_visit(hg_elimination *e, bool solution, hg_lu_tile_sink *take, void *arg);

/** Gets tile (i, j) of the factors if this rank has it; to be released before the next task. */
bool hg_elimination_acquire(hg_elimination *e, int i, int j, hg_lu_tile_view *view);
void hg_elimination_release(hg_elimination *e, int i, int j);

/** Starts (from zero) or stops measuring what the workers' time is spent on. StarPU's profiling must be on. */
void hg_elimination_watch(hg_elimination *e, bool watched);

/** Seconds that this rank's workers spent while measured: waiting for messages of other ranks and for transfers,
 * choosing pivots and moving rows by them, and in other tasks. @param use  [workers] of the same period
 * @param[out] times  [workers] */
void hg_elimination_phases(const hg_elimination *e, const hg_worker_use *use, hg_worker_times *times);

void hg_elimination_free(hg_elimination *e);
#endif
