/* SPDX-License-Identifier: MIT */
/* The parts of elimination besides the updates that speed tables describe: panels, and the exchange of rows by their
 * pivots. */
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"
#include "codelets/gpu/gpu.h"
#include "codelets/lu/lu_kernels.h"

enum { ROWS = CALIBRATE_PANEL_ROWS, NB = HG_PLATFORM_DEPTH, WIDTH = 512 };

/* A panel or a block of columns for one core. */
typedef struct lu_part {
  const hg_lu_kernels *kernel;
  double *source, *matrix, *work;
  int cols;
  int32_t *pivot, *to, *from;
} lu_part;

static bool make_part(int cols, lu_part *p)
{
  const size_t bytes = (size_t)ROWS * (size_t)cols * sizeof(double);
  *p = (lu_part){.kernel = &hg_lu_cpu[0], .cols = cols};
  if (hg_allocate("a block", bytes, (void **)&p->source) != HG_OK ||
      hg_allocate("a block", bytes, (void **)&p->matrix) != HG_OK ||
      hg_allocate("rows", 2 * NB * sizeof *p->work, (void **)&p->work) != HG_OK ||
      hg_allocate("rows", 5 * NB * sizeof *p->pivot, (void **)&p->pivot) != HG_OK)
    return false;
  p->to = p->pivot + NB;
  p->from = p->to + 2 * NB;
  for (int64_t i = 0; i < (int64_t)ROWS * cols; i++) p->source[i] = hg_random_unit(1, (uint64_t)i) - .5;
  return true;
}

static void free_part(const lu_part *p)
{
  free(p->source);
  free(p->matrix);
  free(p->work);
  free(p->pivot);
}

/* The panel is restored between two runs; this is not timed. */
static double factor(void *arg, int repeats)
{
  const lu_part *p = arg;
  double seconds = 0;
  for (int r = 0; r < repeats; r++) {
    memcpy(p->matrix, p->source, (size_t)ROWS * NB * sizeof *p->matrix);
    const double start = calibrate_core_time();
    p->kernel->panel(ROWS, NB, p->matrix, ROWS, p->pivot);
    seconds += calibrate_core_time() - start;
  }
  return seconds;
}

/* Exchanges NB rows at the top with rows drawn at random. */
static double swap(void *arg, int repeats)
{
  const lu_part *p = arg;
  const double start = calibrate_core_time();
  for (int r = 0; r < repeats; r++) p->kernel->permute(2 * NB, p->to, p->from, p->cols, p->matrix, ROWS, p->work);
  return calibrate_core_time() - start;
}

static void draw_rows(lu_part *p)
{
  for (int32_t i = 0; i < NB; i++) {
    const int32_t below = NB + (int32_t)(hg_random_unit(2, (uint64_t)i) * (ROWS - NB));
    p->to[2 * i] = p->from[2 * i + 1] = i;
    p->from[2 * i] = p->to[2 * i + 1] = below;
  }
}

static hg_timing measure(const calibration *c, int cols, double (*run)(void *arg, int repeats))
{
  lu_part part[c->cores];
  void *arg[c->cores];
  int made = 0;
  while (made < c->cores && make_part(cols, &part[made])) {
    draw_rows(&part[made]);
    arg[made] = &part[made];
    made++;
  }
  const hg_timing time = made == c->cores ? calibrate_together(run, made, arg) : CALIBRATE_FAILED;
  for (int i = 0; i < made + (made < c->cores); i++) free_part(&part[i]);
  return time;
}

hg_timing calibrate_panel(const calibration *c, double *flops)
{
  const double rows = ROWS, cols = NB;
  *flops = cols * cols * (rows - cols / 3);
  return c->gpu == CALIBRATE_CPU ? measure(c, NB, factor) : calibrate_gpu_work(hg_gpu_panel(c->gpu, false, ROWS, NB));
}

hg_timing calibrate_swap(const calibration *c, double *elements)
{
  *elements = 2. * NB * WIDTH;
  return c->gpu == CALIBRATE_CPU ? measure(c, WIDTH, swap)
                                 : calibrate_gpu_work(hg_gpu_swap(c->gpu, false, ROWS, WIDTH, NB));
}
