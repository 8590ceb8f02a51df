/* SPDX-License-Identifier: MIT */
/* Reciprocal condition number from the factors (N. Higham, ACM Trans. Math. Softw. 14 (1988) 381-396, as LAPACK's
 * dlacn2).
 *
 * All ranks hold the vector. Of the products that later rows need, every rank adds up those of its own tiles; they are
 * summed over the ranks when the row's turn comes. With M_k the elimination of step k and P_k its exchanges, M_t P_t
 * .. M_1 P_1 A = U: A^-1 takes the steps forwards and then U, its transpose takes U^T and then the steps backwards. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/blas.h"
#include "base/memory.h"
#include "elimination/check.h"

typedef struct solver {
  const hg_session *session;
  hg_elimination *e;
  int64_t n, nb;
  int tiles;
  int32_t *pivot;
  double *part;  /* [n] this rank's part of sums still to be added */
  double *block; /* [nb * nb] a single-precision tile converted to double */
} solver;

static int rows_of(const solver *s, int k)
{
  int64_t left = s->n - k * s->nb;
  return (int)(left < s->nb ? left : s->nb);
}

/* The tile's values as doubles. */
static const double *widen(const solver *s, const hg_lu_tile_view *t, int *ld)
{
  *ld = t->ld;
  if (hg_elimination_precision(s->e) == HG_DOUBLE) return t->values;
  *ld = t->rows;
  for (int j = 0; j < t->cols; j++)
    for (int i = 0; i < t->rows; i++)
      s->block[i + (int64_t)j * t->rows] = (double)((const float *)t->values)[i + (int64_t)j * t->ld];
  return s->block;
}

/* x_k = T^-1 x_k with a triangle T of tile (k, k), computed on its rank, sent to all ranks. */
static void solve_block(const solver *s, int k, char triangle, char transposed, double *x)
{
  hg_lu_tile_view t;
  if (hg_elimination_acquire(s->e, k, k, &t)) {
    int ld;
    const double *a = widen(s, &t, &ld);
    hg_dtrsv(triangle, transposed, triangle == 'L' ? 'U' : 'N', t.rows, a, ld, x);
    hg_elimination_release(s->e, k, k);
  } else
    memset(x, 0, (size_t)rows_of(s, k) * sizeof *x);
  hg_session_sum_all(s->session, x, rows_of(s, k));
}

/* y += alpha A_ij x or, transposed, A_ij^T x, if this rank has the tile. */
static void multiply(const solver *s, int i, int j, char transposed, double alpha, const double *x, double *y)
{
  hg_lu_tile_view t;
  int ld;
  if (!hg_elimination_acquire(s->e, i, j, &t)) return;
  const double *a = widen(s, &t, &ld);
  hg_dgemv(transposed, t.rows, t.cols, alpha, a, ld, x, y);
  hg_elimination_release(s->e, i, j);
}

static void exchange(const solver *s, int k, bool backwards, double *x)
{
  const int64_t first = k * s->nb, count = rows_of(s, k);
  for (int64_t step = 0; step < count; step++) {
    int64_t i = first + (backwards ? count - 1 - step : step), other = s->pivot[i] - 1;
    double kept = x[i];
    x[i] = x[other];
    x[other] = kept;
  }
}

/* Adds all ranks' parts of block k to x_k. */
static void complete(const solver *s, int k, double *x)
{
  double *part = s->part + k * s->nb;
  hg_session_sum_all(s->session, part, rows_of(s, k));
  for (int i = 0; i < rows_of(s, k); i++) x[i] += part[i];
}

/* Takes the steps forwards; x and the parts of sums are exchanged alike. */
static void forward(const solver *s, double *x)
{
  memset(s->part, 0, (size_t)s->n * sizeof *s->part);
  for (int k = 0; k < s->tiles; k++) {
    double *block = x + k * s->nb;
    exchange(s, k, false, x);
    exchange(s, k, false, s->part);
    complete(s, k, block);
    solve_block(s, k, 'L', 'N', block);
    for (int i = k + 1; i < s->tiles; i++) multiply(s, i, k, 'N', -1, block, s->part + i * s->nb);
  }
}

static void backward(const solver *s, double *x)
{
  memset(s->part, 0, (size_t)s->n * sizeof *s->part);
  for (int k = s->tiles - 1; k >= 0; k--) {
    complete(s, k, x + k * s->nb);
    solve_block(s, k, 'U', 'N', x + k * s->nb);
    for (int i = 0; i < k; i++) multiply(s, i, k, 'N', -1, x + k * s->nb, s->part + i * s->nb);
  }
}

static void forward_transposed(const solver *s, double *x)
{
  for (int k = 0; k < s->tiles; k++) {
    memset(s->part + k * s->nb, 0, (size_t)rows_of(s, k) * sizeof *s->part);
    for (int i = 0; i < k; i++) multiply(s, i, k, 'T', -1, x + i * s->nb, s->part + k * s->nb);
    complete(s, k, x + k * s->nb);
    solve_block(s, k, 'U', 'T', x + k * s->nb);
  }
}

static void backward_transposed(const solver *s, double *x)
{
  for (int k = s->tiles - 1; k >= 0; k--) {
    memset(s->part + k * s->nb, 0, (size_t)rows_of(s, k) * sizeof *s->part);
    for (int i = k + 1; i < s->tiles; i++) multiply(s, i, k, 'T', -1, x + i * s->nb, s->part + k * s->nb);
    complete(s, k, x + k * s->nb);
    solve_block(s, k, 'L', 'T', x + k * s->nb);
    exchange(s, k, true, x);
  }
}

/* Estimate of ||scale A^-1||_1. Rank 0 decides: rounding, which differs between processors, may choose the next
 * product. */
static double inverse_norm(const solver *s, double scale, double *v, double *x, int32_t *sign)
{
  const int n = (int)s->n;
  double estimate = 0;
  int kase = 0, state[3] = {0};
  for (;;) {
    if (s->session->rank == 0) hg_dblas.lacn2(&n, v, x, sign, &estimate, &kase, state); /* says what to compute next */
    hg_session_bcast(s->session, &kase, sizeof kase);
    hg_session_bcast(s->session, &estimate, sizeof estimate);
    hg_session_bcast(s->session, x, (size_t)n * sizeof *x);
    if (kase == 0) return estimate;
    for (int i = 0; i < n; i++) x[i] *= scale;
    if (kase == 1) {
      forward(s, x);
      backward(s, x);
    } else {
      forward_transposed(s, x);
      backward_transposed(s, x);
    }
  }
}

hg_status hg_lu_rcond(const hg_session *session, hg_elimination *e, double *rcond)
{
  const hg_lu_metadata *metadata = hg_elimination_metadata(e);
  solver s = {.session = session, .e = e, .n = hg_elimination_size(e), .nb = hg_elimination_tile_rows(e)};
  const size_t n = (size_t)s.n, nb = (size_t)s.nb;
  *rcond = s.n == 0 ? 1 : 0;
  if (s.n == 0 || metadata->info) return HG_OK;
  s.tiles = (int)((s.n + s.nb - 1) / s.nb);
  double *work;
  HG_TRY(hg_session_agree(session,
                          hg_allocate("vectors for the condition number",
                                      (3 * n + nb * nb) * sizeof(double) + 2 * n * sizeof(int32_t), (void **)&work)));
  s.part = work + 2 * n;
  s.block = s.part + n;
  s.pivot = (int32_t *)(s.block + nb * nb);
  hg_elimination_pivots(e, s.pivot);
  /* a power of two near a small ||A||_1, without which the norm of the inverse could overflow */
  const double scale = metadata->norm_1 > 0 && metadata->norm_1 < 1 ? ldexp(1, ilogb(metadata->norm_1)) : 1;
  const double inverse = inverse_norm(&s, scale, work, work + n, s.pivot + n);
  if (inverse > 0 && metadata->norm_1 > 0) *rcond = 1 / inverse / (metadata->norm_1 / scale);
  free(work);
  return HG_OK;
}
