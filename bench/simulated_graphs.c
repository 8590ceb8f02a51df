/* SPDX-License-Identifier: MIT */
/* Task graphs of many kinds on a simulated machine (StarPU built with SimGrid), to compare policies on graphs for which
 * they were not designed. simulated_graphs POLICY KIND [key=value ..] prints the makespan in virtual milliseconds.
 * KIND: chol, lu, qr, wave, dag, fork, indep, mixed, gemm, gemm2, stencil, stencil3, cg, tree, specific, pipeline.
 * Keys: n, ny, nz, k, it, layers (sizes); kb (a piece of data), pk (one that neighbours exchange); us (a task on a
 * core), ratio (GPU speed over core speed); sigma, ksig, rspread (lognormal spread of times, sizes, ratios); g=1:.5:..
 * (speeds of the GPUs), cs2 (of the second half of the cores); coords, prio, shuffle, reduce, joinall (0 or 1); drift;
 * pin (a worker); wrong, wrongg, wrongcpu (models off by a factor); sloww, slowat, slowby (a worker that becomes
 * slower, ms); grow; seed. */
#include <starpu.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/simulated_tasks.h"

static void set_ratios(double a, double b, double c, double d)
{
  const double all[] = {a, b, c, d};
  memcpy(gpu_ratio, all, sizeof all);
}

static void cholesky(void)
{
  handle *a = data_grid(n, n, kb);
  set_ratios(ratio / 10, ratio * .4, ratio * .75, ratio * 1.25);
  for (int k = 0; k < n; k++) {
    update(0, us * .4, 3 * (n - k), a[k * n + k], NULL, NULL);
    for (int i = k + 1; i < n; i++) update(1, us * .5, 3 * n - 2 * k - i, a[i * n + k], a[k * n + k], NULL);
    for (int i = k + 1; i < n; i++) {
      update(2, us * .5, 3 * n - 2 * k - i - 1, a[i * n + i], a[i * n + k], NULL);
      for (int j = k + 1; j < i; j++) update(3, us, 3 * n - i - j - k, a[i * n + j], a[i * n + k], a[j * n + k]);
    }
  }
}

static void lu(void)
{
  handle *a = data_grid(n, n, kb);
  set_ratios(ratio * .075, ratio * .4, ratio * .4, ratio * 1.25);
  for (int k = 0; k < n; k++) {
    update(0, us * .5, 4 * (n - k), a[k * n + k], NULL, NULL);
    for (int i = k + 1; i < n; i++) {
      update(1, us * .5, 3 * (n - k) - i + k, a[i * n + k], a[k * n + k], NULL);
      update(2, us * .5, 3 * (n - k) - i + k, a[k * n + i], a[k * n + k], NULL);
    }
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++) update(3, us, 3 * n - i - j - k, a[i * n + j], a[i * n + k], a[k * n + j]);
  }
}

/* Tiles and their reflectors: factorises a tile, factorises it with one below, applies either. */
static void qr_column(handle *a, handle *t, int k, int i)
{
  draft d = {.count = 0};
  add(&d, a[k * n + k], STARPU_RW);
  add(&d, a[i * n + k], STARPU_RW);
  add(&d, t[i * n + k], STARPU_W);
  submit(&anywhere, 1, us * .7, 4 * (n - k) - i + k, &d);
  for (int j = k + 1; j < n; j++) {
    draft e = {.count = 0};
    add(&e, a[i * n + k], STARPU_R);
    add(&e, t[i * n + k], STARPU_R);
    add(&e, a[k * n + j], STARPU_RW);
    add(&e, a[i * n + j], STARPU_RW);
    submit(&anywhere, 3, us, 3 * (n - k) - (i - k) - (j - k), &e);
  }
}

static void qr(void)
{
  handle *a = data_grid(n, n, kb), *t = data(n * n, kb / 8);
  set_ratios(ratio * .06, ratio * .15, ratio * .4, ratio);
  for (int k = 0; k < n; k++) {
    draft d = {.count = 0};
    add(&d, a[k * n + k], STARPU_RW);
    add(&d, t[k * n + k], STARPU_W);
    submit(&anywhere, 0, us * .5, 4 * (n - k), &d);
    for (int j = k + 1; j < n; j++) update(2, us * .6, 3 * (n - k) - j + k, a[k * n + j], a[k * n + k], t[k * n + k]);
    for (int i = k + 1; i < n; i++) qr_column(a, t, k, i);
  }
}

static void wave(void)
{
  handle *a = data_grid(n, n, kb);
  const int sweeps = (int)key("it", 1);
  gpu_ratio[0] = ratio;
  for (int s = 0; s < sweeps; s++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        draft d = {.count = 0};
        add(&d, a[i * n + j], STARPU_RW);
        if (i) add(&d, a[(i - 1) * n + j], STARPU_R);
        if (j) add(&d, a[i * n + j - 1], STARPU_R);
        if (i && j) add(&d, a[(i - 1) * n + j - 1], STARPU_R);
        submit(&anywhere, 0, us * lognormal(sigma), 2 * n - i - j, &d);
      }
}

/* One to three tasks of the layer before, chosen at random. */
static void add_sources(draft *d, handle *before)
{
  const int most = 1 + (int)(uniform() * 3);
  int source[3];
  for (int q = 0; q < most; q++) {
    bool twice = false;
    source[q] = (int)(uniform() * n);
    for (int z = 0; z < q; z++) twice = twice || source[z] == source[q];
    if (!twice) add(d, before[source[q]], STARPU_R);
  }
}

static void layers(void)
{
  const int count = (int)key("layers", 20);
  const double spread = key("rspread", .8);
  handle *h = calloc((size_t)(n * (count + 1)), sizeof *h);
  for (int k = 0; k < 16; k++) gpu_ratio[k] = ratio * lognormal(spread);
  for (int i = 0; i < n * (count + 1); i++) h[i] = data_at(kb * lognormal(1), i / n, i % n, -1);
  for (int l = 1; l <= count; l++)
    for (int i = 0; i < n; i++) {
      draft d = {.count = 0};
      add(&d, h[l * n + i], STARPU_W);
      add_sources(&d, h + (l - 1) * n);
      const double time = us * lognormal(sigma > 0 ? sigma : .7);
      submit(&anywhere, (int)(uniform() * 16), time, count - l, &d);
    }
}

static void fork_join(void)
{
  const int count = (int)key("layers", 20), joined = key("joinall", 0) != 0 || n < 6 ? n : 6;
  handle centre = data_at(64, -1, 0, 0), *h = calloc((size_t)n, sizeof *h);
  gpu_ratio[0] = ratio;
  for (int i = 0; i < n; i++) h[i] = data_at(kb, i, 0, -1);
  for (int l = 0; l < count; l++) {
    update(1, us * .2, 5, centre, NULL, NULL);
    for (int i = 0; i < n; i++) update(0, us * lognormal(sigma), 1, h[i], centre, NULL);
    draft d = {.count = 0};
    add(&d, centre, STARPU_RW);
    for (int i = 0; i < joined; i++) add(&d, h[i], STARPU_R);
    submit(&anywhere, 1, us * .2, 9, &d);
  }
}

static void independent(void)
{
  const double spread = key("rspread", 0), sizes = key("ksig", 0);
  for (int k = 0; k < 16; k++) gpu_ratio[k] = ratio * lognormal(spread);
  for (int i = 0; i < n; i++) {
    handle h = data_at(kb * lognormal(sizes), i, 0, -1);
    const double time = us * lognormal(sigma);
    update((int)(uniform() * 16), time, 0, h, NULL, NULL);
  }
}

/* Some tasks run on cores alone, some on GPUs alone; each is followed by one that runs anywhere. */
static void mixed(void)
{
  gpu_ratio[0] = ratio;
  for (int i = 0; i < n; i++) {
    draft d = {.count = 0};
    add(&d, data_at(kb, i, 0, -1), STARPU_RW);
    const double u = uniform();
    const int priority = (int)(uniform() * 10);
    submit(u < .3 ? &on_cores : u < .5 ? &on_gpus : &anywhere, u < .3 ? 1 : 0, us * lognormal(sigma), priority, &d);
    submit(&anywhere, 0, us * lognormal(sigma), 0, &d);
  }
}

static void product(void)
{
  const int depth = (int)key("k", n);
  handle *ab = data(2 * n * depth, kb), *c = data_grid(n, n, kb); /* the two factors, alternating */
  gpu_ratio[0] = ratio;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < depth; k++)
        update(0, us * lognormal(sigma), 0, c[i * n + j], ab[2 * (i * depth + k)], ab[2 * (k * n + j) + 1]);
}

/* Each task reads a row and a column (DARTS: Gonthier, Marchal, Thibault, IPDPS 2022). */
static void rows_by_columns(void)
{
  handle *ab = data(2 * n, kb); /* rows and columns, alternating */
  const bool shuffle = key("shuffle", 0) != 0;
  gpu_ratio[0] = ratio;
  for (int i = 0; i < n * n; i++) {
    const int row = shuffle ? (int)(uniform() * n) : i / n, column = shuffle ? (int)(uniform() * n) : i % n;
    draft d = {.count = 0};
    add(&d, ab[2 * row], STARPU_R);
    add(&d, ab[2 * column + 1], STARPU_R);
    add(&d, data_at(kb / 64, -1, 0, 0), STARPU_W);
    submit(&anywhere, 0, us * lognormal(sigma), 0, &d);
  }
}

/* A grid of tiles; each writes a piece for its neighbours. */
typedef struct tiles {
  int nx, ny, nz;
  handle *tile, *piece[2]; /* for even and odd sweeps */
  double *factor;          /* of a tile's time */
} tiles;

static void submit_tile(const tiles *t, int sweep, int i, double time)
{
  const int at[] = {i % t->nx, i / t->nx % t->ny, i / t->nx / t->ny}, size[] = {t->nx, t->ny, t->nz};
  const int step[] = {1, t->nx, t->nx * t->ny};
  draft d = {.count = 0};
  add(&d, t->tile[i], STARPU_RW);
  add(&d, t->piece[1 - sweep % 2][i], STARPU_W);
  for (int a = 0; a < 3; a++) {
    if (at[a] > 0) add(&d, t->piece[sweep % 2][i - step[a]], STARPU_R);
    if (at[a] < size[a] - 1) add(&d, t->piece[sweep % 2][i + step[a]], STARPU_R);
  }
  submit(&anywhere, 0, time, 0, &d);
}

static tiles make_tiles(int planes)
{
  tiles t = {.nx = n, .ny = (int)key("ny", n), .nz = planes};
  const int count = t.nx * t.ny * t.nz;
  t.tile = calloc((size_t)count, sizeof *t.tile);
  t.factor = calloc((size_t)count, sizeof *t.factor);
  for (int i = 0; i < count; i++) {
    t.tile[i] = data_at(kb, i % t.nx, i / t.nx % t.ny, planes > 1 ? i / t.nx / t.ny : -1);
    t.factor[i] = lognormal(sigma);
  }
  for (int q = 0; q < 2; q++) t.piece[q] = data(count, key("pk", 64));
  return t;
}

/* A task on a core that reads the pieces of up to 29 tiles, or of all 30. */
static void reduce(const tiles *t, int sweep, handle sum)
{
  const int count = t->nx * t->ny * t->nz;
  draft d = {.count = 0};
  add(&d, sum, STARPU_RW);
  for (int i = 0; i < (count <= 30 ? count : 29); i++) add(&d, t->piece[1 - sweep % 2][i], STARPU_R);
  gpu_ratio[1] = 1;
  submit(&on_cores, 1, us * .1, 9, &d);
}

/* With `drift`, tiles near a place that moves across the grid take that many times as long. */
static void stencil_of(int planes)
{
  const int sweeps = (int)key("it", 20);
  const double drift = key("drift", 0);
  const tiles t = make_tiles(planes);
  handle sum = data_at(1, -1, 0, 0);
  gpu_ratio[0] = ratio;
  for (int s = 0; s < sweeps; s++) {
    for (int i = 0; i < t.nx * t.ny * t.nz; i++) {
      const double away = fabs(i % n - (double)s / sweeps * n);
      submit_tile(&t, s, i, us * t.factor[i] * (drift > 0 && away < n * .15 ? drift : 1));
    }
    if (key("reduce", 0) != 0) reduce(&t, s, sum);
  }
}

static void stencil(void)
{
  stencil_of(1);
}

static void stencil3(void)
{
  stencil_of((int)key("nz", 4));
}

static void conjugate_gradients(void)
{
  enum { X, Q, R, VECTORS };
  const int iterations = (int)key("it", 30);
  handle alpha = data_at(1, -1, 0, 0), *a = data_grid(n, n, kb), *v = data(VECTORS * n, kb / 32);
  set_ratios(ratio, ratio / 4, 1, 1);
  for (int s = 0; s < iterations; s++) {
    for (int i = 0; i < n * n; i++) update(0, us, 2, v[i / n * VECTORS + Q], a[i], v[i % n * VECTORS + X]);
    for (handle *b = v; b < v + VECTORS * n; b += VECTORS) update(1, us * .1, 4, alpha, b[Q], b[X]);
    for (handle *b = v; b < v + VECTORS * n; b += VECTORS) update(1, us * .1, 4, b[R], alpha, b[Q]);
    for (handle *b = v; b < v + VECTORS * n; b += VECTORS) update(1, us * .1, 4, b[X], alpha, b[R]);
  }
}

/* 2^n leaves, summed in pairs; a task takes `grow` times as long as one a level below. */
static void tree(void)
{
  const int leaves = 1 << n;
  const double grow = key("grow", 1.3);
  handle *h = data(2 * leaves, kb);
  double time = us;
  gpu_ratio[0] = ratio;
  for (int i = leaves; i < 2 * leaves; i++) update(0, us * lognormal(sigma), 0, h[i], NULL, NULL);
  for (int level = leaves / 2; level >= 1; level /= 2) {
    time *= grow;
    for (int i = level; i < 2 * level; i++)
      update(0, time * lognormal(sigma), 20 - __builtin_clz((unsigned)level), h[i], h[2 * i], h[2 * i + 1]);
  }
}

/* Every third task is bound to a worker. */
static void bound(void)
{
  const int worker = (int)key("pin", 0) % (int)starpu_worker_get_count();
  gpu_ratio[0] = ratio;
  for (int i = 0; i < n; i++) {
    draft d = {.count = 0};
    add(&d, data_at(kb, -1, 0, 0), STARPU_RW);
    struct starpu_task *task = task_of(&anywhere, 0, us * lognormal(sigma), &d);
    task->execute_on_a_specific_worker = i % 3 == 0;
    task->workerid = (unsigned)worker;
    if (starpu_task_submit(task) != 0) exit(3);
  }
}

/* Streams of stages; every third stage is short and no faster on a GPU. */
static void pipeline(void)
{
  const int stages = (int)key("layers", 12);
  for (int k = 0; k < stages && k < 32; k++) gpu_ratio[k] = k % 3 == 2 ? 1 : ratio;
  for (int i = 0; i < n; i++) {
    handle h = data_at(kb, -1, 0, 0);
    for (int l = 0; l < stages; l++) update(l, us * (l % 3 == 2 ? .15 : 1) * lognormal(sigma), 0, h, NULL, NULL);
  }
}

static const struct kind {
  const char *name;
  void (*submit)(void);
} kinds[] = {{"chol", cholesky},
             {"lu", lu},
             {"qr", qr},
             {"wave", wave},
             {"dag", layers},
             {"fork", fork_join},
             {"indep", independent},
             {"mixed", mixed},
             {"gemm", product},
             {"gemm2", rows_by_columns},
             {"stencil", stencil},
             {"stencil3", stencil3},
             {"cg", conjugate_gradients},
             {"tree", tree},
             {"specific", bound},
             {"pipeline", pipeline}};

int main(int argc, char **argv)
{
  size_t k = 0;
  while (argc > 2 && k < sizeof kinds / sizeof kinds[0] && strcmp(kinds[k].name, argv[2]) != 0) k++;
  if (argc < 3 || k == sizeof kinds / sizeof kinds[0]) return 2;
  read_arguments(argc, argv);
  if (!start(argv[1])) return 77;
  kinds[k].submit();
  starpu_task_wait_for_all();
  printf("%.2f\n", elapsed());
  fflush(stdout);
  _Exit(0);
}
