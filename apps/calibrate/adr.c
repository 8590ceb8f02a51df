/* SPDX-License-Identifier: MIT */
/* The inner solver of adr, run alone like on a worker. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"
#include "codelets/halo_pieces.h"

enum { ITERATIONS = CALIBRATE_ADR_ITERATIONS, PLANES = 3 };

/* A block of mms shaped like a slab, as cubic as its number of points allows. */
typedef struct adr_tile {
  hg_adr_block b;
  hg_adr_step step;
  hg_adr_outcome outcome;
  int real;
  double *tables, *u, *right;
  void *work;
} adr_tile;

static size_t work_bytes(const adr_tile *t)
{
  return (size_t)t->b.field * (t->real ? sizeof(float) : sizeof(double));
}

static void shape(int64_t points, hg_adr_block *b)
{
  const int64_t side = (int64_t)(cbrt((double)points) + .5) > 1 ? (int64_t)(cbrt((double)points) + .5) : 1;
  *b = (hg_adr_block){.n = {side, side, points / (side * side) > 1 ? points / (side * side) : 1}};
  for (int a = 0; a < 3; a++) b->hi[a] = b->n[a];
  hg_adr_lay_out(b);
}

static bool make(const calibration *c, int64_t side, adr_tile *t)
{
  const int64_t first[3] = {0};
  hg_adr_problem p;
  *t = (adr_tile){.real = c->precision == HG_FLOAT, .outcome = {.scale = {1, 1}}};
  shape(side * side, &t->b);
  t->step = (hg_adr_step){.dt = .02, .tolerance = 1e-8, .inner = 1e-30, .limit = ITERATIONS};
  const size_t state = 2 * (size_t)t->b.field * sizeof *t->u;
  if (hg_adr_problem_make(0, t->b.n, &p) != HG_OK ||
      hg_allocate("tables", (size_t)hg_adr_table_at(&t->b, 3, 0) * sizeof *t->tables, (void **)&t->tables) != HG_OK ||
      hg_allocate("a state", 2 * state, (void **)&t->u) != HG_OK ||
      hg_allocate("the inner solver", HG_ADR_FIELDS * work_bytes(t), &t->work) != HG_OK ||
      hg_allocate("a right-hand side", 2 * work_bytes(t), (void **)&t->right) != HG_OK)
    return false;
  hg_adr_fill_tables(&p, &t->b, first, t->tables);
  for (int64_t i = 0; i < 4 * t->b.field; i++) t->u[i] = hg_random_unit(1, (uint64_t)i);
  hg_adr_kernel_find("auto")->residual[t->real](&t->b, &t->step, t->tables, t->u, t->u + 2 * t->b.field, true, t->work,
                                                &t->outcome);
  memcpy(t->right, t->work, 2 * work_bytes(t));
  return true;
}

static void drop(adr_tile *t)
{
  free(t->tables);
  free(t->u);
  free(t->right);
  free(t->work);
}

/* Small blocks need fewer iterations; their time is scaled to the full number. */
static double solve(void *arg, int repeats)
{
  adr_tile *t = arg;
  const double start = calibrate_core_time(), before = t->outcome.iterations;
  for (int i = 0; i < repeats; i++) {
    t->outcome.failed = 0;
    memcpy(t->work, t->right, 2 * work_bytes(t));
    hg_adr_kernel_find("auto")->solve[t->real](&t->b, &t->step, t->tables, t->u, t->work, &t->outcome);
  }
  const double iterations = fmax(1, (t->outcome.iterations - before) / repeats);
  return (calibrate_core_time() - start) * ITERATIONS / iterations;
}

/* Copies planes of both species below and above, out and in. */
static double exchange(void *arg, int repeats)
{
  adr_tile *t = arg;
  const int64_t *n = t->b.n, planes = n[2] < PLANES ? n[2] : PLANES;
  const hg_halo_piece_cells cells = {t->b.origin, {1, t->b.stride[1], t->b.stride[2]}, {n[0], n[1], planes}};
  const double start = calibrate_core_time();
  for (int i = 0; i < 4 * repeats; i++) {
    hg_halo_piece_pack(&cells, sizeof *t->u, t->u, t->u + 2 * t->b.field);
    hg_halo_piece_unpack(&cells, sizeof *t->u, t->u, t->u + 2 * t->b.field);
  }
  return calibrate_core_time() - start;
}

/* Scales table times to the number of points asked for. */
static double points_asked(int64_t side, const hg_adr_block *b)
{
  return (double)(side * side) / (double)(b->n[0] * b->n[1] * b->n[2]);
}

static hg_timing measure(const calibration *c, int64_t side, double (*run)(void *arg, int repeats), double *factor)
{
  adr_tile t[c->cores];
  void *arg[c->cores];
  int made = 0;
  while (made < c->cores && make(c, side, &t[made])) arg[made] = &t[made], made++;
  const hg_timing time = made == c->cores ? calibrate_together(run, made, arg) : CALIBRATE_FAILED;
  *factor = points_asked(side, &t[0].b);
  for (int i = 0; i < made + (made < c->cores); i++) drop(&t[i]);
  return time;
}

hg_timing calibrate_adr_seconds_on_gpu(const calibration *c, int64_t side)
{
  adr_tile t;
  int iterations = ITERATIONS;
  hg_timing time = CALIBRATE_FAILED;
  if (make(c, side, &t))
    time = calibrate_gpu_work(hg_gpu_adr(c->gpu, t.real, &t.b, &t.step, t.tables, t.u, t.work, &iterations));
  const double factor = points_asked(side, &t.b) * ITERATIONS / fmax(1, iterations);
  drop(&t);
  return time.seconds > 0 ? hg_timing_scale(time, factor) : time;
}

/* As many values as PLANES planes of both species below and above: deep borders. */
hg_timing calibrate_adr_exchange_on_gpu(const calibration *c, int64_t side, double *items)
{
  hg_adr_block b;
  shape(side * side, &b);
  *items = 2. * (double)(b.n[0] * b.n[1]);
  return calibrate_gpu_work(hg_gpu_exchange(c->gpu, false, b.n[0], (int)(PLANES * b.n[1])));
}

hg_timing calibrate_adr_seconds(const calibration *c, int64_t side)
{
  double factor;
  const hg_timing time = measure(c, side, solve, &factor);
  return time.seconds > 0 ? hg_timing_scale(time, factor) : time;
}

hg_timing calibrate_adr_exchange(const calibration *c, int64_t side, double *items)
{
  double factor;
  adr_tile t;
  shape(side * side, &t.b);
  *items = 2. * (double)(t.b.n[0] * t.b.n[1]);
  return measure(c, side, exchange, &factor);
}
