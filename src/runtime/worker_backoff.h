/* SPDX-License-Identifier: MIT */
/* Lets idle CPU workers sleep where there is no core to spare for polling. */
#ifndef HG_RUNTIME_WORKER_BACKOFF_H
#define HG_RUNTIME_WORKER_BACKOFF_H

/** From now on StarPU's CPU workers that find no task for a while sleep between polls, for at most 0.1 ms, since they
 * share a core. StarPU must be running. */
void hg_worker_backoff_begin(void);

/** Workers that StarPU starts later poll again. StarPU must have ended. Does nothing if hg_worker_backoff_begin was
 * not called. */
void hg_worker_backoff_end(void);
#endif
