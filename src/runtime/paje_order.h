/* SPDX-License-Identifier: MIT */
/* StarPU's Paje traces as their readers want them. Internal to runtime/. */
#ifndef HG_RUNTIME_PAJE_ORDER_H
#define HG_RUNTIME_PAJE_ORDER_H

#include "base/status.h"

/** Mends the trace that StarPU has made of several ranks' parts: its events are ordered in time, which pj_dump insists
 * on (StarPU writes one rank after the other), and no name is empty, at which it ends; its colours are those of Paje,
 * which ViTE shows white otherwise, and waiting is grey; it lasts from the run's begin to its end.
 * @param[out] origin  ms: where it begins in the times of tasks.rec. HG_IO, HG_MEMORY. */
hg_status hg_paje_repair(const char *path, double *origin);
#endif
