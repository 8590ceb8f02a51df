/* SPDX-License-Identifier: MIT */
/* Work split over all cores that this process may use. The threads compete with tasks that run meanwhile. */
#ifndef HG_BASE_PARALLEL_H
#define HG_BASE_PARALLEL_H

/** Does part `part` of `parts`. */
typedef void hg_part(void *arg, int part, int parts);

/** Calls `work` for every part, each in a thread, with at most `most` parts. If a thread cannot be created, the caller
 * does its part. */
void hg_parallel(int most, hg_part *work, void *arg);
#endif
