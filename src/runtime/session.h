/* SPDX-License-Identifier: MIT */
/* A session: the ranks that work together, and StarPU on each of them. It is joined, then opened, then closed; a
 * process may do so as often as it likes, one session with StarPU at a time. */
#ifndef HG_RUNTIME_SESSION_H
#define HG_RUNTIME_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

typedef enum hg_worker_kind { HG_CPU_WORKER, HG_CUDA_WORKER } hg_worker_kind;

enum { HG_MODEL_NAME = 96 }; /* bytes of a processor's model name */

typedef struct hg_session_options {
  const char *sched;   /**< StarPU policy, or NULL for the one of STARPU_SCHED, or else hetgrid */
  const char *workers; /**< kinds that StarPU starts (worker_list.h), or NULL: all there are */
  const char *trace;   /**< folder to record the timed part to, or NULL */
  bool polls;          /**< workers that find no task never sleep */
  int gpu_workers;     /**< of a GPU, with a stream each, if > 1; else StarPU's default, one. The environment's
                            STARPU_NWORKER_PER_CUDA and STARPU_CUDA_PIPELINE win. Not in virtual time */
  bool steers;         /**< tasks wait for the thread that submits them, which then has a core of its own where there
                            are 8, as it has beside GPUs */
} hg_session_options;

/** The running session. */
typedef struct hg_session {
  int rank, ranks;               /**< of MPI; 0 of 1 without */
  bool mpi;                      /**< MPI runs, so StarPU-MPI does too */
  struct hg_comms *comms;        /**< the session's own (comm.h); NULL without MPI, and before the session is joined */
  bool open;                     /**< StarPU runs */
  bool mpi_shares_core;          /**< StarPU-MPI's progress thread has no core of its own */
  int workers;                   /**< on this rank: by StarPU's numbers: CUDA workers, then CPU workers */
  int all_workers;               /**< on all ranks */
  int first_worker;              /**< of this rank, among those of all */
  int *worker_rank;              /**< [all_workers] rank of each, ascending */
  int *worker_host;              /**< [all_workers] first rank of the machine that each is in */
  hg_worker_kind *kind;          /**< [all_workers] */
  char (*model)[HG_MODEL_NAME];  /**< [all_workers] of the processor, as its system or driver names it */
  int cpu_workers, cuda_workers; /**< on all ranks */
  char sched[64];                /**< policy really used */
  uint32_t *allowed;             /**< [allowed_words] bits of the workers that tasks may use (hg_use_only) */
  unsigned allowed_words;        /**< 0: all */
  unsigned allowed_core_words;   /**< the same of tasks for cores alone: 0 where only GPUs are allowed, too */
  bool quiet;                    /**< waits for other ranks without taking a processor */
} hg_session;

/** Finds the ranks. Starts MPI if an MPI launcher started this process and nobody has started it; what was started here
 * ends with the process. Collective.
 * @param communicator  a MPI_Comm whose ranks work together, or NULL: MPI_COMM_WORLD. It is duplicated.
 * HG_INVALID if it is null or there is no MPI, HG_RUNTIME if MPI has ended, or is not fit for several threads; all of
 * these on the rank concerned. */
hg_status hg_session_join(const void *communicator, hg_session *session);

/** Whether a communicator (as above) has the ranks of a session that was joined, in the same order: HG_OK, or
 * HG_UNSUPPORTED. Not collective. */
hg_status hg_session_is_of(const void *communicator, const hg_session *session);

/** Starts StarPU. Collective, and fails on all ranks alike: HG_INVALID for an unknown policy, HG_NO_WORKER if there is
 * no processor to run on, HG_UNSUPPORTED where StarPU runs already, HG_RUNTIME. @param session  joined */
hg_status hg_session_open(const hg_session_options *options, hg_session *session);

/** Whether it is a worker that calls, in the middle of a task. */
bool hg_session_in_task(void);

/** Whether an MPI launcher started this process; not in virtual time. */
bool hg_session_is_launched(void);

/** Rank that the MPI launcher gave this process, before MPI is started; 0 without a launcher. */
int hg_session_launch_rank(void);

/** Ends what was joined and opened. Nothing happens to a session that is all 0. Collective. */
void hg_session_close(hg_session *session);

/** The status of the first rank that failed, so that all go on or all stop. Collective. Its message is known to every
 * rank afterwards; it names the rank if others have not failed. */
hg_status hg_session_agree(const hg_session *session, hg_status mine);

/** As hg_session_agree, for the end of a program, where a rank that failed may find the others in the middle of their
 * work: if they do not come within seconds it says so and ends all of them. Takes no processor while it waits. */
hg_status hg_session_agree_or_abort(const hg_session *session, hg_status mine);

/** The same ranks, for a thread beside the one that has the session: what is collective may be called on both at once,
 * and the new one waits quietly. It has no tasks. Collective; ends with hg_session_free_dup, before the session does.
 */
void hg_session_dup(const hg_session *session, hg_session *copy);
void hg_session_free_dup(hg_session *copy);

/** Rank 0's bytes become those of all ranks. Collective. */
void hg_session_bcast(const hg_session *session, void *bytes, size_t size);

/** *value = largest of all ranks' values. Collective. */
void hg_session_max(const hg_session *session, double *value);

/** *value = sum over the ranks. Collective. */
void hg_session_sum(const hg_session *session, double *value);

/** value[i] = sum over the ranks, i < count. Collective. */
void hg_session_sum_all(const hg_session *session, double *value, int64_t count);

/** Workers that find no task ask for one again and again, on the cores that loading and moving values need. Between
 * these two calls those of this rank sleep, unless there are devices, whose data they may have to bring; no task is
 * waited for meanwhile. */
void hg_session_pause(const hg_session *session);
void hg_session_resume(const hg_session *session);

/** Waits for all ranks. */
void hg_session_barrier(const hg_session *session);

/** Says what this thread's last message is and ends all ranks at once, for failures that only one rank knows of while
 * others wait for it. Does not return. */
_Noreturn void hg_session_abort(const hg_session *session, hg_status status);

struct starpu_conf;

/** Sets the policy of that name; NULL: the one that STARPU_SCHED names, or hetgrid. HG_INVALID with all that are known,
 * or naming the library that cannot be loaded. */
hg_status hg_policy_choose(const char *option, struct starpu_conf *conf);

/** A line for each policy, its name first. HG_INVALID naming the library. */
hg_status hg_policy_list(FILE *out);
#endif
