/* SPDX-License-Identifier: MIT */
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "codelets/gpu/gpu.h"
#include "energy/choice.h"
#include "energy/source.h"
#include "load.h"
#include "energy/nnls.h"
#include "speed/tables.h"

enum { BASE, FULL, WAIT, UNKNOWNS, ROWS_MAX = 512 };

/* The powers of a kind of unit. */
typedef struct levels {
  bool gpus;
  int units; /* number that exist */
  char source[64];
  int rows;
  double a[ROWS_MAX][UNKNOWNS], watts[ROWS_MAX], x[UNKNOWNS];
  double worst;  /* residual, relative */
  double spread; /* largest (max - min) / mean of repeats */
} levels;

/* Mean power of a state. Runs a load first, since a warm machine draws more than a cold one. */
static hg_status measure_state(const measure_options *o, hg_energy_source *s, load_kind kind, bool gpus, int units,
                               double *watts)
{
  load *l;
  double joules = 0;
  HG_TRY(load_begin(LOAD_FULL, gpus, units, &l));
  hg_sleep(o->warm);
  if (kind != LOAD_FULL) {
    load_end(l);
    HG_TRY(load_begin(kind, gpus, units, &l));
    hg_sleep(fmin(.1, o->warm));
  }
  hg_status status = s->begin(s);
  if (status == HG_OK) hg_sleep(o->seconds);
  if (status == HG_OK) status = s->end(s, &joules);
  if (status == HG_OK && !load_works(l)) status = hg_fail(HG_RUNTIME, "the work on a GPU failed");
  load_end(l);
  *watts = joules / s->seconds;
  return status;
}

/* One state, repeated; each repetition gives a row. */
static hg_status add_state(const measure_options *o, hg_energy_source *s, load_kind kind, int units, levels *v)
{
  double least = INFINITY, most = 0, sum = 0;
  for (int i = 0; i < o->repeats && v->rows < ROWS_MAX; i++) {
    double *row = v->a[v->rows], watts;
    HG_TRY(measure_state(o, s, kind, v->gpus, units, &watts));
    row[BASE] = 1;
    row[FULL] = kind == LOAD_FULL ? units : 0;
    row[WAIT] = kind == LOAD_WAIT ? units : 0;
    v->watts[v->rows++] = watts;
    least = fmin(least, watts);
    most = fmax(most, watts);
    sum += watts / o->repeats;
  }
  if (sum > 0) v->spread = fmax(v->spread, (most - least) / sum);
  fprintf(stderr, "%d %s %s: %.4g W\n", units, v->gpus ? "GPUs" : "cores", load_names[units ? kind : LOAD_IDLE], sum);
  return HG_OK;
}

/* The next of 1, 2, 4, .., and then all. */
static int next_count(int units, int all)
{
  return units < all && 2 * units > all ? all : 2 * units;
}

static hg_status measure_all(const measure_options *o, hg_energy_source *s, levels *v)
{
  HG_TRY(add_state(o, s, LOAD_IDLE, 0, v));
  for (int n = 1; n <= v->units; n = next_count(n, v->units)) {
    HG_TRY(add_state(o, s, LOAD_WAIT, n, v));
    HG_TRY(add_state(o, s, LOAD_FULL, n, v));
  }
  return hg_non_negative_least_squares(v->rows, UNKNOWNS, &v->a[0][0], v->watts, v->x, &v->worst);
}

static hg_status measure_kind(const measure_options *o, bool gpus, int units, levels *v)
{
  hg_energy_source *s;
  *v = (levels){.gpus = gpus, .units = units};
  HG_TRY(hg_energy_open("--source", o->source, gpus, o->meter_offset, &s));
  snprintf(v->source, sizeof v->source, "%s (%s)", s->name, s->coverage);
  const hg_status status = measure_all(o, s, v);
  s->close(s);
  HG_TRY(status);
  v->x[WAIT] = fmin(v->x[WAIT], v->x[FULL]); /* waiting cannot draw more than working, except by noise */
  if (v->worst > .05)
    hg_log(HG_WARN,
           "the powers of %s are not additive: one count is off by %.1f %%, so the file has a table of all counts",
           gpus ? "GPUs" : "cores", 100 * v->worst);
  return v->x[FULL] > 0 ? HG_OK
                        : hg_fail(HG_RUNTIME, "%s: the counter of %s does not show their work", gpus ? "GPUs" : "cores",
                                  v->source);
}

/* --- the file --- */

static void write_rows(FILE *out, const levels *v)
{
  for (int i = 0; i < v->rows; i++) {
    const double *row = v->a[i];
    fprintf(out, "#   %s: %g computing, %g waiting: %.6g W\n", v->gpus ? "GPUs" : "cores", row[FULL], row[WAIT],
            v->watts[i]);
  }
}

static void write_head(FILE *out, const levels *v)
{
  char date[64];
  const time_t now = time(NULL);
  strftime(date, sizeof date, "%Y-%m-%d", localtime(&now));
  fprintf(out, "# %s: measured %s by %s, spread of repeats %.2g %%, largest residual %.2g %%\n",
          v->gpus ? "GPUs" : "cores", date, v->source, 100 * v->spread, 100 * v->worst);
  if (v->worst > .05) write_rows(out, v);
}

/* NVML's counters cover only GPUs, so the idle power belongs to them; with other sources it belongs to the node. */
static void write_devices(FILE *out, const levels *cpu, const levels *gpu)
{
  const bool own = strncmp(gpu->source, "nvml", 4) == 0 && strcmp(gpu->source, cpu->source) != 0;
  const double idle = own && gpu->units ? gpu->x[BASE] / gpu->units : 0;
  fprintf(out, "device core cpu full=%.6g wait=%.6g idle=0\n", cpu->x[FULL], cpu->x[WAIT]);
  if (gpu->units)
    fprintf(out, "device gpu cuda full=%.6g wait=%.6g idle=%.6g\n", gpu->x[FULL] + idle, gpu->x[WAIT] + idle, idle);
  fputs("node ", out);
  if (gpu->units) fprintf(out, "gpu*%d,", gpu->units);
  fprintf(out, "core*%d base=%.6g\n", cpu->units, cpu->x[BASE]);
}

static hg_status write_file(const char *path, const levels *cpu, const levels *gpu)
{
  char part[HG_PATH_MAX];
  FILE *out;
  HG_TRY(hg_make_folders(path));
  HG_TRY(hg_file_begin(path, part, &out));
  write_head(out, cpu);
  if (gpu->units) write_head(out, gpu);
  write_devices(out, cpu, gpu);
  return hg_file_end(out, part, path, HG_OK);
}

hg_status measure(const measure_options *o)
{
  static levels cpu, gpu;
  char path[HG_PATH_MAX];
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (o->output)
    snprintf(path, sizeof path, "%s", o->output);
  else
    HG_TRY(hg_energy_machine(path));
  HG_TRY(measure_kind(o, false, (int)(cores < 64 ? cores : 64), &cpu));
  if (hg_gpu_count() > 0) HG_TRY(measure_kind(o, true, hg_gpu_count(), &gpu));
  HG_TRY(write_file(path, &cpu, &gpu));
  printf("%s: core full %.4g W, waiting %.4g W", path, cpu.x[FULL], cpu.x[WAIT]);
  if (gpu.units) printf("; GPU full %.4g W more, waiting %.4g W", gpu.x[FULL], gpu.x[WAIT]);
  printf("; base %.4g W\n", cpu.x[BASE]);
  return HG_OK;
}
