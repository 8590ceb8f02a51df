/* SPDX-License-Identifier: MIT */
/* The NVIDIA management library is loaded at run time, so that the build needs nothing from NVIDIA; its functions are
 * declared here according to its reference manual (docs.nvidia.com/deploy/nvml-api). */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "energy/source.h"
#include "energy/ticker.h"
#include "energy/cluster_energy.h"

enum { SUCCESS = 0, GPUS_MAX = 64 };
static const double EVERY = .05; /* s between power samples of a GPU that does not count energy */

typedef void *device;

/* The functions used; all but the last return SUCCESS or an error. */
typedef struct library {
  void *handle;
  int (*init)(void);
  int (*shutdown)(void);
  int (*count)(unsigned *count);
  int (*by_index)(unsigned index, device *out);
  int (*by_bus)(const char *bus, device *out);
  int (*energy)(device device, unsigned long long *millijoules);
  int (*power)(device device, unsigned *milliwatts);
  int (*limits)(device device, unsigned *least, unsigned *most); /* mW; NULL if not available */
  const char *(*text)(int error);
} library;

typedef struct gpu {
  device device;
  double most;           /* W, the most it can draw */
  unsigned long long at; /* mJ at the beginning of the window */
  hg_sample *sample;     /* since then, if powers are sampled */
  int64_t samples;
} gpu;

typedef struct nvml {
  hg_energy_source source;
  library lib;
  bool started;
  gpu gpu[GPUS_MAX];
  int gpus;
  hg_ticker ticker; /* takes the samples, if powers are sampled */
  hg_status failed;
  char why[256];
} nvml;

static hg_status wrong(const nvml *n, const char *what, int i, int error)
{
  return hg_fail(HG_RUNTIME, "nvml: %s of GPU %d: %s", what, i, n->lib.text(error));
}

/* --- counters of energy --- */

static hg_status check(const nvml *n, int i, double joules)
{
  char name[32];
  snprintf(name, sizeof name, "nvml: GPU %d", i);
  return hg_energy_check(name, joules, n->source.seconds, n->gpu[i].most);
}

static hg_status begin_counting(hg_energy_source *source)
{
  nvml *n = (nvml *)source;
  for (int i = 0; i < n->gpus; i++) {
    const int error = n->lib.energy(n->gpu[i].device, &n->gpu[i].at);
    if (error != SUCCESS) return wrong(n, "energy", i, error);
  }
  source->begun = hg_now();
  return HG_OK;
}

static hg_status end_counting(hg_energy_source *source, double *joules)
{
  nvml *n = (nvml *)source;
  unsigned long long now, sum = 0;
  source->seconds = hg_now() - source->begun;
  for (int i = 0; i < n->gpus; i++) {
    const int error = n->lib.energy(n->gpu[i].device, &now);
    if (error != SUCCESS) return wrong(n, "energy", i, error);
    if (now < n->gpu[i].at)
      return hg_fail(HG_RUNTIME, "nvml: GPU %d went from %llu back to %llu mJ: its counter was reset", i, n->gpu[i].at,
                     now);
    HG_TRY(check(n, i, (double)(now - n->gpu[i].at) * 1e-3));
    sum += now - n->gpu[i].at;
  }
  *joules = (double)sum * 1e-3;
  return HG_OK;
}

/* --- powers, sampled --- */

static hg_status sample_one(const nvml *n, double now, gpu *g, int i)
{
  unsigned milliwatts;
  const int error = n->lib.power(g->device, &milliwatts);
  if (error != SUCCESS) return wrong(n, "power", i, error);
  HG_TRY(hg_grow("samples of power", (void **)&g->sample, g->samples, sizeof *g->sample));
  g->sample[g->samples++] = (hg_sample){now, milliwatts * 1e-3};
  return HG_OK;
}

static void sample_all(void *arg)
{
  nvml *n = arg;
  const double now = hg_now();
  for (int i = 0; i < n->gpus && n->failed == HG_OK; i++) {
    n->failed = sample_one(n, now, &n->gpu[i], i);
    if (n->failed != HG_OK) snprintf(n->why, sizeof n->why, "%.250s", hg_message());
  }
}

static hg_status said(const nvml *n)
{
  return n->failed == HG_OK ? HG_OK : hg_fail(n->failed, "%s", n->why);
}

static hg_status begin_sampling(hg_energy_source *source)
{
  nvml *n = (nvml *)source;
  hg_ticker_stop(&n->ticker);
  n->failed = HG_OK;
  for (int i = 0; i < n->gpus; i++) {
    free(n->gpu[i].sample);
    n->gpu[i].sample = NULL;
    n->gpu[i].samples = 0;
  }
  sample_all(n);
  HG_TRY(said(n));
  return hg_ticker_start(&n->ticker, EVERY, sample_all, n);
}

static hg_status end_sampling(hg_energy_source *source, double *joules)
{
  nvml *n = (nvml *)source;
  pthread_mutex_lock(&n->ticker.lock);
  sample_all(n);
  pthread_mutex_unlock(&n->ticker.lock);
  hg_ticker_stop(&n->ticker);
  HG_TRY(said(n));
  *joules = 0;
  source->seconds = n->gpu[0].sample[n->gpu[0].samples - 1].time - n->gpu[0].sample[0].time;
  for (int i = 0; i < n->gpus; i++) {
    const gpu *g = &n->gpu[i];
    double part;
    HG_TRY(hg_trapezoid((int)g->samples, g->sample, g->sample[0].time, g->sample[g->samples - 1].time, &part));
    HG_TRY(check(n, i, part));
    *joules += part;
  }
  return HG_OK;
}

/* --- the library --- */

static hg_status load(library *lib)
{
  const struct {
    const char *name;
    void **to;
  } wanted[] = {{"nvmlInit_v2", (void **)&lib->init},
                {"nvmlShutdown", (void **)&lib->shutdown},
                {"nvmlDeviceGetCount_v2", (void **)&lib->count},
                {"nvmlDeviceGetHandleByIndex_v2", (void **)&lib->by_index},
                {"nvmlDeviceGetHandleByPciBusId_v2", (void **)&lib->by_bus},
                {"nvmlDeviceGetTotalEnergyConsumption", (void **)&lib->energy},
                {"nvmlDeviceGetPowerUsage", (void **)&lib->power},
                {"nvmlErrorString", (void **)&lib->text}};
  const char *named = getenv("HETGRID_NVML"), *name = named && *named ? named : "libnvidia-ml.so.1";
  lib->handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!lib->handle) return hg_fail(HG_UNSUPPORTED, "there is no %s", name);
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    *wanted[i].to = dlsym(lib->handle, wanted[i].name);
    if (!*wanted[i].to) return hg_fail(HG_UNSUPPORTED, "%s has no %s", name, wanted[i].name);
  }
  *(void **)&lib->limits = dlsym(lib->handle, "nvmlDeviceGetPowerManagementLimitConstraints");
  return HG_OK;
}

/* Twice its highest power limit. */
static double most_watts(const library *lib, device one)
{
  unsigned least, most = 0;
  const bool known = lib->limits && lib->limits(one, &least, &most) == SUCCESS && most > 0;
  return known ? 2e-3 * most : HG_ENERGY_MOST;
}

static hg_status find_gpus(nvml *n, int count, const char *const *bus)
{
  unsigned all = 0;
  int error = n->lib.init();
  if (error != SUCCESS) return hg_fail(HG_UNSUPPORTED, "nvml: %s", n->lib.text(error));
  n->started = true;
  error = count ? SUCCESS : n->lib.count(&all);
  if (error != SUCCESS) return hg_fail(HG_RUNTIME, "nvml: %s", n->lib.text(error));
  n->gpus = count ? count : (int)all;
  if (n->gpus < 1 || n->gpus > GPUS_MAX)
    return hg_fail(HG_UNSUPPORTED, "nvml: %d GPUs, must be in 1..%d", n->gpus, GPUS_MAX);
  for (int i = 0; i < n->gpus; i++) {
    error = count ? n->lib.by_bus(bus[i], &n->gpu[i].device) : n->lib.by_index((unsigned)i, &n->gpu[i].device);
    if (error != SUCCESS) return wrong(n, count ? bus[i] : "handle", i, error);
    n->gpu[i].most = most_watts(&n->lib, n->gpu[i].device);
  }
  return HG_OK;
}

/* Either all of them count energy, or all are sampled. */
static hg_status choose_way(nvml *n)
{
  bool counts = true;
  for (int i = 0; i < n->gpus; i++) counts &= n->lib.energy(n->gpu[i].device, &n->gpu[i].at) == SUCCESS;
  if (counts) return HG_OK;
  n->source.name = "nvml-sampled";
  n->source.begin = begin_sampling;
  n->source.end = end_sampling;
  sample_all(n);
  return said(n);
}

static void close_nvml(hg_energy_source *source)
{
  nvml *n = (nvml *)source;
  hg_ticker_stop(&n->ticker);
  for (int i = 0; i < n->gpus && i < GPUS_MAX; i++) free(n->gpu[i].sample);
  if (n->started) n->lib.shutdown();
  if (n->lib.handle) dlclose(n->lib.handle);
  free(n);
}

hg_status hg_nvml_open(int count, const char *const *bus, hg_energy_source **out)
{
  nvml *n = calloc(1, sizeof *n);
  if (!n) return hg_fail(HG_MEMORY, "no memory for GPUs");
  n->source = (hg_energy_source){.name = "nvml",
                                 .coverage = "gpu",
                                 .shortest = 1,
                                 .begin = begin_counting,
                                 .end = end_counting,
                                 .close = close_nvml};
  hg_status status = load(&n->lib);
  if (status == HG_OK) status = find_gpus(n, count, bus);
  if (status == HG_OK) status = choose_way(n);
  if (status == HG_OK)
    *out = &n->source;
  else
    close_nvml(&n->source);
  return status;
}
