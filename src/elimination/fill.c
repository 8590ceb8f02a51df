/* SPDX-License-Identifier: MIT */
#include "elimination/fill.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "codelets/scratch.h"

static void note_failure(hg_fill_status *s, hg_status status)
{
  pthread_mutex_lock(&s->lock);
  if (s->status == HG_OK) {
    s->status = status;
    snprintf(s->text, sizeof s->text, "%s", hg_message());
  }
  pthread_mutex_unlock(&s->lock);
}

/* Rounds to the tile's precision; the sums are those of the rounded values. */
static void store(const hg_fill_task *t, int64_t rows, int64_t cols, const double *values, void *tile, int64_t ld)
{
  memset(t->row_sums, 0, (size_t)rows * sizeof *t->row_sums);
  *t->largest = 0;
  for (int64_t j = 0; j < cols; j++) {
    double sum = 0;
    for (int64_t i = 0; i < rows; i++) {
      double value = t->is_float ? (double)(float)values[i + j * rows] : values[i + j * rows];
      if (t->is_float)
        ((float *)tile)[i + j * ld] = (float)value;
      else
        ((double *)tile)[i + j * ld] = value;
      value = fabs(value);
      sum += value;
      t->row_sums[i] += value;
      if (!(value <= *t->largest)) *t->largest = value;
    }
    t->col_sums[j] = sum;
  }
}

/* All values are finite; one that is not after rounding is beyond single precision. */
static hg_status check_rounding(const hg_fill_task *t, int64_t rows, int64_t cols, const double *values)
{
  if (isfinite(*t->largest)) return HG_OK;
  int64_t at = 0;
  while (at < rows * cols && isfinite((float)values[at])) at++;
  return hg_fail(
      HG_FORMAT, "%s: the value in row %" PRId64 ", column %" PRId64 " is %g, must be within +-%g in single precision",
      hg_matrix_name(t->matrix), t->row + at % rows + 1, t->col + at / rows + 1, values[at], (double)FLT_MAX);
}

static void fill_cpu(void *buffer[], void *arg)
{
  const hg_fill_task *t = arg;
  const int64_t rows = STARPU_MATRIX_GET_NX(buffer[0]), cols = STARPU_MATRIX_GET_NY(buffer[0]);
  double *values = hg_worker_scratch((size_t)(rows * cols) * sizeof *values);
  hg_status status = values ? hg_matrix_read(t->matrix, t->row, t->col, rows, cols, values, rows)
                            : hg_fail(HG_MEMORY, "no memory to load a tile");
  if (status == HG_OK) {
    store(t, rows, cols, values, (void *)STARPU_MATRIX_GET_PTR(buffer[0]), STARPU_MATRIX_GET_LD(buffer[0]));
    status = check_rounding(t, rows, cols, values);
  }
  if (status != HG_OK) note_failure(t->status, status);
}

struct starpu_codelet hg_fill_codelet = {.name = "fill",
                                         .cpu_funcs = {fill_cpu},
                                         .cpu_funcs_name = {"fill_cpu"},
                                         .nbuffers = 1,
                                         .modes = {STARPU_W},
                                         .color = 0xbcbd22};
