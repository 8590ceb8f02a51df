/* SPDX-License-Identifier: MIT */
/* The kernels of the programs, run alone as a worker runs them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"
#include "codelets/lu_kernels.h"
#include "codelets/pieces.h"

static int by_value(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double calibrate_median(double (*once)(void *arg), void *arg)
{
  enum { FEWEST = 3, MOST = 15 };
  double time[MOST];
  int count = 0;
  once(arg);
  while (count < MOST) {
    time[count++] = once(arg);
    qsort(time, (size_t)count, sizeof *time, by_value);
    const double median = time[count / 2];
    if (count >= FEWEST && time[count / 2 + count / 4] - time[count / 2 - count / 4] < .02 * median) return median;
  }
  return time[count / 2];
}

/* An interior tile of the heat problem, its margins as deep as the steps of a block. */
typedef struct heat_tile {
  const hg_heat_kernel *kernel;
  hg_heat_shape shape;
  hg_heat_coef coef;
  int depth, repeats;
  bool is_float;
  void *before, *after, *work;
} heat_tile;

static bool make_heat_tile(const calibration *c, int64_t side, heat_tile *t)
{
  hg_heat_problem p = {
      .dims = 2, .n = {4 * side, 4 * side, 1}, .precision = c->precision, .alpha = {.1, .1, 0}, .steps = 1000};
  const hg_box box = {{0, 0, 0}, {side, side, 1}};
  const int64_t size = hg_precision_bytes(c->precision), line = 64 / size;
  *t = (heat_tile){.kernel = hg_heat_kernel_find("auto"), .coef = {{.1, .1, 0}}, .is_float = c->precision == HG_FLOAT};
  t->depth = hg_choose_depth(&p, 1, &box);
  const int64_t n = side + 2 * t->depth, row = (n + line - 1) / line * line;
  t->shape =
      (hg_heat_shape){.dims = 2, .n = {n, n, 1}, .stride = {1, row, row * n}, .stream = row * n * size > 32 << 20};
  for (int axis = 0; axis < 2; axis++) t->shape.margin[axis][0] = t->shape.margin[axis][1] = t->depth;
  t->repeats = (int)fmax(1, 4e6 / (double)(side * side * t->depth)); /* a millisecond or so */
  const size_t bytes = (size_t)(row * n * size), work = t->kernel->workspace[t->is_float](&t->shape, t->depth, false);
  if (hg_allocate("a tile", bytes, &t->before) != HG_OK || hg_allocate("a tile", bytes, &t->after) != HG_OK ||
      hg_allocate("work space", work + 64, &t->work) != HG_OK)
    return false;
  for (int64_t i = 0; i < row * n; i++) {
    const double value = 20 + hg_random_unit(1, (uint64_t)i);
    if (t->is_float)
      ((float *)t->before)[i] = (float)value;
    else
      ((double *)t->before)[i] = value;
  }
  return true;
}

static void free_heat_tile(heat_tile *t)
{
  free(t->before);
  free(t->after);
  free(t->work);
}

static double advance_once(void *arg)
{
  heat_tile *t = arg;
  const double start = hg_now();
  for (int i = 0; i < t->repeats; i++)
    t->kernel->advance[t->is_float](&t->shape, &t->coef, t->depth, t->before, t->after, NULL, t->work);
  return (hg_now() - start) / t->repeats / t->depth;
}

static double heat_seconds(const calibration *c, int64_t side)
{
  heat_tile t;
  double seconds = make_heat_tile(c, side, &t) ? calibrate_median(advance_once, &t) : -1;
  free_heat_tile(&t);
  return seconds;
}

/* The four margins are filled from pieces, and as many cells are packed for the neighbours. */
static double exchange_once(void *arg)
{
  heat_tile *t = arg;
  const int size = t->is_float ? 4 : 8;
  const int64_t n = t->shape.n[0], side = n - 2 * t->depth, row = t->shape.stride[1], k = t->depth;
  const hg_piece_cells piece[4] = {{k * row, {1, row, row * n}, {k, side, 1}},
                                   {k * row + n - k, {1, row, row * n}, {k, side, 1}},
                                   {k, {1, row, row * n}, {side, k, 1}},
                                   {(n - k) * row + k, {1, row, row * n}, {side, k, 1}}};
  const double start = hg_now();
  for (int i = 0; i < 4; i++) {
    hg_piece_pack(&piece[i], size, t->before, t->after);
    hg_piece_unpack(&piece[i], size, t->before, t->after);
  }
  return (hg_now() - start) / (4. * (double)(side * k));
}

static double heat_exchange(const calibration *c, int64_t side)
{
  heat_tile t;
  double seconds = make_heat_tile(c, side, &t) ? calibrate_median(exchange_once, &t) : -1;
  free_heat_tile(&t);
  return seconds;
}

void calibrate_heat(hg_precision precision, calibration *out)
{
  *out = (calibration){"heat", hg_heat_kernel_find("auto")->name, precision, heat_seconds, heat_exchange};
}

/* One step of elimination on side x side elements: solve for the top rows, subtract the product from the rest. */
typedef struct lu_block {
  const hg_lu_kernels *kernel;
  char *panel, *matrix;
  int64_t side;
  int nb, ld, repeats;
  size_t size;
} lu_block;

static bool make_lu_block(const calibration *c, int64_t side, lu_block *b)
{
  *b = (lu_block){
      .kernel = &hg_lu_cpu[c->precision == HG_FLOAT], .side = side, .size = (size_t)hg_precision_bytes(c->precision)};
  b->nb = 256; /* the same for all sizes, or the times would jump */
  b->ld = (int)(side + b->nb + 8);
  b->repeats = (int)fmax(1, 1e7 / ((double)(side * side) * b->nb));
  const int64_t panel = (int64_t)b->ld * b->nb, matrix = (int64_t)b->ld * side;
  if (hg_allocate("a panel", (size_t)panel * b->size, (void **)&b->panel) != HG_OK ||
      hg_allocate("a matrix", (size_t)matrix * b->size, (void **)&b->matrix) != HG_OK)
    return false;
  for (int64_t i = 0; i < panel; i++) { /* small, so that nothing grows over the runs */
    const double value = (hg_random_unit(1, (uint64_t)i) - .5) * 1e-3;
    if (b->size == sizeof(float))
      ((float *)b->panel)[i] = (float)value;
    else
      ((double *)b->panel)[i] = value;
  }
  return true;
}

static double update_once(void *arg)
{
  lu_block *b = arg;
  const double start = hg_now();
  for (int r = 0; r < b->repeats; r++)
    for (int64_t col = 0; col < b->side; col += b->nb) {
      const int cols = (int)(b->side - col < b->nb ? b->side - col : b->nb);
      char *column = b->matrix + (size_t)(col * b->ld) * b->size;
      b->kernel->solve_lower(b->nb, cols, b->panel, b->ld, column, b->ld);
      b->kernel->multiply((int)b->side, cols, b->nb, -1, b->panel + (size_t)b->nb * b->size, b->ld, column, b->ld,
                          column + (size_t)b->nb * b->size, b->ld);
    }
  return (hg_now() - start) / b->repeats;
}

/* An item more is an element of the panel that comes from another rank: received and read. */
static double copy_once(void *arg)
{
  lu_block *b = arg;
  const size_t bytes = (size_t)b->ld * (size_t)(b->nb < b->side ? b->nb : b->side) * b->size;
  const double start = hg_now();
  memcpy(b->matrix, b->panel, bytes);
  return (hg_now() - start) / (double)(bytes / b->size);
}

static double lu_measure(const calibration *c, int64_t side, double (*once)(void *arg))
{
  lu_block b;
  double seconds = make_lu_block(c, side, &b) ? calibrate_median(once, &b) : -1;
  free(b.panel);
  free(b.matrix);
  return seconds;
}

static double lu_seconds(const calibration *c, int64_t side)
{
  return lu_measure(c, side, update_once);
}

static double lu_exchange(const calibration *c, int64_t side)
{
  return lu_measure(c, side, copy_once);
}

void calibrate_elimination(hg_precision precision, calibration *out)
{
  *out = (calibration){"elimination", hg_blas_core(), precision, lu_seconds, lu_exchange};
}
