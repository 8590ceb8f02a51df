/* SPDX-License-Identifier: MIT */
/* CPU workers that sleep when there is nothing to do, where no core is to spare for it. */
#ifndef HG_RUNTIME_WORKER_BACKOFF_H
#define HG_RUNTIME_WORKER_BACKOFF_H

/** From now on StarPU's CPU workers that find no task for a while sleep between looking, at most .1 milliseconds,
 * instead of polling on a core that they share. StarPU runs. */
void hg_worker_backoff_begin(void);

/** Workers that StarPU starts later poll again. StarPU has ended; nothing happens if they polled already. */
void hg_worker_backoff_end(void);
#endif
