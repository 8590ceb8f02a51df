/* SPDX-License-Identifier: MIT */
#ifndef HG_CODELETS_SCRATCH_H
#define HG_CODELETS_SCRATCH_H

#include <stddef.h>

/** Scratch memory of the calling thread, grown as needed and kept for its next task; contents are lost when it grows.
 * Page-aligned; NULL if there is none. */
void *hg_worker_scratch(size_t bytes);
#endif
