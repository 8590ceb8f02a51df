/* SPDX-License-Identifier: MIT */
/* Restores factors that were computed before. */
#include <stdlib.h>

#include "base/memory.h"
#include "elimination/graph.h"
#include "elimination/tiles.h"

static void put_pivots(hg_elimination *e, const int32_t *pivot)
{
  const int nb = e->problem.nb;
  for (int k = 0; k < e->tiles; k++) {
    starpu_data_acquire(e->pivots[k], STARPU_W);
    int32_t *own = e->pivot + (int64_t)k * (nb + 1);
    own[0] = e->metadata.info > (int64_t)k * nb && e->metadata.info <= (int64_t)(k + 1) * nb
                 ? (int32_t)(e->metadata.info - (int64_t)k * nb)
                 : 0;
    for (int c = 0; c < hg_lu_rows(e, k); c++) own[1 + c] = pivot[(int64_t)k * nb + c] - 1 - k * nb;
    starpu_data_release(e->pivots[k]);
  }
}

/* LAPACK exchanges rows in all columns; here columns left of a panel are not exchanged, so later exchanges are
 * undone. */
static void undo_later_exchanges(const hg_elimination *e, int j, const int32_t *pivot, double *column, int cols)
{
  for (int64_t i = e->n - 1; i >= (int64_t)(j + 1) * e->problem.nb; i--)
    for (int c = 0; c < cols; c++) {
      double *a = column + c * e->n, kept = a[i];
      a[i] = a[pivot[i] - 1];
      a[pivot[i] - 1] = kept;
    }
}

static void store(hg_elimination *e, int i, int j, const double *column)
{
  hg_lu_column *c = &e->column[j];
  const int64_t first = (int64_t)i * e->problem.nb;
  starpu_data_acquire(c->tile[i], STARPU_W);
  char *tile = (char *)starpu_matrix_get_local_ptr(c->tile[i]);
  for (int col = 0; col < c->cols; col++)
    for (int row = 0; row < hg_lu_rows(e, i); row++) {
      char *at = tile + ((int64_t)row + (int64_t)col * c->ld) * (int64_t)e->value_bytes;
      double value = column[first + row + col * e->n];
      if (e->problem.precision == HG_FLOAT)
        *(float *)at = (float)value;
      else
        *(double *)at = value;
    }
  starpu_data_release(c->tile[i]);
}

hg_status hg_elimination_restore(hg_elimination *e, const int32_t *pivot, int64_t info, hg_lu_reader *read, void *arg)
{
  double *column = NULL;
  hg_status status =
      hg_allocate("a column of the factors", (size_t)(e->n * e->problem.nb) * sizeof *column + 8, (void **)&column);
  e->metadata.info = info;
  if (status == HG_OK) put_pivots(e, pivot);
  for (int j = 0; j < e->tiles && status == HG_OK; j++) {
    if (e->column[j].rows == 0) continue;
    status = read(arg, 0, e->column[j].col, e->n, e->column[j].cols, column, e->n);
    if (status == HG_OK) undo_later_exchanges(e, j, pivot, column, e->column[j].cols);
    for (int i = 0; i < e->tiles && status == HG_OK; i++)
      if (hg_lu_is_local(e, i, j)) store(e, i, j, column);
  }
  free(column);
  return hg_session_agree(e->session, status);
}
