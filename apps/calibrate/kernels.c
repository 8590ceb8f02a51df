/* SPDX-License-Identifier: MIT */
/* The kernels of the programs, run alone like on a worker. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "calibrate.h"
#include "codelets/adr/adr.h"
#include "codelets/heat/heat_update.h"
#include "codelets/lu/lu_kernels.h"
#include "codelets/halo_pieces.h"
#include "codelets/pricing/pricing.h"

void calibrate_share(calibration *c, int cores)
{
  const size_t end = strlen(c->device);
  c->cores = cores;
  if (cores > 1) snprintf(c->device + end, sizeof c->device - end, "-%d-cores", cores);
}

void calibrate_block(calibration *c, int steps)
{
  c->block = steps;
  hg_device_in_blocks(c->device, sizeof c->device, steps);
}

int calibrate_depth(const calibration *c, int64_t side)
{
  if (c->block > 0) return c->block;
  const hg_domain domain = {.dims = 2, .n = {4 * side, 4 * side, 1}, .radius = 1};
  const hg_update u = hg_heat_update(2, hg_heat_kernel_find("auto"), c->precision == HG_FLOAT);
  const hg_choice choice = {&domain, u.value_bytes, 1000, false, {u.depth[0], u.depth[1]}, 0};
  const hg_box box = {{0, 0, 0}, {side, side, 1}};
  return hg_choose_depth(&choice, c->gpu != CALIBRATE_CPU, 1, &box);
}

/* CPU time of this thread, s: time taken by other programs is no property of the core. (If the core is shared for
 * long, rebalancing notices.) */
double calibrate_core_time(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* An interior tile of the heat problem, with margins as deep as the steps of a block. */
typedef struct heat_tile {
  const hg_heat_kernel *kernel;
  hg_tile_shape shape;
  hg_heat_coef coef;
  int depth;
  bool is_float;
  void *before, *after, *work;
} heat_tile;

static bool make_heat_tile(const calibration *c, int64_t side, heat_tile *t)
{
  const int64_t size = hg_precision_bytes(c->precision), line = 64 / size;
  *t = (heat_tile){.kernel = hg_heat_kernel_find("auto"), .coef = {{.1, .1, 0}}, .is_float = c->precision == HG_FLOAT};
  t->depth = calibrate_depth(c, side);
  const int64_t n = side + 2 * t->depth, row = (n + line - 1) / line * line;
  t->shape =
      (hg_tile_shape){.dims = 2, .n = {n, n, 1}, .stride = {1, row, row * n}, .stream = row * n * size > 32 << 20};
  for (int axis = 0; axis < 2; axis++) t->shape.margin[axis][0] = t->shape.margin[axis][1] = t->depth;
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

static double advance(void *arg, int repeats)
{
  heat_tile *t = arg;
  const double start = calibrate_core_time();
  for (int i = 0; i < repeats; i++)
    t->kernel->advance[t->is_float](&t->shape, &t->coef, t->depth, t->before, t->after, NULL, t->work);
  return calibrate_core_time() - start;
}

static hg_timing heat_measure(const calibration *c, int64_t side, double (*run)(void *arg, int repeats))
{
  heat_tile t[c->cores];
  void *arg[c->cores];
  int made = 0;
  while (made < c->cores && make_heat_tile(c, side, &t[made])) arg[made] = &t[made], made++;
  const hg_timing time = made == c->cores ? calibrate_together(run, made, arg) : CALIBRATE_FAILED;
  for (int i = 0; i < made + (made < c->cores); i++) free_heat_tile(&t[i]);
  return hg_timing_scale(time, 1. / t[0].depth);
}

static hg_timing heat_seconds(const calibration *c, int64_t side)
{
  return heat_measure(c, side, advance);
}

/* Fills the four margins from pieces, and packs as many cells for the neighbours. */
static double exchange_borders(void *arg, int repeats)
{
  heat_tile *t = arg;
  const int size = t->is_float ? 4 : 8;
  const int64_t n = t->shape.n[0], side = n - 2 * t->depth, row = t->shape.stride[1], k = t->depth;
  const hg_halo_piece_cells piece[4] = {{k * row, {1, row, row * n}, {k, side, 1}},
                                        {k * row + n - k, {1, row, row * n}, {k, side, 1}},
                                        {k, {1, row, row * n}, {side, k, 1}},
                                        {(n - k) * row + k, {1, row, row * n}, {side, k, 1}}};
  const double start = calibrate_core_time();
  for (int i = 0; i < 4 * repeats; i++) {
    hg_halo_piece_pack(&piece[i % 4], size, t->before, t->after);
    hg_halo_piece_unpack(&piece[i % 4], size, t->before, t->after);
  }
  return calibrate_core_time() - start;
}

static hg_timing heat_exchange(const calibration *c, int64_t side, double *items)
{
  *items = 4 * (double)side;
  return heat_measure(c, side, exchange_borders);
}

/* One step of elimination on side x side elements: solve for the top rows, subtract the product from the rest. */
typedef struct lu_block {
  const hg_lu_kernels *kernel;
  char *panel, *matrix;
  int64_t side;
  int nb, ld;
  size_t size;
} lu_block;

static bool make_lu_block(const calibration *c, int64_t side, lu_block *b)
{
  *b = (lu_block){
      .kernel = &hg_lu_cpu[c->precision == HG_FLOAT], .side = side, .size = (size_t)hg_precision_bytes(c->precision)};
  b->nb = 256; /* the same for all sizes, to avoid jumps in the times */
  b->ld = (int)(side + b->nb + 8);
  const int64_t panel = (int64_t)b->ld * b->nb, matrix = (int64_t)b->ld * side;
  if (hg_allocate("a panel", (size_t)panel * b->size, (void **)&b->panel) != HG_OK ||
      hg_allocate("a matrix", (size_t)matrix * b->size, (void **)&b->matrix) != HG_OK)
    return false;
  for (int64_t i = 0; i < panel; i++) { /* small, so that nothing grows with repeated runs */
    const double value = (hg_random_unit(1, (uint64_t)i) - .5) * 1e-3;
    if (b->size == sizeof(float))
      ((float *)b->panel)[i] = (float)value;
    else
      ((double *)b->panel)[i] = value;
  }
  return true;
}

static double update(void *arg, int repeats)
{
  lu_block *b = arg;
  const double start = calibrate_core_time();
  for (int r = 0; r < repeats; r++)
    for (int64_t col = 0; col < b->side; col += b->nb) {
      const int cols = (int)(b->side - col < b->nb ? b->side - col : b->nb);
      char *column = b->matrix + (size_t)(col * b->ld) * b->size;
      b->kernel->solve_lower(b->nb, cols, b->panel, b->ld, column, b->ld);
      b->kernel->multiply((int)b->side, cols, b->nb, -1, b->panel + (size_t)b->nb * b->size, b->ld, column, b->ld,
                          column + (size_t)b->nb * b->size, b->ld);
    }
  return calibrate_core_time() - start;
}

/* Number of values of the panel that fit into the matrix. */
static double copied_values(const lu_block *b)
{
  return (double)b->ld * (double)(b->nb < b->side ? b->nb : b->side);
}

/* An item is an element of the panel that comes from another rank: received and read. */
static double copy_panel(void *arg, int repeats)
{
  lu_block *b = arg;
  const double start = calibrate_core_time();
  for (int r = 0; r < repeats; r++) memcpy(b->matrix, b->panel, (size_t)copied_values(b) * b->size);
  return calibrate_core_time() - start;
}

static hg_timing lu_measure(const calibration *c, int64_t side, double (*run)(void *arg, int repeats), double *items)
{
  lu_block b[c->cores];
  void *arg[c->cores];
  int made = 0;
  while (made < c->cores && make_lu_block(c, side, &b[made])) arg[made] = &b[made], made++;
  const hg_timing time = made == c->cores ? calibrate_together(run, made, arg) : CALIBRATE_FAILED;
  *items = copied_values(&b[0]);
  for (int i = 0; i < made + (made < c->cores); i++) {
    free(b[i].panel);
    free(b[i].matrix);
  }
  return time;
}

static hg_timing lu_seconds(const calibration *c, int64_t side)
{
  double items;
  return lu_measure(c, side, update, &items);
}

static hg_timing lu_exchange(const calibration *c, int64_t side, double *items)
{
  return lu_measure(c, side, copy_panel, items);
}

/* Paths of a European option. Each thread has its own data. */
static double add_paths(void *arg, int repeats)
{
  const hg_paths *p = arg;
  hg_chunk_sums sums;
  const double start = calibrate_core_time();
  for (int i = 0; i < repeats; i++)
    for (int64_t c = 0; c * HG_CHUNK_PATHS < p->paths; c++) hg_pricing_kernel_find("auto")->in[0]->chunk(p, c, &sums);
  return calibrate_core_time() - start;
}

static hg_timing path_seconds(const calibration *c, int64_t side)
{
  hg_paths row[c->cores];
  void *arg[c->cores];
  for (int i = 0; i < c->cores; i++) {
    row[i] = (hg_paths){100, 100, .03, .2, 1, -.2, 1, side * side, 1, (uint32_t)i, {1, 0}, HG_PAYOFF};
    arg[i] = &row[i];
  }
  return calibrate_together(add_paths, c->cores, arg);
}

/* Copies the sums of chunks to where they are added. */
static double copy_sums(void *arg, int repeats)
{
  const int64_t *chunks = arg;
  hg_chunk_sums from[256], to[256];
  memset(from, 1, sizeof from);
  const double start = calibrate_core_time();
  for (int i = 0; i < repeats; i++)
    for (int64_t c = 0; c < *chunks; c += 256) {
      memcpy(to, from, sizeof to);
      __asm__ volatile("" : : "r"(to) : "memory");
    }
  return calibrate_core_time() - start;
}

static hg_timing path_exchange(const calibration *c, int64_t side, double *items)
{
  int64_t chunks = (side * side + HG_CHUNK_PATHS - 1) / HG_CHUNK_PATHS;
  void *arg[c->cores];
  for (int i = 0; i < c->cores; i++) arg[i] = &chunks;
  *items = (double)chunks;
  return calibrate_together(copy_sums, c->cores, arg);
}

/* A program's kernels on a core. */
typedef struct kernels {
  const char *app;
  const char *(*name)(void);
  hg_timing (*seconds)(const calibration *c, int64_t side);
  hg_timing (*exchange)(const calibration *c, int64_t side, double *items);
} kernels;

static const char *heat_name(void)
{
  return hg_heat_kernel_find("auto")->name;
}

static const char *path_name(void)
{
  return hg_pricing_kernel_find("auto")->name;
}

static const char *adr_name(void)
{
  return hg_adr_kernel_find("auto")->name;
}

static void calibrate_on_cpu(calibration *c)
{
  static const kernels list[] = {{"heat", heat_name, heat_seconds, heat_exchange},
                                 {"elimination", hg_blas_core, lu_seconds, lu_exchange},
                                 {"pricer", path_name, path_seconds, path_exchange},
                                 {"adr", adr_name, calibrate_adr_seconds, calibrate_adr_exchange}};
  const kernels *k = list;
  while (strcmp(k->app, c->app) != 0) k++;
  char model[128];
  hg_cpu_model(model, sizeof model);
  hg_device_key(model, c->device, sizeof c->device);
  c->kernel = k->name();
  c->most = 16000000;
  c->seconds = k->seconds;
  c->exchange = k->exchange;
}

void calibrate_make(const char *app, hg_precision precision, int gpu, calibration *out)
{
  *out = (calibration){.app = app, .gpu = gpu, .cores = 1, .precision = precision};
  (gpu == CALIBRATE_CPU ? calibrate_on_cpu : calibrate_on_gpu)(out);
}
