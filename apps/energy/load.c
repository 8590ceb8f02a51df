/* SPDX-License-Identifier: MIT */
#include "load.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "codelets/gpu/gpu.h"
#include "codelets/heat/heat_kernels.h"
#include "codelets/lu/lu_kernels.h"
#include "runtime/session.h"

const char *const load_names[] = {"idle", "wait", "full"};

enum { SIDE = 512, STEPS = 8, GPU_SIDE = 4096, GPU_NB = 512 };

/* A core working on a square tile, or a GPU. */
typedef struct unit {
  load *of;
  pthread_t thread;
  double *before, *after;
  void *work;
  hg_gpu_work *heat, *update;
} unit;

struct load {
  load_kind kind;
  atomic_bool stop, failed;
  int units;
  unit *unit;
  hg_session session;
};

static void *run_core(void *arg)
{
  unit *u = arg;
  const hg_heat_kernel *kernel = hg_heat_kernel_find("auto");
  const hg_heat_coef coef = {{.1, .1, 0}};
  const hg_tile_shape shape = {.dims = 2, .n = {SIDE, SIDE, 1}, .stride = {1, SIDE, SIDE * SIDE}};
  while (!atomic_load(&u->of->stop)) {
    for (int i = 0; i < 8; i++) kernel->advance[0](&shape, &coef, STEPS, u->before, u->after, NULL, u->work);
    hg_lu_cpu[0].multiply(SIDE, SIDE, SIDE, 1e-9, u->before, SIDE, u->before, SIDE, u->after, SIDE);
  }
  return NULL;
}

static void *run_gpu(void *arg)
{
  unit *u = arg;
  while (!atomic_load(&u->of->stop))
    if (hg_gpu_run(u->heat, 20) < 0 || hg_gpu_run(u->update, 2) < 0) {
      atomic_store(&u->of->failed, true);
      break;
    }
  return NULL;
}

static hg_status prepare_core(unit *u)
{
  const hg_tile_shape shape = {.dims = 2, .n = {SIDE, SIDE, 1}, .stride = {1, SIDE, SIDE * SIDE}};
  const size_t bytes = sizeof(double) * SIDE * SIDE,
               work = hg_heat_kernel_find("auto")->workspace[0](&shape, STEPS, false);
  HG_TRY(hg_allocate("a tile", bytes, (void **)&u->before));
  HG_TRY(hg_allocate("a tile", bytes, (void **)&u->after));
  HG_TRY(hg_allocate("work space", work + 64, &u->work));
  for (int i = 0; i < SIDE * SIDE; i++) u->before[i] = 1 + i % 7;
  return HG_OK;
}

static hg_status prepare_gpu(unit *u, int gpu)
{
  u->heat = hg_gpu_heat(gpu, false, GPU_SIDE, STEPS);
  u->update = u->heat ? hg_gpu_update(gpu, false, GPU_SIDE, GPU_NB) : NULL;
  return u->update ? HG_OK : hg_fail(HG_RUNTIME, "GPU %d: no memory for its work", gpu);
}

static hg_status start(load *l, bool gpus)
{
  for (int i = 0; i < l->units; i++) {
    unit *u = &l->unit[i];
    HG_TRY(gpus ? prepare_gpu(u, i) : prepare_core(u));
    u->of = l;
  }
  for (int i = 0; i < l->units; i++)
    if (pthread_create(&l->unit[i].thread, NULL, gpus ? run_gpu : run_core, &l->unit[i]) != 0) {
      l->units = i;
      return hg_fail(HG_RUNTIME, "no thread for unit %d", i);
    }
  return HG_OK;
}

static hg_status wait_for_tasks(load *l, bool gpus)
{
  char number[16];
  snprintf(number, sizeof number, "%d", l->units);
  setenv("STARPU_NCPU", gpus ? "0" : number, 1);
  setenv("STARPU_NCUDA", gpus ? number : "0", 1);
  HG_TRY(hg_session_join(NULL, &l->session));
  return hg_session_open(&(hg_session_options){.sched = "hetgrid", .polls = true}, &l->session);
}

hg_status load_begin(load_kind kind, bool gpus, int units, load **out)
{
  load *l = calloc(1, sizeof *l);
  if (l) l->unit = calloc((size_t)units + 1, sizeof *l->unit);
  if (!l || !l->unit) {
    free(l);
    return hg_fail(HG_MEMORY, "no memory for a load of %d units", units);
  }
  l->kind = units ? kind : LOAD_IDLE;
  l->units = l->kind == LOAD_IDLE ? 0 : units;
  *out = l;
  const hg_status status = l->kind == LOAD_WAIT ? wait_for_tasks(l, gpus) : start(l, gpus);
  if (status != HG_OK) load_end(l);
  return status;
}

bool load_works(const load *l)
{
  return !atomic_load(&l->failed);
}

void load_end(load *l)
{
  atomic_store(&l->stop, true);
  if (l->kind == LOAD_WAIT) hg_session_close(&l->session);
  for (int i = 0; i < l->units; i++) {
    unit *u = &l->unit[i];
    if (u->of && l->kind == LOAD_FULL) pthread_join(u->thread, NULL);
    free(u->before);
    free(u->after);
    free(u->work);
    if (u->heat) hg_gpu_end(u->heat);
    if (u->update) hg_gpu_end(u->update);
  }
  free(l->unit);
  free(l);
}
