/* SPDX-License-Identifier: MIT */
/* A piece of work on all cores that this process may use. Threads compete with tasks that run meanwhile. */
#ifndef HG_BASE_PARALLEL_H
#define HG_BASE_PARALLEL_H

/** Part `part` of `parts`. */
typedef void hg_part(void *arg, int part, int parts);

/** Calls it for every part, at most `most`, each by a thread; parts without a thread are done by the caller. */
void hg_parallel(int most, hg_part *work, void *arg);
#endif
