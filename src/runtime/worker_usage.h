/* SPDX-License-Identifier: MIT */
/* How the workers of this rank are used, for those who count what that costs. */
#ifndef HG_RUNTIME_WORKER_USAGE_H
#define HG_RUNTIME_WORKER_USAGE_H

#include "runtime/session.h"

/** From now on StarPU counts the time that workers execute tasks. */
void hg_use_watch(void);

/** What a worker did, in s. */
typedef struct hg_worker_use {
  double busy;      /**< executing tasks */
  double transfers; /**< waiting for data of a task to come to its device, while it executed none */
} hg_worker_use;

/** use[session->workers] since the last call, or the watch began. */
void hg_use_times(const hg_session *session, hg_worker_use *use);

/** Whether workers without a task sleep (a StarPU with blocking drivers) instead of polling for
 * one. */
bool hg_use_sleeps(void);

/** From now on no policy gives tasks of grids to the workers of this rank for which use[session->all_workers] is false;
 * all stay if there would be none, and where a task can run on no other kind. HG_MEMORY. */
hg_status hg_use_only(hg_session *session, const bool *use);

/** Workers of that kind on this rank that tasks may use. */
int hg_use_count(const hg_session *session, hg_worker_kind kind);

/** flop/s that a GPU of this rank does at least where nothing keeps it waiting; 0: there is none, or it does not tell.
 */
double hg_use_gpu_rate(const hg_session *session, bool is_float);

/** Bytes for the data of a GPU's worker of this rank: nine tenths of what StarPU may use of the device's memory, which
 * its workers share; 0: unknown, or no GPU's worker. */
double hg_use_gpu_room(int worker);

/** s of a copy between two memory nodes by StarPU's calibration of the bus, if it has the link for itself:
 * starpu_transfer_predict supposes as many bytes the other way at the same time. */
double hg_use_transfer(unsigned from, unsigned to, double bytes);

/** Tells our policies what each of this rank's workers draws while it computes, W; where STARPU_SCHED_GAMMA asks for
 * joules to be weighed, StarPU's policies too, by the codelets' energy models. */
void hg_use_powers(const hg_session *session, const double *watts);

enum { HG_BUS_NAME = 32 };

/** PCI addresses of this rank's GPUs, "0000:3b:00.0". @param[out] bus  [session->workers], "" of
 * other workers and where the driver does not tell */
void hg_use_gpus(const hg_session *session, char (*bus)[HG_BUS_NAME]);
#endif
