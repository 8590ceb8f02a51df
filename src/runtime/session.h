/* SPDX-License-Identifier: MIT */
/* A session: ranks that work together, and StarPU on each of them. It is joined, opened and closed; a process may do
 * so repeatedly, with one open session at a time. */
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
  const char *sched;   /**< StarPU policy; NULL: STARPU_SCHED, else hetgrid */
  const char *workers; /**< kinds that StarPU starts (worker_list.h); NULL: all */
  const char *trace;   /**< folder to record the timed part to, or NULL */
  bool polls;          /**< workers that find no task never sleep */
  int gpu_workers; /**< workers per GPU, with a stream each, if > 1; else StarPU's default, one. STARPU_NWORKER_PER_CUDA
                      and STARPU_CUDA_PIPELINE take precedence. Not in virtual time */
  bool steers; /**< tasks wait for the submitting thread, which then gets a core of its own if there are 8, as it does
                  beside GPUs */
} hg_session_options;

/** The running session. */
typedef struct hg_session {
  int rank, ranks;               /**< of MPI; without it 0 and 1 */
  bool mpi;                      /**< MPI and StarPU-MPI run */
  struct hg_comms *comms;        /**< the session's own (comm.h); NULL without MPI and before joining */
  bool open;                     /**< StarPU runs */
  bool mpi_shares_core;          /**< StarPU-MPI's progress thread has no core of its own */
  bool some_share_core;          /**< ... on any rank */
  int workers;                   /**< on this rank, in StarPU's order: CUDA workers, then CPU workers */
  int all_workers;               /**< on all ranks */
  int first_worker;              /**< this rank's first one, among those of all ranks */
  int *worker_rank;              /**< [all_workers] rank of each worker, ascending */
  int *worker_host;              /**< [all_workers] first rank of each worker's machine */
  hg_worker_kind *kind;          /**< [all_workers] */
  char (*model)[HG_MODEL_NAME];  /**< [all_workers] model of the processor, as the system or driver names it */
  int cpu_workers, cuda_workers; /**< on all ranks */
  char sched[64];                /**< policy in use */
  uint32_t *allowed;             /**< [allowed_words] bits of the workers that tasks may use (hg_use_only) */
  unsigned allowed_words;        /**< 0: all */
  unsigned allowed_core_words;   /**< the same for tasks that run on cores only; also 0 if only GPUs are allowed */
  bool quiet;                    /**< waits for other ranks without polling */
} hg_session;

/** Finds the ranks. Starts MPI if an MPI launcher started this process and MPI does not run yet; it then ends with the
 * process. Collective.
 * @param communicator  a MPI_Comm whose ranks work together, or NULL: MPI_COMM_WORLD. It is duplicated.
 * HG_INVALID if it is null or there is no MPI; HG_RUNTIME if MPI has ended or does not support several threads; each
 * on the rank concerned. */
hg_status hg_session_join(const void *communicator, hg_session *session);

/** Checks that a communicator (as above) has the ranks of a joined session, in the same order: HG_OK or
 * HG_UNSUPPORTED. Not collective. */
hg_status hg_session_is_of(const void *communicator, const hg_session *session);

/** Starts StarPU. Collective; fails on all ranks alike: HG_INVALID for an unknown policy, HG_NO_WORKER if there is no
 * processor to run on, HG_UNSUPPORTED if StarPU runs already, HG_RUNTIME. @param session  joined */
hg_status hg_session_open(const hg_session_options *options, hg_session *session);

/** HG_UNSUPPORTED in a process that was forked while a session was open: StarPU's threads are not in it.
 * @param function  that cannot be called there, for the message */
hg_status hg_session_check_fork(const char *function);

/** Whether the caller is a worker that runs a task. */
bool hg_session_in_task(void);

/** Whether an MPI launcher started this process; not in virtual time. */
bool hg_session_is_launched(void);

/** Rank that the MPI launcher gave this process, known before MPI starts; 0 without a launcher. */
int hg_session_launch_rank(void);

/** Closes a session. Does nothing for one that is all 0. Collective. */
void hg_session_close(hg_session *session);

/** The status of the first rank that failed, so that all ranks continue or all stop. Collective. Every rank then has
 * its message, which names the rank if others have not failed. */
hg_status hg_session_agree(const hg_session *session, hg_status mine);

/** As hg_session_agree, for the end of a program, when the others may still be working: if they do not arrive within
 * seconds, a failed rank says so and ends all of them. Waits without polling. */
hg_status hg_session_agree_or_abort(const hg_session *session, hg_status mine);

/** Duplicates a session's ranks for another thread: collective functions may be called on both at once, and the copy
 * waits without polling. It has no tasks. Collective; free it with hg_session_free_dup before the session ends. */
void hg_session_dup(const hg_session *session, hg_session *copy);
void hg_session_free_dup(hg_session *copy);

/** Broadcasts rank 0's bytes. Collective. */
void hg_session_bcast(const hg_session *session, void *bytes, size_t size);

/** *value = maximum over all ranks. Collective. */
void hg_session_max(const hg_session *session, double *value);

/** *value = sum over the ranks. Collective. */
void hg_session_sum(const hg_session *session, double *value);

/** value[i] = sum over the ranks, i < count. Collective. */
void hg_session_sum_all(const hg_session *session, double *value, int64_t count);

/** Workers without tasks poll, on cores that loading and moving values need. Between these two calls this rank's
 * workers sleep, unless there are devices, whose data they may have to transfer. No task may be waited for
 * meanwhile. */
void hg_session_pause(const hg_session *session);
void hg_session_resume(const hg_session *session);

/** Waits for all ranks. */
void hg_session_barrier(const hg_session *session);

/** Prints this thread's last message and ends all ranks at once, for failures that one rank detects while others wait
 * for it. Does not return. */
_Noreturn void hg_session_abort(const hg_session *session, hg_status status);

struct starpu_conf;

/** Sets the policy of that name; NULL: the one that STARPU_SCHED names, or hetgrid. HG_INVALID listing the known ones,
 * or naming the library that cannot be loaded. */
hg_status hg_policy_choose(const char *option, struct starpu_conf *conf);

/** A line for each policy, its name first. HG_INVALID naming the library. */
hg_status hg_policy_list(FILE *out);
#endif
