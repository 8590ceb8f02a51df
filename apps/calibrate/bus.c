/* SPDX-License-Identifier: MIT */
/* The link between main memory and the first GPU, in the few numbers used in a machine's description. */
#include <math.h>

#include "calibrate.h"
#include "codelets/gpu/bus.h"

enum { LARGE = 32 << 20 };

typedef struct copy {
  hg_bus *bus;
  hg_bus_kind kind;
  int64_t bytes;
} copy;

static hg_status run_copy(void *arg, double *seconds)
{
  const copy *c = arg;
  return hg_bus_times(c->bus, c->kind, c->bytes, 1, seconds) == 0 ? HG_OK : hg_fail(HG_RUNTIME, "a copy failed");
}

/* In the form of platform/platform.h: bytes/s of large copies, s of small ones. */
static hg_status measure_way(hg_bus *bus, hg_bus_kind way, double *bandwidth, double *latency)
{
  copy c = {bus, way, 1};
  hg_timing small, large;
  HG_TRY(hg_measure_runs(run_copy, &c, &small));
  c.bytes = LARGE;
  HG_TRY(hg_measure_runs(run_copy, &c, &large));
  *latency = small.seconds;
  *bandwidth = LARGE / fmax(large.seconds - small.seconds, large.seconds / 1e3);
  return HG_OK;
}

hg_status calibrate_bus(calibrate_bus_times *out)
{
  double there, back;
  hg_bus *bus = hg_bus_open(LARGE);
  if (!bus) return hg_fail(HG_MEMORY, "no memory to measure copies to the first GPU");
  hg_status status = measure_way(bus, HG_BUS_H2D, &out->to, &there);
  if (status == HG_OK) status = measure_way(bus, HG_BUS_D2H, &out->from, &back);
  hg_bus_close(bus);
  if (status == HG_OK) out->latency = (there + back) / 2;
  return status;
}
