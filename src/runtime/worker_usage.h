/* SPDX-License-Identifier: MIT */
/* How the workers of this rank are used, for energy accounting and policies. */
#ifndef HG_RUNTIME_WORKER_USAGE_H
#define HG_RUNTIME_WORKER_USAGE_H

#include "runtime/session.h"

/** Makes StarPU count the time that workers execute tasks. */
void hg_use_watch(void);

/** What a worker did, in s. */
typedef struct hg_worker_use {
  double busy;      /**< executing tasks */
  double transfers; /**< waiting for a task's data to arrive on its device, while no task executed */
} hg_worker_use;

/** use[session->workers] since the last call or hg_use_watch. */
void hg_use_times(const hg_session *session, hg_worker_use *use);

/** Whether workers without a task sleep (StarPU with blocking drivers) instead of polling. */
bool hg_use_sleeps(void);

/** Keeps policies from giving grid tasks to this rank's workers for which use[session->all_workers] is false. All
 * remain in use if there would be none, and for tasks that no other kind can run. HG_MEMORY. */
hg_status hg_use_only(hg_session *session, const bool *use);

/** Workers of that kind on this rank that tasks may use. */
int hg_use_count(const hg_session *session, hg_worker_kind kind);

/** Lower bound of the flop/s of a GPU of this rank that never waits; 0: no GPU, or unknown. */
double hg_use_gpu_rate(const hg_session *session, bool is_float);

/** Bytes for the data of a GPU worker of this rank: nine tenths of the device memory that StarPU may use, divided
 * among the GPU's workers; 0: unknown, or not a GPU worker. */
double hg_use_gpu_room(int worker);

/** s of a copy between two memory nodes by StarPU's bus calibration, if nothing else uses the link:
 * starpu_transfer_predict assumes as many bytes in the other direction at the same time. */
double hg_use_transfer(unsigned from, unsigned to, double bytes);

/** Tells hetgrid's policies the power in W that each of this rank's workers draws while it computes; if
 * STARPU_SCHED_GAMMA is set, StarPU's policies too, through the codelets' energy models. */
void hg_use_powers(const hg_session *session, const double *watts);

enum { HG_BUS_NAME = 32 };

/** PCI addresses of this rank's GPUs, "0000:3b:00.0". @param[out] bus  [session->workers], "" for other workers and if
 * the driver does not tell */
void hg_use_gpus(const hg_session *session, char (*bus)[HG_BUS_NAME]);
#endif
