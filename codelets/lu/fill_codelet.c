/* SPDX-License-Identifier: MIT */
#include "codelets/lu/fill_codelet.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "codelets/scratch.h"

/* Rounds to the tile's precision; the sums are those of the rounded values. Returns the largest absolute value. */
static double store(const hg_fill_task *t, int64_t rows, int64_t cols, const double *values, void *tile, int64_t ld)
{
  double largest = 0;
  if (t->row_sums) memset(t->row_sums, 0, (size_t)rows * sizeof *t->row_sums);
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
      if (t->row_sums) t->row_sums[i] += value;
      if (!(value <= largest)) largest = value;
    }
    if (t->col_sums) t->col_sums[j] = sum;
  }
  if (t->largest) *t->largest = largest;
  return largest;
}

/* All values are finite before rounding; one that is not after it exceeds single precision. */
static hg_status check_rounding(const hg_fill_task *t, double largest, int64_t rows, int64_t cols, const double *values)
{
  if (isfinite(largest)) return HG_OK;
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
  double *values = hg_task_scratch(t->failure, (size_t)(rows * cols) * sizeof *values);
  if (!values) return;
  hg_status status = hg_matrix_read(t->matrix, t->row, t->col, rows, cols, values, rows);
  if (status == HG_OK) {
    void *tile = (void *)STARPU_MATRIX_GET_PTR(buffer[0]);
    const double largest = store(t, rows, cols, values, tile, STARPU_MATRIX_GET_LD(buffer[0]));
    status = check_rounding(t, largest, rows, cols, values);
  }
  if (status != HG_OK) hg_failure_note(t->failure, status);
}

struct starpu_codelet hg_fill_codelet = {.name = "fill",
                                         .cpu_funcs = {fill_cpu},
                                         .cpu_funcs_name = {"fill_cpu"},
                                         .nbuffers = 1,
                                         .modes = {STARPU_W},
                                         .color = 0xbcbd22};
