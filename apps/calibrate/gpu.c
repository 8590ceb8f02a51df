/* SPDX-License-Identifier: MIT */
/* Kernels of the programs on a GPU, run alone like on its worker. */
#include <math.h>
#include <string.h>

#include "calibrate.h"
#include "codelets/gpu/gpu.h"
#include "codelets/pricing/pricing.h"

enum { NB = 512 }; /* columns of a tile: products of 256 leave a GPU half idle */

static double run_work(void *arg, int repeats)
{
  return hg_gpu_run(arg, repeats);
}

hg_timing calibrate_gpu_work(hg_gpu_work *work)
{
  if (!work) return CALIBRATE_FAILED;
  const hg_timing time = calibrate_runs(run_work, work);
  hg_gpu_end(work);
  return time;
}

static hg_timing heat_seconds(const calibration *c, int64_t side)
{
  const int depth = calibrate_depth(c, side);
  return hg_timing_scale(calibrate_gpu_work(hg_gpu_heat(c->gpu, c->precision == HG_FLOAT, side, depth)), 1. / depth);
}

static hg_timing heat_exchange(const calibration *c, int64_t side, double *items)
{
  const int depth = calibrate_depth(c, side);
  *items = 4 * (double)side;
  return hg_timing_scale(calibrate_gpu_work(hg_gpu_exchange(c->gpu, c->precision == HG_FLOAT, side, depth)),
                         1. / depth);
}

/* Tables of elimination are for HG_PLATFORM_DEPTH columns. */
static hg_timing lu_seconds(const calibration *c, int64_t side)
{
  return hg_timing_scale(calibrate_gpu_work(hg_gpu_update(c->gpu, c->precision == HG_FLOAT, side, NB)),
                         (double)HG_PLATFORM_DEPTH / NB);
}

static hg_timing lu_exchange(const calibration *c, int64_t side, double *items)
{
  *items = (double)(side + NB) * NB;
  return calibrate_gpu_work(hg_gpu_panel_copy(c->gpu, c->precision == HG_FLOAT, side, NB));
}

static hg_timing path_seconds(const calibration *c, int64_t side)
{
  return calibrate_gpu_work(hg_gpu_paths(c->gpu, side * side));
}

static hg_timing path_exchange(const calibration *c, int64_t side, double *items)
{
  *items = ceil((double)(side * side) / HG_CHUNK_PATHS);
  return calibrate_gpu_work(hg_gpu_path_sums(c->gpu, side * side));
}

void calibrate_on_gpu(calibration *c)
{
  enum { LARGEST = 1 << 28, SHARE = 3 };           /* cells; part of the memory: two states, and reserve */
  enum { ADR_LARGEST = 1 << 24, ADR_FIELDS = 16 }; /* nodes, which also fit into main memory; in units of that part */
  char model[128];
  const int64_t fit = hg_gpu_memory(c->gpu) / SHARE / hg_precision_bytes(c->precision);
  hg_gpu_model(c->gpu, model, sizeof model);
  hg_device_key(model, c->device, sizeof c->device);
  c->kernel = HG_GPU_KERNEL;
  c->most = fit < LARGEST ? fit : LARGEST;
  c->seconds = heat_seconds;
  c->exchange = heat_exchange;
  if (strcmp(c->app, "elimination") == 0) {
    c->seconds = lu_seconds;
    c->exchange = lu_exchange;
  }
  if (strcmp(c->app, "pricer") == 0) {
    c->seconds = path_seconds;
    c->exchange = path_exchange;
    c->most = INT64_C(1) << 34;
  }
  if (strcmp(c->app, "adr") == 0) {
    c->seconds = calibrate_adr_seconds_on_gpu;
    c->exchange = calibrate_adr_exchange_on_gpu;
    c->most = fit / ADR_FIELDS < ADR_LARGEST ? fit / ADR_FIELDS : ADR_LARGEST;
  }
}
