/* SPDX-License-Identifier: MIT */
/* Repairs StarPU's Paje traces for their readers. Internal to runtime/. */
#ifndef HG_RUNTIME_PAJE_ORDER_H
#define HG_RUNTIME_PAJE_ORDER_H

#include "base/status.h"

/** Repairs the trace that StarPU made of several ranks' parts. Events are sorted by time, which pj_dump requires
 * (StarPU writes one rank after the other). Empty names, at which pj_dump stops, are replaced. Colours are converted
 * to Paje's range, since ViTE shows others white, and waiting is grey. The trace lasts from the run's beginning to its
 * end.
 * @param[out] origin  ms: its beginning, in the times of tasks.rec. HG_IO, HG_MEMORY. */
hg_status hg_paje_repair(const char *path, double *origin);
#endif
