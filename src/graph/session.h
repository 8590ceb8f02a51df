/* SPDX-License-Identifier: MIT */
/* StarPU and MPI, started once per process. */
#ifndef HG_GRAPH_SESSION_H
#define HG_GRAPH_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef enum hg_worker_kind { HG_CPU_WORKER, HG_CUDA_WORKER } hg_worker_kind;

enum { HG_MODEL_NAME = 96 }; /* bytes of a processor's model name */

typedef struct hg_session_options {
  const char *sched; /**< StarPU policy, or NULL for the default; the environment's STARPU_SCHED wins over both */
  const char *trace; /**< folder to record the timed part to, or NULL */
} hg_session_options;

/** The running session. */
typedef struct hg_session {
  int rank, ranks;               /**< of MPI; 0 of 1 without */
  bool mpi;                      /**< started by an MPI launcher, so StarPU-MPI runs */
  bool mpi_shares_core;          /**< StarPU-MPI's progress thread has no core of its own */
  int workers;                   /**< on this rank: by StarPU's numbers: CUDA workers, then CPU workers */
  int all_workers;               /**< on all ranks */
  int *worker_rank;              /**< [all_workers] rank of each, ascending */
  hg_worker_kind *kind;          /**< [all_workers] */
  char (*model)[HG_MODEL_NAME];  /**< [all_workers] of the processor, as its system or driver names it */
  int cpu_workers, cuda_workers; /**< on all ranks */
  char sched[64];                /**< policy really used */
} hg_session;

/** Starts MPI (if an MPI launcher started this process) and StarPU. Collective over all ranks.
 * HG_INVALID for an unknown policy, HG_NO_WORKER if there is no processor to run on, HG_RUNTIME. */
hg_status hg_session_open(const hg_session_options *options, hg_session *session);

/** Rank that the MPI launcher gave this process, before MPI is started; 0 without a launcher. */
int hg_session_launch_rank(void);

/** Ends both. Collective. */
void hg_session_close(hg_session *session);

/** The largest status of all ranks, so that all go on or all stop. Collective. The message of the first failing rank
 * is known to every rank afterwards. */
hg_status hg_session_agree(const hg_session *session, hg_status mine);

/** *value = largest of all ranks' values. Collective. */
void hg_session_max(const hg_session *session, double *value);

/** *value = sum over the ranks. Collective. */
void hg_session_sum(const hg_session *session, double *value);

/** value[i] = sum over the ranks, i < count. Collective. */
void hg_session_sum_all(const hg_session *session, double *value, int64_t count);

/** Zeroed memory that CPU workers and devices of this rank can write. HG_MEMORY. */
hg_status hg_session_memory(size_t bytes, void **memory);
void hg_session_free_memory(void *memory, size_t bytes);

/** Workers that find no task ask for one again and again, on the cores that loading and moving values need. Between
 * these two calls those of this rank sleep, unless there are devices, whose data they may have to bring; no task is
 * waited for meanwhile. */
void hg_session_rest(const hg_session *session);
void hg_session_go_on(const hg_session *session);

/** Waits for all ranks. */
void hg_session_barrier(const hg_session *session);

/** Ends all ranks at once, for errors that only one rank knows of. Does not return. */
_Noreturn void hg_session_abort(const hg_session *session, int code);
#endif
