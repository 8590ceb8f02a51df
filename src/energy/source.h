/* SPDX-License-Identifier: MIT */
/* Sources of joules: counters and meters that are read at the beginning and the end of what is measured. Each names
 * what it covers.
 *
 *   hg_energy_source *s;
 *   HG_TRY(hg_rapl_open(&s));
 *   HG_TRY(s->begin(s));
 *   work();
 *   HG_TRY(s->end(s, &joules));
 *   s->close(s);
 *
 * A source covers only this machine; a run on several must query each of them once. */
#ifndef HG_ENERGY_SOURCE_H
#define HG_ENERGY_SOURCE_H

#include "base/status.h"

typedef struct hg_energy_source hg_energy_source;

struct hg_energy_source {
  const char *name;     /**< "rapl", "nvml", "nvml-sampled", "meter" */
  const char *coverage; /**< "package", "package+dram", "gpu", "node" */
  double shortest;      /**< s; shorter windows are inaccurate, since counters are updated only this often */
  /** Mark the beginning of a window, and its end: J since then, over all that it covers.
   * HG_IO, HG_RUNTIME: it can no longer be read, was reset, does not change, or counts more than the device can draw.
   * A window may be restarted. */
  hg_status (*begin)(hg_energy_source *source);
  hg_status (*end)(hg_energy_source *source, double *joules);
  void (*close)(hg_energy_source *source);
  double begun;   /* by hg_now() */
  double seconds; /**< length of the last finished window, from reading to reading */
};

/** W that no processor package, memory or GPU exceeds; used where its own limits are unknown. */
#define HG_ENERGY_MOST 2000.

/** Whether a working device can have drawn this much: more than nothing, and at most `most` watts for this time plus
 * the 0.1 s between two updates of a counter. HG_RUNTIME naming it. */
hg_status hg_energy_check(const char *device, double joules, double seconds, double most);

/** Processor packages and their memory: running average power limit (RAPL) counters, by the kernel's perf events
 * (power/energy-pkg/, energy-ram), else by powercap (/sys/class/powercap/intel-rapl:N). Cores, graphics and the whole
 * platform (psys), which are parts of these or contain them, are never added. HETGRID_SYSFS names another root than
 * /sys. HG_UNSUPPORTED: there is none; HG_IO: it cannot be read. */
hg_status hg_rapl_open(hg_energy_source **out);

/** NVIDIA GPUs by their management library, which is loaded at run time (HETGRID_NVML names another).
 * @param count, bus  PCI addresses as "0000:3b:00.0"; count 0: all GPUs of the machine.
 * HG_UNSUPPORTED, HG_RUNTIME */
hg_status hg_nvml_open(int count, const char *const *bus, hg_energy_source **out);

/** A log of electricity meters: CSV of time (UNIX seconds, or ISO 8601) and watts, with a column for each of `nodes`
 * nodes; see energy/meterlog.h. Read at the end of a window, when it waits for a later sample as long as the file
 * grows. @param offset  s by which the meter's clock is ahead of ours. HG_IO, HG_FORMAT, HG_INVALID */
hg_status hg_meter_open(const char *path, double offset, int nodes, hg_energy_source **out);
#endif
